//! Errors of the runtime.

/// What kind of problem an error is, for exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The model file or the caller's data is wrong.
    Input,
    /// The model is sound but asks for something Ferrite does not do.
    Unsupported,
    /// The device or its memory failed.
    Device,
}

/// Why a model could not be planned, loaded or run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The container is wrong.
    #[error(transparent)]
    Model(#[from] ferrite_rknn::Error),
    /// The file contradicts itself in a way only planning notices.
    #[error("{part}: {reason}")]
    Inconsistent {
        /// Operator, tensor or table concerned.
        part: String,
        /// What does not fit.
        reason: String,
    },
    /// A feature of the format that the runtime does not handle.
    #[error("{part}: {feature} is not supported")]
    Unsupported {
        /// Operator or tensor concerned.
        part: String,
        /// The feature, in words.
        feature: String,
    },
    /// A host operator failed.
    #[error("operator `{operator}` on the host: {source}")]
    HostOperator {
        /// Name of the operator in the model.
        operator: String,
        /// Why.
        source: ferrite_host_ops::Error,
    },
    /// The caller's tensor does not fit the model's.
    #[error("tensor `{tensor}`: {reason}")]
    Tensor {
        /// Name of the model's tensor.
        tensor: String,
        /// What does not fit.
        reason: String,
    },
    /// There is no such input or output.
    #[error("the model has {count} {what}, there is no number {index}")]
    NoSuchTensor {
        /// `inputs` or `outputs`.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// The index asked for.
        index: usize,
    },
    /// An input was never set.
    #[error("input `{0}` was not set before the run")]
    InputNotSet(String),
    /// The device refused or failed.
    #[error("{action}: {source}")]
    Device {
        /// What was attempted.
        action: String,
        /// The device's error.
        source: ferrite_device::Error,
    },
}

impl Error {
    /// What kind of problem this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Device { .. } => ErrorKind::Device,
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::HostOperator { source: ferrite_host_ops::Error::Unsupported { .. }, .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Input,
        }
    }

    pub(crate) fn inconsistent(part: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Inconsistent { part: part.into(), reason: reason.into() }
    }

    pub(crate) fn device(action: impl Into<String>) -> impl FnOnce(ferrite_device::Error) -> Self {
        let action = action.into();
        move |source| Self::Device { action, source }
    }
}
