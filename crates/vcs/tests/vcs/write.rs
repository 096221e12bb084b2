//! The record is whole at every moment: ended by signals, against another writer, on a read-only or full disk.

use crate::scratch::Scratch;
use factgate_vcs::{Repository, VcsError, Written};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const RECORD: &str = "coverage/deep/queue.json";

fn write(repository: &Repository, path: &str, text: &str) -> Result<Written, VcsError> {
    repository.write_atomically(&repository.lock().expect("the lock"), path, text.as_bytes())
}

/// Everything below a folder, git's own objects aside.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            found.push(entry.path());
            if entry.file_type().expect("a type").is_dir() {
                pending.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn writes_once_and_leaves_nothing() {
    let scratch = Scratch::new();
    let repository = scratch.open();
    fs::create_dir_all(repository.cache_dir()).expect("a folder");
    let before = everything(&scratch.root().join(".git"));
    assert_eq!(write(&repository, RECORD, "one").expect("written"), Written::Replaced);
    assert_eq!(everything(&scratch.root().join(".git")), before);
    let file = scratch.root().join(RECORD);
    assert_eq!(fs::metadata(&file).expect("a file").mode() & 0o777, 0o644);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o664)).expect("a mode");
    let inode = fs::metadata(&file).expect("a file").ino();
    assert_eq!(write(&repository, RECORD, "one").expect("written"), Written::Unchanged);
    assert_eq!(fs::metadata(&file).expect("a file").ino(), inode);
    assert_eq!(write(&repository, RECORD, "two").expect("written"), Written::Replaced);
    assert_eq!(fs::metadata(&file).expect("a file").mode() & 0o777, 0o664);
    assert_eq!(fs::read_to_string(&file).expect("a file"), "two");
    assert_eq!(everything(&scratch.root().join(".git")), before);
}

#[test]
fn links_are_followed_inside_only() {
    let scratch = Scratch::new();
    let root = scratch.root();
    let repository = scratch.open();
    fs::create_dir_all(root.join("real")).expect("a folder");
    fs::create_dir_all(scratch.beside("outside")).expect("a folder");
    fs::write(root.join("real/a.json"), "old").expect("a file");
    for (target, link) in [
        ("real/a.json", "inner"),
        ("real", "folder"),
        ("../outside", "out"),
        ("../outside/new", "gone"),
        (".git", "git"),
        ("x", "x"),
    ] {
        symlink(target, root.join(link)).expect("a link");
    }
    assert_eq!(write(&repository, "inner", "one").expect("written"), Written::Replaced);
    assert!(root.join("inner").is_symlink());
    write(&repository, "folder/a.json", "two").expect("written");
    assert_eq!(fs::read_to_string(root.join("real/a.json")).expect("a file"), "two");
    for path in ["out/a.json", "gone", "git/config", ".git/config", "../a", "a/../../b", "x", "new/../../b"] {
        assert!(matches!(write(&repository, path, "x"), Err(VcsError::Link { .. })), "{path}");
    }
    assert!(everything(&scratch.beside("outside")).is_empty());
    assert!(write(&repository, "real", "x").is_err() && write(&repository, "inner/b", "x").is_err());
}

/// Not a check by itself: the child of the checks below, told by the environment where to write.
#[test]
fn child_writer() {
    let Some(root) = std::env::var_os("WRITE_INTO") else { return };
    let scratch = factgate_vcs::Environment::ignored();
    let repository = Repository::discover(root.as_ref(), &scratch).expect("a repository");
    for round in 0_u64.. {
        write(&repository, RECORD, &whole(round)).expect("written");
    }
}

fn whole(round: u64) -> String {
    format!("{}\n", (round % 10).to_string().repeat(100_000))
}

fn is_whole(text: &str) -> bool {
    text.len() == 100_001 && text.trim_end().bytes().all(|byte| byte == text.as_bytes()[0])
}

fn writer(scratch: &Scratch) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "write::child_writer"]).env("WRITE_INTO", scratch.root());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a child")
}

