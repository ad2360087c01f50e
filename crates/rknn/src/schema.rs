//! Slot numbers of the FlatBuffer tables, as `schema.fbs` lists them. How each was established stands in
//! `docs/rknn-format.md`.

/// The root table.
pub(crate) mod root {
    pub(crate) const SCHEMA: usize = 0;
    pub(crate) const FORMAT: usize = 1;
    pub(crate) const GRAPHS: usize = 2;
    pub(crate) const ATTRIBUTES: usize = 3;
    /// Constant data in containers up to version 5.
    pub(crate) const BLOBS_OLD: usize = 4;
    pub(crate) const COMPILER: usize = 7;
    pub(crate) const RUNTIME: usize = 8;
    pub(crate) const SOURCE: usize = 9;
    pub(crate) const INPUT_JSON: usize = 12;
    pub(crate) const OUTPUT_JSON: usize = 13;
    pub(crate) const SHAPE_MODE: usize = 16;
    pub(crate) const MEMORY: usize = 19;
    /// Constant data in containers of version 6.
    pub(crate) const BLOBS: usize = 20;
}

/// The table in root slot [`root::MEMORY`].
pub(crate) mod memory {
    pub(crate) const WEIGHTS: usize = 0;
    pub(crate) const ACTIVATIONS: usize = 1;
}

/// A graph.
pub(crate) mod graph {
    pub(crate) const TENSORS: usize = 0;
    pub(crate) const OPERATORS: usize = 1;
    pub(crate) const INPUTS: usize = 2;
    pub(crate) const OUTPUTS: usize = 3;
    pub(crate) const NORMALIZATIONS: usize = 4;
    pub(crate) const RELOCATIONS: usize = 7;
    pub(crate) const INPUT_SIZES: usize = 8;
    pub(crate) const INPUT_CONVERSIONS: usize = 9;
    pub(crate) const REGIONS: usize = 10;
    pub(crate) const OUTPUT_READY: usize = 12;
}

/// When an output is complete.
pub(crate) mod output_ready {
    pub(crate) const NAME: usize = 0;
    pub(crate) const TASKS: usize = 1;
}

/// Normalisation of one graph input.
pub(crate) mod normalization {
    pub(crate) const MEAN: usize = 0;
    pub(crate) const STD: usize = 1;
    pub(crate) const CHANNEL_ORDER: usize = 2;
}

/// Relocations of one name.
pub(crate) mod relocation {
    pub(crate) const NAME: usize = 0;
    pub(crate) const PLACES: usize = 1;
    pub(crate) const OWNERS: usize = 2;
}

/// Patches of one graph input.
pub(crate) mod patch {
    pub(crate) const NAME: usize = 0;
    pub(crate) const PROGRAMS: usize = 1;
    /// Slot and register: data size, convolution control 1, line stride, surface stride, address, buffer entries.
    pub(crate) const SIZES: &[(usize, u16)] =
        &[(0, 0x1020), (1, 0x100c), (3, 0x107c), (4, 0x1080), (5, 0x1070), (6, 0x1044)];
    /// A plain number among the sizes.
    pub(crate) const FIRST_ROW: usize = 8;
    /// Slot and register: conversion control 0 to 5, CORE truncation, weight size 2.
    pub(crate) const CONVERSIONS: &[(usize, u16)] =
        &[(0, 0x104c), (1, 0x1050), (2, 0x1054), (3, 0x1058), (4, 0x105c), (5, 0x1180), (9, 0x301c), (10, 0x1038)];
}

/// A tensor.
pub(crate) mod tensor {
    pub(crate) const DATA_TYPE: usize = 0;
    pub(crate) const LAYOUT: usize = 1;
    pub(crate) const KIND: usize = 2;
    pub(crate) const NATIVE_SHAPE: usize = 3;
    pub(crate) const SHAPE: usize = 4;
    pub(crate) const NAME: usize = 5;
    pub(crate) const QUANTIZATION: usize = 6;
    pub(crate) const QUANTIZED_TYPE: usize = 7;
    pub(crate) const MINIMUM: usize = 8;
    pub(crate) const MAXIMUM: usize = 9;
    pub(crate) const SCALE: usize = 10;
    pub(crate) const ZERO_POINT: usize = 11;
    pub(crate) const SIZE: usize = 12;
    pub(crate) const OFFSET: usize = 13;
    pub(crate) const BLOB: usize = 18;
    pub(crate) const FILL: usize = 20;
}

/// An operator.
pub(crate) mod operator {
    pub(crate) const TYPE: usize = 1;
    pub(crate) const NAME: usize = 2;
    pub(crate) const TARGET: usize = 3;
    pub(crate) const INPUTS: usize = 4;
    pub(crate) const OUTPUTS: usize = 5;
    pub(crate) const PARAMETERS_TYPE: usize = 7;
    pub(crate) const PARAMETERS: usize = 8;
    pub(crate) const ATTRIBUTES: usize = 9;
    pub(crate) const TASKS: usize = 10;
    pub(crate) const LUT_TASKS: usize = 11;
    pub(crate) const SIZES: usize = 12;
    pub(crate) const UNKNOWN_13: usize = 13;
    /// Texts in typed parameters that attribute documents lack: tag of the union, slot, ONNX name. 26 is `Resize`, 32
    /// `DepthToSpace`.
    pub(crate) const PARAMETER_TEXTS: &[(u8, usize, &str)] =
        &[(26, 0, "coordinate_transformation_mode"), (26, 4, "mode"), (26, 5, "nearest_mode"), (32, 1, "mode")];
}

/// An entry of the constant data.
pub(crate) mod blob {
    pub(crate) const BYTES: usize = 0;
}
