//! Measures the normal form on real code.
//!
//! `compare BEFORE AFTER` counts the functions whose fingerprint differs between two copies of a folder that only a
//! formatter touched. `mutate FOLDER COUNT` changes one token, statement or argument at a time and counts the changes
//! that no fingerprint notices. `show FILE NAME` prints a normal form. `time FOLDER` compares
//! the cost of parsing with that of normal form and fingerprint.

#[path = "fingerprint/mutations.rs"]
mod mutations;

use factgate_syntax::{ItemKind, Limits, NodeId, Source, Tree, fingerprint, language_for_path};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["compare", before, after] => compare(Path::new(before), Path::new(after)),
        ["mutate", folder, count] => {
            mutations::run(&files(Path::new(folder))?, count.parse().unwrap_or(50_000));
            Ok(())
        }
        ["show", file, name] => {
            show(Path::new(file), name);
            Ok(())
        }
        ["time", folder] => time(Path::new(folder)),
        _ => {
            eprintln!("usage: fingerprint compare BEFORE AFTER | mutate FOLDER COUNT | show FILE NAME | time FOLDER");
            std::process::exit(2);
        }
    }
}

/// Every file of a language that is known, in order.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        } else if language_for_path(&path.to_string_lossy()).is_some() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A file's source, when it can be read.
fn read(path: &Path) -> Option<Source> {
    let language = language_for_path(&path.to_string_lossy())?;
    Source::parse(language, &std::fs::read(path).ok()?, &Limits::default()).ok()
}

/// The functions of a file that run, by name and occurrence: the normal form of a sound one, nothing of another. The word that
/// tells a value from a type of its name is left out, since the type may be gone.
fn functions(source: &Source) -> BTreeMap<(String, usize), Option<Tree>> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for item in source.items().iter().filter(|item| item.kind == ItemKind::Function && !item.is_type()) {
        let words = item.name.split('.').map(|part| part.trim_start_matches("const ").trim_start_matches("function "));
        let name = words.collect::<Vec<_>>().join(".");
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        let sound = source.problems_in(item).is_empty();
        found.insert((name, *count), sound.then(|| source.normal(item)));
    }
    found
}

/// What became of the functions of a folder.
#[derive(Default)]
struct Compared {
    same: usize,
    changed: usize,
    /// Those of them that differ in nothing but the text of templates.
    templates: usize,
    unsound_before: usize,
    unsound_after: usize,
    missing: usize,
    missing_beside_errors: usize,
    skipped_files: usize,
}

fn compare(before: &Path, after: &Path) -> std::io::Result<()> {
    let mut all = Compared::default();
    for path in files(before)? {
        let other = after.join(path.strip_prefix(before).unwrap_or(&path));
        let (Some(left), Some(right)) = (read(&path), read(&other)) else {
            all.skipped_files += 1;
            continue;
        };
        compare_file(&path, &left, &right, &mut all);
    }
    println!("{} functions compared, {} changed", all.same + all.changed, all.changed);
    println!("of the changed, {} differ only in the text of templates that the formatter rewrote", all.templates);
    println!(
        "not compared: {} not sound before, {} not sound after, {} not found after ({} beside parse errors), {} files",
        all.unsound_before, all.unsound_after, all.missing, all.missing_beside_errors, all.skipped_files
    );
    Ok(())
}

fn compare_file(path: &Path, left: &Source, right: &Source, all: &mut Compared) {
    let errors = !left.problems().is_empty() || !right.problems().is_empty();
    let after = functions(right);
    for (name, tree) in functions(left) {
        match (tree, after.get(&name)) {
            (None, _) => all.unsound_before += 1,
            (Some(_), Some(None)) => {
                all.unsound_after += 1;
                let mut twins = right.items().iter().filter(|item| item.is_called(&name.0));
                let problem =
                    twins.find_map(|item| right.problems_in(item).first().map(|problem| problem.message.clone()));
                println!("unread {} {}: {}", path.display(), name.0, problem.unwrap_or_default());
            }
            (Some(tree), Some(Some(other))) if fingerprint::exact(&tree) == fingerprint::exact(other) => all.same += 1,
            (Some(tree), Some(Some(other))) => {
                all.changed += 1;
                let template = without_templates(&tree) == without_templates(other);
                all.templates += usize::from(template);
                let word = if template { "changed template" } else { "changed" };
                println!("{word} {} {} ({})", path.display(), name.0, name.1);
            }
            (Some(_), None) => {
                all.missing += 1;
                all.missing_beside_errors += usize::from(errors);
                let beside = if errors { " beside a parse error" } else { "" };
                println!("missing {} {} ({}){beside}", path.display(), name.0, name.1);
            }
        }
    }
}

