//! Reads a repository by asking the `git` program, for what libgit2 cannot read: split and sparse indexes, SHA-256,
//! reftable, replaced objects, and ownership that only git's own configuration settles.
//!
//! This is the one place outside `crates/checker` that starts processes. Every call reads only: no optional locks, no
//! hooks, no file-system monitor, no pager, no filters, no prompt, no network.

use crate::backend::{Backend, Found, IndexEntry, Listing, Object, Places, State, hooks_below, merge_stages};
use crate::environment::Environment;
use crate::error::VcsError;
use crate::id::{CommitId, ObjectId};
use crate::ignored::{self, IgnoreRule};
use crate::object::{Kind, Mode};
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A repository that the `git` program reads.
pub(crate) struct Program {
    environment: Environment,
    places: Places,
    readers: Mutex<Vec<Reader>>,
}

/// Why the program could not open a repository.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// There is no `git` on the PATH.
    NotInstalled,
    /// What git said, on one line or several.
    Said(String),
}

impl Program {
    /// Asks git for the repository that it finds from `start`.
    pub(crate) fn open(start: &Path, environment: &Environment) -> Result<Program, Refusal> {
        let mut command = git(start, environment);
        command.args(["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir"]);
        let output = command.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if start.is_dir() => Refusal::NotInstalled,
            _ => Refusal::Said(error.to_string()),
        })?;
        if !output.status.success() {
            return Err(Refusal::Said(said(&output.stderr)));
        }
        let mut lines = output.stdout.split(|byte| *byte == b'\n').map(|line| OsString::from_vec(line.to_vec()));
        let (Some(root), Some(common)) = (lines.next(), lines.next()) else {
            return Err(Refusal::Said("git named no work tree".to_owned()));
        };
        let places = Places { root: PathBuf::from(root), common: PathBuf::from(common) };
        // From here on git runs at the top of the work tree, as it runs its hooks: relative variables mean the same.
        Ok(Program { environment: environment.clone(), places, readers: Mutex::default() })
    }

    fn run(&self, arguments: &[&str]) -> Result<Answer, VcsError> {
        let output = git(&self.places.root, &self.environment).args(arguments).output();
        let output = output.map_err(|error| VcsError::Git(format!("the `git` program does not start: {error}")))?;
        Ok(Answer { good: output.status.success(), bytes: output.stdout, said: said(&output.stderr) })
    }

    /// A path that the configuration gives.
    pub(crate) fn configured_path(&self, key: &str) -> Result<Option<PathBuf>, VcsError> {
        let mut command = Command::new("git");
        command.current_dir(&self.places.root).env_clear().envs(self.environment.variables()).stdin(Stdio::null());
        let output = command.args(["config", "--type=path", "-z", "--get", key]).output();
        let output = output.map_err(|error| VcsError::Git(format!("the `git` program does not start: {error}")))?;
        let value = output.stdout.strip_suffix(b"\0").filter(|_| output.status.success());
        Ok(value.map(|path| PathBuf::from(OsString::from_vec(path.to_vec()))))
    }

    fn run_well(&self, arguments: &[&str]) -> Result<Vec<u8>, VcsError> {
        let answer = self.run(arguments)?;
        if answer.good { Ok(answer.bytes) } else { Err(VcsError::Git(answer.said)) }
    }
}

struct Answer {
    good: bool,
    bytes: Vec<u8>,
    said: String,
}

/// Git's own words, without its prefix.
fn said(stderr: &[u8]) -> String {
    String::from_utf8_lossy(stderr).trim().trim_start_matches("fatal: ").to_owned()
}

/// A git that only reads, and takes paths as they are.
fn git(folder: &Path, environment: &Environment) -> Command {
    let mut command = plain_git(folder, environment);
    command.arg("--literal-pathspecs");
    command
}

/// A git that only reads.
fn plain_git(folder: &Path, environment: &Environment) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder).env_clear().envs(environment.variables()).stdin(Stdio::null());
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    // The second is for gits that do not know the first yet.
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
    command.args(["--no-pager", "--no-optional-locks"]);
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false"]);
    command
}

impl Backend for Program {
    fn places(&self) -> &Places {
        &self.places
    }

    fn object(&self, id: &ObjectId, limit: u64) -> Result<Found, VcsError> {
        let pooled = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let started = |error: io::Error| VcsError::Git(format!("`git cat-file` does not answer: {error}"));
        let mut reader = match pooled {
            Some(reader) => reader,
            None => Reader::start(git(&self.places.root, &self.environment)).map_err(started)?,
        };
        // A reader that failed is dropped: what it still has to say would be taken for the next answer.
        let found = reader.read(id, limit).map_err(started)?;
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
        Ok(found)
    }

    fn head(&self) -> Result<Option<CommitId>, VcsError> {
        let answer = self.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
        match (answer.good, answer.said.is_empty()) {
            (true, _) => commit_id(&answer.bytes).map(Some),
            (false, true) => Ok(None),
            (false, false) => Err(VcsError::Git(answer.said)),
        }
    }

    fn resolve(&self, rev: &str) -> Result<CommitId, VcsError> {
        let wrong = |message: String| VcsError::Revision { rev: rev.to_owned(), message };
        if rev.contains('\0') {
            return Err(wrong("it holds a NUL".to_owned()));
        }
        let answer = self.run(&["rev-parse", "--verify", "--end-of-options", &format!("{rev}^{{commit}}")])?;
        if answer.good { commit_id(&answer.bytes) } else { Err(wrong(answer.said)) }
    }

