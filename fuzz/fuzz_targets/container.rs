//! A damaged `.rknn` file is read, planned and run, or refused with an error.
#![no_main]

use std::sync::Arc;

use ferrite_device::memory::{DeviceMemory, Settings};
use ferrite_rknn::Model;
use ferrite_rknn_runtime::{Layout, Plan, PlanOptions, Session, Tensor, Weights};
use ferrite_rknpu_emulator::{Emulator, Limits, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = Model::read(bytes.to_vec()) else { return };
    let Ok(plan) = Plan::new(&model, &PlanOptions::default()) else { return };
    let plan = Arc::new(plan);
    let memory = DeviceMemory::new(Settings { limit: 64 << 20, ..Settings::default() });
    let limits = Limits { bytes: 64 << 20, macs: 16 << 20, working_bytes: 64 << 20 };
    let emulator = Arc::new(Emulator::with_options(memory, Options::default(), limits));
    let Ok(weights) = Weights::load(Arc::clone(&plan), emulator) else { return };
    let Ok(mut session) = Session::new(weights) else { return };
    for (index, info) in plan.inputs().iter().enumerate() {
        let zeros = vec![0.0; info.shape.iter().product()];
        let Ok(tensor) = Tensor::from_f32(info.shape.clone(), &zeros) else { return };
        if session.set_input(index, &tensor, Layout::Nchw).is_err() {
            return;
        }
    }
    let _ = session.run();
});
