//! Sets of named bits that keep the bits nobody has named.

/// Defines a set of bits over `u32` whose unnamed bits survive.
macro_rules! bits {
    ($(#[$meta:meta])* $name:ident { $($(#[$bit_meta:meta])* $bit:ident = $value:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            $($(#[$bit_meta])* pub const $bit: Self = Self($value);)*

            /// Every named bit with its name, lowest first.
            pub const NAMES: &'static [(Self, &'static str)] = &[$((Self::$bit, stringify!($bit))),*];

            /// Whether all bits of `other` are set.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        /// The names joined by `|`, then the unnamed bits in hexadecimal; `0` for the empty set.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut rest = self.0;
                let mut separator = "";
                for (bit, name) in Self::NAMES.iter().filter(|(bit, _)| self.contains(*bit)) {
                    write!(f, "{separator}{name}")?;
                    separator = "|";
                    rest &= !bit.0;
                }
                if rest != 0 || self.0 == 0 { write!(f, "{separator}{rest:#x}") } else { Ok(()) }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    };
}

pub(crate) use bits;
