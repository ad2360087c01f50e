//! Facts about the Rockchip RKNPU2.

pub mod registers;
pub mod typed;

pub use registers::{field, reg};
