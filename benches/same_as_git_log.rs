//! Compares the last commit of a path with `git log -1` over many random paths of any repository.
//!
//! `cargo run --release -p factgate-vcs --example same_as_git_log -- REPOSITORY [PATHS]`: draws PATHS (default 2,000)
//! pairs of a commit and a path that some commit ever held, and exits 1 when an answer differs.

use factgate_vcs::{Environment, Repository};
use std::collections::BTreeSet;
use std::error::Error;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Numbers that are the same on every run (xorshift).
struct Dice(u64);

impl Dice {
    fn pick<'l>(&mut self, list: &'l [String]) -> &'l str {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        &list[usize::try_from(self.0 % list.len() as u64).unwrap_or(0)]
    }
}

fn git(folder: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new("git").args(["-C", folder, "--literal-pathspecs"]).args(arguments).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("usage: same_as_git_log REPOSITORY [PATHS]")?;
    let wanted: usize = arguments.get(1).map_or(Ok(2000), |text| text.parse())?;
    let repository = Repository::discover(folder.as_ref(), &Environment::ignored())?;
    let lines = |text: String| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let commits = lines(git(folder, &["rev-list", "HEAD"])?);
    let named = git(folder, &["log", "-m", "--format=", "--name-only", "-z", "HEAD"])?;
    let named: BTreeSet<&str> = named.split('\0').map(str::trim).filter(|path| !path.is_empty()).collect();
    let paths: Vec<String> = named.into_iter().map(str::to_owned).collect();
    let (mut dice, mut different, mut found) = (Dice(0x9e37_79b9_7f4a_7c15), 0, 0);
    let (mut ours, mut gits) = (Duration::ZERO, Duration::ZERO);
    for round in 0..wanted {
        let path = dice.pick(&paths);
        let tip = if round % 2 == 0 { commits[0].as_str() } else { dice.pick(&commits) };
        let start = Instant::now();
        let expected = git(folder, &["log", "-1", "--format=%H", tip, "--", path])?;
        gits += start.elapsed();
        let start = Instant::now();
        let answer = repository.last_commit(repository.resolve(tip)?, path)?;
        ours += start.elapsed();
        let answer = answer.map(|id| id.to_string()).unwrap_or_default();
        found += usize::from(!answer.is_empty());
        if answer != expected.trim_end() {
            different += 1;
            println!("{tip} {path}: {answer:?}, git says {:?}", expected.trim_end());
        }
    }
    println!("{wanted} paths over {} commits: {found} found, {different} different", commits.len());
    println!("here {ours:?}, git log {gits:?}");
    Ok(if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
