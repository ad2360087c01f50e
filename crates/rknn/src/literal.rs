//! Python literals: the form in which the compiler embeds its description of inputs and quantisation.

use std::iter::Peekable;
use std::str::CharIndices;

/// A Python value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(i64),
    /// Any other number, `inf` and `nan` included.
    Float(f64),
    /// A string.
    Str(String),
    /// A list, tuple or set.
    List(Vec<Literal>),
    /// A dictionary, in file order.
    Dict(Vec<(Literal, Literal)>),
    /// A name, or a call such as `array([1, 2])` or `np.float32(1.0)`, with its arguments.
    Call(String, Vec<Literal>),
}

impl Literal {
    /// Value under a string key of a dictionary.
    pub fn get(&self, key: &str) -> Option<&Literal> {
        let Literal::Dict(entries) = self else { return None };
        entries.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Literal::Str(text) => Some(text),
            _ => None,
        }
    }

    /// A number, whether written as integer, float or a call around one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Literal::Int(value) => Some(*value as f64),
            Literal::Float(value) => Some(*value),
            Literal::Call(_, arguments) => arguments.first()?.as_f64(),
            _ => None,
        }
    }

    /// An integer.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Literal::Int(value) => Some(*value),
            Literal::Call(_, arguments) => arguments.first()?.as_i64(),
            _ => None,
        }
    }

    /// A truth value.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Literal::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Elements of a list, tuple or set.
    pub fn as_list(&self) -> Option<&[Literal]> {
        match self {
            Literal::List(items) => Some(items),
            Literal::Call(_, arguments) => arguments.first()?.as_list(),
            _ => None,
        }
    }

    /// Entries of a dictionary.
    pub fn as_dict(&self) -> Option<&[(Literal, Literal)]> {
        match self {
            Literal::Dict(entries) => Some(entries),
            _ => None,
        }
    }

    /// Parses one value that fills `text`. The error is the byte position where it stops making sense.
    pub fn parse(text: &str) -> Result<Literal, usize> {
        let mut parser = Parser { text, rest: text.char_indices().peekable() };
        let value = parser.value(0)?;
        parser.space();
        if parser.rest.peek().is_some() { Err(parser.position()) } else { Ok(value) }
    }
}

/// Nesting of the real files is 4; this only guards the stack.
const MAX_DEPTH: usize = 64;

struct Parser<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
}

impl Parser<'_> {
    fn position(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |&(at, _)| at)
    }

    fn space(&mut self) {
        while self.rest.next_if(|&(_, c)| c.is_whitespace()).is_some() {}
    }

    fn accept(&mut self, wanted: char) -> bool {
        self.space();
        self.rest.next_if(|&(_, c)| c == wanted).is_some()
    }

    fn value(&mut self, depth: usize) -> Result<Literal, usize> {
        self.space();
        let at = self.position();
        if depth > MAX_DEPTH {
            return Err(at);
        }
        let Some(&(_, first)) = self.rest.peek() else { return Err(at) };
        match first {
            '{' => self.braces(depth),
            '[' => self.sequence('[', ']', depth).map(Literal::List),
            '(' => self.sequence('(', ')', depth).map(Literal::List),
            '\'' | '"' => self.string().map(Literal::Str),
            '0'..='9' | '-' | '+' | '.' => self.number(),
            c if c.is_alphabetic() || c == '_' => self.word(depth),
            _ => Err(at),
        }
    }

    /// Items up to `close`, after `open`.
    fn sequence(&mut self, open: char, close: char, depth: usize) -> Result<Vec<Literal>, usize> {
        if !self.accept(open) {
            return Err(self.position());
        }
        let mut items = Vec::new();
        while !self.accept(close) {
            items.push(self.argument(depth + 1)?);
            if !self.accept(',') {
                if self.accept(close) {
                    break;
                }
                return Err(self.position());
            }
        }
        Ok(items)
    }

    /// A value, or `name=value` inside a call, whose name is dropped.
    fn argument(&mut self, depth: usize) -> Result<Literal, usize> {
        let value = self.value(depth)?;
        if matches!(value, Literal::Call(_, ref arguments) if arguments.is_empty()) && self.accept('=') {
            return self.value(depth);
        }
        Ok(value)
    }

    /// A dictionary or a set.
    fn braces(&mut self, depth: usize) -> Result<Literal, usize> {
        self.accept('{');
        let (mut entries, mut items) = (Vec::new(), Vec::new());
        while !self.accept('}') {
            let key = self.value(depth + 1)?;
            if self.accept(':') {
                entries.push((key, self.value(depth + 1)?));
            } else {
                items.push(key);
            }
            if !self.accept(',') {
                if self.accept('}') {
                    break;
                }
                return Err(self.position());
            }
        }
        match (entries.is_empty(), items.is_empty()) {
            (_, true) => Ok(Literal::Dict(entries)),
            (true, false) => Ok(Literal::List(items)),
            (false, false) => Err(self.position()),
        }
    }

    fn string(&mut self) -> Result<String, usize> {
        let start = self.position();
        let Some((_, quote)) = self.rest.next() else { return Err(start) };
        let mut text = String::new();
        while let Some((_, c)) = self.rest.next() {
            match c {
                c if c == quote => return Ok(text),
                '\\' => self.escape(&mut text)?,
                c => text.push(c),
            }
        }
        Err(start)
    }

    fn escape(&mut self, text: &mut String) -> Result<(), usize> {
        let Some((at, c)) = self.rest.next() else { return Err(self.text.len()) };
        let mut hex = |digits: usize| {
            let code: String = self.rest.by_ref().take(digits).map(|(_, c)| c).collect();
            u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).ok_or(at)
        };
        text.push(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'x' => hex(2)?,
            'u' => hex(4)?,
            'U' => hex(8)?,
            '\n' => return Ok(()),
            other => other,
        });
        Ok(())
    }

    fn number(&mut self) -> Result<Literal, usize> {
        let start = self.position();
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_');
        while self.rest.next_if(|&(_, c)| part(c)).is_some() {}
        let end = self.position();
        let text = self.text.get(start..end).unwrap_or_default().replace('_', "");
        if let Ok(value) = text.parse() {
            return Ok(Literal::Int(value));
        }
        text.parse().map(Literal::Float).map_err(|_| start)
    }

    fn word(&mut self, depth: usize) -> Result<Literal, usize> {
        let start = self.position();
        while self.rest.next_if(|&(_, c)| c.is_alphanumeric() || matches!(c, '_' | '.')).is_some() {}
        let end = self.position();
        let name = self.text.get(start..end).unwrap_or_default();
        Ok(match name {
            "None" => Literal::None,
            "True" => Literal::Bool(true),
            "False" => Literal::Bool(false),
            "inf" => Literal::Float(f64::INFINITY),
            "nan" => Literal::Float(f64::NAN),
            _ => {
                self.space();
                let called = self.rest.peek().is_some_and(|&(_, c)| c == '(');
                Literal::Call(name.to_owned(), if called { self.sequence('(', ')', depth)? } else { Vec::new() })
            }
        })
    }
}
