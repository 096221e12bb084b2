//! Compares the two parsers that the names of a TypeScript file could be read with, on one core:
//! `cargo run --release --example parsers -- FOLDER WORD...`. Files that say one of the words are read by the grammar (its tree, the normal form
//! of the whole file, scopes: what links would be read from) and by the reader of links (oxc), best of three.

use factgate_syntax::{Limits, Source, language_for_path};
use std::path::Path;
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((folder, words)) = arguments.split_first() else {
        eprintln!("usage: parsers FOLDER WORD...");
        std::process::exit(2);
    };
    let mut files = Vec::new();
    walk(Path::new(folder), &mut files)?;
    files.sort();
    let says = |text: &String| words.is_empty() || words.iter().any(|word| text.contains(word.as_str()));
    let all = files.len();
    files.retain(|(_, text)| says(text));
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    println!("{} of {all} files, {:.1} MB", files.len(), bytes as f64 / 1e6);
    let grammar = |path: &str, text: &str| -> bool {
        let Some(language) = language_for_path(path) else { return true };
        let limits = Limits { bytes: usize::MAX, ..Limits::default() };
        let Ok(source) = Source::parse(language, text.as_bytes(), &limits) else { return false };
        let tree = source.normal(&source.file_item());
        std::hint::black_box(language.rules().scopes(&tree));
        source.problems().is_empty()
    };
    let links = |path: &str, text: &str| -> bool {
        let Some(language) = language_for_path(path) else { return true };
        let links = language.links(path, text, &|word| words.iter().any(|one| one == word));
        links.broken.is_none()
    };
    report("grammar, normal form, scopes", bytes, &files, &grammar);
    report("links (oxc)", bytes, &files, &links);
    Ok(())
}

fn report(name: &str, bytes: usize, files: &[(String, String)], read: &dyn Fn(&str, &str) -> bool) {
    let mut best = Duration::MAX;
    let mut bad = 0;
    for _ in 0..3 {
        let start = Instant::now();
        bad = files.iter().filter(|(path, text)| !read(path, text)).count();
        best = best.min(start.elapsed());
    }
    let rate = bytes as f64 / 1e6 / best.as_secs_f64();
    println!("{name}: {} ms, {rate:.1} MB/s, {bad} bad files", best.as_millis());
}

fn walk(folder: &Path, files: &mut Vec<(String, String)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if entry.file_name() != ".git" {
                walk(&path, files)?;
            }
            continue;
        }
        let name = path.to_string_lossy().into_owned();
        let is_source = (name.ends_with(".ts") || name.ends_with(".tsx")) && !name.ends_with(".d.ts");
        if let Some(text) = is_source.then(|| std::fs::read_to_string(&path).ok()).flatten() {
            files.push((name, text));
        }
    }
    Ok(())
}
