//! One source file: its text, its parse, its items and what could not be read.

use crate::fingerprint::{Apart, Fingerprints, fingerprints};
use crate::grammar::{GrammarTree, Node, TooDeep};
use crate::item::{Item, ItemKind, Part, Text};
use crate::languages::{Given, Language, Reading};
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
    /// Whether it concerns what runs, or the types.
    pub(crate) text: Text,
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
    /// What the grammar read in the place of the text; nothing where it read the text itself.
    reading: Option<Reading>,
    parsed: GrammarTree,
    /// The types that are items, which are no part of what runs.
    types: Option<GrammarTree>,
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
        let text: Arc<str> = language.code(text.strip_prefix('\u{feff}').unwrap_or(text)).into();
        let lines: Vec<u32> = std::iter::once(0).chain(memchr_lines(&text)).collect();
        let (reading, unread) = reading(language, &text, limits)?;
        let parsed = read(language, reading.as_ref().map_or(&*text, |reading| &reading.runs), limits)?;
        let types = reading.as_ref().and_then(|reading| reading.types.as_ref());
        let types = types.map(|types| read(language, types, limits)).transpose()?;
        let (problems, items) = (unread, Vec::new());
        let mut source = Source { language, text, reading, parsed, types, problems, items, lines };
        source.survey();
        let types = source.types.as_ref().map(GrammarTree::root);
        source.items = language.grammar_rules().items(source.parsed.root(), types, source.given());
        Ok(source)
    }

    /// Finds what could not be read: `ERROR` and missing nodes, what the grammar reads wrongly, conflict markers.
    fn survey(&mut self) {
        let mut problems = conflict_markers(&self.text);
        problems.append(&mut self.problems);
        problems.extend(self.unread(&self.parsed));
        let mut of_types: Vec<Problem> = self.types.iter().flat_map(|types| self.unread(types)).collect();
        let rules = self.language.grammar_rules();
        if let Some(mut reading) = self.reading.take() {
            let mut shapes = std::mem::take(&mut reading.shapes);
            problems.extend(rules.misread(&self.parsed, &mut shapes, &reading.runs, &reading));
            let mut shapes = std::mem::take(&mut reading.type_shapes);
            if let (Some(types), Some(text)) = (&self.types, &reading.types) {
                of_types.extend(rules.misread(types, &mut shapes, text, &reading));
            }
            self.reading = Some(reading);
        }
        problems.extend(of_types.into_iter().map(|problem| Problem { text: Text::Types, ..problem }));
        problems.sort_by_key(|problem| (problem.span, problem.message.clone()));
        problems.dedup();
        self.problems = problems;
    }

    /// The problems of one of the texts.
    fn unread(&self, tree: &GrammarTree) -> Vec<Problem> {
        let (rules, given) = (self.language.grammar_rules(), self.given());
        let checks = given.names.checks(rules.checks());
        let mut problems = Vec::new();
        for node in tree.iter() {
            let asked = checks.get(node.kind_id() as usize).into_iter().flatten();
            if let Some(message) = asked.filter_map(|check| check(node, given)).next() {
                let (span, message) = (node.span(), message.to_owned());
                problems.push(Problem { kind: ProblemKind::Parse, span, message, text: Text::Runs });
            }
            if (node.is_error() || node.is_missing()) && !rules.harmless(node, given) {
                problems.push(self.parse_problem(node));
            }
        }
        problems
    }

    fn parse_problem(&self, node: Node<'_>) -> Problem {
        let span = self.swallowed(node.span());
        let message = if node.is_missing() {
            format!("`{}` is missing", node.kind())
        } else {
            let line = self.text.get(span.range()).unwrap_or("").lines().next().unwrap_or("").trim();
            let shown: String = line.chars().take(40).collect();
            if shown.is_empty() { "a parse error".to_owned() } else { format!("a parse error at `{shown}`") }
        };
        Problem { kind: ProblemKind::Parse, span, message, text: Text::Runs }
    }

    /// An error that opens a comment or a template which nothing closes takes the rest of the file with it, whatever the
    /// parser makes of that.
    fn swallowed(&self, error: Span) -> Span {
        let open = |opener: &str, closer: &str| {
            let at = self.text.get(error.range())?.find(opener)? + error.start as usize + opener.len();
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

    /// What the grammar reads of the text: types, comments and what it would misread are masked, and stand for nothing.
    pub fn runs(&self) -> &str {
        self.reading.as_ref().map_or(&self.text, |reading| &reading.runs)
    }

    /// The functions whose written return type is `never`, in source order.
    pub fn never_return(&self) -> &[Span] {
        self.reading.as_ref().map_or(&[], |reading| &reading.never)
    }

    /// Words that the grammar does not know, in source order: one parser alone read them, and they count as they are written.
    pub fn lacking(&self) -> &[Span] {
        self.reading.as_ref().map_or(&[], |reading| &reading.lacking)
    }

    /// Whether the grammar read nothing at a place that holds something: a type or a comment.
    pub(crate) fn is_masked(&self, span: Span) -> bool {
        let masked = |reading: &Reading| {
            let shown = |text: &str| text.get(span.range()).is_some_and(|text| !text.trim().is_empty());
            !shown(&reading.runs) && !reading.types.as_deref().is_some_and(shown)
        };
        self.reading.as_ref().is_some_and(masked)
    }

    /// The items in source order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The whole file as an item, named by the empty string.
    pub fn file_item(&self) -> Item {
        let span = Span { start: 0, end: self.text.len() as u32 };
        let is_all_types = self.reading.as_ref().is_some_and(|reading| reading.is_all_types);
        let text = if is_all_types && self.types.is_some() { Text::Types } else { Text::Runs };
        let part = Part(text, 0);
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
        let text = if item.is_type() { Text::Types } else { Text::Runs };
        let own = || self.problems.iter().filter(|problem| is_conflict(problem) || problem.text == text);
        let errors = own().filter(|problem| !is_conflict(problem) && broken(problem));
        let errors: Vec<Span> = errors.map(|problem| problem.span).collect();
        let conflicts = |span: Span| {
            let whole = self.text[span.range()].contains('\n');
            (if whole { touches(item.span, span) } else { beside(item.span, span) })
                || errors.iter().any(|&error| beside(error, span))
        };
        let within = |problem: &&Problem| if is_conflict(problem) { conflicts(problem.span) } else { broken(problem) };
        own().filter(within).collect()
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
        let tree = |text: Text| match (text, &self.types) {
            (Text::Types, Some(types)) => types,
            _ => &self.parsed,
        };
        let nodes: Vec<_> = item.parts.iter().map(|part| tree(part.0).node(part.1)).collect();
        let mut builder = TreeBuilder::default();
        let reads = item.parts.first().map_or(Text::Runs, |part| part.0);
        self.language.grammar_rules().normalize(&nodes, Given { reads, ..self.given() }, &mut builder);
        builder.finish()
    }

    /// The hashes of an item's normal form.
    pub fn fingerprints(&self, tree: &Tree) -> Fingerprints {
        fingerprints(tree, &self.language.rules().scopes(tree), self.language, &Apart::default())
    }

    /// The grammar's own tree.
    pub(crate) fn grammar_root(&self) -> Node<'_> {
        self.parsed.root()
    }

    fn given(&self) -> Given<'_> {
        let words = self.reading.as_ref().map_or(&[][..], |reading| &reading.words);
        Given { names: self.language.names(), text: &self.text, words, reads: Text::Runs }
    }
}

/// What the grammar reads in the place of a text, and what can be read in no way.
fn reading(
    language: &'static Language,
    text: &str,
    limits: &Limits,
) -> Result<(Option<Reading>, Vec<Problem>), SourceError> {
    let rules = language.grammar_rules();
    match rules.reading(text) {
        None => Ok((None, Vec::new())),
        Some(Ok(reading)) => Ok((Some(reading), Vec::new())),
        Some(Err(_)) => {
            let parsed = read(language, text, limits)?;
            let (reading, problems) = rules.salvage(parsed.root(), text);
            Ok((Some(reading), problems))
        }
    }
}

/// Whether a text nests deeper than this, as the grammar reads it.
pub(crate) fn nests_deeper(language: &'static Language, text: &str, depth: usize) -> bool {
    let limits = Limits { bytes: usize::MAX, depth };
    matches!(read(language, text, &limits), Err(SourceError::TooDeep { .. }))
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
            let message = "a merge conflict's marker".to_owned();
            found.push(Problem { kind: ProblemKind::Conflict, span, message, text: Text::Runs });
        }
        if starts {
            open = Some(found.len() - 1);
        }
        offset = end + 1;
    }
    found
}
