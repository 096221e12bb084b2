//! One source file: its text, its parse, its items and what could not be read.

use crate::fingerprint::{Fingerprints, fingerprints};
use crate::grammar::{GrammarTree, Node, TooDeep};
use crate::item::{Item, ItemKind, Part};
use crate::languages::{Given, Language};
use crate::tree::{Span, Tree, TreeBuilder};
use std::sync::Arc;

/// How much source is read before giving up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest file, in bytes.
    pub bytes: usize,
    /// Deepest nesting, in grammar nodes.
    pub depth: usize,
}

impl Default for Limits {
    /// 4 MiB and 2,000 levels.
    fn default() -> Limits {
        Limits { bytes: 4 << 20, depth: 2_000 }
    }
}

/// Line and column, both from 1; the column counts characters (Unicode scalar values).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A file that gives no results at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Not UTF-8.
    #[error("is not UTF-8 (the first bad byte is at offset {0})")]
    NotUtf8(usize),
    /// Larger than [`Limits::bytes`].
    #[error("has {size} bytes, over the limit of {limit}")]
    TooLarge {
        /// Bytes in the file.
        size: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// Nested deeper than [`Limits::depth`].
    #[error("nests more than {limit} levels deep (line {line})")]
    TooDeep {
        /// Levels allowed.
        limit: usize,
        /// The line where the limit is passed.
        line: u32,
    },
    /// The grammar could not be loaded or gave no tree.
    #[error("could not be parsed: {0}")]
    Grammar(String),
}

/// Something in the file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind.
    pub kind: ProblemKind,
    /// Where.
    pub span: Span,
    /// In words, for a message: "a parse error at `= ;`", "`)` is missing".
    pub message: String,
}

/// Kinds of [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The grammar's `ERROR`, a missing token, or code that it is known to group wrongly beyond repair.
    Parse,
    /// A merge conflict's marker.
    Conflict,
}

/// A parsed file.
pub struct Source {
    language: &'static Language,
    text: Arc<str>,
    parsed: GrammarTree,
    problems: Vec<Problem>,
    items: Vec<Item>,
    lines: Vec<u32>,
}

