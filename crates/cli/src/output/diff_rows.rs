//! Two sides of code, token by token, as rows of real lines: what was, what is, and a little around.

use crate::pipeline::listing::{Listing, Token};
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::{BTreeMap, BTreeSet};

/// Unchanged lines around a changed one.
const CONTEXT: usize = 3;

/// A line of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Which side it is from.
    pub side: Side,
    /// Its number in its file.
    pub line: u32,
    /// As it stands there.
    pub text: String,
    /// The columns that differ, in characters from 1, each with the one behind it.
    pub changed: Vec<(u32, u32)>,
}

/// Where a row is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Confirmed, and no more so.
    Recorded,
    /// As it is now.
    Current,
    /// Both, with the line of now.
    Both,
    /// Lines are left out here.
    Gap,
}

/// The rows of a difference; none where nothing that counts differs.
pub fn rows(recorded: &Listing, current: &Listing) -> Vec<Row> {
    let says = |code: &Listing| code.tokens.iter().map(|token| token.says.clone()).collect::<Vec<_>>();
    let ops = capture_diff_slices(Algorithm::Patience, &says(recorded), &says(current));
    let (mut gone, mut come) = (BTreeSet::new(), BTreeSet::new());
    for op in &ops {
        if !matches!(op, DiffOp::Equal { .. }) {
            gone.extend(op.old_range());
            come.extend(op.new_range());
        }
    }
    if gone.is_empty() && come.is_empty() {
        return Vec::new();
    }
    let (old, new) = (Lines::of(recorded, &gone), Lines::of(current, &come));
    let mut writer = Writer { old, new, rows: Vec::new(), deleted: Vec::new(), inserted: Vec::new() };
    for op in &ops {
        match op {
            DiffOp::Equal { old_index, new_index, len } => {
                for step in 0..*len {
                    writer.equal(recorded.tokens[old_index + step].line, current.tokens[new_index + step].line);
                }
            }
            other => {
                let stands = |token: &&Token| !token.is_nowhere();
                recorded.tokens[other.old_range()].iter().filter(stands).for_each(|token| writer.delete(token.line));
                current.tokens[other.new_range()].iter().filter(stands).for_each(|token| writer.insert(token.line));
            }
        }
    }
    writer.flush();
    shortened(writer.rows)
}

/// The lines of one side: those that were written, and the columns that differ in each.
struct Lines<'c> {
    code: &'c Listing,
    changed: BTreeMap<u32, Vec<(u32, u32)>>,
    written: BTreeSet<u32>,
}

impl<'c> Lines<'c> {
    fn of(code: &'c Listing, differ: &BTreeSet<usize>) -> Lines<'c> {
        let mut changed: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        let tokens = differ.iter().map(|&at| &code.tokens[at]);
        for Token { line, columns, .. } in tokens.filter(|token| !token.is_nowhere()) {
            let known = changed.entry(*line).or_default();
            match known.last_mut().filter(|last| last.1 + 1 >= columns.0) {
                Some(last) => last.1 = last.1.max(columns.1),
                None => known.push(*columns),
            }
        }
        Lines { code, changed, written: BTreeSet::new() }
    }

    fn row(&mut self, side: Side, line: u32) -> Option<Row> {
        let text = self.code.lines.get(&line).cloned().unwrap_or_default();
        let changed = self.changed.get(&line).cloned().unwrap_or_default();
        self.written.insert(line).then_some(Row { side, line, text, changed })
    }
}

struct Writer<'c> {
    old: Lines<'c>,
    new: Lines<'c>,
    rows: Vec<Row>,
    deleted: Vec<Row>,
    inserted: Vec<Row>,
}

impl Writer<'_> {
    fn equal(&mut self, old: u32, new: u32) {
        // What is left of a line that lost something is shown beside it.
        if self.old.changed.contains_key(&old) || self.new.changed.contains_key(&new) {
            self.delete(old);
            self.insert(new);
        } else if !self.new.written.contains(&new) {
            self.flush();
            self.rows.extend(self.new.row(Side::Both, new));
        }
    }

    fn delete(&mut self, line: u32) {
        self.deleted.extend(self.old.row(Side::Recorded, line));
    }

    fn insert(&mut self, line: u32) {
        self.inserted.extend(self.new.row(Side::Current, line));
    }

    fn flush(&mut self) {
        self.rows.append(&mut self.deleted);
        self.rows.append(&mut self.inserted);
    }
}

/// Without what is far from every change.
fn shortened(rows: Vec<Row>) -> Vec<Row> {
    let is_near = |at: usize| {
        let range = at.saturating_sub(CONTEXT)..=(at + CONTEXT).min(rows.len() - 1);
        rows[range].iter().any(|row| row.side != Side::Both)
    };
    let kept: Vec<bool> = (0..rows.len()).map(is_near).collect();
    let gap = Row { side: Side::Gap, line: 0, text: String::new(), changed: Vec::new() };
    let mut short = Vec::new();
    for (row, kept) in rows.into_iter().zip(kept) {
        if kept {
            short.push(row);
        } else if short.last().is_some_and(|last: &Row| last.side != Side::Gap) {
            short.push(gap.clone());
        }
    }
    if short.last().is_some_and(|last| last.side == Side::Gap) {
        short.pop();
    }
    short
}
