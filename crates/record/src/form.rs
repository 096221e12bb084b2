//! The record's one stable form: keys sorted, an entry a line, one final newline, no time, no place.
//!
//! A line an entry keeps merges small: two branches that confirm different items touch different lines.

use crate::record::{CallRecord, Record};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

impl Record {
    /// The bytes to store.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut sections = vec![section("calls", &self.calls, 1, watched)?];
        sections.push(section("facts", &self.facts, 1, inline)?);
        sections.push(section("files", &self.files, 1, inline)?);
        if let Some(gate) = &self.gate {
            sections.push(section("gate", gate, 1, inline)?);
        }
        if !self.gone.is_empty() {
            sections.push(section("gone", &self.gone, 1, inline)?);
        }
        if !self.ignore.is_empty() {
            sections.push(format!("  \"ignore\": {}", inline(&self.ignore)?));
        }
        sections.push(section("items", &self.items, 1, inline)?);
        if !self.runs.is_empty() {
            sections.push(section("runs", &self.runs, 1, inline)?);
        }
        sections.push(format!("  \"scheme\": {}", inline(&self.scheme)?));
        Ok(format!("{{\n{}\n}}\n", sections.join(",\n")))
    }
}

/// The sites of one watched function, a site a line.
fn watched(record: &CallRecord) -> Result<String, serde_json::Error> {
    let mut unresolved: Vec<&String> = record.unresolved.iter().collect();
    unresolved.sort();
    unresolved.dedup();
    let mut lines = Vec::new();
    for import in unresolved {
        lines.push(format!("        {}", inline(import)?));
    }
    let imports = if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n      ]", lines.join(",\n")) };
    let parts = [
        section("calls", &record.calls, 3, inline)?,
        section("possible", &record.possible, 3, inline)?,
        format!("      \"unresolved\": {imports}"),
        section("values", &record.values, 3, inline)?,
    ];
    Ok(format!("{{\n{}\n    }}", parts.join(",\n")))
}

/// One named object whose entries each start a line, `level` steps of two spaces in.
fn section<T>(
    name: &str,
    entries: &BTreeMap<String, T>,
    level: usize,
    mut text: impl FnMut(&T) -> Result<String, serde_json::Error>,
) -> Result<String, serde_json::Error> {
    let indent = "  ".repeat(level);
    if entries.is_empty() {
        return Ok(format!("{indent}{}: {{}}", inline(name)?));
    }
    let mut lines = Vec::new();
    for (key, value) in entries {
        lines.push(format!("{indent}  {}: {}", inline(key)?, text(value)?));
    }
    Ok(format!("{indent}{}: {{\n{}\n{indent}}}", inline(name)?, lines.join(",\n")))
}

/// One value on one line, with a space behind `:` and `,`.
fn inline<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, OneLine);
    value.serialize(&mut writer)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

struct OneLine;

impl serde_json::ser::Formatter for OneLine {
    fn begin_array_value<W: io::Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_key<W: io::Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}