/// What a name selects.
#[derive(Debug)]
pub enum Selection<'s> {
    /// One item.
    One(&'s Item),
    /// Nothing; the nearest names, best first (at most three).
    None(Vec<String>),
    /// Several items, each with the name that would select it alone (or the shared one, where none does).
    Many(Vec<&'s Item>),
}

impl Source {
    /// Parses a file. Problems inside it do not make it fail: they stand beside the results. A byte-order mark is
    /// dropped; spans count from the first byte behind it.
    pub fn parse(language: &'static Language, bytes: &[u8], limits: &Limits) -> Result<Source, SourceError> {
        if bytes.len() > limits.bytes {
            return Err(SourceError::TooLarge { size: bytes.len(), limit: limits.bytes });
        }
        let text = std::str::from_utf8(bytes).map_err(|error| SourceError::NotUtf8(error.valid_up_to()))?;
        let text: Arc<str> = text.strip_prefix('\u{feff}').unwrap_or(text).into();
        let mut parsed = read(language, &text, limits)?;
        let given = Given { names: language.names(), text: &text };
        if let Some(relined) = language.grammar_rules().relined(parsed.root(), given) {
            parsed = read(language, &relined, limits)?;
        }
        let lines: Vec<u32> = std::iter::once(0).chain(memchr_lines(&text)).collect();
        let mut source = Source { language, text, parsed, problems: Vec::new(), items: Vec::new(), lines };
        source.problems = source.survey();
        source.items = language.grammar_rules().items(source.parsed.root(), source.given());
        Ok(source)
    }

    /// What could not be read: `ERROR` and missing nodes, what the grammar reads wrongly, conflict markers.
    fn survey(&self) -> Vec<Problem> {
        let (rules, given) = (self.language.grammar_rules(), self.given());
        let checks = given.names.checks(rules.checks());
        let mut problems = conflict_markers(&self.text);
        for node in self.parsed.iter() {
            let asked = checks.get(node.kind_id() as usize).into_iter().flatten();
            if let Some(message) = asked.filter_map(|check| check(node, given)).next() {
                let (span, message) = (node.span(), message.to_owned());
                problems.push(Problem { kind: ProblemKind::Parse, span, message });
            }
            if (node.is_error() || node.is_missing()) && !rules.harmless(node, given) {
                problems.push(self.parse_problem(node));
            }
        }
        problems.sort_by_key(|problem| (problem.span, problem.message.clone()));
        problems.dedup();
        problems
    }

    fn parse_problem(&self, node: Node<'_>) -> Problem {
        let span = self.swallowed(node.span());
        let message = if node.is_missing() {
            format!("`{}` is missing", node.kind())
        } else {
            let line = self.text[span.range()].lines().next().unwrap_or("").trim();
            let shown: String = line.chars().take(40).collect();
            if shown.is_empty() { "a parse error".to_owned() } else { format!("a parse error at `{shown}`") }
        };
        Problem { kind: ProblemKind::Parse, span, message }
    }

    /// An error that opens a comment or a template which nothing closes takes the rest of the file with it, whatever the
    /// parser makes of that.
    fn swallowed(&self, error: Span) -> Span {
        let open = |opener: &str, closer: &str| {
            let at = self.text[error.range()].find(opener)? + error.start as usize + opener.len();
            (!self.text[at..].contains(closer)).then_some(self.text.len() as u32)
        };
        Span { end: open("/*", "*/").or_else(|| open("`", "`")).unwrap_or(error.end), ..error }
    }

    /// The file's language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The text, without a byte-order mark.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The whole lines that a span touches.
    pub fn lines_of(&self, span: Span) -> &str {
        let start = self.text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[span.end as usize..].find('\n').map_or(self.text.len(), |at| span.end as usize + at);
        &self.text[start..end]
    }

    /// Everything in the file that could not be read, in source order.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The items in source order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The whole file as an item, named by the empty string.
    pub fn file_item(&self) -> Item {
        let span = Span { start: 0, end: self.text.len() as u32 };
        let part = Part(self.parsed.root().index());
        Item { name: String::new(), kind: ItemKind::File, span, parts: vec![part], aliases: Vec::new() }
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.lines[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(1, |before| before.chars().count() as u32 + 1);
        Position { line: line as u32, column }
    }

    /// The item that a dotted name selects.
    pub fn select(&self, name: &str) -> Selection<'_> {
        let by = |test: &dyn Fn(&Item) -> bool| self.items.iter().filter(|item| test(item)).collect::<Vec<_>>();
        let mut found = by(&|item| item.name == name);
        if found.is_empty() {
            found = by(&|item| item.aliases.iter().any(|alias| alias == name));
        }
        match found.len() {
            0 => Selection::None(nearest(name, self.items.iter().map(|item| item.name.as_str()))),
            1 => Selection::One(found[0]),
            _ => Selection::Many(found),
        }
    }

    /// The innermost item that holds this place; `None` at the file's top level.
    pub fn enclosing(&self, span: Span) -> Option<&Item> {
        self.items.iter().filter(|item| item.span.contains(span)).min_by_key(|item| item.span.end - item.span.start)
    }

    /// The problems inside an item: when there is one, the item can be judged neither fresh nor STALE. An error around
    /// the item counts, and so does one just before it on its line: what the parser made of the rest is a guess (it may
    /// have taken `export const` for the error and an assignment for the item), and a comment or template that is never
    /// closed before the item. A merge conflict counts from its first
    /// marker to its last; a marker without its fellow, and one at an error of the item, where only white space is between.
    pub fn problems_in(&self, item: &Item) -> Vec<&Problem> {
        let spaced = |from: u32, to: u32, blank: fn(char) -> bool| {
            self.text.get(from as usize..to as usize).is_some_and(|text| text.chars().all(blank))
        };
        let on_line = |letter: char| letter == ' ' || letter == '\t';
        let touches = |a: Span, b: Span| a.start <= b.end && b.start <= a.end;
        let beside = |a: Span, b: Span| {
            touches(a, b) || spaced(a.end, b.start, char::is_whitespace) || spaced(b.end, a.start, char::is_whitespace)
        };
        let is_conflict = |problem: &Problem| problem.kind == ProblemKind::Conflict;
        let broken = |problem: &Problem| {
            item.span.contains(problem.span)
                || problem.span.contains(item.span)
                || self.swallows(problem.span, item.span)
                || spaced(problem.span.end, item.span.start, on_line)
        };
        let errors = self.problems.iter().filter(|problem| !is_conflict(problem) && broken(problem));
        let errors: Vec<Span> = errors.map(|problem| problem.span).collect();
        let conflicts = |span: Span| {
            let whole = self.text[span.range()].contains('\n');
            (if whole { touches(item.span, span) } else { beside(item.span, span) })
                || errors.iter().any(|&error| beside(error, span))
        };
        let within = |problem: &&Problem| if is_conflict(problem) { conflicts(problem.span) } else { broken(problem) };
        self.problems.iter().filter(within).collect()
    }

    /// Whether a comment or template is opened at an error and never closed: to the language everything behind it, up to the
    /// end of the file, is its text, whatever the parser recovered there.
    fn swallows(&self, error: Span, item: Span) -> bool {
        // What is opened by `/*` may also be read as a regular expression that lacks its end, on the same line.
        let before = self.text.get(..error.start as usize).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let regex = before[line..].rfind("/*").filter(|_| error.start == error.end).map(|at| line + at);
        let rest = self.text.get(regex.unwrap_or(error.start as usize)..).unwrap_or("");
        let open = rest.strip_prefix("/*").is_some_and(|rest| !rest.contains("*/"))
            || rest.strip_prefix('`').is_some_and(|rest| !rest.contains('`'));
        open && error.start < item.start
    }

    /// The normal form of an item. Call it only for items without [`Source::problems_in`].
    pub fn normal(&self, item: &Item) -> Tree {
        let nodes: Vec<_> = item.parts.iter().map(|part| self.parsed.node(part.0)).collect();
        let mut builder = TreeBuilder::default();
        self.language.grammar_rules().normalize(&nodes, self.given(), &mut builder);
        builder.finish()
    }

    /// The three hashes of an item's normal form.
    pub fn fingerprints(&self, tree: &Tree) -> Fingerprints {
        let rules = self.language.rules();
        fingerprints(tree, &rules.scopes(tree), |kind| rules.is_literal(kind))
    }

    /// The grammar's own tree.
    pub(crate) fn grammar_root(&self) -> Node<'_> {
        self.parsed.root()
    }

    fn given(&self) -> Given<'_> {
        Given { names: self.language.names(), text: &self.text }
    }
}

