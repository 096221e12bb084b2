//! Generates a repository with a long history and measures sync commit and history over it.
//!
//! `cargo run --release -p factgate-vcs --example long_history -- FOLDER [COMMITS [FILES [FACTGATE]]]`: writes the
//! repository with `git fast-import` unless FOLDER exists. Defaults: 50,000 commits, 2,000 files. Two models cover forty
//! items each: those of `fresh` never change, those of `stale` do. With a FACTGATE program commit 10 changes both records
//! to what they really are, and the whole program is measured, first without and then with what it keeps in `.git`.

use factgate_vcs::{Environment, Repository, ViewKind};
use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RECORD: &str = "coverage/stale.json";
const MODELS: [&str; 2] = ["fresh", "stale"];
/// The records change in this commit.
const CONFIRMED: u64 = 10;
const ITEMS: u64 = 40;
const LIMIT: u64 = 4 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = PathBuf::from(arguments.first().ok_or("usage: long_history FOLDER [COMMITS [FILES]]")?);
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let (commits, files) = (number(1, 50_000)?, number(2, 2_000)?);
    let program = arguments.get(3).map(PathBuf::from);
    if !folder.exists() {
        let records = match &program {
            Some(program) => records(program, files)?,
            None => MODELS.map(|_| "{}\n".to_owned()),
        };
        generate(&folder, commits, files, &records)?;
    }
    measure(&folder, files)?;
    match &program {
        Some(program) => measure_program(&folder, program),
        None => Ok(()),
    }
}

fn touched(commit: u64, files: u64) -> u64 {
    commit * 7919 % files
}

fn watched(item: u64, files: u64) -> u64 {
    item * 37 % files
}

/// The configuration of a model: in every watched file the function that some commit changes, or another one.
fn configuration(model: &str, files: u64) -> String {
    let mut text =
        format!("[model]\nname = \"{model}\"\nroot = \"..\"\nrecord = \"../coverage/{model}.json\"\ncover = [\n");
    for number in (0..ITEMS).map(|item| watched(item, files)) {
        let round = (CONFIRMED + 1..).find(|commit| touched(*commit, files) == number).unwrap_or(0) % 40;
        let function = if model == "stale" { round } else { (round + 1) % 40 };
        text.push_str(&format!("  \"{}#f{function}\",\n", file(number)));
    }
    text + "]\n"
}

/// What `factgate sync` writes over the code as it is in the commit that confirms it.
fn records(program: &Path, files: u64) -> Result<[String; 2], Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("long-history-{}", std::process::id()));
    let write = |path: &str, text: &str| -> Result<(), Box<dyn Error>> {
        let place = folder.join(path);
        std::fs::create_dir_all(place.parent().unwrap_or(&folder))?;
        Ok(std::fs::write(place, text)?)
    };
    (0..files).try_for_each(|number| write(&file(number), &content(number, 0)))?;
    (1..=CONFIRMED)
        .try_for_each(|commit| write(&file(touched(commit, files)), &content(touched(commit, files), commit)))?;
    MODELS.iter().try_for_each(|model| write(&format!("{model}/factgate.toml"), &configuration(model, files)))?;
    Command::new("git").args(["init", "-q"]).arg(&folder).status()?;
    Command::new(program).arg("-C").arg(&folder).arg("sync").status()?;
    let read = |model: &str| std::fs::read_to_string(folder.join(format!("coverage/{model}.json")));
    let records = [read(MODELS[0])?, read(MODELS[1])?];
    std::fs::remove_dir_all(&folder)?;
    Ok(records)
}

/// The whole process, the fastest of five.
fn measure_program(folder: &Path, program: &Path) -> Result<(), Box<dyn Error>> {
    for (model, kept) in MODELS.into_iter().flat_map(|model| [(model, false), (model, true)]) {
        let mut best = None;
        for _ in 0..5 {
            if !kept && folder.join(".git/factgate").exists() {
                std::fs::remove_dir_all(folder.join(".git/factgate"))?;
            }
            let start = Instant::now();
            let output = Command::new(program).arg("-C").arg(folder).args(["check", "--staged", model]).output()?;
            let took = start.elapsed();
            best = Some(best.map_or(took, |best: std::time::Duration| best.min(took)));
            if output.status.code() != Some(if model == "stale" { 3 } else { 0 }) {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
        }
        let kept = if kept { "with what an earlier run kept" } else { "with nothing kept" };
        println!("factgate check --staged {model}, {kept}: {:?}", best.unwrap_or_default());
    }
    Ok(())
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

fn generate(folder: &Path, commits: u64, files: u64, records: &[String; 2]) -> Result<(), Box<dyn Error>> {
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
            for model in MODELS {
                put(&mut stream, &format!("{model}/factgate.toml"), &configuration(model, files))?;
            }
        }
        if commit == CONFIRMED {
            for (model, record) in MODELS.iter().zip(records) {
                put(&mut stream, &format!("coverage/{model}.json"), record)?;
            }
        }
        let touched = touched(commit, files);
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
    let items: Vec<String> = (0..ITEMS).map(|item| file(watched(item, files))).collect();
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
