//! Reads a repository through libgit2, in this process. A handle of the library is used by one thread at a time, so
//! there is a pool of them. What the library cannot read is said by `refuses`, before anything is believed.

use crate::backend::{Backend, Found, IndexEntry, Listing, Object, Places, State, hooks_below, merge_stages};
use crate::environment::Environment;
use crate::error::VcsError;
use crate::excludes::Excludes;
use crate::id::{CommitId, ObjectId};
use crate::ignored::IgnoreRule;
use crate::object::{Kind, Mode};
use crate::open;
use crate::program::{Program, Refusal};
use crate::untracked;
use git2::{ErrorCode, IndexEntryExtendedFlag, ObjectType, RepositoryOpenFlags};
use gix_ignore::glob::pattern::Case;
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A repository that libgit2 reads.
pub(crate) struct Library {
    start: PathBuf,
    environment: Environment,
    places: Places,
    git_dir: PathBuf,
    index_file: PathBuf,
    handles: Mutex<Vec<git2::Repository>>,
    /// What `refuses` read, for the first who asks: it is read again once the file is another.
    first: Mutex<Option<(Stamp, Vec<IndexEntry>)>>,
}

/// Git replaces its index by renaming a new file over it: another file has another number, time or size.
type Stamp = (u64, i64, i64, u64);

impl Library {
    /// Finds and opens the repository that git itself would find from `start`.
    pub(crate) fn open(start: &Path, environment: &Environment) -> Result<Library, git2::Error> {
        // History reads every object once: the library's cache would only grow. Git itself does not hash what it
        // reads either.
        git2::opts::enable_caching(false);
        git2::opts::strict_hash_verification(false);
        let repository = match environment.get("GIT_DIR") {
            Some(folder) => git2::Repository::open(start.join(folder))?,
            None => {
                let ceilings = environment.get("GIT_CEILING_DIRECTORIES").unwrap_or_default();
                let ceilings: Vec<PathBuf> = std::env::split_paths(ceilings).collect();
                git2::Repository::open_ext(start, RepositoryOpenFlags::empty(), ceilings)?
            }
        };
        let root = work_tree(&repository, start, environment)?;
        let git_dir = repository.path().to_path_buf();
        // Git reads a relative GIT_INDEX_FILE from the top of the work tree, where it runs its hooks.
        let index_file = environment.get("GIT_INDEX_FILE").map_or(git_dir.join("index"), |file| root.join(file));
        let places = Places { root, common: repository.commondir().to_path_buf() };
        let handles = Mutex::new(vec![repository]);
        let (start, environment) = (start.to_path_buf(), environment.clone());
        Ok(Library { start, environment, places, git_dir, index_file, handles, first: Mutex::default() })
    }

    /// Whether libgit2 can read the index; what it says when not.
    pub(crate) fn refuses(&self) -> Option<String> {
        let stamp = self.stamp();
        match self.read_index() {
            Ok(entries) => {
                if let (Some(stamp), Ok(mut first)) = (stamp, self.first.lock()) {
                    *first = Some((stamp, entries));
                }
                None
            }
            Err(error) => Some(error.message().to_owned()),
        }
    }

    fn stamp(&self) -> Option<Stamp> {
        let found = fs::metadata(&self.index_file).ok()?;
        Some((found.ino(), found.mtime(), found.mtime_nsec(), found.size()))
    }

    fn read_index(&self) -> Result<Vec<IndexEntry>, git2::Error> {
        let index = git2::Index::open(&self.index_file)?;
        Ok(merge_stages(index.iter().filter_map(|entry| index_entry(&entry)).collect()))
    }

    /// The top of the work tree.
    pub(crate) fn root(&self) -> &Path {
        &self.places.root
    }

    /// Whether the work tree or the repository belongs to another user.
    pub(crate) fn is_foreign(&self) -> bool {
        open::is_foreign(&[&self.places.root, &self.places.root.join(".git"), &self.git_dir])
    }