/// Parses a text and copies its tree.
fn read(language: &'static Language, text: &str, limits: &Limits) -> Result<GrammarTree, SourceError> {
    let parsed = language.parse(text).map_err(SourceError::Grammar)?;
    GrammarTree::copy(&parsed, language.names(), limits.depth).map_err(|TooDeep(offset)| {
        let line = text[..offset as usize].bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
        SourceError::TooDeep { limit: limits.depth, line }
    })
}

/// The names nearest to a misspelt one, best first, at most three.
pub fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut scored: Vec<(f64, &str)> = names.map(|known| (strsim::jaro_winkler(name, known), known)).collect();
    scored.retain(|&(score, _)| score > 0.7);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup();
    scored.into_iter().take(3).map(|(_, known)| known.to_owned()).collect()
}

fn memchr_lines(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at as u32 + 1)
}

/// Git's conflict markers: seven of one character at the start of a line, then a space or the line's end. The first one
/// of a conflict reaches to the last one: nothing between them is anybody's code yet.
fn conflict_markers(text: &str) -> Vec<Problem> {
    let mut offset = 0u32;
    let mut found: Vec<Problem> = Vec::new();
    let mut open: Option<usize> = None;
    for line in text.split('\n') {
        let bare = line.trim_end_matches('\r');
        let marker = |sign: &str| bare.strip_prefix(sign).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        let (starts, ends) = (marker("<<<<<<<"), marker(">>>>>>>"));
        let end = offset + line.len() as u32;
        if ends && let Some(first) = open.take() {
            found[first].span.end = end;
        }
        if starts || ends {
            let span = Span { start: offset, end };
            found.push(Problem { kind: ProblemKind::Conflict, span, message: "a merge conflict's marker".to_owned() });
        }
        if starts {
            open = Some(found.len() - 1);
        }
        offset = end + 1;
    }
    found
}
