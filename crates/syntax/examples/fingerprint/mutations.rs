//! Changes of one token, statement or argument, each of which must change the fingerprint of its function.

use factgate_syntax::{Item, ItemKind, Limits, NodeId, Source, Tree, fingerprint};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

/// One change to a file's text.
struct Mutation {
    kind: &'static str,
    edits: Vec<(Range<usize>, String)>,
}

/// Each mutation parses its file anew, so a function of a larger file is tried by itself, where it can stand so.
const LARGEST: usize = 8_000;

/// What became of the mutations of one kind.
#[derive(Default)]
struct Tally {
    noticed: usize,
    invalid: usize,
    missed: usize,
}

/// Tries about `wanted` mutations, spread evenly over the functions of the files, and prints the tally.
pub(crate) fn run(files: &[PathBuf], wanted: usize) {
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    let mut done = 0;
    'files: for path in spread(files) {
        let Some(file) = super::read(path) else { continue };
        let alone = |item: &Item| if file.text().len() < LARGEST { None } else { by_itself(&file, item) };
        let functions = file.items().iter().filter(|item| item.kind == ItemKind::Function);
        for item in functions.filter(|item| file.problems_in(item).is_empty()) {
            let own = alone(item);
            if own.is_none() && file.text().len() >= LARGEST {
                continue;
            }
            let (source, item) = own.as_ref().map_or((&file, item), |(source, item)| (source, item));
            for mutation in chosen(source, item) {
                done += usize::from(attempt(path, source, item, &mutation, &mut tallies));
                if done >= wanted {
                    break 'files;
                }
            }
        }
    }
    let missed: usize = tallies.values().map(|tally| tally.missed).sum();
    for (kind, tally) in &tallies {
        println!("{kind}: {} noticed, {} missed, {} no valid code", tally.noticed, tally.missed, tally.invalid);
    }
    println!("{done} mutations, {missed} missed");
}

/// A function as a file of its own, when it is the same there.
fn by_itself(file: &Source, item: &Item) -> Option<(Source, Item)> {
    let text = &file.text()[item.span.range()];
    if text.len() >= LARGEST {
        return None;
    }
    let source = Source::parse(file.language(), text.as_bytes(), &Limits::default()).ok()?;
    let same = |other: &&Item| other.name == item.name && other.span.start == 0;
    let own = source.items().iter().find(same).filter(|_| source.problems().is_empty())?.clone();
    let equal = fingerprint::exact(&source.normal(&own)) == fingerprint::exact(&file.normal(item));
    equal.then_some((source, own))
}

/// The files in an order that mixes the packages.
fn spread(files: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    let step = 97;
    (0..step).flat_map(move |first| files.iter().skip(first).step_by(step))
}

/// Every kind at most twice a function.
fn chosen(source: &Source, item: &Item) -> Vec<Mutation> {
    let tree = source.normal(item);
    let mut count: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for node in tree.subtree(NodeId::ROOT) {
        for mutation in of_node(source.text(), &tree, node) {
            let seen = count.entry(mutation.kind).or_default();
            *seen += 1;
            if *seen <= 2 {
                found.push(mutation);
            }
        }
    }
    found
}

fn attempt(
    path: &std::path::Path,
    source: &Source,
    item: &Item,
    mutation: &Mutation,
    tallies: &mut BTreeMap<&'static str, Tally>,
) -> bool {
    let tally = tallies.entry(mutation.kind).or_default();
    let mut text = source.text().to_string();
    for (range, replacement) in mutation.edits.iter().rev() {
        text.replace_range(range.clone(), replacement);
    }
    let Ok(changed) = Source::parse(source.language(), text.as_bytes(), &Limits::default()) else { return false };
    let same_place = |other: &&Item| other.span.start == item.span.start && other.name == item.name;
    let Some(after) = changed.items().iter().find(same_place) else {
        tally.noticed += 1;
        return true;
    };
    if !changed.problems_in(after).is_empty() || changed.problems().len() > source.problems().len() {
        tally.invalid += 1;
        return false;
    }
    if fingerprint::exact(&source.normal(item)) == fingerprint::exact(&changed.normal(after)) {
        tally.missed += 1;
        let range = mutation.edits[0].0.clone();
        let line = source.position(range.start as u32).line;
        println!("missed {} {}:{line} {}", mutation.kind, path.display(), &source.text()[range]);
    } else {
        tally.noticed += 1;
    }
    true
}

fn one(kind: &'static str, range: Range<usize>, text: impl Into<String>) -> Mutation {
    Mutation { kind, edits: vec![(range, text.into())] }
}

