//! Finding a place in which a snippet parses, and its nodes in the normal tree of that place.

use super::holes::{self, Dollar, Mark};
use super::{Hole, Snippet, SnippetError};
use crate::languages::{Language, Place};
use crate::source::{Limits, Source};
use crate::tree::{NodeId, Span, Tree};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many ways of standing for a whole statement, case or member are tried before giving up.
const ATTEMPTS: usize = 96;

/// A snippet with its dollar signs replaced, inside a place.
struct Draft {
    text: String,
    /// Byte range of the snippet in `text`.
    range: Range<usize>,
    /// For each dollar sign, its byte range in `text`.
    marks: Vec<Range<usize>>,
    /// Starts of pieces that were copied: in `text`, and in the snippet.
    pieces: Vec<(usize, usize)>,
}

impl Draft {
    /// The offset in the snippet of an offset in `text`.
    fn original(&self, offset: usize) -> usize {
        let index = self.pieces.partition_point(|&(placed, _)| placed <= offset);
        match index.checked_sub(1).map(|index| self.pieces[index]) {
            Some((placed, original)) => original + offset.min(self.range.end) - placed,
            None => 0,
        }
    }
}

/// What is known of the dollar signs while drafting.
struct Drafting<'c> {
    code: &'c str,
    dollars: &'c [Dollar],
    /// A beginning of identifiers that the snippet does not hold.
    stem: String,
}

impl Drafting<'_> {
    fn word(&self, index: usize) -> String {
        format!("{}{index}q", self.stem)
    }

    /// Replaces the dollar signs. `plain` ones are text and stay as they are once that is known; until then (`None`)
    /// everything is replaced by something that no string or identifier minds.
    fn draft(&self, place: &Place, plain: Option<&[bool]>, filled: &[(&str, &str)]) -> Draft {
        let mut draft = Draft { text: place.before.to_owned(), range: 0..0, marks: Vec::new(), pieces: Vec::new() };
        draft.range.start = draft.text.len();
        let mut at = 0;
        for (index, dollar) in self.dollars.iter().enumerate() {
            draft.pieces.push((draft.text.len(), at));
            draft.text.push_str(&self.code[at..dollar.range.start]);
            draft.pieces.push((draft.text.len(), dollar.range.start));
            let start = draft.text.len();
            let original = &self.code[dollar.range.clone()];
            match &dollar.mark {
                _ if plain.is_some_and(|plain| plain[index]) => draft.text.push_str(original),
                Mark::Hole(_) => {
                    let (before, after) = filled[index];
                    draft.text.push_str(&format!("{before}{}{after}", self.word(index)));
                }
                Mark::Escape if plain.is_some() => draft.text.push('$'),
                Mark::Escape => draft.text.push_str("qq"),
                Mark::Malformed => draft.text.push_str(&original.replace('$', "q")),
                Mark::Substitution => draft.text.push_str(original),
            }
            draft.marks.push(start..draft.text.len());
            at = dollar.range.end;
        }
        draft.pieces.push((draft.text.len(), at));
        draft.text.push_str(&self.code[at..]);
        draft.range.end = draft.text.len();
        draft.text.push_str(place.after);
        draft
    }
}

/// Reads a snippet in the first place that takes it.
pub(super) fn read(language: &'static Language, code: &str, places: &[Place]) -> Result<Snippet, SnippetError> {
    if code.trim().is_empty() {
        return Err(SnippetError::new(0, "a pattern is a piece of code, and this one is empty"));
    }
    let dollars = holes::scan(code);
    let mut stem = "qz".to_owned();
    while code.contains(&stem) {
        stem.push('z');
    }
    let drafting = Drafting { code, dollars: &dollars, stem };
    let mut furthest: Option<SnippetError> = None;
    for filled in fillings(language, code, &dollars) {
        for place in places {
            match attempt(language, &drafting, place, &filled) {
                Ok(Ok(snippet)) => return Ok(snippet),
                Ok(Err(final_error)) => return Err(final_error),
                Err(error) if furthest.as_ref().is_none_or(|known| known.offset < error.offset) => {
                    furthest = Some(error);
                }
                Err(_) => {}
            }
        }
    }
    if let Some(dollar) = dollars.iter().find(|dollar| dollar.mark == Mark::Malformed) {
        return Err(SnippetError::new(dollar.range.start, holes::malformed(code, dollar)));
    }
    Err(furthest.unwrap_or_else(|| SnippetError::new(0, "the pattern does not parse")))
}

/// The ways in which the metavariables may stand: as a bare identifier; where they stand between statements, cases or
/// members, also with what the grammar wants around an identifier there.
fn fillings<'f>(language: &Language, code: &str, dollars: &[Dollar]) -> Vec<Vec<(&'f str, &'f str)>> {
    let fillers: &'static [(&'static str, &'static str)] = language.grammar_rules().fillers();
    let loose: Vec<usize> = (0..dollars.len()).filter(|&index| stands_between(code, &dollars[index].range)).collect();
    let with = |choice: &dyn Fn(usize) -> usize| {
        let mut filled = vec![("", ""); dollars.len()];
        for (order, &index) in loose.iter().enumerate() {
            filled[index] = fillers[choice(order)];
        }
        filled
    };
    let mut all = vec![vec![("", ""); dollars.len()]];
    if loose.is_empty() || fillers.is_empty() {
        return all;
    }
    all.extend((0..fillers.len()).map(|filler| with(&|_| filler)));
    let combinations = fillers.len().saturating_pow(loose.len() as u32).min(ATTEMPTS);
    all.extend(
        (0..combinations)
            .map(|number| with(&|order| number / fillers.len().saturating_pow(order as u32) % fillers.len())),
    );
    all
}

