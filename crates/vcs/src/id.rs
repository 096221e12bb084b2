//! Object and commit names, SHA-1 and SHA-256 alike.

use std::fmt;
use std::hash::{Hash, Hasher};

/// The name of an object: 20 or 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectId {
    bytes: [u8; 32],
    len: u8,
}

/// An object that is a commit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(pub ObjectId);

impl ObjectId {
    /// From 20 or 32 raw bytes.
    pub fn from_bytes(raw: &[u8]) -> Option<ObjectId> {
        if raw.len() != 20 && raw.len() != 32 {
            return None;
        }
        let mut bytes = [0; 32];
        bytes[..raw.len()].copy_from_slice(raw);
        Some(ObjectId { bytes, len: u8::try_from(raw.len()).ok()? })
    }

    /// From 40 or 64 hexadecimal digits.
    pub fn from_hex(hex: &str) -> Option<ObjectId> {
        let mut bytes = [0; 32];
        let len = hex.len() / 2;
        if hex.len() % 2 == 1 || (len != 20 && len != 32) {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(ObjectId { bytes, len: u8::try_from(len).ok()? })
    }

    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        b'A'..=b'F' => Some(letter - b'A' + 10),
        _ => None,
    }
}

/// A name is a hash already: eight bytes of it tell as much as all.
impl Hash for ObjectId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.bytes[..8]);
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl CommitId {
    /// From 40 or 64 hexadecimal digits.
    pub fn from_hex(hex: &str) -> Option<CommitId> {
        ObjectId::from_hex(hex).map(CommitId)
    }

    /// The first seven digits, for people.
    pub fn short(&self) -> String {
        self.0.to_string().chars().take(7).collect()
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

impl fmt::Debug for CommitId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_goes_there_and_back() {
        for hex in ["0123456789abcdef0123456789abcdef01234567", &"5a".repeat(32)] {
            assert_eq!(ObjectId::from_hex(hex).expect("an id").to_string(), hex);
        }
        for odd in ["", "12", "x123456789abcdef0123456789abcdef01234567", &"a".repeat(41)] {
            assert_eq!(ObjectId::from_hex(odd), None);
        }
    }
}
