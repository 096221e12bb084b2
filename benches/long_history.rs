//! Generates a repository with a long history and measures sync commit and history over it.
//!
//! `cargo run --release -p factgate-vcs --example long_history -- FOLDER [COMMITS [FILES]]`: writes the repository with
//! `git fast-import` unless FOLDER exists; the record changes in commit 10, forty items are watched. Defaults: 50,000
//! commits, 2,000 files.

use factgate_vcs::{Environment, Repository, ViewKind};
use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RECORD: &str = "coverage/queue.json";
const LIMIT: u64 = 4 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = PathBuf::from(arguments.first().ok_or("usage: long_history FOLDER [COMMITS [FILES]]")?);
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let (commits, files) = (number(1, 50_000)?, number(2, 2_000)?);
    if !folder.exists() {
        generate(&folder, commits, files)?;
    }
    measure(&folder, files)
}

fn file(number: u64) -> String {
    format!("src/part{}/file{number}.ts", number % 40)
}

fn content(number: u64, round: u64) -> String {
    let mut text = String::new();
    for line in 0..40 {
        let value = if line == round % 40 { round } else { line };
        text.push_str(&format!("export function f{line}(q: Queue) {{ return q.size < {number} + {value}; }}\n"));
    }
    text
}

fn generate(folder: &Path, commits: u64, files: u64) -> Result<(), Box<dyn Error>> {
    let git = |arguments: &[&str]| Command::new("git").arg("-C").arg(folder).args(arguments).status();
    std::fs::create_dir_all(folder)?;
    git(&["init", "-q", "-b", "main"])?;
    let mut import = Command::new("git");
    import.arg("-C").arg(folder).args(["fast-import", "--quiet"]).stdin(Stdio::piped());
    let mut import = import.spawn()?;
    let mut stream = BufWriter::new(import.stdin.take().ok_or("no pipe")?);
    let put = |stream: &mut BufWriter<_>, path: &str, text: &str| {
        writeln!(stream, "M 100644 inline {path}\ndata {}\n{text}", text.len())
    };
    for commit in 1..=commits {
        let subject = format!("change {commit}");
        let date = 1_600_000_000 + commit * 600;
        writeln!(stream, "commit refs/heads/main\ncommitter t <t@example.invalid> {date} +0000")?;
        writeln!(stream, "data {}\n{subject}", subject.len())?;
        if commit == 1 {
            (0..files).try_for_each(|number| put(&mut stream, &file(number), &content(number, 0)))?;
        }
        if commit == 10 {
            put(&mut stream, RECORD, "{}\n")?;
        }
        let touched = commit * 7919 % files;
        put(&mut stream, &file(touched), &content(touched, commit))?;
    }
    stream.flush()?;
    drop(stream);
    import.wait()?;
    git(&["reset", "-q", "--hard"])?;
    Ok(())
}

fn measure(folder: &Path, files: u64) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let repository = Repository::discover(folder, &Environment::ignored())?;
    for kind in [ViewKind::Worktree, ViewKind::Index, ViewKind::Commit("HEAD".into())] {
        let start = Instant::now();
        let view = repository.view(&kind, LIMIT)?;
        let count = view.list()?.len();
        println!("{:8} {count} files listed in {:?}", view.name(), start.elapsed());
    }
    let view = repository.view(&ViewKind::Index, LIMIT)?;
    let items: Vec<String> = (0..40).map(|number| file(number * 37 % files)).collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    for item in &items {
        view.read(item)?.ok_or("no such file")?;
    }
    println!("opened, listed and read after {:?}", start.elapsed());
    let tip = repository.head()?.ok_or("no commit")?;
    let start = Instant::now();
    let sync = repository.sync_commit(RECORD, &view)?;
    let since = sync.commit.as_ref().map(|commit| commit.id).ok_or("no sync commit")?;
    println!("sync commit {since}, {:?} commits since: {:?}", sync.commits_since, start.elapsed());
    let start = Instant::now();
    let history = repository.history(tip, since, &items)?.ok_or("unknown")?;
    println!("history of {} items, {} commits: {:?}", items.len(), history.len(), start.elapsed());
    let status = std::fs::read_to_string("/proc/self/status")?;
    status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    Ok(())
}
