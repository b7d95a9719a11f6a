//! Canonical JSON: keys sorted, no spaces, numbers and texts written as Python's `json` writes them.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

const FIXED_FROM: i32 = -4; // exponents from here ...
const FIXED_BELOW: i32 = 16; // ... to below here are written out

/// A value of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// Nothing.
    Null,
    /// A truth value.
    Flag(bool),
    /// A number without a fraction.
    Whole(i128),
    /// A finite number with one.
    Real(f64),
    /// A text.
    Text(String),
    /// Values in order.
    List(Vec<Json>),
    /// Values by name.
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// An object with these fields.
    #[must_use]
    pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Self {
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The values in order.
    pub fn list<T: Into<Json>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl FromIterator<(String, Json)> for Json {
    fn from_iter<T: IntoIterator<Item = (String, Json)>>(fields: T) -> Self {
        Self::Object(fields.into_iter().collect())
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Self::Whole(value.into())
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Self {
        Self::Whole(value.into())
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl Display for Json {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Flag(value) => write!(f, "{value}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Real(value) => write_real(f, *value),
            Self::Text(value) => write_text(f, value),
            Self::List(items) => {
                f.write_char('[')?;
                for (place, item) in items.iter().enumerate() {
                    separate(f, place)?;
                    item.fmt(f)?;
                }
                f.write_char(']')
            }
            Self::Object(fields) => {
                f.write_char('{')?;
                for (place, (name, value)) in fields.iter().enumerate() {
                    separate(f, place)?;
                    write_text(f, name)?;
                    f.write_char(':')?;
                    value.fmt(f)?;
                }
                f.write_char('}')
            }
        }
    }
}

fn separate(f: &mut Formatter<'_>, place: usize) -> fmt::Result {
    if place > 0 { f.write_char(',') } else { Ok(()) }
}

/// The shortest digits that read back as the same number, laid out as Python's `repr` lays them out.
///
/// JSON has no word for what is no number, which only a damaged snapshot can bring.
fn write_real(f: &mut Formatter<'_>, value: f64) -> fmt::Result {
    if !value.is_finite() {
        return f.write_str("null");
    }
    let scientific = shortest(value.abs());
    let (digits, exponent) = scientific.split_once('e').ok_or(fmt::Error)?;
    let exponent: i32 = exponent.parse().map_err(|_| fmt::Error)?;
    if value.is_sign_negative() {
        f.write_char('-')?;
    }
    if !(FIXED_FROM..FIXED_BELOW).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return write!(f, "{digits}e{sign}{:02}", exponent.abs());
    }
    let figures = digits.replace('.', "");
    if exponent < 0 {
        return write!(f, "0.{:0>width$}", figures, width = figures.len() + exponent.unsigned_abs() as usize - 1);
    }
    let point = exponent as usize + 1;
    let padded = format!("{figures:0<width$}", width = point + 1);
    write!(f, "{}.{}", &padded[..point], &padded[point..])
}

/// Digits and exponent; where two shortest texts are equally near, the even one, as Python has it.
fn shortest(value: f64) -> String {
    let first = format!("{value:e}");
    let digits = first.split_once('e').map_or("", |(digits, _)| digits);
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let nearest = format!("{value:.decimals$e}");
    if nearest.parse() == Ok(value) { nearest } else { first }
}

fn write_text(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\u{8}' => f.write_str("\\b")?,
            '\u{c}' => f.write_str("\\f")?,
            ' '..='~' => f.write_char(character)?,
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(f, "\\u{unit:04x}")?;
                }
            }
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn reals_are_written_as_python_writes_them() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.000_123_45, "0.00012345"),
            (0.00001, "1e-05"),
            (-1.5e-7, "-1.5e-07"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (1e16, "1e+16"),
            (1.234e22, "1.234e+22"),
            (123_456.789, "123456.789"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (2.0 / 3.0, "0.6666666666666666"),
            (731_087_981_855_219.0 + 0.25, "731087981855219.2"),
            (79_445_680_826_335.0 + 0.625, "79445680826335.62"),
        ];
        for (value, text) in cases {
            assert_eq!(Json::Real(value).to_string(), text);
        }
    }

    #[test]
    fn texts_are_written_in_ascii() {
        let text = Json::from("a\"b\\c\n\u{7f}é\u{1F6A2}").to_string();

        assert_eq!(text, "\"a\\\"b\\\\c\\n\\u007f\\u00e9\\ud83d\\udea2\"");
    }

    #[test]
    fn keys_are_sorted() {
        let text = Json::object([("b", Json::Null), ("a", Json::list([1_i64, 2])), ("10", Json::from(true))]);

        assert_eq!(text.to_string(), "{\"10\":true,\"a\":[1,2],\"b\":null}");
    }
}
