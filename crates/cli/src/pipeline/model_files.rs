//! The model's own files, confirmed whole: BLAKE3 over their bytes with line endings as `\n`.

use crate::config::Model;
use crate::finding::Finding;
use factgate_facts::Files;
use std::collections::BTreeMap;

/// The hash of each file, by its name in the record.
pub fn gather(model: &Model, files: &dyn Files, errors: &mut Vec<Finding>) -> BTreeMap<String, String> {
    let mut hashes = BTreeMap::new();
    for (name, path) in &model.files {
        match files.read(path) {
            Ok(Some(bytes)) => drop(hashes.insert(name.clone(), hash(&bytes))),
            Ok(None) => {}
            Err(error) => errors.push(error.into()),
        }
    }
    hashes
}

/// The hash of a file, its line endings as `\n`.
pub fn hash(bytes: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(2).position(|pair| pair == b"\r\n") {
        hasher.update(&rest[..at]);
        rest = &rest[at + 1..];
    }
    hasher.update(rest);
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn line_endings_do_not_count_and_everything_else_does() {
        assert_eq!(hash(b"a\r\nb\r\n"), hash(b"a\nb\n"));
        assert_ne!(hash(b"a\rb"), hash(b"a\nb"));
        assert_ne!(hash(b"a\n"), hash(b"a"));
    }
}
