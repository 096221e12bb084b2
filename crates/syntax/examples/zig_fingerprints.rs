//! Measures the Zig normal form on real code; `benches/fingerprint/zig.py` drives it.
//!
//! `print FILE…` writes one line for each function and test: file, name, how many of that name came before, and its
//! fingerprint, or `unread` with the reason. `mutate FILE…` changes one token at a time in every function and counts the
//! changes that the fingerprint does not show. `look FILE…` asks for everything that the crate knows about every item.
//! `group FILE…` prints the byte ranges of operators with their operands, to be compared with Zig's own parser.

use factgate_syntax::{Item, ItemKind, Limits, NodeId, Source, fingerprint, language_for_path};
use std::collections::BTreeMap;
use std::io::Write;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let files: Vec<String> = arguments.collect();
    match mode.as_str() {
        "print" => files.iter().try_for_each(|file| print(file)),
        "look" => look(&files),
        "mutate" => mutate(&files),
        "group" => files.iter().try_for_each(|file| group(file)),
        _ => Err("print, look, mutate or group, then files".into()),
    }
}

fn parse(bytes: &[u8]) -> Outcome<Source> {
    let language = language_for_path("a.zig").ok_or("no such language")?;
    Ok(Source::parse(language, bytes, &Limits::default())?)
}

fn functions(source: &Source) -> impl Iterator<Item = &Item> {
    source.items().iter().filter(|item| matches!(item.kind, ItemKind::Function | ItemKind::Test))
}

fn print(file: &str) -> Outcome<()> {
    let source = parse(&std::fs::read(file)?)?;
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = std::io::stdout().lock();
    for item in functions(&source) {
        let count = seen.entry(&item.name).or_default();
        let name = item.name.escape_debug();
        match source.problems_in(item).first() {
            Some(problem) => writeln!(out, "{file}\t{name}\t{count}\tunread {}", problem.message.escape_debug())?,
            None => writeln!(out, "{file}\t{name}\t{count}\t{}", fingerprint::exact(&source.normal(item)))?,
        }
        *count += 1;
    }
    Ok(())
}

fn look(files: &[String]) -> Outcome<()> {
    let (mut functions, mut nodes, mut unread) = (0usize, 0usize, 0usize);
    for file in files {
        let source = parse(&std::fs::read(file)?)?;
        let rules = source.language().rules();
        for item in source.items() {
            let counted = matches!(item.kind, ItemKind::Function | ItemKind::Test);
            functions += usize::from(counted);
            unread += usize::from(counted && !source.problems_in(item).is_empty());
            let tree = source.normal(item);
            nodes += tree.len();
            rules.lower(&tree);
            rules.scopes(&tree);
            rules.entries(&tree, NodeId::ROOT);
            for node in tree.subtree(NodeId::ROOT) {
                rules.lower_test(&tree, node);
                rules.access(&tree, node);
                rules.call(&tree, node);
                rules.constant(&tree, node);
            }
        }
    }
    println!("{functions} functions and tests, {unread} of them with a parse error; {nodes} nodes");
    Ok(())
}

fn group(file: &str) -> Outcome<()> {
    let source = parse(&std::fs::read(file)?)?;
    let tree = source.normal(&source.file_item());
    let mut out = std::io::stdout().lock();
    for node in tree.subtree(NodeId::ROOT) {
        let name = match tree.kind(node) {
            "unary_expression" => "unary",
            "try_expression" => "try",
            "catch_expression" => "catch",
            "binary_expression" => "binary",
            "field_expression" if tree.child(node, "object").is_some() => "field",
            "call_expression" => "call",
            "index_expression" => "index",
            "dereference_expression" => "deref",
            "null_coercion_expression" => "unwrap",
            "nullable_type" => "optional",
            "error_union_type" if tree.child(node, "error").is_some() => "union",
            "pointer_type" | "slice_type" => "pointer",
            "array_type" => "array",
            "struct_initializer" => "init",
            _ => continue,
        };
        let span = tree.span(node);
        writeln!(out, "{file}\t{name}\t{}\t{}", span.start, span.end)?;
    }
    Ok(())
}

/// A change of one token: what it is called, where, and the new text.
struct Mutant {
    kind: String,
    start: usize,
    end: usize,
    text: String,
}

fn mutate(files: &[String]) -> Outcome<()> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for file in files {
        let source = parse(&std::fs::read(file)?)?;
        for item in functions(&source).filter(|item| source.problems_in(item).is_empty()) {
            let text = &source.text()[item.span.range()];
            // A function is a whole file as well, so a mutant costs no more than its own text.
            let Some(before) = whole(text)? else { continue };
            for mutant in mutants(text)? {
                let changed = format!("{}{}{}", &text[..mutant.start], mutant.text, &text[mutant.end..]);
                let Some(after) = whole(&changed)? else { continue };
                let count = counts.entry(mutant.kind.clone()).or_default();
                count.0 += 1;
                if before == after {
                    count.1 += 1;
                    let line: String = text[mutant.start..].lines().next().unwrap_or("").chars().take(60).collect();
                    println!("unchanged\t{}\t{file}\t{}\t{line}", mutant.kind, item.name);
                }
            }
        }
    }
    let (mut all, mut missed) = (0, 0);
    for (kind, (made, unchanged)) in &counts {
        println!("{kind}\t{made}\t{unchanged}");
        all += made;
        missed += unchanged;
    }
    println!("total\t{all}\t{missed}");
    Ok(())
}

