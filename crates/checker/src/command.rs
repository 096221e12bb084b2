//! The engine's command line, and the class archive that makes a small run start fast.

use crate::engine::Engine;
use crate::run::Deadlock;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How one execution of the engine is set up.
#[derive(Clone, Debug)]
pub(crate) struct Setup<'a> {
    pub(crate) engine: &'a Engine,
    /// The class archive, when there is one.
    pub(crate) archive: Option<&'a Path>,
    /// The run's own folder, with its modules.
    pub(crate) scratch: &'a Path,
    /// The root module.
    pub(crate) root: &'a str,
    pub(crate) deadlock: Deadlock,
    pub(crate) workers: u32,
    pub(crate) memory_mb: u64,
    /// Whether the run is long enough for Java's better compiler to pay.
    pub(crate) size: Size,
    /// Whether it is counted how often each action is taken.
    pub(crate) coverage: Coverage,
}

/// Whether the engine counts actions: it takes a third of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// It does.
    Counted,
    /// Nobody asks.
    Left,
}

/// What is known of a run's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Short, or not known.
    Small,
    /// Hundreds of thousands of states.
    Large,
}

/// The folders that an execution needs inside its scratch folder: the engine's states, and Java's temporary files,
/// where TLC unpacks its standard modules (parallel runs would race on a common one).
pub(crate) const FOLDERS: [&str; 2] = ["meta", "tmp"];

/// The arguments of one execution. `-fp 0` and one worker make counterexamples the same every time.
pub(crate) fn arguments(setup: &Setup<'_>, cfg: &str) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["-XX:+UseSerialGC".into(), format!("-Xmx{}m", setup.memory_mb).into()];
    if setup.size == Size::Small {
        arguments.push("-XX:TieredStopAtLevel=1".into());
    }
    if let Some(archive) = setup.archive {
        arguments.push(joined("-XX:SharedArchiveFile=", archive));
        arguments.extend(["-Xshare:auto".into(), "-Xlog:disable".into()]);
    }
    arguments.push(joined("-Djava.io.tmpdir=", &setup.scratch.join("tmp")));
    arguments.extend(["-cp".into(), setup.engine.jar.clone().into(), "tlc2.TLC".into()]);
    arguments.extend(["-tool", "-fp", "0"].map(OsString::from));
    if setup.coverage == Coverage::Counted {
        arguments.extend(["-coverage", "1440"].map(OsString::from));
    }
    arguments.push("-workers".into());
    arguments.push(setup.workers.to_string().into());
    arguments.extend(["-metadir".into(), setup.scratch.join("meta").into()]);
    if setup.deadlock == Deadlock::Ignored {
        // TLC's option switches the check off.
        arguments.push("-deadlock".into());
    }
    arguments.extend(["-config".into(), cfg.into(), setup.root.into()]);
    arguments
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut text = OsString::from(option);
    text.push(path);
    text
}

/// Where the class archive of this engine stands in a cache folder.
pub(crate) fn archive_path(engine: &Engine, cache: &Path) -> PathBuf {
    let java = engine.java.canonicalize().unwrap_or_else(|_| engine.java.clone());
    let mut hasher = blake3::Hasher::new();
    hasher.update(java.as_os_str().as_encoded_bytes());
    hasher.update(engine.jar.as_os_str().as_encoded_bytes());
    hasher.update(engine.sha256.as_bytes());
    cache.join(format!("classes-{}.jsa", &hasher.finalize().to_hex()[..16]))
}
