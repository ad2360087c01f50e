//! The shared part of a loaded model.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ferrite_device::{Buffer, BufferKind, Submit};
use ferrite_rknpu::Submission;

use crate::Error;
use crate::plan::{BufferRole, Plan};

/// A device that runs RKNPU2 submissions.
pub type NpuDevice = dyn Submit<Submission>;

/// A model's weights on a device; sessions share them.
///
/// The image holds the blobs of the file, programs included, where the vendor's runtime puts them. The first session
/// relocates its programs in place there; sessions beside it get a program buffer of their own, because programs hold the
/// addresses of a session's activations.
pub struct Weights {
    plan: Arc<Plan>,
    device: Arc<NpuDevice>,
    buffer: Option<Buffer>,
    programs_taken: AtomicBool,
}

impl std::fmt::Debug for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Weights").field("device", &self.device.name()).finish_non_exhaustive()
    }
}

impl Weights {
    /// Allocates the weight buffer and fills it.
    ///
    /// # Errors
    /// When the device cannot give the memory.
    pub fn load(plan: Arc<Plan>, device: Arc<NpuDevice>) -> Result<Arc<Self>, Error> {
        let size = plan.buffers().iter().find(|buffer| buffer.role == BufferRole::Weights).map(|buffer| buffer.bytes);
        let buffer = size.map(|size| fill(&plan, &*device, size)).transpose()?;
        Ok(Arc::new(Self { plan, device, buffer, programs_taken: AtomicBool::new(false) }))
    }

    /// The plan that this is for.
    #[must_use]
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The device that holds it.
    #[must_use]
    pub fn device(&self) -> &Arc<NpuDevice> {
        &self.device
    }

    pub(crate) fn buffer(&self) -> Option<&Buffer> {
        self.buffer.as_ref()
    }

    /// Takes the programs' place in the image, if no session has it.
    pub(crate) fn take_programs(&self) -> bool {
        !self.programs_taken.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn give_programs_back(&self) {
        self.programs_taken.store(false, Ordering::Release);
    }
}

fn fill(plan: &Plan, device: &NpuDevice, size: u64) -> Result<Buffer, Error> {
    let buffer = device.allocate(size, BufferKind::Data).map_err(Error::device("allocating the weights"))?;
    buffer.set_label(BufferRole::Weights.to_string());
    plan.name_tensors(BufferRole::Weights, &buffer);
    let image = plan.model.weight_image();
    for (blob, place) in image.blobs.iter().enumerate() {
        let bytes = plan.model.blob(blob).unwrap_or_default();
        if !bytes.is_empty() {
            buffer.write(place.start as u64, bytes).map_err(Error::device("writing the weights"))?;
        }
    }
    buffer.flush(0..size).map_err(Error::device("flushing the weights"))?;
    Ok(buffer)
}
