//! Numbers of the integer pipeline.

use super::lut::{IntTable, Places};
use crate::options::Rounding;
use crate::rounding;

/// An integer between the stages: 64 bits, or, where nothing can exceed 2^53, a double that holds it exactly. Vector units
/// multiply, shift and round doubles; most have no such instructions for 64-bit integers.
pub(super) trait Whole: Copy + PartialOrd + Default {
    fn from_i32(value: i32) -> Self;
    fn from_i64(value: i64) -> Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    /// Right shift.
    fn shift(self, by: Shift<Self>, rounding: Rounding) -> Self;
    /// What a right shift needs.
    fn shifter(by: u32) -> Shift<Self>;
    /// See [`rounding::select`].
    fn select(condition: bool, one: Self, other: Self) -> Self;
    /// A lookup table's values at these positions.
    fn look_up(positions: &mut [Self], table: &IntTable, rounding: Rounding, places: &mut Places);
    /// The nearest number of `low..=high`.
    fn within(self, low: i32, high: i32) -> i32;
    /// In floating point, of either sign of zero the positive one.
    fn to_f64(self) -> f64;
}

/// A right shift, prepared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift<N> {
    by: u32,
    factor: N,
}

/// The reference; saturates.
impl Whole for i64 {
    #[inline(always)]
    fn from_i32(value: i32) -> Self {
        i64::from(value)
    }
    #[inline(always)]
    fn from_i64(value: i64) -> Self {
        value
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.saturating_add(other)
    }
    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        self.saturating_sub(other)
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        self.saturating_mul(other)
    }
    #[inline(always)]
    fn shift(self, by: Shift<Self>, rounding: Rounding) -> Self {
        rounding::shift(self, by.by, rounding)
    }
    fn shifter(by: u32) -> Shift<Self> {
        Shift { by, factor: 0 }
    }
    #[inline(always)]
    fn select(condition: bool, one: Self, other: Self) -> Self {
        if condition { one } else { other }
    }
    #[inline(always)]
    fn look_up(positions: &mut [Self], table: &IntTable, rounding: Rounding, _: &mut Places) {
        for position in positions {
            *position = table.at(*position, rounding);
        }
    }
    #[inline(always)]
    fn within(self, low: i32, high: i32) -> i32 {
        self.clamp(i64::from(low), i64::from(high)) as i32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self as f64
    }
}

/// Integers up to 2^53; shifts up to [`EXACT_SHIFT`].
impl Whole for f64 {
    #[inline(always)]
    fn from_i32(value: i32) -> Self {
        f64::from(value)
    }
    #[inline(always)]
    fn from_i64(value: i64) -> Self {
        value as f64
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn shift(self, by: Shift<Self>, rounding: Rounding) -> Self {
        // A power of two: the product is exact.
        let exact = self * by.factor;
        match rounding {
            Rounding::HalfEven => exact.round_ties_even(),
            // The fraction has far fewer than 52 bits left, so half can be added exactly.
            Rounding::HalfAway => exact.round(),
            Rounding::Floor => exact.floor(),
        }
    }
    fn shifter(by: u32) -> Shift<Self> {
        Shift { by, factor: 2f64.powi(-(by as i32)) }
    }
    #[inline(always)]
    fn select(condition: bool, one: Self, other: Self) -> Self {
        let mask = 0u64.wrapping_sub(u64::from(condition));
        f64::from_bits(one.to_bits() & mask | other.to_bits() & !mask)
    }
    #[inline(always)]
    fn look_up(positions: &mut [Self], table: &IntTable, rounding: Rounding, places: &mut Places) {
        table.look_up(positions, rounding, places);
    }
    #[inline(always)]
    fn within(self, low: i32, high: i32) -> i32 {
        let (low, high) = (f64::from(low), f64::from(high));
        let limited = if self < low { low } else { self };
        rounding::small_integer(if limited > high { high } else { limited })
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self + 0.0
    }
}

/// The largest magnitude that a double holds with everything below it.
pub(super) const EXACT: u128 = 1 << 53;

/// The largest shift that a double takes.
pub(super) const EXACT_SHIFT: u32 = 63;