/// Whether a metavariable may be a whole statement, case or member: nothing binds it to what stands before or behind.
fn stands_between(code: &str, range: &Range<usize>) -> bool {
    let before = code[..range.start].trim_end_matches([' ', '\t']);
    let after = code[range.end..].trim_start_matches([' ', '\t']);
    let opens = before.is_empty() || before.ends_with(['{', '}', ';', ',', '\n', '\r', ')', ':']);
    let binds = ['.', '(', '[', ',', ';', ':', '=', ')', '<', '>', '+', '-', '*', '/', '&', '|', '?', '!', ']', '%'];
    opens && (!after.starts_with(binds) || stands_before_dot(code, range))
}

/// Whether a dot behind white space follows: no run of nodes has a member, so a `$$$` there is a whole element and what
/// begins with the dot is the next one, as in `$$$ .b => {}`.
fn stands_before_dot(code: &str, range: &Range<usize>) -> bool {
    code[range.start..].starts_with("$$$")
        && code[range.end..].starts_with(char::is_whitespace)
        && code[range.end..].trim_start().starts_with('.')
        && !code[range.end..].trim_start().starts_with("...")
}

/// One place, one filling. The outer error is a parse error (another place may do), the inner one is final.
fn attempt(
    language: &'static Language,
    drafting: &Drafting<'_>,
    place: &Place,
    filled: &[(&str, &str)],
) -> Result<Result<Snippet, SnippetError>, SnippetError> {
    let bare = |(dollar, filled): (&Dollar, &(&str, &str))| {
        matches!(dollar.mark, Mark::Hole(_)) && filled.1.is_empty() && stands_before_dot(drafting.code, &dollar.range)
    };
    if let Some((dollar, _)) = drafting.dollars.iter().zip(filled).find(|&pair| bare(pair)) {
        return Err(SnippetError::new(dollar.range.start, "`$$$` has no member: separate it from what follows"));
    }
    let draft = drafting.draft(place, None, filled);
    let source = parse(language, &draft, drafting)?;
    let plain: Vec<bool> = draft.marks.iter().map(|mark| is_text(&source, mark)).collect();
    for (dollar, &plain) in drafting.dollars.iter().zip(&plain) {
        let wrong = matches!(dollar.mark, Mark::Malformed | Mark::Substitution);
        if wrong && !plain {
            let message = holes::malformed(drafting.code, dollar);
            return Ok(Err(SnippetError::new(dollar.range.start, message)));
        }
    }
    let draft = drafting.draft(place, Some(&plain), filled);
    let source = parse(language, &draft, drafting)?;
    Ok(found(drafting, &draft, &source, &plain))
}

/// Parses a draft: without a problem, and with no node that begins in the snippet and ends outside of it.
fn parse(language: &'static Language, draft: &Draft, drafting: &Drafting<'_>) -> Result<Source, SnippetError> {
    let source = Source::parse(language, draft.text.as_bytes(), &Limits::default())
        .map_err(|error| SnippetError::new(0, format!("the pattern {error}")))?;
    if let Some(problem) = source.problems().first() {
        let offset = draft.original((problem.span.start as usize).max(draft.range.start));
        let message = match problem.message.strip_prefix("a parse error at ") {
            Some(_) => at_code(drafting.code, offset..draft.original(problem.span.end as usize)),
            None => problem.message.clone(),
        };
        return Err(SnippetError::new(offset, format!("the pattern does not parse: {message}")));
    }
    if let Some(offset) = crossing(&source, &draft.range) {
        let message = "the pattern does not parse: a bracket is not closed or not opened in it";
        return Err(SnippetError::new(draft.original(offset), message));
    }
    Ok(source)
}

/// A parse error's place in the words of the pattern: the draft's own hold placeholders.
fn at_code(code: &str, range: Range<usize>) -> String {
    let part = code.get(range.clone()).or_else(|| code.get(range.start..)).unwrap_or(code);
    let line = part.trim().lines().next().unwrap_or("").trim_end();
    let shown: String = line.chars().take(40).collect();
    if shown.is_empty() { "a parse error".to_owned() } else { format!("a parse error at `{shown}`") }
}

/// Where a grammar node lies half in and half out of the snippet.
fn crossing(source: &Source, range: &Range<usize>) -> Option<usize> {
    let mut node = source.grammar_root();
    loop {
        let (start, end) = (node.start_byte(), node.end_byte());
        let apart = end <= range.start || start >= range.end;
        let around = start <= range.start && end >= range.end;
        let inside = range.start <= start && end <= range.end;
        if !(apart || around || inside) {
            return Some(if start < range.start { end } else { start });
        }
        node = match node.child(0).filter(|_| around) {
            Some(first) => first,
            None => node.behind()?,
        };
    }
}

