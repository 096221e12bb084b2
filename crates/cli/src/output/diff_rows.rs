//! Two sides of code, token by token, as rows of real lines: what was, what is, and a little around.

use crate::pipeline::listing::{Listing, Token};
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

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
    let compared = Compared::of(recorded, current);
    if compared.gone.is_empty() && compared.come.is_empty() {
        return Vec::new();
    }
    let (old, new) = (Lines::of(recorded, &compared.gone), Lines::of(current, &compared.come));
    let mut writer = Writer { old, new, rows: Vec::new(), deleted: Vec::new(), inserted: Vec::new() };
    for event in compared.events {
        match event {
            Event::Equal(old, new) => writer.equal(old, new),
            Event::Gone(line) => writer.delete(line),
            Event::Come(line) => writer.insert(line),
        }
    }
    writer.flush();
    shortened(writer.rows)
}

/// Something that stands on a line of one side, or of both.
enum Event {
    Equal(u32, u32),
    Gone(u32),
    Come(u32),
}

/// Two sides, compared line by line, and token by token where lines differ: what is gone is a line rather than the end of
/// one and the beginning of the next.
#[derive(Default)]
struct Compared {
    events: Vec<Event>,
    /// The numbers of tokens that only one side has.
    gone: BTreeSet<usize>,
    come: BTreeSet<usize>,
}

impl Compared {
    fn of(recorded: &Listing, current: &Listing) -> Compared {
        let (old, new) = (by_line(recorded), by_line(current));
        let says = |code: &Listing, lines: &[Range<usize>]| -> Vec<Vec<(&'static str, String)>> {
            let says = |line: &Range<usize>| {
                let tokens = code.tokens[line.clone()].iter().filter(|token| !token.is_nowhere());
                tokens.map(|token| token.says.clone()).collect()
            };
            lines.iter().map(says).collect()
        };
        let mut compared = Compared::default();
        for op in capture_diff_slices(Algorithm::Patience, &says(recorded, &old), &says(current, &new)) {
            let (lines, others) = (&old[op.old_range()], &new[op.new_range()]);
            if let DiffOp::Equal { .. } = op {
                let first = |code: &Listing, line: &Range<usize>| code.tokens[line.start].line;
                let pairs = lines.iter().zip(others);
                compared.events.extend(pairs.map(|(a, b)| Event::Equal(first(recorded, a), first(current, b))));
            } else {
                compared.tokens(recorded, current, &whole(lines), &whole(others));
            }
        }
        compared
    }

    /// Compares the tokens of lines that differ.
    fn tokens(&mut self, recorded: &Listing, current: &Listing, old: &Range<usize>, new: &Range<usize>) {
        let says = |code: &Listing, range: &Range<usize>| -> Vec<(&'static str, String)> {
            code.tokens[range.clone()].iter().map(|token| token.says.clone()).collect()
        };
        for op in capture_diff_slices(Algorithm::Patience, &says(recorded, old), &says(current, new)) {
            let there = op.old_range().map(|at| old.start + at);
            let here = op.new_range().map(|at| new.start + at);
            if let DiffOp::Equal { .. } = op {
                let pairs = there.zip(here);
                self.events.extend(pairs.map(|(a, b)| Event::Equal(recorded.tokens[a].line, current.tokens[b].line)));
                continue;
            }
            for at in there.filter(|&at| !recorded.tokens[at].is_nowhere()) {
                self.gone.insert(at);
                self.events.push(Event::Gone(recorded.tokens[at].line));
            }
            for at in here.filter(|&at| !current.tokens[at].is_nowhere()) {
                self.come.insert(at);
                self.events.push(Event::Come(current.tokens[at].line));
            }
        }
    }
}

/// The numbers of the tokens of each line.
fn by_line(code: &Listing) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for (number, token) in code.tokens.iter().enumerate() {
        match lines.last_mut().filter(|last| code.tokens[last.start].line == token.line) {
            Some(last) => last.end = number + 1,
            None => lines.push(number..number + 1),
        }
    }
    lines
}

fn whole(lines: &[Range<usize>]) -> Range<usize> {
    lines.first().map_or(0, |first| first.start)..lines.last().map_or(0, |last| last.end)
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
        for Token { line, columns, .. } in differ.iter().map(|&at| &code.tokens[at]) {
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
