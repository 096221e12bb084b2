//! The sync commit and the commits since, in the situations where naive walks go wrong.

use crate::scratch::{LIMIT, Scratch};
use factgate_vcs::{Note, SyncInfo, ViewKind};
use std::path::Path;

const RECORD: &str = "coverage/queue.json";

fn sync_at(scratch: &Scratch, folder: &Path, kind: ViewKind) -> SyncInfo {
    let repository = scratch.open_at(folder);
    let view = repository.view(&kind, LIMIT).expect("a view");
    repository.sync_commit(RECORD, &view).expect("a sync commit")
}

fn check(scratch: &Scratch, kind: ViewKind, subject: Option<&str>, since: Option<u64>, note: Option<Note>) {
    let sync = sync_at(scratch, &scratch.root(), kind);
    assert_eq!(sync.commit.as_ref().map(|commit| commit.subject.as_str()), subject);
    assert_eq!((sync.commits_since, sync.note), (since, note));
}

fn confirmed() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("src/a.ts", "1");
    scratch.commit("base");
    scratch.write(RECORD, "{}\n");
    scratch.commit("confirmed");
    scratch
}

#[test]
fn unborn_uncommitted_and_committed() {
    let scratch = Scratch::new();
    scratch.write(RECORD, "{}\n");
    check(&scratch, ViewKind::Worktree, None, None, Some(Note::Unborn));
    scratch.git(&["commit", "-q", "--allow-empty", "-m", "empty"]);
    check(&scratch, ViewKind::Worktree, None, None, Some(Note::Uncommitted));
    scratch.commit("confirmed");
    check(&scratch, ViewKind::Worktree, Some("confirmed"), Some(0), None);
    scratch.write(RECORD, "{}\r\n");
    check(&scratch, ViewKind::Worktree, Some("confirmed"), Some(0), None);
    scratch.write(RECORD, "{ }\n");
    check(&scratch, ViewKind::Worktree, Some("confirmed"), Some(0), Some(Note::Uncommitted));
    check(&scratch, ViewKind::Index, Some("confirmed"), Some(0), None);
    scratch.git(&["add", "-A"]);
    check(&scratch, ViewKind::Index, Some("confirmed"), Some(0), Some(Note::Uncommitted));
    check(&scratch, ViewKind::Commit("HEAD".into()), Some("confirmed"), Some(0), None);
}

#[test]
fn a_record_behind_a_link_is_compared_by_content() {
    let scratch = confirmed();
    scratch.git(&["mv", RECORD, "real.json"]);
    std::fs::create_dir_all(scratch.root().join("coverage")).expect("a folder");
    std::os::unix::fs::symlink("../real.json", scratch.root().join(RECORD)).expect("a link");
    scratch.commit("linked");
    check(&scratch, ViewKind::Worktree, Some("linked"), Some(0), None);
    scratch.write("real.json", "other");
    check(&scratch, ViewKind::Worktree, Some("linked"), Some(0), Some(Note::Uncommitted));
}

#[test]
fn moved_deleted_and_squashed() {
    let scratch = confirmed();
    scratch.git(&["mv", RECORD, "coverage/other.json"]);
    scratch.commit("moved away");
    check(&scratch, ViewKind::Worktree, Some("moved away"), Some(0), Some(Note::Uncommitted));
    scratch.git(&["mv", "coverage/other.json", RECORD]);
    scratch.commit("moved back");
    check(&scratch, ViewKind::Worktree, Some("moved back"), Some(0), None);
    scratch.git(&["checkout", "-qb", "topic"]);
    scratch.write(RECORD, "{1}\n");
    scratch.commit("one");
    scratch.write(RECORD, "{2}\n");
    scratch.commit("two");
    scratch.git(&["checkout", "-q", "main"]);
    scratch.git(&["merge", "-q", "--squash", "topic"]);
    scratch.commit("squashed");
    check(&scratch, ViewKind::Worktree, Some("squashed"), Some(0), None);
    check(&scratch, ViewKind::Commit("topic".into()), Some("two"), Some(0), None);
    check(&scratch, ViewKind::Commit("HEAD~1".into()), Some("moved back"), Some(0), None);
}

#[test]
fn a_merge_counts_its_side_branches() {
    let scratch = confirmed();
    scratch.git(&["checkout", "-qb", "wider", "HEAD~1"]);
    scratch.write("notes", "x");
    scratch.commit("notes");
    scratch.git(&["checkout", "-q", "main"]);
    scratch.git(&["merge", "-q", "--no-ff", "-m", "merged", "wider"]);
    check(&scratch, ViewKind::Worktree, Some("confirmed"), Some(2), None);
    scratch.git(&["checkout", "-q", "--detach"]);
    check(&scratch, ViewKind::Index, Some("confirmed"), Some(2), None);
}

#[test]
fn shallow_clones_know_what_they_hold_and_no_more() {
    let scratch = confirmed();
    for number in 0..3 {
        scratch.write("src/a.ts", &format!("later {number}"));
        scratch.commit("later");
    }
    for (depth, subject, since, note) in [
        ("1", None, None, Some(Note::Shallow)),
        ("3", None, None, Some(Note::Shallow)),
        ("4", None, None, Some(Note::Shallow)),
        ("5", Some("confirmed"), Some(3), None),
    ] {
        let clone = scratch.beside(&format!("depth{depth}"));
        let from = format!("file://{}", scratch.root().display());
        scratch.git(&["clone", "-q", "--depth", depth, &from, clone.to_str().expect("a path")]);
        let sync = sync_at(&scratch, &clone, ViewKind::Worktree);
        assert_eq!(sync.commit.as_ref().map(|commit| commit.subject.as_str()), subject, "depth {depth}");
        assert_eq!((sync.commits_since, sync.note), (since, note), "depth {depth}");
    }
}