/// Whether a range lies in the text of a string, template, regular expression or comment.
fn is_text(source: &Source, range: &Range<usize>) -> bool {
    let whole = source.grammar_root();
    let text = &source.text()[range.clone()];
    if source.is_masked(Span { start: range.start as u32, end: range.end as u32 }) {
        return true;
    }
    let mut next = Some(whole.descendant_for_byte_range(range.start, range.end));
    if next.is_some_and(|node| node.kind() == "${") {
        return true;
    }
    if let Some(leaf) = next {
        let quoted = source.text()[leaf.byte_range()].contains('"') && leaf.kind().contains("identifier");
        let aside = leaf.kind() == "jsx_text" && source.text()[leaf.byte_range()].trim() != text;
        if quoted || aside {
            return true;
        }
    }
    while let Some(node) = next {
        let kind = node.kind();
        if kind.ends_with("substitution") || kind == "template_type" {
            return false;
        }
        if ["string", "regex", "comment", "character", "escape", "template_literal"]
            .iter()
            .any(|word| kind.contains(word))
            && node.byte_range() != *range
            || node.is_leaf() && (kind.contains("string_") || kind.contains("comment"))
        {
            return true;
        }
        next = node.parent();
    }
    false
}

/// The snippet's nodes and metavariables in the normal tree of its place.
fn found(drafting: &Drafting<'_>, draft: &Draft, source: &Source, plain: &[bool]) -> Result<Snippet, SnippetError> {
    let tree = source.normal(&source.file_item());
    let range = Span { start: draft.range.start as u32, end: draft.range.end as u32 };
    let roots = outermost(&tree, range);
    let Some(&first) = roots.first() else {
        return Err(SnippetError::new(0, "the pattern holds no code"));
    };
    if roots.iter().any(|&root| tree.parent(root) != tree.parent(first)) {
        return Err(SnippetError::new(0, "the pattern is neither one expression nor a run of statements"));
    }
    let mut holes = BTreeMap::new();
    let mut words = Vec::new();
    for (index, dollar) in drafting.dollars.iter().enumerate() {
        let Mark::Hole(hole) = &dollar.mark else { continue };
        if plain[index] {
            continue;
        }
        let word = drafting.word(index);
        let leaves: Vec<NodeId> = roots
            .iter()
            .flat_map(|&root| tree.subtree(root))
            .filter(|&node| tree.is_leaf(node) && tree.text(node).trim() == word)
            .collect();
        if leaves.is_empty() {
            let text = &drafting.code[dollar.range.clone()];
            let message = format!("`{text}` cannot stand here: a metavariable is a whole node");
            return Err(SnippetError::new(dollar.range.start, message));
        }
        words.push((word, drafting.code[dollar.range.clone()].to_owned()));
        let mark = &draft.marks[index];
        let mark = Span { start: mark.start as u32, end: mark.end as u32 };
        leaves.into_iter().for_each(|leaf| claim(&tree, &roots, leaf, (mark, &draft.text), hole, &mut holes));
    }
    Ok(Snippet { tree, roots, holes, words })
}

/// Names a metavariable's leaf and every node around it that holds nothing else.
fn claim(
    tree: &Tree,
    roots: &[NodeId],
    leaf: NodeId,
    (mark, text): (Span, &str),
    hole: &Hole,
    holes: &mut BTreeMap<NodeId, Hole>,
) {
    let mut node = leaf;
    loop {
        holes.insert(node, hole.clone());
        if roots.contains(&node) {
            return;
        }
        let Some(above) = tree.parent(node) else { return };
        // `let $X` names a variable without a value: a declarator is more than its name.
        let span = tree.span(above);
        let filled = mark.contains(span) && span != tree.span(leaf);
        let lone = filled || tree.children(above).count() == 1 && holds_only(span, mark, text);
        if !lone || tree.kind(above) == "variable_declarator" {
            return;
        }
        node = above;
    }
}

/// Whether a range holds nothing but the metavariable and what the normal form drops around it.
fn holds_only(span: Span, mark: Span, text: &str) -> bool {
    let is_dropped = |letter: char| letter.is_whitespace() || matches!(letter, ';' | ',');
    let around = (text.get(span.start as usize..mark.start as usize), text.get(mark.end as usize..span.end as usize));
    matches!(around, (Some(before), Some(after)) if before.chars().chain(after.chars()).all(is_dropped))
}

/// The nodes that lie in a range while their parent does not. The root is no snippet's node: it stands for the file.
fn outermost(tree: &Tree, range: Span) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut open: Vec<NodeId> = tree.children(NodeId::ROOT).collect();
    open.reverse();
    while let Some(node) = open.pop() {
        let span = tree.span(node);
        if range.contains(span) && span.start < span.end {
            found.push(node);
        } else if span.start < range.end && range.start < span.end {
            let children: Vec<NodeId> = tree.children(node).collect();
            open.extend(children.into_iter().rev());
        }
    }
    found
}
