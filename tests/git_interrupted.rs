//! Ended at any moment, twice at once, on a disk that takes no more: record, index and work tree stay whole.

use crate::scratch::{CONFIG, QUEUE, Scratch};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Every file below a folder with its bytes.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => pending.push(entry.path()),
                false => drop(files.insert(entry.path(), std::fs::read(entry.path()).unwrap())),
            }
        }
    }
    files
}

fn confirmed() -> Scratch {
    Scratch::confirmed(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)])
}

#[test]
fn signals_leave_one_whole_record() {
    let scratch = confirmed();
    scratch.edit("src/queue.ts", "< 3", "< 4");
    let before = everything(scratch.root());
    assert_eq!(scratch.run(&["sync", "--because", "x"]).exit, 0);
    let after = everything(scratch.root());
    let record = scratch.path("coverage/queue.json");
    for (round, signal) in ["INT", "TERM", "KILL"].into_iter().cycle().take(24).enumerate() {
        std::fs::write(&record, &before[&record]).unwrap();
        let mut command = scratch.command(env!("CARGO_BIN_EXE_factgate"), scratch.root());
        let mut child = command.args(["sync", "--because", "x"]).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(round as u64 * 3));
        let _ = Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait().unwrap();
        // What a KILL may leave in git's folder goes with the next run, whichever it is.
        if signal == "KILL" {
            scratch.run(&["check"]);
        }
        let now = everything(scratch.root());
        assert!(now == before || now == after, "round {round}, {signal}: {:?}", now.keys());
    }
}

#[test]
fn checks_beside_a_sync_see_the_old_record_or_the_new_one() {
    let scratch = confirmed();
    for round in 4..7 {
        scratch.write("src/queue.ts", &QUEUE.replace("< 3", &format!("< {round}")));
        let bin = env!("CARGO_BIN_EXE_factgate");
        let start = |arguments: &[&str]| {
            let mut command = scratch.command(bin, scratch.root());
            command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let mut checks = [start(&["check"]), start(&["check"])];
        let mut syncs = [start(&["sync", "--because", "x"]), start(&["sync", "--because", "x"])];
        for check in &mut checks {
            let code = check.wait().unwrap().code();
            assert!(matches!(code, Some(0 | 3)), "{code:?}");
        }
        assert!(syncs.iter_mut().all(|sync| sync.wait().unwrap().success()));
        assert_eq!(scratch.run(&["check"]).exit, 0);
    }
}

/// A repository on a small disk of its own, where this user may mount one.
struct Disk(Scratch);

impl Disk {
    fn new() -> Option<Disk> {
        let scratch = Scratch::new(&[]);
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"]).arg(scratch.root()).stderr(Stdio::null());
        if !command.status().is_ok_and(|status| status.success()) {
            return None;
        }
        let disk = Disk(scratch);
        disk.0.git(&["init", "-q", "-b", "main"]);
        disk.0.write("factgate.toml", CONFIG);
        disk.0.write("src/queue.ts", QUEUE);
        assert_eq!(disk.0.run(&["sync"]).exit, 0);
        disk.0.commit("confirmed");
        disk.0.edit("src/queue.ts", "< 3", "< 4");
        Some(disk)
    }

    fn remount(&self, options: &str) {
        let remount =
            || Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(self.0.root()).status().unwrap();
        // It is busy while a process of git's is still about to end.
        let done = (0..50).any(|_| {
            let done = remount().success();
            if !done {
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            done
        });
        assert!(done);
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.root()).status();
    }
}

#[test]
fn a_read_only_disk_is_checked_and_not_written() {
    let Some(disk) = Disk::new() else { return };
    disk.remount("ro");
    let before = everything(disk.0.root());
    assert_eq!(disk.0.run(&["check"]).exit, 3);
    assert_eq!(disk.0.run(&["check", "--staged"]).exit, 0);
    assert_eq!(disk.0.run(&["diff"]).exit, 0);
    let said = disk.0.run(&["sync", "--because", "x"]);
    assert_eq!(said.exit, 2, "{said:?}");
    assert!(said.stderr.contains("ead-only"), "{}", said.stderr);
    assert_eq!(everything(disk.0.root()), before);
}

#[test]
fn a_full_disk_leaves_the_old_record() {
    let Some(disk) = Disk::new() else { return };
    let filler = disk.0.path("filler");
    // It takes what there is, down to the last page.
    assert!(std::fs::write(&filler, vec![0; 4 << 20]).is_err());
    let before = everything(disk.0.root());
    let said = disk.0.run(&["sync", "--because", "x"]);
    assert_eq!(said.exit, 2, "{said:?}");
    assert_eq!(everything(disk.0.root()), before);
    assert_eq!(disk.0.run(&["check"]).exit, 3);
    std::fs::remove_file(filler).unwrap();
    assert_eq!(disk.0.run(&["sync", "--because", "x"]).exit, 0);
    assert_eq!(disk.0.run(&["check"]).exit, 0);
}
