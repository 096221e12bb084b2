//! What each view lists and reads.

use crate::scratch::{LIMIT, Scratch, text};
use factgate_vcs::{VcsError, ViewKind};
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn three_views_of_one_file() {
    let scratch = Scratch::new();
    scratch.write("src/a.ts", "committed");
    scratch.commit("base");
    scratch.write("src/a.ts", "staged");
    scratch.git(&["add", "-A"]);
    scratch.write("src/a.ts", "worktree");
    for (kind, expected) in
        [(ViewKind::Worktree, "worktree"), (ViewKind::Index, "staged"), (ViewKind::Commit("HEAD".into()), "committed")]
    {
        let view = scratch.view(kind);
        assert_eq!(text(&view, "src/a.ts").as_deref(), Some(expected));
        assert_eq!(view.list().expect("a list"), ["src/a.ts"]);
        for absent in ["src", "src/b.ts", "src/a.ts/c", "a.ts", ".git/config", "../home", "src/../src/a.ts", ""] {
            assert_eq!(text(&view, absent), None, "{absent}");
        }
    }
}

#[test]
fn untracked_files_are_gits() {
    let scratch = Scratch::new();
    for path in [
        "tracked/ignored.log",
        "src/new.ts",
        "src/debug.log",
        "node_modules/m/i.js",
        "deep/a/b/c.ts",
        "keep/x.tmp",
        "local/secret",
        "dist/kept.ts",
        "nested/repo/a.ts",
        "ümlaut/ö.ts",
    ] {
        scratch.write(path, "x");
    }
    scratch.write(".gitignore", "*.log\nnode_modules/\ndist/*\n!dist/kept.ts\n");
    scratch.write("keep/.gitignore", "*.tmp\n!x.tmp\n");
    scratch.git(&["add", "-f", "tracked/ignored.log"]);
    scratch.git(&["init", "-q", "nested/repo"]);
    fs::write(scratch.root().join(".git/info/exclude"), "/local\n").expect("a file");
    symlink("src/new.ts", scratch.root().join("link.ts")).expect("a link");
    symlink("src", scratch.root().join("folder")).expect("a link");
    let list = scratch.git(&["ls-files", "-z", "-co", "--exclude-standard"]);
    let mut expected: Vec<&str> = list.split('\0').filter(|path| !path.is_empty() && !path.ends_with('/')).collect();
    expected.sort_unstable();
    assert_eq!(scratch.view(ViewKind::Worktree).list().expect("a list"), expected);
    assert_eq!(text(&scratch.view(ViewKind::Worktree), "node_modules/m/i.js").as_deref(), Some("x"));
}