/// The mutations that start at a node.
fn of_node(text: &str, tree: &Tree, node: NodeId) -> Vec<Mutation> {
    let range = tree.span(node).range();
    if range.is_empty() {
        return Vec::new();
    }
    let kind = tree.kind(node);
    let here = &text[range.clone()];
    if let Some((name, other)) = swapped(kind).filter(|_| here == kind) {
        return vec![one(name, range, other)];
    }
    match kind {
        "await" if here == kind => vec![one("`await` dropped", range, " ")],
        "async" if here == kind => vec![one("`async` dropped", range, " ")],
        "static" | "readonly" | "new" | "return" | "throw" | "..." if here == kind => {
            vec![one("another word dropped", range, " ")]
        }
        "type_annotation" => vec![one("type annotation dropped", range, " ")],
        "regex" => vec![one("regular expression changed", range.start + 1..range.start + 1, "x")],
        "!" if here == kind => vec![one("`!` dropped", range, " ")],
        "optional_chain" => {
            let call = text[range.end..].trim_start().starts_with(['(', '[', '<']);
            vec![one("`?.` dropped", range, if call { "" } else { "." })]
        }
        "identifier" | "property_identifier" | "type_identifier" if here.chars().all(char::is_alphanumeric) => {
            vec![one("name changed", range, format!("{here}_x"))]
        }
        "number" => vec![one("number changed", range, if tree.text(node) == "1" { "2" } else { "1" })],
        "string" if here.len() > 1 => vec![one("string changed", range.start + 1..range.start + 1, "x")],
        "string_fragment" => vec![one("template changed", range.start..range.start, "x")],
        "jsx_text" => {
            let at = range.start + here.len() - here.trim_start().len();
            vec![one("JSX text changed", at..at, "x")]
        }
        "predefined_type" => vec![one("type changed", range, if here == "string" { "number" } else { "string" })],
        "statement_block" | "arguments" | "formal_parameters" | "array" => siblings(text, tree, node),
        _ => Vec::new(),
    }
}

/// The operator or word that one is exchanged for.
fn swapped(token: &str) -> Option<(&'static str, &'static str)> {
    Some(match token {
        "===" => ("`===` to `==`", "=="),
        "!==" => ("`!==` to `!=`", "!="),
        "==" => ("equality turned", "!="),
        "!=" => ("equality turned", "=="),
        "<" => ("comparison changed", "<="),
        "<=" => ("comparison changed", "<"),
        ">" => ("comparison changed", ">="),
        ">=" => ("comparison changed", ">"),
        "+" => ("arithmetic changed", "-"),
        "-" => ("arithmetic changed", "+"),
        "*" => ("arithmetic changed", "/"),
        "/" => ("arithmetic changed", "*"),
        "&&" => ("`&&` to `||`", "||"),
        "||" => ("`||` to `&&`", "&&"),
        "??" => ("`??` to `||`", "||"),
        "+=" => ("assignment changed", "-="),
        "-=" => ("assignment changed", "+="),
        "++" => ("update turned", "--"),
        "--" => ("update turned", "++"),
        "const" => ("`const` to `let`", "let"),
        "let" => ("`let` to `const`", "const"),
        "true" => ("truth turned", "false"),
        "false" => ("truth turned", "true"),
        "null" => ("null to undefined", "undefined"),
        "undefined" => ("undefined to null", "null"),
        "break" => ("`break` to `continue`", "continue"),
        "continue" => ("`continue` to `break`", "break"),
        "of" => ("`of` to `in`", "in"),
        "typeof" => ("`typeof` to `void`", "void"),
        _ => return None,
    })
}

/// Statements and arguments swapped with the next one, or taken out.
fn siblings(text: &str, tree: &Tree, node: NodeId) -> Vec<Mutation> {
    let statements = tree.kind(node) == "statement_block";
    let names =
        if statements { ("statements swapped", "statement dropped") } else { ("elements swapped", "element dropped") };
    let parts: Vec<NodeId> =
        tree.children(node).filter(|&child| !tree.span(child).range().is_empty() && !tree.is_leaf(child)).collect();
    let mut found = Vec::new();
    for pair in parts.windows(2) {
        let (first, second) = (tree.span(pair[0]).range(), tree.span(pair[1]).range());
        if first.end <= second.start && !tree.same(pair[0], tree, pair[1]) {
            let (a, b) = (text[first.clone()].to_owned(), text[second.clone()].to_owned());
            found.push(Mutation { kind: names.0, edits: vec![(first, b), (second, a)] });
        }
    }
    if statements {
        found.extend(parts.iter().map(|&part| {
            let early = tree.kind(part) == "if_statement"
                && tree.subtree(part).any(|below| tree.kind(below) == "return_statement");
            one(if early { "early return dropped" } else { names.1 }, tree.span(part).range(), "")
        }));
    }
    found
}
