//! Random histories with merges, equal and backward dates: the sync commit, the commits since and the history are what
//! `git` says.

use crate::scratch::Scratch;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Numbers that are the same on every run (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(0x2545_f491_4f6c_dd1d ^ seed)
    }

    pub(crate) fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[usize::try_from(self.roll(list.len() as u64)).expect("small")]
    }

    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
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

/// The blobs of every commit at the watched paths, as `git ls-tree` lists them.
fn blobs(scratch: &Scratch, commit: &str) -> BTreeMap<String, String> {
    let listing = scratch.git(&["ls-tree", "-r", "-z", commit]);
    let entries = listing.split('\0').filter_map(|line| line.split_once('\t'));
    let blob = |head: &str| head.split(' ').nth(2).expect("a blob").to_owned();
    entries.map(|(head, path)| (path.to_owned(), blob(head))).collect()
}

#[test]
fn history_is_gits() {
    for seed in 1..=3 {
        let mut dice = Dice::new(seed);
        let scratch = Scratch::new();
        scratch.import(&stream(&mut dice, 60));
        let repository = scratch.open();
        for _ in 0..6 {
            let (tip, since) = (format!("c{}", 30 + dice.roll(31)), format!("c{}", 1 + dice.roll(30)));
            let reached = |from: &str| -> Vec<Vec<String>> {
                let lines = scratch.git(&["rev-list", "--parents", from]);
                lines.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
            };
            let outside: BTreeSet<String> = reached(&since).into_iter().map(|line| line[0].clone()).collect();
            let mut expected: BTreeSet<(String, String)> = BTreeSet::new();
            for line in reached(&tip).into_iter().filter(|line| !outside.contains(&line[0])) {
                let new = blobs(&scratch, &line[0]);
                let old: Vec<_> = line[1..].iter().map(|parent| blobs(&scratch, parent)).collect();
                for path in PATHS {
                    let differs = old.iter().all(|old| old.get(path) != new.get(path));
                    if differs && (!old.is_empty() || new.contains_key(path)) {
                        expected.insert((line[0].clone(), path.to_owned()));
                    }
                }
            }
            let id = |rev: &str| repository.resolve(rev).expect("a commit");
            let history = repository.history(id(&tip), id(&since), &PATHS).expect("a history").expect("known");
            let mut found = BTreeSet::new();
            for one in &history {
                let parents = scratch.git(&["rev-list", "--parents", "-1", &one.commit.id.to_string()]);
                for touched in &one.touched {
                    assert_eq!(touched.old.len(), parents.split(' ').count() - 1);
                    found.insert((one.commit.id.to_string(), touched.path.clone()));
                    let new = blobs(&scratch, &one.commit.id.to_string());
                    assert_eq!(touched.new.map(|id| id.to_string()).as_ref(), new.get(&touched.path));
                }
            }
            assert_eq!(found, expected, "seed {seed} {since}..{tip}");
        }
    }
}

#[test]
fn sync_commit_and_count_are_gits() {
    for seed in 1..=6 {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ seed);
        let scratch = Scratch::new();
        scratch.import(&stream(&mut dice, 120));
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
