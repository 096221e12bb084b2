//! Globs over the files of a view: `*` stays inside a folder, `**` does not.

use crate::config::document::Document;
use crate::config::spanned::At;
use crate::finding::{Code, Finding};
use factgate_record::RepoPath;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Compiles globs that are relative to a folder of the repository; each that is none is an
/// error at its place.
pub(super) fn compile(document: &Document, folder: &RepoPath, globs: &[At<String>]) -> Result<GlobSet, Vec<Finding>> {
    let mut set = GlobSetBuilder::new();
    let mut wrong = Vec::new();
    for glob in globs {
        match one(folder, &glob.value) {
            Ok(glob) => drop(set.add(glob)),
            Err(why) => {
                let message = format!("`{}` is no glob: {why}", glob.value);
                wrong.push(document.finding(Code::Config, message, glob.span.clone()));
            }
        }
    }
    match set.build() {
        Ok(set) if wrong.is_empty() => Ok(set),
        Ok(_) => Err(wrong),
        Err(error) => Err(vec![Finding::of_file(Code::Config, &document.path, error.to_string())]),
    }
}

fn one(folder: &RepoPath, text: &str) -> Result<globset::Glob, String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    // The folder's own name may hold characters that mean something in a glob.
    let mut base = folder.clone();
    let mut rest = text;
    loop {
        rest = rest.strip_prefix("./").unwrap_or(rest);
        match rest.strip_prefix("../") {
            Some(behind) => {
                base = base.join("..").map_err(|error| error.to_string())?;
                rest = behind;
            }
            None => break,
        }
    }
    let tail = RepoPath::default().join(rest).map_err(|error| error.to_string())?;
    let folder = globset::escape(base.as_str());
    let whole = if folder.is_empty() { tail.to_string() } else { format!("{folder}/{tail}") };
    GlobBuilder::new(&whole).literal_separator(true).build().map_err(|error| error.kind().to_string())
}
