//! JSON that is hashed, signed or accepted: read strictly, written in one form.
//!
//! Promise: what [`parse_object`] takes has exactly one canonical text (RFC 8785), and nothing was silently changed on
//! the way: no key was dropped because it came twice, no number was rounded, no text was cut at a NUL. Whether the
//! document means anything is not judged here.

use std::cell::RefCell;
use std::fmt;

use serde::Serialize;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use sha2::{Digest as _, Sha256};

use crate::ids::Digest;
use crate::limits::{INTEGER_MAX, JSON_MAX_BYTES, JSON_MAX_LEVELS};

/// Why a document was not taken. Pointers are RFC 6901; none of the document's values is repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonFault {
    /// More bytes than one document may have.
    #[error("the document has {bytes} bytes; the limit is {max_bytes}")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        max_bytes: usize,
    },
    /// Not JSON at all.
    #[error("not JSON (line {line}, column {column})")]
    NotJson {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// JSON, but not an object.
    #[error("not one JSON object")]
    NotAnObject,
    /// A key that stands twice in one object.
    #[error("a key stands twice at {pointer}")]
    DuplicateKey {
        /// The doubled member.
        pointer: String,
    },
    /// Nested deeper than anything that is sent.
    #[error("nested deeper than {max_levels} levels")]
    TooDeep {
        /// The limit.
        max_levels: usize,
    },
    /// A number whose canonical text could be another number's.
    #[error("the number at {pointer} is beyond 2^53-1; send it as text")]
    NumberTooLarge {
        /// Where it stands.
        pointer: String,
    },
    /// U+0000, which databases cut or refuse.
    #[error("the text at {pointer} holds a NUL character")]
    NulInText {
        /// Where it stands.
        pointer: String,
    },
}

/// One JSON object within the limits of every document that is accepted.
///
/// # Errors
/// The first fault met, see [`JsonFault`].
pub fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, JsonFault> {
    match parse_strict(bytes, JSON_MAX_BYTES)? {
        Value::Object(map) => Ok(map),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(JsonFault::NotAnObject)
        }
    }
}

/// Any JSON value of at most `max_bytes`, under the same rules.
///
/// # Errors
/// The first fault met, see [`JsonFault`].
pub fn parse_strict(bytes: &[u8], max_bytes: usize) -> Result<Value, JsonFault> {
    if bytes.len() > max_bytes {
        return Err(JsonFault::TooLarge { bytes: bytes.len(), max_bytes });
    }
    let reading = Reading::default();
    let mut source = serde_json::Deserializer::from_slice(bytes);
    let value = Node { reading: &reading, level: 1 }.deserialize(&mut source);
    let value = value.and_then(|value| source.end().map(|()| value));
    value.map_err(|error| reading.fault.take().unwrap_or_else(|| not_json(&error)))
}

/// The RFC 8785 text of a value.
#[must_use]
pub fn canonical<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).expect("values of this crate have string keys and finite numbers")
}

/// SHA-256 of bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> Digest {
    Digest::from_bytes(Sha256::digest(bytes).into())
}

/// SHA-256 of a value's RFC 8785 text.
#[must_use]
pub fn digest_of<T: Serialize>(value: &T) -> Digest {
    sha256(&canonical(value))
}

/// One step of a JSON pointer, escaped after RFC 6901.
#[must_use]
pub fn pointer_step(pointer: &str, step: &str) -> String {
    format!("{pointer}/{}", step.replace('~', "~0").replace('/', "~1"))
}

fn not_json(error: &serde_json::Error) -> JsonFault {
    JsonFault::NotJson { line: error.line(), column: error.column() }
}

/// Where the reader stands, and the fault that stopped it.
#[derive(Default)]
struct Reading {
    path: RefCell<Vec<String>>,
    fault: RefCell<Option<JsonFault>>,
}

impl Reading {
    fn pointer(&self) -> String {
        self.path.borrow().iter().fold(String::new(), |pointer, step| pointer_step(&pointer, step))
    }

    fn stop<E: de::Error>(&self, fault: JsonFault) -> E {
        self.fault.borrow_mut().get_or_insert(fault);
        E::custom("refused")
    }

    fn text<E: de::Error>(&self, text: &str) -> Result<(), E> {
        if text.contains('\0') {
            return Err(self.stop(JsonFault::NulInText { pointer: self.pointer() }));
        }
        Ok(())
    }

    fn within<T>(&self, step: String, read: impl FnOnce() -> T) -> T {
        self.path.borrow_mut().push(step);
        let result = read();
        self.path.borrow_mut().pop();
        result
    }
}

#[derive(Clone, Copy)]
struct Node<'a> {
    reading: &'a Reading,
    level: usize,
}

