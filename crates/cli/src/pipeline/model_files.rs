//! The model's own files, confirmed whole: BLAKE3 over their bytes with line endings as `\n`.

use crate::config::Model;
use crate::finding::Finding;
use factgate_facts::Files;
use factgate_record::Record;
use std::collections::BTreeMap;

/// The hash of each file, by its name in the record.
///
/// Comments of specifications and configurations do not count, but in a record that was made when they did.
pub fn gather(
    model: &Model,
    files: &dyn Files,
    record: Option<&Record>,
    errors: &mut Vec<Finding>,
) -> BTreeMap<String, String> {
    let mut hashes = BTreeMap::new();
    for (name, path) in &model.files {
        match files.read(path) {
            Ok(Some(bytes)) => {
                let whole = hash(&bytes);
                let as_recorded = record.and_then(|record| record.files.get(name)) == Some(&whole);
                hashes.insert(name.clone(), if as_recorded { whole } else { of_model(name, &bytes).unwrap_or(whole) });
            }
            Ok(None) => {}
            Err(error) => errors.push(error.into()),
        }
    }
    hashes
}

/// The hash of a specification or configuration without its comments.
fn of_model(name: &str, bytes: &[u8]) -> Option<String> {
    let is_model = name.ends_with(".tla") || name.ends_with(".cfg");
    let text = std::str::from_utf8(bytes).ok().filter(|_| is_model)?;
    Some(hash(factgate_checker::without_comments(text).as_bytes()))
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
