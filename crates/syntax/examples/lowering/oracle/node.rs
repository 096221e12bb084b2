//! Programs in Node.js, many in one process.

use std::io::Write;
use std::process::{Command, Stdio};

const DRIVER: &str = include_str!("driver.js");

/// One program for the driver: its tape and its text.
pub(crate) struct Job {
    pub(crate) tape: Vec<u8>,
    pub(crate) text: String,
}

/// Whether there is a `node` to run.
pub(crate) fn is_there() -> bool {
    let version = Command::new("node").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// What each program does, an event a line.
pub(crate) fn traces(jobs: &[Job]) -> std::io::Result<Vec<Vec<String>>> {
    let mut child = Command::new("node").args(["-e", DRIVER]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = String::new();
    for job in jobs {
        let tape: Vec<String> = job.tape.iter().map(u8::to_string).collect();
        input += &format!("{}\n{}\n\u{1}\n", tape.join(" "), job.text);
    }
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut found: Vec<_> = text.split("\n\u{1}\n").map(|part| part.lines().map(str::to_owned).collect()).collect();
    found.pop();
    if found.len() != jobs.len() {
        return Err(std::io::Error::other(format!("node ran {} of {} programs", found.len(), jobs.len())));
    }
    Ok(found)
}