#[test]
fn partial_clones_fetch_nothing() {
    let scratch = confirmed();
    scratch.write("src/a.ts", "2");
    scratch.commit("later");
    scratch.git(&["config", "uploadpack.allowFilter", "true"]);
    for (filter, subject, since, note) in
        [("blob:none", Some("confirmed"), Some(1), None), ("tree:0", None, None, Some(Note::Partial))]
    {
        let clone = scratch.beside(filter.split(':').next().expect("a name"));
        let from = format!("file://{}", scratch.root().display());
        scratch.git(&["clone", "-q", "--filter", filter, &from, clone.to_str().expect("a path")]);
        let sync = sync_at(&scratch, &clone, ViewKind::Worktree);
        assert_eq!(sync.commit.as_ref().map(|commit| commit.subject.as_str()), subject, "{filter}");
        assert_eq!((sync.commits_since, sync.note), (since, note), "{filter}");
    }
}

/// What a long walk leaves in git's folder shortens the next one, and changes no answer.
#[test]
fn a_kept_answer_is_the_same_answer() {
    let scratch = confirmed();
    let commit = |branch: &str, number: usize, parent: &str| {
        let person = "committer t <t@example.invalid> 1000000000 +0000";
        format!("commit refs/heads/{branch}\n{person}\ndata 1\nx\n{parent}M 100644 inline n\ndata 4\n{number:04}\n")
    };
    let mut stream = commit("main", 0, "from refs/heads/main^0\n");
    (1..1500).for_each(|number| stream.push_str(&commit("main", number, "")));
    scratch.import(&stream);
    scratch.git(&["branch", "side", "main~700"]);
    scratch.import(&commit("side", 7, "from refs/heads/side^0\n"));
    scratch.git(&["reset", "-q", "--hard"]);
    let ask = |rev: &str| {
        let sync = sync_at(&scratch, &scratch.root(), ViewKind::Commit(rev.into()));
        (sync.commit.map(|commit| commit.subject), sync.commits_since)
    };
    let expected = |count| (Some("confirmed".to_owned()), Some(count));
    let kept = scratch.open().cache_dir().join("sync");
    assert_eq!(ask("main~600"), expected(900));
    assert!(!kept.exists(), "a short walk keeps nothing");
    for _ in 0..2 {
        assert_eq!(ask("main"), expected(1500));
        assert_eq!(std::fs::read_dir(&kept).expect("a folder").count(), 1);
    }
    assert_eq!(ask("side"), expected(801));
    scratch.git(&["merge", "-q", "-m", "merged", "-X", "ours", "side"]);
    assert_eq!(ask("main"), expected(1502));
    let file = std::fs::read_dir(&kept).expect("a folder").flatten().next().expect("a file").path();
    let tip = scratch.git(&["rev-parse", "main"]);
    let gone = format!("{} {} 3\tcoverage/queue.json\n", tip.trim(), "1".repeat(40));
    for odd in ["", "x y z\tcoverage/queue.json\n", "no tab", &gone] {
        std::fs::write(&file, odd).expect("a file");
        assert_eq!(ask("main"), expected(1502));
    }
    scratch.write(RECORD, "{2}\n");
    scratch.commit("again");
    assert_eq!(ask("main"), (Some("again".to_owned()), Some(0)));
}

#[test]
fn long_walks_over_every_kind_of_pack() {
    let scratch = confirmed();
    let commit = |number: usize| {
        let person = format!("committer t <t@example.invalid> {} +0000", 1_000_000_000 + number);
        // Long messages make commits that git stores as differences.
        let message = format!("{number} {}", "the same words in every message ".repeat(40));
        let from = if number == 0 { "from refs/heads/main^0\n" } else { "" };
        let data = format!("data {}\n{message}\n", message.len());
        format!("commit refs/heads/main\n{person}\n{data}{from}M 100644 inline n\ndata 4\n{number:04}\n")
    };
    scratch.import(&(0..400).map(commit).collect::<String>());
    scratch.git(&["reset", "-q", "--hard"]);
    let expected = scratch.git(&["log", "-1", "--format=%H", "--", RECORD]);
    for (number, prepare) in [
        &[][..],
        &["gc", "-q", "--aggressive"],
        &["repack", "-qadf", "--depth=50", "--window=50"],
        &["-c", "pack.indexVersion=1", "repack", "-qad"],
        &["repack", "-qadb"],
        &["multi-pack-index", "write"],
        &["commit-graph", "write", "--reachable"],
    ]
    .into_iter()
    .enumerate()
    {
        if !prepare.is_empty() {
            scratch.git(prepare);
        }
        let sync = sync_at(&scratch, &scratch.root(), ViewKind::Index);
        let found = sync.commit.map(|commit| commit.id.to_string());
        let count = 400 + number as u64;
        assert_eq!((found.as_deref(), sync.commits_since), (Some(expected.trim()), Some(count)), "{prepare:?}");
        // Some loose ones on top.
        scratch.write("n", &number.to_string());
        scratch.commit("loose");
    }
}
