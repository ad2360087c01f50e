//! A model whose only operator runs on the host: nothing is submitted, so memory alone is device enough.

use std::path::Path;
use std::sync::Arc;

use ferrite_device::memory::DeviceMemory;
use ferrite_device::{Buffer, BufferKind, Device, Error, Fence, Submit};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, Plan, PlanOptions, Session, Tensor, Weights};
use ferrite_rknpu::Submission;

struct MemoryOnly(DeviceMemory);

impl Device for MemoryOnly {
    fn name(&self) -> &str {
        "memory"
    }

    fn allocate(&self, size: u64, kind: BufferKind) -> Result<Buffer, Error> {
        Device::allocate(&self.0, size, kind)
    }
}

impl Submit<Submission> for MemoryOnly {
    fn submit(&self, _: &Submission) -> Result<Box<dyn Fence>, Error> {
        panic!("nothing is to be submitted");
    }
}

/// Space to depth by its definition: block row, block column and channel, in that order, become the channel.
fn space_to_depth(input: &[f32], (channels, height, width): (usize, usize, usize), block: usize) -> Vec<f32> {
    let mut out = Vec::new();
    for (by, bx, channel) in
        (0..block).flat_map(|by| (0..block).flat_map(move |bx| (0..channels).map(move |channel| (by, bx, channel))))
    {
        for (y, x) in (0..height / block).flat_map(|y| (0..width / block).map(move |x| (y, x))) {
            out.push(input[(channel * height + y * block + by) * width + x * block + bx]);
        }
    }
    out
}

#[test]
fn space_to_depth_in_both_precisions() {
    for precision in ["fp16", "int8"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/zoo/data/s2d_2-{precision}.rknn"));
        let model = Model::read(std::fs::read(path).expect("the file")).expect("a model");
        let plan = Arc::new(Plan::new(&model, &PlanOptions::default()).expect("a plan"));
        // Numbers that the input's type has.
        let step = plan.inputs()[0].quantization.map_or(0.125, |quantization| quantization.scale);
        let values: Vec<f32> = (0..7 * 10 * 6).map(|index| (index * 37 % 101 - 50) as f32 * step).collect();
        let device = Arc::new(MemoryOnly(DeviceMemory::new(Default::default())));
        let mut session = Session::new(Weights::load(plan, device).expect("weights")).expect("a session");
        let input = Tensor::from_f32(vec![1, 7, 10, 6], &values).expect("a tensor");
        session.set_input(0, &input, Layout::Nchw).expect("the input");
        let report = session.run().expect("a run");
        assert_eq!((report.submissions, report.host_operators), (0, 1));
        let output = session.output(0).expect("the output");
        assert_eq!(output.shape(), [1, 28, 5, 3]);
        let expected = space_to_depth(&values, (7, 10, 6), 2);
        let near = output.to_f32().iter().zip(&expected).all(|(have, want)| (have - want).abs() < step / 100.0);
        assert!(near, "{precision}");
    }
}
