//! Measures the normal form on real code.
//!
//! `compare BEFORE AFTER` counts the functions whose fingerprint differs between two copies of a folder that only a
//! formatter touched. `mutate FOLDER COUNT` changes one token, statement or argument at a time and counts the changes
//! that no fingerprint notices. `show FILE NAME` prints a normal form. `time FOLDER` compares the cost of parsing with that of normal form and fingerprint.

#[path = "fingerprint/mutations.rs"]
mod mutations;

use factgate_syntax::{ItemKind, Limits, Source, fingerprint, language_for_path};
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

/// The fingerprints of the sound functions of a file, by name and occurrence; and how many functions are not sound.
fn functions(source: &Source) -> (BTreeMap<(String, usize), fingerprint::Fingerprint>, usize) {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = BTreeMap::new();
    let mut unsound = 0;
    for item in source.items().iter().filter(|item| item.kind == ItemKind::Function) {
        let count = seen.entry(&item.name).or_default();
        *count += 1;
        if source.problems_in(item).is_empty() {
            found.insert((item.name.clone(), *count), fingerprint::exact(&source.normal(item)));
        } else {
            unsound += 1;
        }
    }
    (found, unsound)
}

fn compare(before: &Path, after: &Path) -> std::io::Result<()> {
    let (mut same, mut changed, mut missing, mut unsound, mut skipped) = (0, 0, 0, 0, 0);
    for path in files(before)? {
        let other = after.join(path.strip_prefix(before).unwrap_or(&path));
        let (Some(left), Some(right)) = (read(&path), read(&other)) else {
            skipped += 1;
            continue;
        };
        let ((left, bad), (right, _)) = (functions(&left), functions(&right));
        unsound += bad;
        for (name, hash) in left {
            match right.get(&name) {
                Some(other) if *other == hash => same += 1,
                Some(_) => {
                    changed += 1;
                    println!("changed {} {} ({})", path.display(), name.0, name.1);
                }
                None => missing += 1,
            }
        }
    }
    println!(
        "{} functions: {changed} changed, {missing} not found or not sound afterwards; beside them {unsound} not sound, {skipped} files skipped",
        same + changed + missing
    );
    Ok(())
}

/// Prints the normal form of every item of a name.
fn show(path: &Path, name: &str) {
    let Some(source) = read(path) else { return };
    for item in source.items().iter().filter(|item| item.name == name) {
        let tree = source.normal(item);
        for node in tree.subtree(factgate_syntax::NodeId::ROOT) {
            let depth = tree.ancestors(node).count();
            println!("{:depth$}{} {:?} {}", "", tree.kind(node), tree.text(node), tree.field(node).unwrap_or(""));
        }
    }
}

fn time(folder: &Path) -> std::io::Result<()> {
    let (mut parsing, mut hashing) = (Duration::ZERO, Duration::ZERO);
    let (mut bytes, mut count) = (0, 0);
    for path in files(folder)? {
        let start = Instant::now();
        let Some(source) = read(&path) else { continue };
        parsing += start.elapsed();
        bytes += source.text().len();
        let start = Instant::now();
        for item in outermost(&source) {
            count += 1;
            std::hint::black_box(fingerprint::exact(&source.normal(item)));
        }
        hashing += start.elapsed();
    }
    println!(
        "{bytes} bytes, {count} outermost functions: parsing and items {parsing:?}, normal form and fingerprint {hashing:?} ({:.0}%)",
        100.0 * hashing.as_secs_f64() / parsing.as_secs_f64()
    );
    Ok(())
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
