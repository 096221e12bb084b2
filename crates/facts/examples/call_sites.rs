//! The direct calls of many functions at once, for the comparison with the compiler and for profiles:
//! `cargo run --release --example call_sites -- FOLDER SELECTORS`. `SELECTORS` is a file with one `PATH#NAME` a line;
//! the output has one JSON object a line: the selector and its calls by file. Problems and times go to stderr.

use factgate_facts::calls::{SiteKind, Watch, Watched, sweep};
use factgate_facts::program::Program;
use factgate_facts::{FileError, Files};
use factgate_record::RepoPath;
use factgate_syntax::{Limits, Selector};
use globset::{Glob, GlobSetBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

struct Folder(PathBuf, Vec<RepoPath>);

impl Files for Folder {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok(std::fs::read(self.0.join(path.as_str())).ok().map(Arc::from))
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(&self.1)
    }
}

fn walk(root: &Path, folder: &Path, paths: &mut Vec<RepoPath>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            walk(root, &entry.path(), paths)?;
        } else if let Some(path) = entry.path().strip_prefix(root).ok().and_then(Path::to_str) {
            paths.push(RepoPath::from_git(path));
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(root), Some(list)) = (arguments.next(), arguments.next()) else {
        return Err("usage: call_sites FOLDER SELECTORS".into());
    };
    let root = PathBuf::from(root);
    let mut paths = Vec::new();
    walk(&root, &root, &mut paths)?;
    paths.sort();
    let files = Folder(root, paths);
    let program = Program::new(&files, RepoPath::default(), Limits::default());
    let within = GlobSetBuilder::new().add(Glob::new("**/*")?).build()?;
    let selectors = std::fs::read_to_string(list)?;
    let watches: Vec<Watch> = selectors
        .lines()
        .map(|line| {
            let of = Watched::Definition(Selector::parse(line)?);
            Ok(Watch { key: line.to_owned(), of, within: within.clone() })
        })
        .collect::<Result<_, Box<dyn std::error::Error>>>()?;
    let start = Instant::now();
    let swept = sweep(&program, &watches);
    eprintln!("{} functions in {:?}", watches.len(), start.elapsed());
    for problem in &swept.problems {
        eprintln!("{}: {}", problem.code, problem.message);
    }
    for (key, sites) in &swept.calls {
        let mut calls: BTreeMap<&str, u32> = BTreeMap::new();
        for site in sites.sites.iter().filter(|site| site.kind == SiteKind::Call) {
            *calls.entry(site.place.file.as_str()).or_default() += 1;
        }
        println!("{}", serde_json::json!({ "of": key, "calls": calls }));
    }
    Ok(())
}
