//! A machine to run hand-made tasks on, and jobs to make tasks of.
#![allow(dead_code, reason = "every test binary uses its own part")]

use std::sync::Arc;

use ferrite_device::Buffer;
use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknpu::typed::{Cna, ConvolutionMode, Core, Dpu, DpuRdma, ElementSize, Job, Ppu, PpuRdma, Precision};
use ferrite_rknpu::{Command, EnableMask, JobFlags, Program, Submission, Tail, TaskRange, TaskRecord};
use ferrite_rknpu_emulator::{Emulator, Error, Limits, Options};

/// Emulated memory in strict mode, programs in one buffer.
pub(crate) struct Machine {
    pub(crate) emulator: Emulator,
    programs: Buffer,
    used: u64,
    records: Vec<TaskRecord>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self::with(Options::default(), Limits::default())
    }

    pub(crate) fn with(options: Options, limits: Limits) -> Self {
        let memory = DeviceMemory::new(Settings { strict: true, ..Settings::default() });
        let programs = memory.allocate(1 << 18).expect("memory");
        Self { emulator: Emulator::with_options(memory, options, limits), programs, used: 0, records: Vec::new() }
    }

    /// A machine without tasks that goes on with `emulator`.
    pub(crate) fn continued(emulator: Emulator) -> Self {
        let programs = emulator.memory().allocate(1 << 18).expect("memory");
        Self { emulator, programs, used: 0, records: Vec::new() }
    }

    /// A buffer with these bytes, visible to the device.
    pub(crate) fn buffer(&self, bytes: &[u8]) -> Buffer {
        let buffer = self.emulator.memory().allocate(bytes.len() as u64).expect("memory");
        buffer.write(0, bytes).expect("in range");
        buffer.flush_all_dirty().expect("flush");
        buffer
    }

    /// A buffer of zeros.
    pub(crate) fn space(&self, bytes: usize) -> Buffer {
        self.buffer(&vec![0; bytes])
    }

    /// What the device left in a buffer.
    pub(crate) fn bytes(&self, buffer: &Buffer) -> Vec<u8> {
        buffer.invalidate(0..buffer.len()).expect("invalidate");
        buffer.read_vec(0..buffer.len()).expect("in range")
    }

    /// Adds a task that writes every typed register.
    pub(crate) fn task(&mut self, job: &Job) {
        self.commands(job.encode().expect("values fit"), job.enable);
    }

    /// Adds a task with these register writes only.
    pub(crate) fn commands(&mut self, commands: Vec<Command>, enable: EnableMask) {
        let tail = Tail { next_address: None, next_amounts: 0, enable };
        let program: Program = commands.iter().copied().chain(tail.commands()).collect();
        let bytes = program.to_bytes();
        self.programs.write(self.used, &bytes).expect("room for the program");
        self.records.push(TaskRecord {
            enable_mask: enable,
            regcfg_amount: commands.len() as u32,
            regcmd_addr: self.programs.device_address() + self.used,
            ..TaskRecord::default()
        });
        self.used += bytes.len() as u64;
    }

    /// All tasks so far as one submission for one core.
    pub(crate) fn submission(&self) -> Submission {
        let range = TaskRange { start: 0, number: self.records.len() as u32 };
        Submission::single_core(JobFlags::PC | JobFlags::PINGPONG, Arc::from(&self.records[..]), 0, range, 6000)
    }

    /// Makes the programs visible to the device.
    pub(crate) fn flush(&self) {
        self.programs.flush_all_dirty().expect("flush");
    }

    /// Runs all tasks so far as one submission.
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.flush();
        self.emulator.run(&self.submission())
    }
}

pub(crate) fn address(buffer: &Buffer) -> u32 {
    u32::try_from(buffer.device_address()).expect("a 32-bit address")
}

