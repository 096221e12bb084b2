//! Compares the grouping of the normal form with `oxc_parser` over every TypeScript and JavaScript file of a folder:
//! `cargo run --release -p factgate-syntax --example grouping -- FOLDER`.

#[path = "../tests/typescript/oxc.rs"]
mod oxc;

use std::path::Path;

#[derive(Default)]
struct Totals {
    files: usize,
    refused: usize,
    problems: usize,
    groups: usize,
    differences: usize,
}

fn main() -> std::io::Result<()> {
    let mut totals = Totals::default();
    for folder in std::env::args().skip(1) {
        walk(Path::new(&folder), &mut totals)?;
    }
    println!(
        "{} files compared, {} operators alike, {} differences; {} files that oxc refuses, {} with problems",
        totals.files, totals.groups, totals.differences, totals.refused, totals.problems
    );
    Ok(())
}

fn walk(path: &Path, totals: &mut Totals) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
        entries.sort();
        return entries.iter().try_for_each(|entry| walk(entry, totals));
    }
    let name = path.to_string_lossy();
    let known = ["ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "jsx"];
    if !path.extension().is_some_and(|ending| known.iter().any(|known| ending == *known)) || name.contains(".min.") {
        return Ok(());
    }
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(()) };
    match oxc::compare(&name, &text) {
        oxc::Compared::Refused => totals.refused += 1,
        oxc::Compared::Problems(problems) => {
            totals.problems += 1;
            problems.iter().for_each(|problem| eprintln!("{problem}"));
        }
        oxc::Compared::Done { both, differences } => {
            totals.files += 1;
            totals.groups += both;
            totals.differences += differences.len();
            differences.iter().for_each(|difference| println!("{difference}"));
        }
    }
    Ok(())
}