/// The fingerprint of a text that parses; `None` for one that does not.
fn whole(text: &str) -> Outcome<Option<fingerprint::Fingerprint>> {
    let source = parse(text.as_bytes())?;
    if !source.problems().is_empty() {
        return Ok(None);
    }
    Ok(Some(fingerprint::exact(&source.normal(&source.file_item()))))
}

/// Tokens, each with one that takes its place.
const SWAPS: &str = "== != != == < <= <= < > >= >= > + - - + * / / * +% + -% - +| + << >> >> << & | ++ ** += -= -= += \
                     and or or and orelse catch catch orelse const var var const defer errdefer errdefer defer \
                     break continue continue break true false false true .? .* .* .? null undefined";

/// Tokens that are left out.
const DROPS: &str = "try ! comptime inline noinline pub export noalias const volatile defer & ~ return";

fn mutants(text: &str) -> Outcome<Vec<Mutant>> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_zig::LANGUAGE.into())?;
    let tree = parser.parse(text, None).ok_or("the parser gave up")?;
    let mut found = Vec::new();
    let mut waiting = vec![tree.root_node()];
    while let Some(node) = waiting.pop() {
        of_token(node, text, &mut found);
        of_node(node, text, &mut found);
        of_arguments(node, text, &mut found);
        waiting.extend(node.children(&mut node.walk()));
    }
    Ok(found)
}

fn of_token(node: tree_sitter::Node<'_>, text: &str, found: &mut Vec<Mutant>) {
    if node.child_count() > 0 {
        return;
    }
    let (start, end) = (node.start_byte(), node.end_byte());
    let own = &text[start..end];
    let words: Vec<&str> = SWAPS.split_whitespace().collect();
    for pair in words.chunks(2).filter(|pair| pair[0] == own) {
        found.push(Mutant { kind: format!("`{own}` to `{}`", pair[1]), start, end, text: pair[1].to_owned() });
    }
    if DROPS.split_whitespace().any(|word| word == own) {
        found.push(Mutant { kind: format!("`{own}` dropped"), start, end, text: String::new() });
    }
}

fn of_node(node: tree_sitter::Node<'_>, text: &str, found: &mut Vec<Mutant>) {
    let (start, end) = (node.start_byte(), node.end_byte());
    let own = &text[start..end];
    let mutant = match node.kind() {
        "integer" => ("integer changed", format!("{own}1")),
        "identifier" if !own.starts_with('@') => ("name changed", format!("{own}_")),
        "string_content" => ("string changed", format!("{own}x")),
        "character_content" => ("character changed", "#".to_owned()),
        "builtin_type" if own != "u7" => ("type changed", "u7".to_owned()),
        "builtin_identifier" => ("builtin changed", format!("{own}X")),
        "expression_statement" | "variable_declaration" | "defer_statement" | "errdefer_statement" => {
            ("statement deleted", String::new())
        }
        "multiline_string" => ("multi-line string changed", format!("{}x", own.trim_end_matches('\n'))),
        "payload" => ("capture dropped", String::new()),
        "else_clause" => ("`else` dropped", String::new()),
        "return_expression" if follows(node, "orelse") => ("`orelse return` changed", "unreachable".to_owned()),
        "return_expression" if own != "return" => ("returned value dropped", "return".to_owned()),
        _ => return,
    };
    found.push(Mutant { kind: mutant.0.to_owned(), start, end, text: mutant.1 });
}

/// Whether a token stands before a node.
fn follows(node: tree_sitter::Node<'_>, token: &str) -> bool {
    node.prev_sibling().is_some_and(|before| before.kind() == token)
}

/// Two neighbouring arguments that change places.
fn of_arguments(node: tree_sitter::Node<'_>, text: &str, found: &mut Vec<Mutant>) {
    let skip = match node.kind() {
        "call_expression" => 1,
        "arguments" => 0,
        _ => return,
    };
    let arguments: Vec<_> = node.named_children(&mut node.walk()).filter(|child| child.kind() != "comment").collect();
    for pair in arguments.get(skip..).unwrap_or_default().windows(2) {
        let (first, second) = (&text[pair[0].byte_range()], &text[pair[1].byte_range()]);
        let between = &text[pair[0].end_byte()..pair[1].start_byte()];
        if first != second {
            found.push(Mutant {
                kind: "arguments swapped".to_owned(),
                start: pair[0].start_byte(),
                end: pair[1].end_byte(),
                text: format!("{second}{between}{first}"),
            });
        }
    }
}