    /// Whether `git replace` put other objects in the place of some, which libgit2 overlooks.
    pub(crate) fn replaces_objects(&self) -> bool {
        let loose = fs::read_dir(self.places.common.join("refs/replace"));
        let packed = fs::read(self.places.common.join("packed-refs")).unwrap_or_default();
        loose.is_ok_and(|mut entries| entries.next().is_some())
            || packed.split(|byte| *byte == b'\n').any(|line| line.windows(14).any(|text| text == b" refs/replace/"))
    }

    /// The user's own file of rules (`core.excludesFile`).
    fn excludes_file(&self, repository: &git2::Repository) -> Result<Option<PathBuf>, VcsError> {
        let home = || Some(PathBuf::from(self.environment.get("HOME")?).join(".config"));
        let folder = || self.environment.get("XDG_CONFIG_HOME").map(PathBuf::from).or_else(home);
        let told = self.configured_path(repository, "core.excludesFile")?;
        Ok(told.or_else(|| Some(folder()?.join("git/ignore"))))
    }

    /// A path that git's configuration gives. The library overlooks what comes from the environment (`git -c`) and
    /// includes that depend on a remote's address: then the program is asked.
    fn configured_path(&self, repository: &git2::Repository, key: &str) -> Result<Option<PathBuf>, VcsError> {
        let configuration = repository.config()?;
        let depends = configuration.entries(Some("^includeif\\.hasconfig:"))?.next().is_some();
        if !depends && !self.environment.configures() {
            return Ok(configuration.get_path(key).ok());
        }
        match Program::open(&self.start, &self.environment) {
            Ok(program) => program.configured_path(key),
            Err(Refusal::Said(message)) => Err(VcsError::Git(message)),
            Err(Refusal::NotInstalled) => Ok(configuration.get_path(key).ok()),
        }
    }

    /// Runs with a handle that no other thread has.
    fn with<T>(&self, run: impl FnOnce(&git2::Repository) -> Result<T, VcsError>) -> Result<T, VcsError> {
        let pooled = self.handles.lock().ok().and_then(|mut handles| handles.pop());
        let handle = match pooled {
            Some(handle) => handle,
            None => git2::Repository::open(&self.git_dir)?,
        };
        let result = run(&handle);
        if let Ok(mut handles) = self.handles.lock() {
            handles.push(handle);
        }
        result
    }
}

/// The top of the work tree: git takes the current folder when it is told `GIT_DIR` alone, unless the repository's own
/// configuration or a linked worktree says another.
fn work_tree(repository: &git2::Repository, start: &Path, environment: &Environment) -> Result<PathBuf, git2::Error> {
    let told = environment.get("GIT_DIR").is_some();
    let says_itself = repository.is_worktree() || repository.config()?.get_path("core.worktree").is_ok();
    if told && !says_itself && !repository.is_bare() {
        return Ok(start.to_path_buf());
    }
    let bare = || git2::Error::new(ErrorCode::BareRepo, git2::ErrorClass::Repository, "bare repository");
    repository.workdir().map(Path::to_path_buf).ok_or_else(bare)
}

impl Backend for Library {
    fn places(&self) -> &Places {
        &self.places
    }

    fn object(&self, id: &ObjectId, limit: u64) -> Result<Found, VcsError> {
        let Ok(oid) = git2::Oid::from_bytes(id.as_bytes()) else { return Ok(Found::Missing) };
        self.with(|repository| {
            let odb = repository.odb()?;
            if limit < u64::MAX {
                match odb.read_header(oid) {
                    Ok((size, _)) if size as u64 > limit => return Ok(Found::TooLarge(size as u64)),
                    Ok(_) => {}
                    Err(error) if error.code() == ErrorCode::NotFound => return Ok(Found::Missing),
                    Err(error) => return Err(error.into()),
                }
            }
            match odb.read(oid) {
                Ok(object) => {
                    let kind = match object.kind() {
                        ObjectType::Commit => Kind::Commit,
                        ObjectType::Tree => Kind::Tree,
                        ObjectType::Tag => Kind::Tag,
                        _ => Kind::Blob,
                    };
                    Ok(Found::Object(Object { kind, bytes: object.data().to_vec() }))
                }
                Err(error) if error.code() == ErrorCode::NotFound => Ok(Found::Missing),
                Err(error) => Err(error.into()),
            }
        })
    }

