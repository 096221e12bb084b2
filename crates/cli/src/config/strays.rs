//! Records of a view that no configuration names: the code that they were made from is not judged any more.

use crate::finding::{Code, Finding};
use factgate_facts::Files;
use factgate_record::{Record, RecordError, RepoPath};
use factgate_syntax::fingerprint::SCHEME;
use rayon::prelude::*;

/// Every file that is a record and none of those that are `named`. A record may have any name that ends in `.json`.
pub fn strays(files: &dyn Files, named: &[&RepoPath]) -> Vec<RepoPath> {
    let listed = files.list().unwrap_or_default();
    let may_be = |path: &&RepoPath| path.as_str().ends_with(".json") && !named.contains(path);
    let candidates: Vec<&RepoPath> = listed.iter().filter(may_be).collect();
    let mut found: Vec<RepoPath> = candidates
        .into_par_iter()
        .map_init(Vec::new, |buffer, path| is_record(files, path, buffer).then(|| path.clone()))
        .flatten()
        .collect();
    found.sort();
    found
}

/// What there is to say of one.
pub fn stray(record: &RepoPath) -> Finding {
    let message = format!("{record} is a record, and no factgate.toml names it: the code that it holds is not judged");
    let help =
        format!("put its factgate.toml back (or where it was renamed, its name), or remove it: `git rm {record}`");
    Finding::of_file(Code::Record, record, message).help(help)
}

/// The first bytes tell for almost every other file.
fn is_record(files: &dyn Files, path: &RepoPath, buffer: &mut Vec<u8>) -> bool {
    buffer.clear();
    if !files.read_into(path, buffer).unwrap_or_default() {
        return false;
    }
    let bytes = buffer.strip_prefix(b"\xef\xbb\xbf").unwrap_or(buffer);
    let inner = bytes.trim_ascii_start().strip_prefix(b"{").unwrap_or_default().trim_ascii_start();
    // A record has its keys in order, and a merge may have left its marks before the first of them.
    if !inner.starts_with(b"\"calls\"") && !inner.starts_with(b"<<<<<<<") {
        return false;
    }
    match Record::parse(bytes, SCHEME) {
        Ok(_) | Err(RecordError::NewerScheme { .. }) => true,
        Err(RecordError::Conflict { .. }) => bytes.windows(8).any(|word| word == b"\"scheme\""),
        Err(RecordError::Syntax { .. }) => false,
    }
}
