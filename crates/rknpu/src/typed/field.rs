//! The one declarative form in which typed blocks are written: a field, its meaning and its bits on one line. Decoder,
//! encoder and coverage come from that line, so they cannot disagree.

use std::fmt;

use super::Bank;
use crate::registers::RegisterInfo;

/// How the bits of a field become a value. `encode` answers `None` for a value the field cannot hold.
pub(super) trait Codec<T> {
    fn decode(bits: u32, width: u32) -> T;
    fn encode(value: &T, width: u32) -> Option<u32>;
}

/// The largest value of a field of `width` bits.
pub(super) fn limit(width: u32) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

fn fits(value: u32, width: u32) -> Option<u32> {
    (value <= limit(width)).then_some(value)
}

fn sign_extend(bits: u32, width: u32) -> i32 {
    let unused = 32 - width;
    ((bits << unused) as i32) >> unused
}

fn fits_signed(value: i32, width: u32) -> Option<u32> {
    (sign_extend(value as u32, width) == value).then_some(value as u32 & limit(width))
}

/// The bits as they are: numbers, flags and enumerations.
pub(super) struct Raw;

impl Codec<u32> for Raw {
    fn decode(bits: u32, _: u32) -> u32 {
        bits
    }
    fn encode(value: &u32, width: u32) -> Option<u32> {
        fits(*value, width)
    }
}

impl Codec<bool> for Raw {
    fn decode(bits: u32, _: u32) -> bool {
        bits != 0
    }
    fn encode(value: &bool, _: u32) -> Option<u32> {
        Some(u32::from(*value))
    }
}

/// A count stored as itself minus one; zero cannot be stored.
pub(super) struct MinusOne;

impl Codec<u32> for MinusOne {
    fn decode(bits: u32, _: u32) -> u32 {
        // A 32-bit field never uses this codec, so the sum fits.
        bits + 1
    }
    fn encode(value: &u32, width: u32) -> Option<u32> {
        fits(value.checked_sub(1)?, width)
    }
}

/// A two's complement number as wide as the field.
pub(super) struct Signed;

impl Codec<i32> for Signed {
    fn decode(bits: u32, width: u32) -> i32 {
        sign_extend(bits, width)
    }
    fn encode(value: &i32, width: u32) -> Option<u32> {
        fits_signed(*value, width)
    }
}

/// Bytes whose low four bits the register does not hold.
pub(super) struct Bytes16;

impl Codec<u32> for Bytes16 {
    fn decode(bits: u32, _: u32) -> u32 {
        bits << 4
    }
    fn encode(value: &u32, width: u32) -> Option<u32> {
        if value & 15 != 0 { None } else { fits(value >> 4, width) }
    }
}

impl Codec<i32> for Bytes16 {
    fn decode(bits: u32, _: u32) -> i32 {
        (bits << 4) as i32
    }
    fn encode(value: &i32, width: u32) -> Option<u32> {
        if value & 15 != 0 { None } else { fits(*value as u32 >> 4, width) }
    }
}

/// Where a typed field lives; the list of these for a block says which bits of the block are typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldPlace {
    /// The typed field's name.
    pub field: &'static str,
    /// The register's offset in the core.
    pub register: u16,
    /// The lowest bit.
    pub low: u32,
    /// The highest bit.
    pub high: u32,
}

impl FieldPlace {
    /// The bits of the register that this field covers.
    pub fn mask(&self) -> u32 {
        limit(self.high - self.low + 1) << self.low
    }
}

impl fmt::Display for FieldPlace {
    /// The hardware's name for the place where there is one, else the offset and bits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(register) = RegisterInfo::at(self.register) else {
            return write!(f, "{:#06x}[{}..={}]", self.register, self.low, self.high);
        };
        match register
            .fields
            .iter()
            .find(|field| u32::from(field.low) == self.low && u32::from(field.high) == self.high)
        {
            Some(field) => write!(f, "{field}"),
            None => write!(f, "{register}[{}..={}]", self.low, self.high),
        }
    }
}

