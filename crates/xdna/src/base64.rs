//! Binaries in base64, the text form in which projects keep them under version control.
//!
//! ```
//! use ferrite_xdna::base64::Base64;
//!
//! let text = "AAEC\nAwQ=\n";
//! let file = Base64::decode(text).unwrap();
//! assert_eq!(file.bytes, [0, 1, 2, 3, 4]);
//! assert_eq!(file.encode(), text);
//! ```

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A binary together with how its text is broken into lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Base64 {
    /// The binary.
    pub bytes: Vec<u8>,
    /// Characters of every line but the last; 0 if there is only one line.
    pub width: usize,
    /// Whether lines end in carriage return and line feed, not line feed alone.
    pub carriage_return: bool,
    /// Whether the last line is ended, too.
    pub ended: bool,
}

/// Why a text is no base64.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Base64Error {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Base64Problem,
}

/// What can be wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Base64Problem {
    /// A line before the last that is not as long as the first, or a last line that is longer, or empty.
    #[error("it has {length} characters, the first has {width}")]
    Uneven {
        /// Its characters.
        length: usize,
        /// Characters of the first line.
        width: usize,
    },
    /// A character that no digit has.
    #[error("`{character}` at character {column} is no digit of base64, or stands where none can be")]
    Digit {
        /// The character.
        character: char,
        /// Its place in the line, from 1.
        column: usize,
    },
    /// Digits that do not make whole bytes.
    #[error("digits are missing, or too many: four make three bytes")]
    Length,
}

impl Base64 {
    /// Reads a text.
    ///
    /// # Errors
    /// If it has other characters than digits, is not padded, or its lines are uneven; the error names the line.
    pub fn decode(text: &str) -> Result<Self, Base64Error> {
        let carriage_return = text.contains("\r\n");
        let end = line_end(carriage_return);
        let body = text.strip_suffix(end);
        let (ended, body) = (body.is_some(), body.unwrap_or(text));
        let lines: Vec<&str> = body.split(end).collect();
        let width = lines.first().map_or(0, |line| line.len());
        for (index, line) in lines.iter().enumerate() {
            let last = index + 1 == lines.len();
            let even = if last { index == 0 || (1..=width).contains(&line.len()) } else { line.len() == width };
            if !even {
                let problem = Base64Problem::Uneven { length: line.len(), width };
                return Err(Base64Error { line: index + 1, problem });
            }
        }
        let bytes = STANDARD.decode(lines.concat()).map_err(|error| refused(&lines, width, &error))?;
        Ok(Self { bytes, width: if lines.len() > 1 { width } else { 0 }, carriage_return, ended })
    }

    /// The text.
    pub fn encode(&self) -> String {
        let digits = STANDARD.encode(&self.bytes);
        let width = if self.width == 0 { digits.len().max(1) } else { self.width };
        let end = line_end(self.carriage_return);
        let mut text = String::with_capacity(digits.len() + digits.len() / width * end.len() + end.len());
        let mut rest = digits.as_str();
        while let Some((line, more)) = rest.split_at_checked(width).filter(|parts| !parts.1.is_empty()) {
            text.push_str(line);
            text.push_str(end);
            rest = more;
        }
        text.push_str(rest);
        if self.ended {
            text.push_str(end);
        }
        text
    }
}

const fn line_end(carriage_return: bool) -> &'static str {
    if carriage_return { "\r\n" } else { "\n" }
}

/// The place of a problem that the decoder names by the number of the digit.
fn refused(lines: &[&str], width: usize, error: &base64::DecodeError) -> Base64Error {
    let at = match error {
        base64::DecodeError::InvalidByte(at, _) => *at,
        base64::DecodeError::InvalidLastSymbol { offset, .. } => *offset,
        _ => return Base64Error { line: lines.len(), problem: Base64Problem::Length },
    };
    let (line, column) = (at / width.max(1), at % width.max(1));
    let rest = lines.get(line).and_then(|text| text.get(column..));
    let character = rest.and_then(|rest| rest.chars().next()).unwrap_or(char::REPLACEMENT_CHARACTER);
    Base64Error { line: line + 1, problem: Base64Problem::Digit { character, column: column + 1 } }
}

/// What the first characters of a text stand for; nothing if they are no digits.
pub(crate) fn start(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let whole = digits.get(..digits.len() / 4 * 4).unwrap_or_default();
    STANDARD.decode(whole).unwrap_or_default()
}
