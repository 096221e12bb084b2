//! A view of the repository as the file system that the resolver asks: which files and folders there are, and the text
//! of the few configuration files that resolution reads. Nothing here touches a disk.

use crate::files::{FileError, Files};
use factgate_record::RepoPath;
use oxc_resolver::{FileMetadata, FileSystem, ResolveError};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The view; cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Disk {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    files: HashSet<PathBuf>,
    folders: HashSet<PathBuf>,
    texts: BTreeMap<PathBuf, String>,
}

/// Configuration files larger than this are no configuration.
const CONFIGURATION_LIMIT: usize = 1 << 20;

impl Disk {
    /// Lists a view and reads its configuration files.
    pub(super) fn of(files: &dyn Files) -> Result<Disk, FileError> {
        let mut inner = Inner::default();
        inner.folders.insert(PathBuf::from("/"));
        let mut wanted = Vec::new();
        for path in files.list()? {
            let full = Path::new("/").join(path.as_str());
            for folder in full.ancestors().skip(1) {
                if !inner.folders.insert(folder.to_owned()) {
                    break;
                }
            }
            if is_configuration(path.as_str()) {
                wanted.push(path.clone());
            }
            inner.files.insert(full);
        }
        let mut next = 0;
        while let Some(path) = wanted.get(next).cloned() {
            next += 1;
            let Some(text) = read(files, &path)? else { continue };
            for extended in extended_by(&text) {
                for name in [extended.clone(), format!("{extended}.json")] {
                    if let Ok(base) = path.parent().join(&name)
                        && !wanted.contains(&base)
                        && inner.files.contains(&Path::new("/").join(base.as_str()))
                    {
                        wanted.push(base);
                    }
                }
            }
            inner.texts.insert(Path::new("/").join(path.as_str()), text);
        }
        Ok(Disk { inner: Arc::new(inner) })
    }

    /// Whether the view has this file.
    pub(super) fn has(&self, path: &RepoPath) -> bool {
        self.inner.files.contains(&Path::new("/").join(path.as_str()))
    }

    /// The text of a configuration file.
    pub(super) fn text(&self, path: &RepoPath) -> Option<&str> {
        self.inner.texts.get(&Path::new("/").join(path.as_str())).map(String::as_str)
    }

    /// The configuration files of one name.
    pub(super) fn named<'d>(&'d self, name: &'d str) -> impl Iterator<Item = (&'d Path, &'d str)> {
        self.inner
            .texts
            .iter()
            .filter(move |(path, _)| path.file_name().is_some_and(|last| last == name))
            .map(|(path, text)| (path.as_path(), text.as_str()))
    }
}

fn read(files: &dyn Files, path: &RepoPath) -> Result<Option<String>, FileError> {
    let bytes = files.read(path)?;
    Ok(bytes
        .filter(|bytes| bytes.len() <= CONFIGURATION_LIMIT)
        .and_then(|bytes| String::from_utf8(bytes.to_vec()).ok()))
}

fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "package.json" | "build.zig.zon" | "build.zig")
        || (name.ends_with(".json") && (name.contains("tsconfig") || name.contains("jsconfig")))
}

/// What a `tsconfig.json` extends by a relative path; found as text, since these files hold comments.
fn extended_by(text: &str) -> Vec<String> {
    let Some(at) = text.find("\"extends\"") else { return Vec::new() };
    let rest = &text[at + "\"extends\"".len()..];
    let end = rest.find([']', ',', '}']).unwrap_or(rest.len());
    let end = if rest[..end].contains('[') { rest.find(']').unwrap_or(end) } else { end };
    rest[..end].split('"').filter(|part| part.starts_with('.')).map(str::to_owned).collect()
}

fn missing() -> io::Error {
    io::Error::from(io::ErrorKind::NotFound)
}

impl FileSystem for Disk {
    fn new() -> Disk {
        Disk::default()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_to_string(path).map(String::into_bytes)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        self.inner.texts.get(path).cloned().ok_or_else(missing)
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        let (is_file, is_folder) = (self.inner.files.contains(path), self.inner.folders.contains(path));
        if is_file || is_folder { Ok(FileMetadata::new(is_file, is_folder, false)) } else { Err(missing()) }
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.metadata(path)
    }

    fn read_link(&self, _path: &Path) -> Result<PathBuf, ResolveError> {
        Err(missing().into())
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.metadata(path).map(|_| path.to_owned())
    }
}
