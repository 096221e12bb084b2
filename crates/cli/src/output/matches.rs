//! What a pattern matches, as text and as data.

use factgate_record::Evidence;
use serde::Serialize;
use std::collections::BTreeMap;

/// All that one pattern found.
#[derive(Debug, Default, Serialize)]
pub struct Found {
    /// What it matches, in the order of files and places.
    pub matches: Vec<Match>,
    /// What comes close, the likest first.
    pub near: Vec<Near>,
}

/// One match.
#[derive(Debug, Serialize)]
pub struct Match {
    /// Where.
    #[serde(serialize_with = "place")]
    pub at: Evidence,
    /// What its metavariables are bound to.
    pub bindings: BTreeMap<String, String>,
}

/// Code that nearly matches.
#[derive(Debug, Serialize)]
pub struct Near {
    /// Where.
    #[serde(serialize_with = "place")]
    pub at: Evidence,
    /// The first difference.
    pub difference: String,
    /// How much of the pattern agrees.
    #[serde(skip)]
    pub likeness: usize,
}

/// A place with its text; what it is for the fact there is none to say.
fn place<S: serde::Serializer>(at: &Evidence, serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap;
    let mut map = serializer.serialize_map(Some(6))?;
    map.serialize_entry("file", &at.place.file)?;
    map.serialize_entry("line", &at.place.line)?;
    map.serialize_entry("column", &at.place.column)?;
    map.serialize_entry("end_line", &at.end_line)?;
    map.serialize_entry("end_column", &at.end_column)?;
    map.serialize_entry("text", &at.text)?;
    map.end()
}

/// So many letters of a binding are shown; JSON has all.
const SHOWN: usize = 100;

fn shortened(bound: &str) -> String {
    match bound.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &bound[..end]),
        None => bound.to_owned(),
    }
}

/// A line a match, what it binds below; then what comes close.
pub fn text(found: &Found) -> String {
    let mut text = String::new();
    let head = |at: &Evidence| format!("{}:{}:{}", at.place.file, at.place.line, at.place.column);
    for Match { at, bindings } in &found.matches {
        text.push_str(&format!("{}   {}\n", head(at), at.text));
        for (name, bound) in bindings {
            text.push_str(&format!("  ${name} = {}\n", shortened(bound)));
        }
    }
    match found.matches.len() {
        0 => text.push_str("no match\n"),
        1 => text.push_str("1 match\n"),
        many => text.push_str(&format!("{many} matches\n")),
    }
    if !found.near.is_empty() {
        text.push_str("nearly:\n");
    }
    for Near { at, difference, .. } in &found.near {
        text.push_str(&format!("{}   {}\n  {difference}\n", head(at), at.text));
    }
    text
}
