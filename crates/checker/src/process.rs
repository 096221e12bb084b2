//! Child processes that end with us: each in its own process group, killed with it at a time limit, and watched by a
//! shell that notices when factgate itself is gone.
//!
//! The watcher reads a pipe that factgate holds open and never writes to. However factgate ends, the pipe closes, and
//! the watcher kills the engine and clears its scratch folder. No signal handler and no unsafe code is needed for it.

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Instant;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself; `None` when a signal ended it.
    Exit(Option<i32>),
    /// At the time limit.
    Timeout,
}

/// Runs the engine while the pipe on descriptor 3 is open; ends with the engine's status.
#[cfg(unix)]
const WATCHER: &str = r#"
scratch=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
engine=$!
{ cat <&3; kill -KILL $engine; rm -rf "$scratch"; } >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $engine
status=$?
kill -KILL $watcher 2>/dev/null
exit $status
"#;

/// Runs a program in a folder, hands each line that it prints to `line`, and kills it at the deadline.
pub(crate) fn run(
    program: &Path,
    arguments: &[OsString],
    scratch: &Path,
    deadline: Instant,
    mut line: impl FnMut(&str),
) -> std::io::Result<Ended> {
    let mut child = spawn(program, arguments, scratch)?;
    // Held open until the engine has ended: the watcher's pipe.
    let pipe = child.stdin().take();
    let (sender, lines) = mpsc::channel();
    if let Some(out) = child.stdout().take() {
        read(out, sender.clone());
    }
    if let Some(out) = child.stderr().take() {
        read(out, sender);
    }
    let timed_out = loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            // A process that never stops printing must not outrun its limit.
            Ok(_) if Instant::now() >= deadline => break true,
            Ok(text) => line(&text),
            Err(RecvTimeoutError::Disconnected) => break false,
            Err(RecvTimeoutError::Timeout) => break true,
        }
    };
    if timed_out {
        child.kill()?;
    }
    let status = child.wait()?;
    drop(pipe);
    Ok(if timed_out { Ended::Timeout } else { Ended::Exit(status.code()) })
}

#[cfg(unix)]
fn spawn(program: &Path, arguments: &[OsString], scratch: &Path) -> std::io::Result<Box<dyn ChildWrapper>> {
    let mut command = CommandWrap::with_new("/bin/sh", |command| {
        command.args(["-c", WATCHER, "factgate-watcher"]).arg(scratch).arg(program).args(arguments);
        command.current_dir(scratch).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    });
    command.wrap(ProcessGroup::leader());
    command.spawn()
}

#[cfg(not(unix))]
fn spawn(program: &Path, arguments: &[OsString], scratch: &Path) -> std::io::Result<Box<dyn ChildWrapper>> {
    CommandWrap::with_new(program, |command| {
        command.args(arguments).current_dir(scratch);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    })
    .spawn()
}

/// Sends each line of a stream; ends with the stream.
fn read(stream: impl Read + Send + 'static, sender: Sender<String>) {
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut bytes = Vec::new();
        while let Ok(1..) = stream.read_until(b'\n', &mut bytes) {
            if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                break;
            }
            bytes.clear();
        }
    });
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn check(script: &str, limit: Duration, wanted: Ended, printed: &[&str]) {
        let scratch = tempfile::tempdir().unwrap();
        let mut lines = Vec::new();
        let arguments = ["-c", script].map(OsString::from);
        let ended = run(Path::new("/bin/sh"), &arguments, scratch.path(), Instant::now() + limit, |line| {
            lines.push(line.trim_end().to_owned());
        });
        assert_eq!(ended.unwrap(), wanted);
        lines.sort();
        assert_eq!(lines, printed);
        assert!(scratch.path().exists(), "a scratch folder is its owner's to clear while factgate lives");
    }

    #[test]
    fn status_and_lines_come_through_and_limits_hold() {
        let long = Duration::from_secs(60);
        check("echo one; echo two >&2; exit 12", long, Ended::Exit(Some(12)), &["one", "two"]);
        // Nothing can be read from the pipe that tells the watcher of our end.
        check("cat; echo read", long, Ended::Exit(Some(0)), &["read"]);
        let start = Instant::now();
        check("echo begun; sleep 60; echo never", Duration::from_millis(1500), Ended::Timeout, &["begun"]);
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