/// A typed value that its register field cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{place}` ({}) cannot hold {value}: {} bits, stored as the typed field's documentation says", place.field, place.high - place.low + 1)]
pub struct EncodeError {
    /// The field.
    pub place: FieldPlace,
    /// The value, as its type prints it.
    pub value: String,
}

/// One field out of a bank.
pub(super) fn get<T, C: Codec<T>>(bank: &Bank, register: u16, low: u32, high: u32) -> T {
    let width = high - low + 1;
    C::decode(bank.get(register) >> low & limit(width), width)
}

/// One field into a bank.
pub(super) fn set<T: std::fmt::Debug, C: Codec<T>>(
    bank: &mut Bank,
    place: FieldPlace,
    value: &T,
) -> Result<(), EncodeError> {
    let width = place.high - place.low + 1;
    let bits = C::encode(value, width).ok_or_else(|| EncodeError { place, value: format!("{value:?}") })?;
    let kept = bank.get(place.register) & !place.mask();
    bank.set(place.register, kept | bits << place.low);
    Ok(())
}

/// A field enumeration; codes nobody has given a meaning stay representable.
macro_rules! codes {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$vmeta])* $variant,)*
            /// A code without a known meaning.
            Unknown(u32),
        }

        impl $name {
            /// The value for a field's bits.
            pub fn from_code(code: u32) -> Self {
                match code {
                    $($code => Self::$variant,)*
                    other => Self::Unknown(other),
                }
            }

            /// The field's bits.
            pub fn code(self) -> u32 {
                match self {
                    $(Self::$variant => $code,)*
                    Self::Unknown(code) => code,
                }
            }
        }

        impl $crate::typed::field::Codec<$name> for $crate::typed::field::Raw {
            fn decode(bits: u32, _: u32) -> $name {
                $name::from_code(bits)
            }
            fn encode(value: &$name, width: u32) -> Option<u32> {
                // `Unknown` of a known code would not survive a round trip, so it is refused like an overflow.
                let code = value.code();
                ($name::from_code(code) == *value && code <= $crate::typed::field::limit(width)).then_some(code)
            }
        }
    };
}
pub(super) use codes;

/// A typed view of registers: `name: type => codec @ register[low..=high];`. Parts share the block's bank: `name: Type @ base;`
/// with their registers relative to the base.
macro_rules! fields {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$fmeta:meta])* $field:ident : $ty:ty => $codec:ident @ $register:literal [$low:literal ..= $high:literal];)*
    } $(parts { $($(#[$pmeta:meta])* $part:ident : $pty:ident @ $base:literal;)* })?) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $($(#[$fmeta])* pub $field: $ty,)*
            $($($(#[$pmeta])* pub $part: $pty,)*)?
        }

        impl $name {
            pub(super) fn decode(bank: &$crate::typed::Bank, base: u16) -> Self {
                Self {
                    $($field: $crate::typed::field::get::<$ty, $crate::typed::field::$codec>(
                        bank, base + $register, $low, $high),)*
                    $($($part: $pty::decode(bank, base + $base),)*)?
                }
            }

            pub(super) fn encode(
                &self,
                bank: &mut $crate::typed::Bank,
                base: u16,
            ) -> Result<(), $crate::typed::EncodeError> {
                $($crate::typed::field::set::<$ty, $crate::typed::field::$codec>(
                    bank,
                    $crate::typed::FieldPlace {
                        field: concat!(stringify!($name), ".", stringify!($field)),
                        register: base + $register,
                        low: $low,
                        high: $high,
                    },
                    &self.$field,
                )?;)*
                $($(self.$part.encode(bank, base + $base)?;)*)?
                Ok(())
            }

            pub(super) fn places(base: u16, out: &mut Vec<$crate::typed::FieldPlace>) {
                $(out.push($crate::typed::FieldPlace {
                    field: concat!(stringify!($name), ".", stringify!($field)),
                    register: base + $register,
                    low: $low,
                    high: $high,
                });)*
                $($($pty::places(base + $base, out);)*)?
            }
        }

        impl Default for $name {
            /// All register bits zero: counts are one, flags off.
            fn default() -> Self {
                Self::decode(&$crate::typed::Bank::default(), 0)
            }
        }
    };
}
pub(super) use fields;
