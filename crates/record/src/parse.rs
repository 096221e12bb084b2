//! Reading a record back: whatever tool laid it out, the content counts; what is no record is an error with its line.

use crate::record::{Record, RecordError};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// A record is read by its scheme first, since a newer one may hold keys that are unknown here.
#[derive(serde::Deserialize)]
struct Probe {
    scheme: String,
}

impl Record {
    /// Reads a record. `known` is the newest scheme that the program knows; older ones are read too.
    pub fn parse(bytes: &[u8], known: &str) -> Result<Record, RecordError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if let Some(line) = conflict_line(bytes) {
            return Err(RecordError::Conflict { line });
        }
        let probe: Probe = serde_json::from_slice(bytes).map_err(syntax)?;
        if is_newer(&probe.scheme, known) {
            let line = line_of(bytes, b"\"scheme\"");
            return Err(RecordError::NewerScheme { scheme: probe.scheme, line });
        }
        serde_json::from_slice(bytes).map_err(syntax)
    }
}

/// A scheme that is no number was not made by any factgate of this line.
fn is_newer(scheme: &str, known: &str) -> bool {
    match (scheme.parse::<u32>(), known.parse::<u32>()) {
        (Ok(scheme), Ok(known)) => scheme > known || scheme == 0,
        _ => scheme != known,
    }
}

fn syntax(error: serde_json::Error) -> RecordError {
    let whole = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = format!("is no record: {}", whole.strip_suffix(&place).unwrap_or(&whole));
    RecordError::Syntax { message, line: error.line().max(1) as u32, column: error.column().max(1) as u32 }
}

/// The first line that is a conflict's marker: no line of JSON starts like that.
fn conflict_line(bytes: &[u8]) -> Option<u32> {
    let markers: [&[u8]; 4] = [b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"];
    let is_marker = |line: &[u8]| markers.iter().any(|marker| line.starts_with(marker));
    bytes.split(|&byte| byte == b'\n').position(is_marker).map(|index| index as u32 + 1)
}

fn line_of(bytes: &[u8], word: &[u8]) -> u32 {
    let at = bytes.windows(word.len()).position(|window| window == word).unwrap_or(0);
    bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u32 + 1
}

/// A map in which no key stands twice: a merge that kept both sides must not be read as either.
pub(crate) fn unique<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct Entries<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
        type Value = BTreeMap<String, V>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
            let mut entries = BTreeMap::new();
            while let Some(key) = access.next_key::<String>()? {
                if entries.contains_key(&key) {
                    return Err(A::Error::custom(format!("`{key}` stands twice")));
                }
                let value = access.next_value()?;
                entries.insert(key, value);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_map(Entries(PhantomData))
}