#[test]
fn signals_leave_one_whole_record() {
    let scratch = Scratch::new();
    let repository = scratch.open();
    write(&repository, RECORD, &whole(0)).expect("written");
    let (git, all) = (everything(&scratch.root().join(".git")), everything(&scratch.root().join("coverage")));
    for (round, signal) in ["INT", "TERM", "KILL"].into_iter().cycle().take(15).enumerate() {
        let mut child = writer(&scratch);
        sleep(Duration::from_millis(30 + 7 * round as u64));
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        assert!(!child.wait().expect("a child").success());
        let text = fs::read_to_string(scratch.root().join(RECORD)).expect("a record");
        assert!(is_whole(&text), "{signal}");
        assert_eq!(everything(&scratch.root().join("coverage")), all, "{signal}");
        if signal != "KILL" {
            assert_eq!(everything(&scratch.root().join(".git")), git, "{signal}");
        }
        let opened = scratch.open();
        assert!(!opened.cache_dir().join("pending").exists(), "the next run clears what a KILL leaves");
        write(&repository, RECORD, "short").expect("written");
        write(&repository, RECORD, &whole(0)).expect("written");
        let left = everything(&scratch.root().join(".git"));
        assert!(left.iter().all(|path| !path.to_string_lossy().contains("pending-")), "{left:?}");
    }
}

#[test]
fn two_writers_leave_one_whole_record() {
    let scratch = Scratch::new();
    write(&scratch.open(), RECORD, &whole(0)).expect("written");
    let mut children = [writer(&scratch), writer(&scratch)];
    for _ in 0..200 {
        let text = fs::read_to_string(scratch.root().join(RECORD)).expect("a record");
        assert!(is_whole(&text));
        sleep(Duration::from_millis(2));
    }
    for child in &mut children {
        assert!(child.try_wait().expect("a child").is_none(), "a writer failed");
        child.kill().expect("killed");
        child.wait().expect("a child");
    }
}

/// A small file system of its own, where this user may mount one.
struct Mounted(PathBuf);

impl Mounted {
    fn new(place: PathBuf, options: &str) -> Option<Mounted> {
        fs::create_dir_all(&place).expect("a folder");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&place).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success()).then_some(Mounted(place))
    }

    fn remount(&self, options: &str) {
        let status = Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.0).status();
        assert!(status.expect("mount").success());
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn full_and_read_only_disks_change_nothing() {
    let scratch = Scratch::new();
    let Some(disk) = Mounted::new(scratch.beside("disk"), "size=1m") else { return };
    scratch.git_in(&disk.0, &["init", "-q"]);
    let repository = scratch.open_at(&disk.0);
    write(&repository, RECORD, "old").expect("written");
    let before = everything(&disk.0);
    let refused = write(&repository, RECORD, &"x".repeat(2 << 20));
    assert!(matches!(refused, Err(VcsError::Io { .. })), "{refused:?}");
    let refused = write(&repository, "elsewhere/new.json", &"x".repeat(2 << 20));
    assert!(matches!(refused, Err(VcsError::Io { .. })), "{refused:?}");
    assert_eq!(everything(&disk.0), before);
    disk.remount("ro");
    assert!(matches!(write(&repository, RECORD, "new"), Err(VcsError::Io { .. })));
    assert_eq!(write(&repository, RECORD, "old").expect("equal"), Written::Unchanged);
    let view = repository.view(&factgate_vcs::ViewKind::Worktree, 100).expect("a view");
    assert_eq!(view.read(RECORD).expect("read").as_deref(), Some(&b"old"[..]));
    assert_eq!(everything(&disk.0), before);
}

#[test]
fn a_repository_on_two_disks() {
    let scratch = Scratch::new();
    let Some(disk) = Mounted::new(scratch.beside("disk"), "size=1m") else { return };
    let inner = disk.0.join("work");
    scratch.git(&["commit", "-q", "--allow-empty", "-m", "base"]);
    scratch.git(&["worktree", "add", "-q", inner.to_str().expect("a path")]);
    let repository = scratch.open_at(&inner);
    write(&repository, RECORD, "one").expect("written");
    write(&repository, RECORD, "two").expect("written");
    let below = everything(&inner.join("coverage"));
    assert_eq!(below, [inner.join("coverage/deep"), inner.join(RECORD)]);
}