/// What the work tree holds is what git says it holds, under these ignore files.
#[track_caller]
fn check_ignored(files: &[(&str, &str)]) {
    let scratch = Scratch::new();
    for path in ["keep.ts", "src/keep.ts", "src/lib/keep.ts", "src/lib/k.gen.ts", "src/lib/b/keep.ts"] {
        scratch.write(path, "x");
    }
    for (path, rules) in files {
        let place = scratch.root().join(path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(place, rules).expect("a file");
    }
    let list = scratch.git(&["ls-files", "-z", "-co", "--exclude-standard"]);
    let mut expected: Vec<&str> = list.split('\0').filter(|path| !path.is_empty()).collect();
    expected.sort_unstable();
    assert_eq!(scratch.view(ViewKind::Worktree).list().expect("a list"), expected, "{files:?}");
}

#[test]
fn exceptions_reach_over_ignore_files() {
    const OWN: &str = "../home/.config/git/ignore";
    check_ignored(&[(".gitignore", "keep.ts\n"), ("src/.gitignore", "!keep.ts\n")]);
    check_ignored(&[(".gitignore", "src/*/keep.ts\n"), ("src/.gitignore", "!keep.ts\n")]);
    check_ignored(&[(".gitignore", "*.gen.ts\n"), ("src/lib/.gitignore", "!k.gen.ts\n")]);
    check_ignored(&[(".git/info/exclude", "lib/\n"), (".gitignore", "!lib/\n")]);
    check_ignored(&[(OWN, "lib/\n"), (".gitignore", "!/src/lib/\n")]);
    check_ignored(&[(".gitignore", "src/*\n!src/lib\n")]);
    check_ignored(&[(".gitignore", "k*.ts\n!keep.ts\n# !x\n"), (OWN, "# nothing\n")]);
    check_ignored(&[(".gitignore", "*\n!*/\n!*.ts\n!.gitignore\n")]);
}

#[test]
fn links_stay_inside() {
    let scratch = Scratch::new();
    scratch.write("src/a.ts", "a");
    fs::write(scratch.beside("outside"), "secret").expect("a file");
    for (link, target) in [
        ("good", "src/a.ts"),
        ("src/up", "../good"),
        ("gone", "nowhere"),
        ("out", "../outside"),
        ("absolute", "/etc/hostname"),
        ("round", "round"),
        ("folder", "src"),
        ("git", ".git/config"),
    ] {
        symlink(target, scratch.root().join(link)).expect("a link");
    }
    scratch.commit("links");
    for kind in [ViewKind::Worktree, ViewKind::Index, ViewKind::Commit("HEAD".into())] {
        let view = scratch.view(kind);
        assert_eq!(text(&view, "good").as_deref(), Some("a"));
        assert_eq!(text(&view, "src/up").as_deref(), Some("a"));
        assert_eq!(text(&view, "folder/a.ts"), None);
        for link in ["gone", "out", "absolute", "round", "git", "folder"] {
            let refused = view.read(link);
            assert!(matches!(refused, Err(VcsError::Link { .. })), "{} {link}: {refused:?}", view.name());
        }
    }
    fs::rename(scratch.root().join("src"), scratch.beside("moved")).expect("moved");
    symlink(scratch.beside("moved"), scratch.root().join("src")).expect("a link");
    let view = scratch.view(ViewKind::Worktree);
    assert_eq!(text(&view, "src/a.ts"), None);
    assert!(!view.list().expect("a list").contains(&"src/a.ts".to_owned()));
}

#[test]
fn odd_entries() {
    let scratch = Scratch::new();
    scratch.write("a", "base\n");
    scratch.write("big", &"x".repeat(100));
    scratch.commit("base");
    scratch.write("announced", "text");
    scratch.git(&["add", "-N", "announced"]);
    scratch.git(&["update-index", "--add", "--cacheinfo", "160000,1234567890123456789012345678901234567890,sub"]);
    assert!(scratch.command("mkfifo", &scratch.root()).arg("pipe").status().expect("mkfifo").success());
    let (index, worktree) = (scratch.view(ViewKind::Index), scratch.view(ViewKind::Worktree));
    assert_eq!(text(&index, "announced"), None);
    assert_eq!(text(&worktree, "announced").as_deref(), Some("text"));
    assert_eq!(index.list().expect("a list"), ["a", "big"]);
    assert_eq!(worktree.list().expect("a list"), ["a", "announced", "big"]);
    assert_eq!((text(&index, "sub"), text(&worktree, "sub")), (None, None));
    assert!(matches!(worktree.read("pipe"), Err(VcsError::Special { .. })));
    for kind in [ViewKind::Worktree, ViewKind::Index, ViewKind::Commit("HEAD".into())] {
        let small = scratch.open().view(&kind, 99).expect("a view");
        assert!(matches!(small.read("big"), Err(VcsError::TooLarge { size: 100, limit: 99, .. })));
        assert!(small.read("a").is_ok_and(|bytes| bytes.is_some()));
    }
}

#[test]
fn unmerged_paths_are_conflicts() {
    let scratch = Scratch::new();
    scratch.write("a", "base\n");
    scratch.write("b", "base\n");
    scratch.commit("base");
    scratch.git(&["checkout", "-qb", "side"]);
    scratch.write("a", "side\n");
    scratch.git(&["rm", "-q", "b"]);
    scratch.commit("side");
    scratch.git(&["checkout", "-q", "main"]);
    scratch.write("a", "main\n");
    scratch.write("b", "main\n");
    scratch.commit("main");
    let merged = scratch.command("git", &scratch.root()).args(["merge", "-q", "side"]).output().expect("git");
    assert!(!merged.status.success());
    for kind in [ViewKind::Worktree, ViewKind::Index] {
        for path in ["a", "b"] {
            let refused = scratch.view(kind.clone()).read(path);
            assert!(matches!(refused, Err(VcsError::MergeConflict { .. })), "{path}: {refused:?}");
        }
        assert_eq!(scratch.view(kind).list().expect("a list"), ["a", "b"]);
    }
}

#[test]
fn a_sparse_checkout_is_whole() {
    let scratch = Scratch::new();
    scratch.write("in/a", "a");
    scratch.write("out/b", "b");
    scratch.commit("base");
    scratch.git(&["sparse-checkout", "set", "in"]);
    assert!(!scratch.root().join("out").exists());
    let view = scratch.view(ViewKind::Worktree);
    assert_eq!(text(&view, "out/b").as_deref(), Some("b"));
    assert_eq!(view.list().expect("a list"), ["in/a", "out/b"]);
    scratch.write("out/b", "present");
    assert_eq!(text(&scratch.view(ViewKind::Worktree), "out/b").as_deref(), Some("present"));
}

#[test]
fn a_hooks_index_is_honoured_and_another_folder_is_not_fooled() {
    let scratch = Scratch::new();
    scratch.write("a", "old");
    scratch.commit("base");
    let other = scratch.root().join(".git/next-index-1.lock");
    fs::copy(scratch.root().join(".git/index"), &other).expect("a copy");
    scratch.write("a", "new");
    let added = scratch.command("git", &scratch.root()).env("GIT_INDEX_FILE", &other).args(["add", "a"]).status();
    assert!(added.expect("git").success());
    for (value, expected) in [
        (other.to_str().expect("a path"), "new"),
        (".git/next-index-1.lock", "new"),
        (".git/index", "old"),
        ("", "old"),
    ] {
        let hook = scratch.environment().with("GIT_INDEX_FILE", value);
        let repository = factgate_vcs::Repository::discover(&scratch.root(), &hook).expect("a repository");
        let view = repository.view(&ViewKind::Index, LIMIT).expect("a view");
        assert_eq!(text(&view, "a").as_deref(), Some(expected), "{value}");
    }
}

#[test]
fn linked_worktrees_and_submodules() {
    let scratch = Scratch::new();
    scratch.write("a", "old");
    scratch.commit("base");
    scratch.git(&["worktree", "add", "-q", "../linked"]);
    let linked = scratch.beside("linked");
    fs::write(linked.join("a"), "linked").expect("a file");
    scratch.git_in(&linked, &["add", "a"]);
    let repository = scratch.open_at(&linked);
    let view = repository.view(&ViewKind::Index, LIMIT).expect("a view");
    assert_eq!(text(&view, "a").as_deref(), Some("linked"));
    assert_eq!(text(&scratch.view(ViewKind::Index), "a").as_deref(), Some("old"));
    assert_eq!(repository.worktree_root(), linked);
    assert_eq!(repository.cache_dir(), scratch.open().cache_dir());
    let git_dir = scratch.git_in(&linked, &["rev-parse", "--absolute-git-dir"]);
    let hook = scratch.environment().with("GIT_DIR", &git_dir).with("GIT_INDEX_FILE", format!("{git_dir}/index"));
    let hooked = factgate_vcs::Repository::discover(&linked, &hook).expect("a repository");
    assert_eq!(hooked.worktree_root(), linked);
    let from = scratch.root();
    let add = ["-c", "protocol.file.allow=always", "submodule", "add", "-q", from.to_str().expect("a path"), "sub"];
    scratch.git_in(&linked, &add);
    let inner = scratch.open_at(&linked.join("sub"));
    assert_eq!(inner.worktree_root(), linked.join("sub"));
    assert_eq!(text(&inner.view(&ViewKind::Index, LIMIT).expect("a view"), "a").as_deref(), Some("old"));
}
