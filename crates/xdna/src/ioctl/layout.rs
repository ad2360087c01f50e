//! Structures as data: from names, offsets and types of fields to reading and writing.

/// Bytes that are no such structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` has {wanted} bytes, {length} were given")]
pub struct ArgumentError {
    /// The structure.
    pub name: &'static str,
    /// Its bytes.
    pub wanted: usize,
    /// Bytes given.
    pub length: usize,
}

/// A field of a structure.
pub(super) trait Word: Sized {
    const SIZE: usize;
    fn get(bytes: &[u8], at: usize) -> Self;
    fn put(&self, bytes: &mut [u8], at: usize);
}

macro_rules! words {
    ($($type:ty)*) => {$(
        impl Word for $type {
            const SIZE: usize = size_of::<Self>();
            fn get(bytes: &[u8], at: usize) -> Self {
                let chunk = bytes.get(at..).and_then(<[u8]>::first_chunk);
                Self::from_le_bytes(chunk.copied().unwrap_or_default())
            }
            fn put(&self, bytes: &mut [u8], at: usize) {
                if let Some(chunk) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
                    *chunk = self.to_le_bytes();
                }
            }
        }
    )*};
}
words!(u8 i8 u16 u32 i32 u64 i64);

impl<T: Word + Copy + Default, const N: usize> Word for [T; N] {
    const SIZE: usize = N * T::SIZE;
    fn get(bytes: &[u8], at: usize) -> Self {
        std::array::from_fn(|index| T::get(bytes, at + index * T::SIZE))
    }
    fn put(&self, bytes: &mut [u8], at: usize) {
        for (index, value) in self.iter().enumerate() {
            value.put(bytes, at + index * T::SIZE);
        }
    }
}

/// A structure from its fields and their offsets; encoding and decoding follow.
macro_rules! structures {
    ($($(#[$meta:meta])* $name:ident $text:literal: $size:literal {
        $($(#[$field_meta:meta])* $at:literal $field:ident: $type:ty;)*
    })*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct $name {
                $($(#[$field_meta])* pub $field: $type,)*
            }

            impl $name {
                /// Bytes.
                pub const SIZE: usize = $size;
                /// Every field: name, byte offset, bytes.
                pub const FIELDS: &'static [(&'static str, usize, usize)] =
                    &[$((stringify!($field), $at, <$type as Word>::SIZE)),*];

                /// Reads the structure; bytes behind it are not looked at.
                ///
                /// # Errors
                /// If there are too few bytes.
                pub fn from_bytes(bytes: &[u8]) -> Result<Self, ArgumentError> {
                    if bytes.len() < $size {
                        return Err(ArgumentError { name: $text, wanted: $size, length: bytes.len() });
                    }
                    Ok(Self { $($field: Word::get(bytes, $at)),* })
                }

                /// The structure as bytes.
                pub fn to_bytes(&self) -> [u8; $size] {
                    let mut bytes = [0; $size];
                    $(self.$field.put(&mut bytes, $at);)*
                    bytes
                }
            }

            impl Default for $name {
                fn default() -> Self {
                    Self { $($field: Word::get(&[], 0)),* }
                }
            }

            impl Word for $name {
                const SIZE: usize = $size;
                fn get(bytes: &[u8], at: usize) -> Self {
                    let bytes = bytes.get(at..).unwrap_or_default();
                    Self { $($field: Word::get(bytes, $at)),* }
                }
                fn put(&self, bytes: &mut [u8], at: usize) {
                    if let Some(place) = bytes.get_mut(at..at + $size) {
                        place.copy_from_slice(&self.to_bytes());
                    }
                }
            }
        )*

        /// Every structure: name in the header, bytes, fields.
        pub const STRUCTURES: &[(&str, usize, &[(&str, usize, usize)])] = &[$(($text, $size, $name::FIELDS)),*];
    };
}

pub(super) use structures;