    fn head(&self) -> Result<Option<CommitId>, VcsError> {
        self.with(|repository| match repository.head() {
            Ok(head) => Ok(Some(commit_id(head.peel_to_commit()?.id())?)),
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        })
    }

    fn resolve(&self, rev: &str) -> Result<CommitId, VcsError> {
        self.with(|repository| {
            let found = repository.revparse_single(rev).and_then(|object| object.peel_to_commit());
            let wrong = |error: git2::Error| VcsError::Revision { rev: rev.into(), message: error.message().into() };
            commit_id(found.map_err(wrong)?.id())
        })
    }

    fn index(&self) -> Result<Vec<IndexEntry>, VcsError> {
        let first = self.first.lock().ok().and_then(|mut first| first.take());
        match first.filter(|(stamp, _)| Some(*stamp) == self.stamp()) {
            Some((_, entries)) => Ok(entries),
            None => Ok(self.read_index()?),
        }
    }

    fn listing(&self, index: &[IndexEntry]) -> Result<Listing, VcsError> {
        let (users, case) = self.with(|repository| {
            let folds = repository.config()?.get_bool("core.ignoreCase").unwrap_or(false);
            Ok((self.excludes_file(repository)?, if folds { Case::Fold } else { Case::Sensitive }))
        })?;
        let left_out = index.iter().filter(|entry| entry.state == State::SkipWorktree);
        let sparse: HashMap<&str, &IndexEntry> = left_out.map(|entry| (entry.path.as_str(), entry)).collect();
        let of_index = |path: &str| {
            let Some(entry) = sparse.get(path) else { return Ok(None) };
            match self.object(&entry.id, u64::MAX)? {
                Found::Object(object) => Ok(Some(object.bytes)),
                _ => Ok(None),
            }
        };
        let files = users.into_iter().chain([self.places.common.join("info/exclude")]);
        untracked::walk(&self.places.root, index, &Excludes::new(&self.places.root, files, case, &of_index))
    }

    /// Only git itself names the rule. Without the program nothing is said: that is a word less, and no wrong one.
    fn ignoring(&self, path: &str) -> Result<Option<IgnoreRule>, VcsError> {
        match Program::open(&self.start, &self.environment) {
            Ok(program) => program.ignoring(path),
            Err(Refusal::Said(message)) => Err(VcsError::Git(message)),
            Err(Refusal::NotInstalled) => Ok(None),
        }
    }

    fn history_is_fixed(&self) -> bool {
        true
    }

    fn hooks_folder(&self) -> Result<PathBuf, VcsError> {
        self.with(|repository| {
            let told = self.configured_path(repository, "core.hooksPath")?;
            hooks_below(&self.places, told.as_deref())
        })
    }
}

fn commit_id(oid: git2::Oid) -> Result<CommitId, VcsError> {
    let odd = || VcsError::Git(format!("object name {oid} has an unknown length"));
    ObjectId::from_bytes(oid.as_bytes()).map(CommitId).ok_or_else(odd)
}

/// One stage of a path; `None` when its name is not UTF-8.
fn index_entry(entry: &git2::IndexEntry) -> Option<IndexEntry> {
    const STAGE: u16 = 0x3000;
    let has = |flag: IndexEntryExtendedFlag| entry.flags_extended & flag.bits() != 0;
    let state = if entry.flags & STAGE != 0 {
        State::Unmerged
    } else if has(IndexEntryExtendedFlag::INTENT_TO_ADD) {
        State::IntentToAdd
    } else if has(IndexEntryExtendedFlag::SKIP_WORKTREE) {
        State::SkipWorktree
    } else {
        State::Normal
    };
    let path = String::from_utf8(entry.path.clone()).ok()?;
    Some(IndexEntry { path, mode: Mode::from_bits(entry.mode), id: ObjectId::from_bytes(entry.id.as_bytes())?, state })
}
