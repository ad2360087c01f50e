//! The flags of `ferrite run`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ferrite_rknn_runtime::{Plan, PlanOptions, WorkLimit};
use ferrite_rknpu::CoreMask;

use crate::failure::EXIT_CODES;

/// Run a compiled model and show, save or compare what it answers
///
/// The model runs on the emulator, which executes the register programs in the file; no NPU is needed. Operators that the file itself
/// assigns to the CPU run on the host.
#[derive(Debug, Args)]
#[command(after_help = "Try `--help` for the kinds of inputs and two examples.")]
#[command(after_long_help = run_help())]
pub(crate) struct RunArgs {
    /// The model, a .rknn file
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) check: CheckArgs,
}

impl RunArgs {
    pub(crate) fn wanted(&self) -> Wanted<'_> {
        Wanted { model: &self.model, input: &self.input, output: &self.output, check: &self.check }
    }
}

/// What is to be run and looked at, whoever runs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) model: &'a Path,
    pub(crate) input: &'a InputArgs,
    pub(crate) output: &'a OutputArgs,
    pub(crate) check: &'a CheckArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct InputArgs {
    /// Value of an input; may be given several times, or several values after one --input
    ///
    /// SPEC is an image (PNG or JPEG), a NumPy array (.npy), a NumPy archive (.npz: each member goes to the input of its name, with or
    /// without `in.` in front), bare values (anything else: element type by the size of the file, or given as in `f32:FILE`), or
    /// `random:SEED`. Files are recognised by their content. `NAME=` says which input is meant; it is not needed for a model with
    /// one input, and without it `random:SEED` and archives fill every input that has no value of its own. Several values for one
    /// input are as many runs, one after the other.
    #[arg(short, long = "input", value_name = "[NAME=]SPEC", num_args = 1..)]
    pub(crate) inputs: Vec<String>,
    /// How arrays and bare values are laid out; images are always nhwc [default: nchw, or nhwc where only that fits an array's shape]
    ///
    /// `native` hands the bytes of a bare file to the NPU as they are.
    #[arg(long, value_enum, env = "FERRITE_LAYOUT")]
    pub(crate) layout: Option<LayoutArg>,
    /// How an image is brought to the input's size
    #[arg(long, value_enum, default_value_t = Resize::Fit, env = "FERRITE_RESIZE")]
    pub(crate) resize: Resize,
    /// Order in which the network takes the channels of an image
    #[arg(long, value_enum, default_value_t = Channels::Rgb, env = "FERRITE_CHANNELS")]
    pub(crate) channels: Channels,
    /// Mean to subtract from an image's pixels, for a model that has none inside: one number, or one per channel
    #[arg(long, value_name = "M[,M...]", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) mean: Vec<f32>,
    /// Divisor after the mean, for a model that has none inside: one number, or one per channel
    #[arg(long, value_name = "S[,S...]", value_delimiter = ',')]
    pub(crate) std: Vec<f32>,
    /// Seed of `random` without a number of its own
    #[arg(long, value_name = "N", default_value_t = 0, env = "FERRITE_SEED")]
    pub(crate) seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArg {
    /// Batch, channels, rows, columns: the network's own order
    Nchw,
    /// Batch, rows, columns, channels
    Nhwc,
    /// The bytes the NPU reads, no conversion at all
    Native,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Resize {
    /// Scale to the input's height, keep the aspect ratio, fill up on the right; what would be too wide is squeezed to the width
    Fit,
    /// Scale to the input's height and width, whatever becomes of the aspect ratio
    Stretch,
    /// Do not scale: an image of another size is an error
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Channels {
    /// Red, green, blue
    Rgb,
    /// Blue, green, red
    Bgr,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineArgs {
    /// What executes the programs
    #[arg(long, value_enum, default_value_t = Engine::Emulator, env = "FERRITE_ON")]
    pub(crate) on: Engine,
    /// Cores that share the work; the file has a plan for each number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3), env = "FERRITE_CORES")]
    pub(crate) cores: u8,
    /// Work after which a run is stopped, for bytes moved and multiply-adds alike [default: derived from the model]
    ///
    /// A number with an optional suffix k, M, G or T (powers of 1000), or `none`. Guards against programs that do not end.
    #[arg(long, value_name = "N", value_parser = parse_work, env = "FERRITE_WORK_LIMIT")]
    pub(crate) work_limit: Option<u64>,
    #[command(flatten)]
    pub(crate) hazards: HazardArgs,
}

/// What the emulator looks for beyond wrong programs.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct HazardArgs {
    /// Move cache lines between the host's and the NPU's view unasked, chosen by a seed; right programs cannot tell
    #[arg(long, value_name = "SEED")]
    pub(crate) chaos: Option<u64>,
    /// Fail where the NPU reads memory that nobody ever wrote; some programs of Rockchip's compiler do
    #[arg(long)]
    pub(crate) unwritten: bool,
    /// Fail where a core reads what another one writes in the same submission; nothing orders them
    #[arg(long)]
    pub(crate) core_conflicts: bool,
}

/// The limit of the command line, or the model's own.
pub(crate) fn work_limit(given: Option<u64>, plan: &Plan) -> WorkLimit {
    given.map_or_else(|| plan.work_limit(), |work| WorkLimit { bytes: work, macs: work })
}

impl EngineArgs {
    /// How to plan: on one core the driver chooses which.
    pub(crate) fn plan_options(&self) -> PlanOptions {
        let cores = match self.cores {
            2 => CoreMask::CORE0 | CoreMask::CORE1,
            3 => CoreMask::CORE0 | CoreMask::CORE1 | CoreMask::CORE2,
            _ => CoreMask::default(),
        };
        PlanOptions::default().with_cores(cores)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The emulated NPU of an RK3588
    Emulator,
    /// The NPU of this machine, through Rockchip's kernel driver `rknpu`
    Rknpu,
}

impl Engine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Emulator => "emulator",
            Self::Rknpu => "rknpu",
        }
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Outputs")]
pub(crate) struct OutputArgs {
    /// Save the outputs as a compressed NumPy archive, members named after the output tensors
    ///
    /// The values are float32 in the network's own shape. With several runs, run I goes to OUT-I.npz, counted from 1.
    #[arg(long, value_name = "OUT.npz")]
    pub(crate) save: Option<PathBuf>,
    /// Save the values as the model stores them (float16, int8 ...), without dequantising
    #[arg(long, requires = "save")]
    pub(crate) raw: bool,
    /// Print the K largest values of each output and their classes
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) topk: Option<u32>,
    /// Names of the classes, one a line, for --topk; alone it means --topk 5
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Read the output as text: print nothing but the text, one line for each run
    ///
    /// Greedy CTC decoding over the last dimension of the output: the best class of each step, repeats merged, class 0 dropped. Class
    /// I is line I of CHARSET, counted from 1; if the output has one class more than that, the last one is the space. Statistics then
    /// need --verbose.
    #[arg(long, value_name = "CHARSET", conflicts_with_all = ["topk", "labels"])]
    pub(crate) ctc: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Checks")]
pub(crate) struct CheckArgs {
    /// Compare the outputs with the members of this archive, named after the output tensors, with or without `out.` in front
    ///
    /// Exit code 1 when one differs by more than --tolerance or --min-cosine allow.
    #[arg(long, value_name = "GOLDEN.npz")]
    pub(crate) compare: Option<PathBuf>,
    /// How far a value may be off [default: range:0.01, unless --min-cosine is given]
    ///
    /// One of `exact`; `ulps:N` or `ulps:N@f16|bf16|f32` (N representable numbers apart, in float16 unless stated); `rel:X` or
    /// `rel:X,abs:Y` (relative to the golden value, errors up to Y pass anyway); `range:X` (fraction of the golden values' range);
    /// `lsb:N` or `lsb:N,step:X` (N quantisation steps). A NaN must meet a NaN and an infinity the same infinity, always.
    #[arg(long, value_name = "SPEC", requires = "compare")]
    pub(crate) tolerance: Option<String>,
    /// Smallest cosine of the angle between an output and its golden value
    #[arg(long, value_name = "X", requires = "compare", value_parser = parse_cosine)]
    pub(crate) min_cosine: Option<f64>,
}

fn run_help() -> String {
    format!(
        "Images: decoded to 8 bits per channel, an alpha channel dropped, turned to grey for an input of one channel (0.299 R + \
         0.587 G + 0.114 B). Scaling is bilinear, and averages over the covered pixels when it makes smaller. With --resize fit an image \
         is scaled to the input's height; where it is then narrower than the input, columns are added on the right with the value that \
         is zero after normalisation (the rounded mean, 0 without one). The network gets pixel values from 0 to 255; the mean \
         and divisor that were compiled into the model apply to them. For a model without them, --mean and --std are applied on the host.\n\n\
         Random values: standard normal, or whole numbers from 0 to 255 where a mean and divisor are compiled in, or 0 and 1 for integers that stand for themselves. The same seed gives \
         the same values everywhere.\n\n\
         Output: for each output its shape, type, extremes with their positions, mean, standard deviation, counts of NaN, infinities \
         and saturated values (stored 8- and 16-bit integers and float16 numbers at the end of their range), and the first values.\n\n\
         Examples:\n  ferrite run model.rknn --input photo.jpg --topk 5 --labels labels.txt\n  \
         ferrite run model.rknn --input data=x.npy scale=f32:scale.bin --compare golden.npz\n\n{EXIT_CODES}"
    )
}

pub(crate) fn parse_work(text: &str) -> Result<u64, String> {
    if text == "none" {
        return Ok(u64::MAX);
    }
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" => 1,
        "k" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        suffix => return Err(format!("unknown suffix `{suffix}`; k, M, G and T are known")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{digits}` is not a whole number"))?;
    number.checked_mul(factor).ok_or_else(|| "the number is too large".into())
}

fn parse_cosine(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (-1.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a number from -1 to 1 is needed".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_limits() {
        assert_eq!(parse_work("12"), Ok(12));
        assert_eq!(parse_work("3G"), Ok(3_000_000_000));
        assert_eq!(parse_work("none"), Ok(u64::MAX));
        for wrong in ["", "G", "1g", "1.5M", "-1", "99999999999999T"] {
            assert!(parse_work(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn cosines() {
        assert_eq!(parse_cosine("0.999"), Ok(0.999));
        for wrong in ["1.1", "nan", "x"] {
            assert!(parse_cosine(wrong).is_err(), "{wrong}");
        }
    }
}