/// A DPU that passes everything: width, height, channels as stored.
pub(crate) fn passing_dpu(precision: Precision, (width, height, channels): (u32, u32, u32)) -> Dpu {
    let atoms = width * height * 16;
    let mut dpu = Dpu {
        output_mode: 2,
        processing_precision: precision,
        input_precision: precision,
        output_precision: precision,
        width,
        height,
        channels,
        original_channels: channels,
        write_width: width,
        write_height: height,
        write_channels: channels,
        surface_stride: atoms,
        group_stride: atoms,
        correction_bypass: true,
        ..Dpu::default()
    };
    for stage in [&mut dpu.bs, &mut dpu.bn] {
        stage.bypass = true;
        stage.alu_bypass = true;
        stage.multiply_bypass = true;
        stage.relu_bypass = true;
    }
    dpu.ew.bypass = true;
    dpu.ew.operation_bypass = true;
    dpu.ew.lut_bypass = true;
    dpu.ew.relu_bypass = true;
    dpu.ew.converter_scale = 1;
    dpu.out.scale = 1;
    dpu.out.to_float16 = precision == Precision::Float16;
    dpu
}

/// A reader for the same cube.
pub(crate) fn reader(precision: Precision, (width, height, channels): (u32, u32, u32), source: u32) -> DpuRdma {
    DpuRdma {
        width,
        height,
        channels,
        source,
        flying: true,
        ew_disable: true,
        processing_precision: precision,
        input_precision: precision,
        ..DpuRdma::default()
    }
}

/// Memory, DPU, memory.
pub(crate) fn copy_job(precision: Precision, size: (u32, u32, u32), source: u32, destination: u32) -> Job {
    let dpu = Dpu { flying: true, destination, ..passing_dpu(precision, size) };
    let rdma = reader(precision, size, source);
    Job { enable: EnableMask(0x18), dpu: Some(dpu), dpu_rdma: Some(rdma), ..Job::default() }
}

/// A convolution by its network's numbers; memory is packed without gaps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Convolution {
    pub(crate) precision: Precision,
    pub(crate) depthwise: bool,
    pub(crate) input: (u32, u32, u32),
    pub(crate) outputs: u32,
    pub(crate) kernel: (u32, u32),
    pub(crate) stride: (u32, u32),
    pub(crate) dilation: (u32, u32),
    /// Left, top, right, bottom.
    pub(crate) pad: (u32, u32, u32, u32),
}

impl Convolution {
    pub(crate) fn lanes(&self) -> u32 {
        16 / self.precision.bytes().expect("whole bytes")
    }

    pub(crate) fn output_size(&self) -> (u32, u32) {
        let (width, height, _) = self.input;
        let size = |input, pads, kernel, dilation, stride| (input + pads - (kernel - 1) * dilation - 1) / stride + 1;
        (
            size(width, self.pad.0 + self.pad.2, self.kernel.0, self.dilation.0, self.stride.0),
            size(height, self.pad.1 + self.pad.3, self.kernel.1, self.dilation.1, self.stride.1),
        )
    }

    /// Output channels as CORE and DPU count them.
    pub(crate) fn padded_outputs(&self) -> u32 {
        self.outputs.next_multiple_of(if self.depthwise { 8 * self.lanes() / 2 } else { 2 * self.lanes() })
    }

    /// The task; `features`, `weights` and `destination` are device addresses.
    pub(crate) fn job(&self, features: u32, weights: &[u8], weight_address: u32, destination: u32) -> Job {
        let (width, height, channels) = self.input;
        let (output_width, output_height) = self.output_size();
        let mode = if self.depthwise { ConvolutionMode::Depthwise } else { ConvolutionMode::Direct };
        let kernels = if self.depthwise { 1 } else { self.outputs };
        let mut cna = Cna {
            mode,
            input_precision: self.precision,
            processing_precision: self.precision,
            stride_x: self.stride.0,
            stride_y: self.stride.1,
            dilation_x: self.dilation.0,
            dilation_y: self.dilation.1,
            width,
            height,
            channels: channels.next_multiple_of(self.lanes()),
            output_width,
            output_pixels: output_width * output_height,
            weight_bytes: weights.len() as u32,
            kernel_bytes: weights.len() as u32 / kernels,
            kernels,
            kernel_width: self.kernel.0,
            kernel_height: self.kernel.1,
            converter_bypass: true,
            pad_left: self.pad.0,
            pad_top: self.pad.1,
            feature_address: features,
            line_stride: width * 4,
            surface_stride: (width * height) as i32 - 4 * width as i32,
            weight_address,
            ..Cna::default()
        };
        cna.set_real_channels(channels);
        let core = Core {
            quantised: self.precision == Precision::Int8,
            depthwise: self.depthwise,
            processing_precision: self.precision,
            output_width,
            output_height,
            output_channels: self.padded_outputs(),
            ..Core::default()
        };
        let dpu = Dpu {
            convolution_mode: mode,
            destination,
            ..passing_dpu(self.precision, (output_width, output_height, self.padded_outputs()))
        };
        Job { enable: EnableMask(0x0d), cna: Some(cna), core: Some(core), dpu: Some(dpu), ..Job::default() }
    }
}