/// A tree without the text of its templates: what is left when a formatter put another layout into embedded CSS, HTML
/// or GraphQL.
fn without_templates(tree: &Tree) -> Vec<(&'static str, &str, usize)> {
    let nodes = tree.subtree(NodeId::ROOT).filter(|&node| tree.kind(node) != "string_fragment");
    nodes.map(|node| (tree.kind(node), tree.text(node), tree.ancestors(node).count())).collect()
}

/// Prints the normal form of every item of a name.
fn show(path: &Path, name: &str) {
    let Some(source) = read(path) else { return };
    for item in source.items().iter().filter(|item| item.name == name) {
        let tree = source.normal(item);
        for node in tree.subtree(NodeId::ROOT) {
            let depth = tree.ancestors(node).count();
            println!("{:depth$}{} {:?} {}", "", tree.kind(node), tree.text(node), tree.field(node).unwrap_or(""));
        }
    }
}

/// How often each step is repeated for a file; the median counts.
const ROUNDS: usize = 5;

fn time(folder: &Path) -> std::io::Result<()> {
    let [mut parsing, mut reading, mut forming, mut hashing, mut classing] = [Duration::ZERO; 5];
    let (mut bytes, mut count, mut nodes) = (0, 0, 0);
    for path in files(folder)? {
        let Ok(text) = std::fs::read(&path) else { continue };
        let Some(source) = read(&path) else { continue };
        let functions = outermost(&source);
        parsing += median(|| drop(std::hint::black_box(grammar(&path).parse(&text, None))));
        reading += median(|| drop(std::hint::black_box(read(&path))));
        forming += median(|| functions.iter().for_each(|item| drop(std::hint::black_box(source.normal(item)))));
        let trees: Vec<_> = functions.iter().map(|item| source.normal(item)).collect();
        hashing += median(|| trees.iter().for_each(|tree| _ = std::hint::black_box(fingerprint::exact(tree))));
        classing += median(|| trees.iter().for_each(|tree| _ = std::hint::black_box(source.fingerprints(tree))));
        bytes += text.len();
        count += functions.len();
        nodes += trees.iter().map(|tree| tree.len()).sum::<usize>();
    }
    let share = |part: Duration| 100.0 * part.as_secs_f64() / parsing.as_secs_f64();
    println!("{bytes} bytes, {count} outermost functions of {nodes} nodes: the grammar's parse alone {parsing:.1?}");
    let both = forming + hashing;
    println!(
        "normal form and fingerprint of all of them {both:.1?} ({:.1}% of it; normal form {forming:.1?})",
        share(both)
    );
    println!("fingerprint and the coarser hashes {classing:.1?} ({:.1}%)", share(classing));
    println!("reading, parsing, problems and items {reading:.1?} ({:.1}%)", share(reading));
    Ok(())
}

/// How long something takes: the median of a few rounds.
fn median(run: impl Fn()) -> Duration {
    let mut took: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    took.sort();
    took[ROUNDS / 2]
}

/// A bare parser of the file's grammar.
fn grammar(path: &Path) -> tree_sitter::Parser {
    let language = match path.extension().and_then(|ending| ending.to_str()) {
        Some("tsx") => tree_sitter_typescript::LANGUAGE_TSX,
        Some("zig") => tree_sitter_zig::LANGUAGE,
        Some("js" | "mjs" | "cjs" | "jsx") => tree_sitter_javascript::LANGUAGE,
        _ => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
    };
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language.into()).unwrap_or_default();
    parser
}

/// The functions that stand in no other function.
fn outermost(source: &Source) -> Vec<&factgate_syntax::Item> {
    let mut end = 0;
    let mut found = Vec::new();
    for item in source.items().iter().filter(|item| item.kind == ItemKind::Function) {
        if item.span.start >= end && source.problems_in(item).is_empty() {
            end = item.span.end;
            found.push(item);
        }
    }
    found
}