    fn index(&self) -> Result<Vec<IndexEntry>, VcsError> {
        let listing = self.run_well(&["ls-files", "--stage", "-t", "--debug", "-z"])?;
        parse_index(&listing).map(merge_stages).ok_or_else(|| VcsError::Git("`git ls-files` said something new".into()))
    }

    fn listing(&self, _: &[IndexEntry]) -> Result<Listing, VcsError> {
        let listing = self.run(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        // Git warns of a folder that it cannot read and ends well; but what lies there may be what we look for.
        let closed = listing.said.lines().find_map(|line| line.split_once("could not open directory '"));
        if let Some((path, why)) = closed.and_then(|(_, rest)| rest.rsplit_once("': ")) {
            return Err(VcsError::Closed { path: path.trim_end_matches('/').into(), why: why.to_owned() });
        }
        if !listing.good {
            return Err(VcsError::Git(listing.said));
        }
        let paths = listing.bytes.split(|byte| *byte == 0).filter_map(|path| String::from_utf8(path.to_vec()).ok());
        // A name that ends in `/` is another repository.
        let untracked = paths.filter(|path| !path.is_empty() && !path.ends_with('/')).collect();
        Ok(Listing { untracked, ..Listing::default() })
    }

    fn ignoring(&self, path: &str) -> Result<Option<IgnoreRule>, VcsError> {
        // The command refuses to be told that paths are literal; one with a folder before it begins with no magic.
        let mut command = plain_git(&self.places.root, &self.environment);
        let output = command.args(["check-ignore", "--verbose", &format!("./{path}")]).output();
        let output = output.map_err(|error| VcsError::Git(format!("the `git` program does not start: {error}")))?;
        Ok(ignored::parse(&output.stdout))
    }

    fn history_is_fixed(&self) -> bool {
        false
    }

    fn hooks_folder(&self) -> Result<PathBuf, VcsError> {
        // Not `rev-parse --git-path hooks`: our own calls turn hooks off.
        hooks_below(&self.places, self.configured_path("core.hooksPath")?.as_deref())
    }
}

fn commit_id(answer: &[u8]) -> Result<CommitId, VcsError> {
    let text = String::from_utf8_lossy(answer);
    let last = text.lines().last().unwrap_or_default();
    CommitId::from_hex(last).ok_or_else(|| VcsError::Git(format!("`git rev-parse` said `{text}`")))
}

/// Parses `TAG MODE ID STAGE<TAB>PATH<NUL>`, each followed by lines of which the last ends in `flags: HEX`.
fn parse_index(listing: &[u8]) -> Option<Vec<IndexEntry>> {
    const INTENT_TO_ADD: u32 = 1 << 29;
    let mut entries = Vec::new();
    let mut rest = listing;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == 0)?;
        let tab = rest[..end].iter().position(|byte| *byte == b'\t')?;
        let head = std::str::from_utf8(&rest[..tab]).ok()?;
        let name = &rest[tab + 1..end];
        let after = &rest[end + 1..];
        let mark = b"flags: ";
        let flags_at = after.windows(mark.len()).position(|window| window == mark)? + mark.len();
        let flags_end = flags_at + after[flags_at..].iter().position(|byte| *byte == b'\n')?;
        let flags = u32::from_str_radix(std::str::from_utf8(&after[flags_at..flags_end]).ok()?, 16).ok()?;
        rest = &after[flags_end + 1..];
        let fields: Vec<&str> = head.split(' ').collect();
        let [tag, mode, id, stage] = fields[..] else { return None };
        let state = match (stage, tag) {
            ("0", _) if flags & INTENT_TO_ADD != 0 => State::IntentToAdd,
            ("0", "S" | "s") => State::SkipWorktree,
            ("0", _) => State::Normal,
            _ => State::Unmerged,
        };
        let (mode, id) = (Mode::from_bits(u32::from_str_radix(mode, 8).ok()?), ObjectId::from_hex(id)?);
        if let Ok(path) = String::from_utf8(name.to_vec()) {
            entries.push(IndexEntry { path, mode, id, state });
        }
    }
    Some(entries)
}

/// A `git cat-file --batch` that answers for one thread at a time.
struct Reader {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Reader {
    fn start(mut command: Command) -> io::Result<Reader> {
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (questions, answers) = pipes.ok_or_else(|| io::Error::other("it has no pipes"))?;
        Ok(Reader { child, questions: Some(questions), answers: BufReader::with_capacity(1 << 16, answers) })
    }

    fn read(&mut self, id: &ObjectId, limit: u64) -> io::Result<Found> {
        let closed = || io::Error::other("it ended early");
        let questions = self.questions.as_mut().ok_or_else(closed)?;
        questions.write_all(format!("{id}\n").as_bytes())?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(closed());
        }
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (kind, size) = match fields[..] {
            [_, "missing"] => return Ok(Found::Missing),
            [_, kind, size] => (kind, size.parse::<u64>().map_err(io::Error::other)?),
            _ => return Err(io::Error::other(format!("it said `{}`", line.trim()))),
        };
        let kind = match kind {
            "commit" => Kind::Commit,
            "tree" => Kind::Tree,
            "tag" => Kind::Tag,
            _ => Kind::Blob,
        };
        let mut content = self.answers.by_ref().take(size.saturating_add(1));
        if size > limit {
            io::copy(&mut content, &mut io::sink())?;
            return Ok(Found::TooLarge(size));
        }
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        if bytes.pop() != Some(b'\n') || bytes.len() as u64 != size {
            return Err(closed());
        }
        Ok(Found::Object(Object { kind, bytes }))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        drop(self.questions.take());
        // It ends when its questions end; an error here has nobody left to tell.
        let _ = self.child.wait();
    }
}
