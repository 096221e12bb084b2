//! Random histories with merges, equal and backward dates: the sync commit, the commits since and the history are what
//! `git` says.

use crate::scratch::Scratch;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

/// Numbers that are the same on every run (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

const PATHS: [&str; 6] = ["a", "b", "dir/a", "dir/b", "dir/deep/c", "x y/d"];

/// A stream for `git fast-import`: commits with up to three parents, few contents, dates that collide and run backwards.
fn stream(dice: &mut Dice, commits: u64) -> String {
    let mut stream = String::new();
    for number in 1..=commits {
        let date = 1_000_000_000 + (number / 4).saturating_sub(dice.roll(5) * dice.roll(40));
        writeln!(stream, "commit refs/heads/c{number}\nmark :{number}").expect("text");
        writeln!(stream, "committer t <t@example.invalid> {date} +0000\ndata 1\n{}", number % 10).expect("text");
        let mut parents: Vec<u64> = Vec::new();
        for _ in 0..[0, 1, 1, 1, 1, 2, 2, 3][usize::try_from(dice.roll(8)).expect("small")] {
            let parent = number.saturating_sub(1 + dice.roll(6));
            if parent > 0 && !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        for (at, parent) in parents.iter().enumerate() {
            writeln!(stream, "{} :{parent}", if at == 0 { "from" } else { "merge" }).expect("text");
        }
        for _ in 0..dice.roll(4) {
            let path = PATHS[usize::try_from(dice.roll(6)).expect("small")];
            match dice.roll(6) {
                0 => writeln!(stream, "D \"{path}\"").expect("text"),
                1 => writeln!(stream, "M 100755 inline \"{path}\"\ndata 1\n{}", dice.roll(3)).expect("text"),
                _ => writeln!(stream, "M 100644 inline \"{path}\"\ndata 1\n{}", dice.roll(3)).expect("text"),
            }
        }
    }
    stream
}

fn import(scratch: &Scratch, stream: &str) {
    let mut command = scratch.command("git", &scratch.root());
    command.args(["fast-import", "--quiet"]).stdin(Stdio::piped());
    let mut child = command.spawn().expect("git");
    child.stdin.take().expect("a pipe").write_all(stream.as_bytes()).expect("written");
    assert!(child.wait().expect("git").success());
}

#[test]
fn sync_commit_and_count_are_gits() {
    for seed in 1..=6 {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ seed);
        let scratch = Scratch::new();
        import(&scratch, &stream(&mut dice, 120));
        let repository = scratch.open();
        for _ in 0..80 {
            let tip = format!("c{}", 1 + dice.roll(120));
            let path = PATHS[usize::try_from(dice.roll(6)).expect("small")];
            let expected = scratch.git(&["log", "-1", "--format=%H", &tip, "--", path]);
            let id = repository.resolve(&tip).expect("a commit");
            let found = repository.last_commit(id, path).expect("a history");
            assert_eq!(found.map(|id| id.to_string()).unwrap_or_default(), expected, "seed {seed} {tip} {path}");
            let other = format!("c{}", 1 + dice.roll(120));
            // Not `rev-list --count OTHER..TIP`: with dates that run backwards git's own answer can be wrong.
            let reached = |from: &str| -> BTreeSet<String> {
                scratch.git(&["rev-list", from]).lines().map(str::to_owned).collect()
            };
            let expected = reached(&tip).difference(&reached(&other)).count();
            let since = repository.resolve(&other).expect("a commit");
            let count = repository.commits_since(since, id).expect("a count").expect("known");
            assert_eq!(count, expected as u64, "seed {seed} {other}..{tip}");
        }
    }
}
