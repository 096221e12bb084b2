//! Which files and functions of a folder can be read, and what reading costs, on one core:
//! `cargo run --release -p factgate-syntax --example reading -- FOLDER [show]`. Each folder in FOLDER is a line of its own.

use factgate_syntax::{ItemKind, Limits, Source, language_for_path};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Totals {
    files: usize,
    bytes: usize,
    unread_files: usize,
    functions: usize,
    unread_functions: usize,
    time: Duration,
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let show = arguments.next().is_some();
    let mut all = Totals::default();
    let mut parts: Vec<_> = std::fs::read_dir(&folder)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    parts.sort();
    println!("| package | files | unread | functions | unread | MB/s |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for part in parts {
        let mut own = Totals::default();
        walk(&part, &mut own, show)?;
        if own.files > 0 {
            line(&part.file_name().unwrap_or_default().to_string_lossy(), &own);
        }
        all.add(&own);
    }
    line("all", &all);
    Ok(())
}

fn line(name: &str, totals: &Totals) {
    let speed = totals.bytes as f64 / 1e6 / totals.time.as_secs_f64().max(1e-9);
    let Totals { files, unread_files, functions, unread_functions, .. } = totals;
    println!("| {name} | {files} | {unread_files} | {functions} | {unread_functions} | {speed:.2} |");
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.unread_files += other.unread_files;
        self.functions += other.functions;
        self.unread_functions += other.unread_functions;
        self.time += other.time;
    }
}

fn walk(path: &Path, totals: &mut Totals, show: bool) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
        entries.sort();
        return entries.iter().try_for_each(|entry| walk(entry, totals, show));
    }
    let name = path.to_string_lossy();
    let Some(language) = language_for_path(&name).filter(|language| language.name != "Zig") else { return Ok(()) };
    let Ok(text) = std::fs::read(path) else { return Ok(()) };
    let mut best = Duration::MAX;
    let mut read = None;
    for _ in 0..3 {
        let start = Instant::now();
        read = Some(Source::parse(language, &text, &Limits::default()));
        best = best.min(start.elapsed());
    }
    totals.files += 1;
    totals.bytes += text.len();
    totals.time += best;
    let Some(Ok(source)) = read else {
        totals.unread_files += 1;
        return Ok(());
    };
    let functions: Vec<_> = source.items().iter().filter(|item| item.kind == ItemKind::Function).collect();
    let file = source.file_item();
    let problems = source.problems_in(&file);
    totals.functions += functions.len();
    totals.unread_functions += functions.iter().filter(|item| !source.problems_in(item).is_empty()).count();
    totals.unread_files += usize::from(!problems.is_empty());
    if show {
        for problem in problems {
            let at = source.position(problem.span.start);
            println!("{name}:{}:{} {}", at.line, at.column, problem.message);
        }
    }
    Ok(())
}
