//! The variables that git gives its hooks. A hook's factgate has to see the index that the commit will be made of;
//! a factgate sent to another folder must not.

use crate::repository::Repository;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Variables that point git at one repository, from `git rev-parse --local-env-vars`, configuration left out: what the
/// user said with `git -c` holds everywhere.
const LOCAL: [&str; 12] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Variables whose meaning only git itself implements.
const UNCOMMON: [&str; 8] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_GRAFT_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Variables that configure git, which libgit2 does not read.
const CONFIGURATION: [&str; 5] =
    ["GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_SYSTEM"];

/// A set of environment variables, as git programs and this crate read them.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    vars: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// This process's own: what a hook is given is honoured.
    pub fn inherited() -> Environment {
        Environment { vars: std::env::vars_os().collect() }
    }

    /// This process's own without what points at one repository (for `-C other`).
    pub fn ignored() -> Environment {
        let mut environment = Environment::inherited();
        environment.vars.retain(|name, _| !LOCAL.iter().any(|local| name == local));
        environment
    }

    /// For `-C FOLDER`: that of another repository is not pointed at by ours; but a folder of the repository whose hook
    /// we run in has the index that the commit will be made of, wherever in it we are sent.
    pub fn of_folder(folder: &Path) -> Environment {
        let (inherited, ignored) = (Environment::inherited(), Environment::ignored());
        let Some(index) = inherited.get("GIT_INDEX_FILE") else { return ignored };
        let work_tree = |start: &Path, environment: &Environment| {
            let found = Repository::discover(start, environment).ok()?;
            Some((found.worktree_root().canonicalize().ok()?, found.common_dir().canonicalize().ok()?))
        };
        let (here, there) = (work_tree(Path::new("."), &inherited), work_tree(folder, &ignored));
        // Git reads a relative name from the top of the work tree, which is the same one.
        if here.is_some() && here == there { ignored.with("GIT_INDEX_FILE", index) } else { ignored }
    }

    /// With one variable set.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl AsRef<OsStr>) -> Environment {
        self.vars.insert(name.into(), value.as_ref().to_owned());
        self
    }

    /// A variable that is set and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.vars.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// All variables, for a child process.
    pub fn variables(&self) -> impl Iterator<Item = (&OsString, &OsString)> {
        self.vars.iter()
    }

    /// Whether a variable configures git beside its files.
    pub(crate) fn configures(&self) -> bool {
        CONFIGURATION.iter().any(|name| self.vars.contains_key(OsStr::new(name)))
    }

    /// The first variable that only git itself understands.
    pub(crate) fn uncommon(&self) -> Option<&'static str> {
        UNCOMMON.into_iter().find(|name| self.get(name).is_some())
    }
}