/// Gives a task a DPU_RDMA that reads no main data.
pub(crate) fn with_operand_reader(job: &mut Job) -> &mut DpuRdma {
    let dpu = job.dpu.as_ref().expect("a DPU");
    let size = (dpu.width, dpu.height, dpu.channels);
    let mut rdma = reader(dpu.processing_precision, size, 0);
    rdma.flying = false;
    rdma.main_disable = true;
    job.enable = job.enable | EnableMask::DPU_RDMA;
    job.dpu_rdma.insert(rdma)
}

/// Reads an element-wise operand of the same shape and type as the data.
pub(crate) fn element_operand(rdma: &mut DpuRdma, address: u32, surface_stride: u32, size: ElementSize) {
    rdma.ew_disable = false;
    rdma.ew_size = size;
    rdma.ew_data_mode = 1;
    rdma.ew_address = address;
    rdma.ew_surface_stride = surface_stride;
}

/// A pooling task over a packed cube; the caller sets method, window, stride and padding.
pub(crate) fn pooling(
    precision: Precision,
    input: (u32, u32, u32),
    output: (u32, u32),
    source: u32,
    destination: u32,
) -> Job {
    let (width, height, channels) = input;
    let ppu = Ppu {
        input_width: width,
        input_height: height,
        input_channels: channels,
        output_width: output.0,
        output_height: output.1,
        output_channels: channels,
        flying: true,
        destination,
        surface_stride: output.0 * output.1 * 16,
        processing_precision: precision,
        ..Ppu::default()
    };
    let element_size = if precision == Precision::Int8 { ElementSize::Bits8 } else { ElementSize::Bits16 };
    let rdma = PpuRdma {
        width,
        height,
        channels,
        source,
        line_stride: width * 16,
        surface_stride: width * height * 16,
        element_size,
        ..PpuRdma::default()
    };
    Job { enable: EnableMask(0x60), ppu: Some(ppu), ppu_rdma: Some(rdma), ..Job::default() }
}

/// Packs values `[channel][pixel]` into a cube of `lanes` lanes, zeros behind the last channel.
pub(crate) fn to_cube<T: Copy, const BYTES: usize>(values: &[Vec<T>], encode: impl Fn(T) -> [u8; BYTES]) -> Vec<u8> {
    let lanes = 16 / BYTES;
    let pixels = values[0].len();
    let mut bytes = vec![0; values.len().div_ceil(lanes) * pixels * 16];
    for (channel, plane) in values.iter().enumerate() {
        for (pixel, value) in plane.iter().enumerate() {
            let at = (channel / lanes * pixels + pixel) * 16 + channel % lanes * BYTES;
            bytes[at..at + BYTES].copy_from_slice(&encode(*value));
        }
    }
    bytes
}

/// The inverse of [`to_cube`] for `channels` channels of `pixels` pixels.
pub(crate) fn from_cube<T, const BYTES: usize>(
    bytes: &[u8],
    channels: usize,
    pixels: usize,
    decode: impl Fn([u8; BYTES]) -> T,
) -> Vec<Vec<T>> {
    let lanes = 16 / BYTES;
    let at = |channel: usize, pixel: usize| (channel / lanes * pixels + pixel) * 16 + channel % lanes * BYTES;
    let value = |at: usize| decode(bytes[at..at + BYTES].try_into().expect("in range"));
    (0..channels).map(|channel| (0..pixels).map(|pixel| value(at(channel, pixel))).collect()).collect()
}

/// Small numbers that look random and repeat: products and sums of them are exact in half precision's product range.
pub(crate) fn numbers(seed: u32) -> impl Iterator<Item = i32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as i32 - 128
    })
}
