//! How tensors lie in device memory.

pub mod feature;
pub mod weights;

pub use feature::FeatureLayout;
pub use weights::{WeightKind, WeightLayout};

/// Which tensor or buffer does not fit a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Elements of a size that the layout does not have.
    #[error("elements of {bytes} bytes have no layout here (only {supported})")]
    Element {
        /// Bytes of an element.
        bytes: usize,
        /// The sizes that have one.
        supported: &'static str,
    },
    /// A dimension is zero, or the sizes multiply to more than memory can hold.
    #[error("no layout for {dimensions}")]
    Dimensions {
        /// The dimensions.
        dimensions: Dimensions,
    },
    /// A buffer of the wrong length.
    #[error("{what} has {actual} bytes, the layout needs {expected}")]
    Length {
        /// Which buffer.
        what: &'static str,
        /// Its length.
        actual: usize,
        /// The length that fits: exact for a dense tensor, the least for device memory.
        expected: usize,
    },
}

/// Four dimensions with what they mean, for error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimensions {
    /// Names of the dimensions.
    pub names: [&'static str; 4],
    /// Their sizes.
    pub sizes: [usize; 4],
}

impl std::fmt::Display for Dimensions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, (name, size)) in self.names.iter().zip(self.sizes).enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{name} {size}")?;
        }
        Ok(())
    }
}

/// Fails unless a buffer has exactly the length of a dense tensor.
fn exactly(what: &'static str, actual: usize, expected: usize) -> Result<(), LayoutError> {
    if actual == expected { Ok(()) } else { Err(LayoutError::Length { what, actual, expected }) }
}

/// Fails unless a buffer of device memory is long enough.
fn at_least(what: &'static str, actual: usize, expected: usize) -> Result<(), LayoutError> {
    if actual >= expected { Ok(()) } else { Err(LayoutError::Length { what, actual, expected }) }
}