impl Node<'_> {
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        if self.level > JSON_MAX_LEVELS {
            return Err(self.reading.stop(JsonFault::TooDeep { max_levels: JSON_MAX_LEVELS }));
        }
        Ok(Self { level: self.level + 1, ..self })
    }

    fn integer<E: de::Error>(self, fits: bool, number: Number) -> Result<Value, E> {
        if fits {
            return Ok(Value::Number(number));
        }
        let pointer = self.reading.pointer();
        Err(self.reading.stop(JsonFault::NumberTooLarge { pointer }))
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        self.integer(value.unsigned_abs() <= INTEGER_MAX.unsigned_abs(), value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        self.integer(value <= INTEGER_MAX.unsigned_abs(), value.into())
    }

    // Integers beyond 64 bits arrive here as floats, already rounded: their size alone refuses them.
    #[allow(clippy::cast_precision_loss)] // INTEGER_MAX is exact as a double; that is what defines it.
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        match Number::from_f64(value) {
            Some(number) => self.integer(value.abs() <= INTEGER_MAX as f64, number),
            None => self.integer(false, 0.into()),
        }
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        self.reading.text(value)?;
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let node = self.inner()?;
        let mut list = Vec::new();
        while let Some(item) =
            self.reading.within(list.len().to_string(), || items.next_element_seed(node))?
        {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let node = self.inner()?;
        let mut map = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            self.reading.text(&key)?;
            if map.contains_key(&key) {
                let pointer = pointer_step(&self.reading.pointer(), &key);
                return Err(self.reading.stop(JsonFault::DuplicateKey { pointer }));
            }
            let value = self.reading.within(key.clone(), || members.next_value_seed(node))?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn nested(levels: usize) -> Vec<u8> {
        let open = r#"{"a":"#.repeat(levels - 1);
        format!("{open}{{}}{}", "}".repeat(levels - 1)).into_bytes()
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        let pointer = |p: &str| p.to_owned();
        let cases: [(&[u8], JsonFault); 12] = [
            (b"", JsonFault::NotJson { line: 1, column: 0 }),
            (b"{\"a\":1", JsonFault::NotJson { line: 1, column: 6 }),
            (b"{} {}", JsonFault::NotJson { line: 1, column: 4 }),
            (b"[]", JsonFault::NotAnObject),
            (b"\"x\"", JsonFault::NotAnObject),
            (br#"{"a":1,"a":1}"#, JsonFault::DuplicateKey { pointer: pointer("/a") }),
            (
                br#"{"p":[{"a/b":{"~":1,"~":2}}]}"#,
                JsonFault::DuplicateKey { pointer: pointer("/p/0/a~1b/~0") },
            ),
            (br#"{"n":9007199254740992}"#, JsonFault::NumberTooLarge { pointer: pointer("/n") }),
            (br#"{"n":[-9007199254740992]}"#, JsonFault::NumberTooLarge { pointer: pointer("/n/0") }),
            (br#"{"n":18446744073709551616}"#, JsonFault::NumberTooLarge { pointer: pointer("/n") }),
            (br#"{"n":1e21}"#, JsonFault::NumberTooLarge { pointer: pointer("/n") }),
            (br#"{"t":"A\u0000B"}"#, JsonFault::NulInText { pointer: pointer("/t") }),
        ];
        for (bytes, fault) in cases {
            assert_eq!(parse_object(bytes), Err(fault), "{}", String::from_utf8_lossy(bytes));
        }
        assert!(parse_object(br#"{"t":"\ud800"}"#).is_err(), "lone surrogate");
        assert!(parse_object(b"{\"t\":\"\xff\"}").is_err(), "not UTF-8");
        assert!(parse_object(br#"{"n":9007199254740991,"m":-9007199254740991}"#).is_ok());
    }

    #[test]
    fn depth_and_size_have_a_limit_on_every_stack() {
        assert!(parse_object(&nested(32)).is_ok());
        for levels in [33, 127, 128, 5_000, 100_000] {
            let refused = parse_strict(&nested(levels), usize::MAX);
            assert_eq!(refused, Err(JsonFault::TooDeep { max_levels: 32 }), "{levels}");
        }
        let long = format!(r#"{{"t":"{}"}}"#, "x".repeat(1_000_000));
        assert_eq!(
            parse_object(long.as_bytes()),
            Err(JsonFault::TooLarge { bytes: long.len(), max_bytes: 262_144 })
        );
    }

    #[test]
    fn canonical_text_does_not_depend_on_how_it_was_typed() {
        let a = parse_object(br#"{"b":[1.0,"\u20ac"],"a":1e2}"#).unwrap();
        assert_eq!(String::from_utf8(canonical(&a)).unwrap(), "{\"a\":100,\"b\":[1,\"€\"]}");
        assert_eq!(digest_of(&json!({"b": 1, "a": 2})), sha256(br#"{"a":2,"b":1}"#));
    }
}
