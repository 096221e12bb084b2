//! A view of the repository as the file system that the resolver asks: which files and folders there are, and the text
//! of the few configuration files that resolution reads. Nothing here touches a disk.

use super::{extends, manifests, spellings};
use crate::files::{FileError, Files};
use factgate_record::RepoPath;
use oxc_resolver::{FileMetadata, FileSystem, ResolveError};
use std::collections::{BTreeMap, BTreeSet, HashSet};
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
        for path in wanted {
            if let Some(text) = read(files, &path)? {
                inner.texts.insert(Path::new("/").join(path.as_str()), text);
            }
        }
        inner.take_script_configurations();
        inner.follow_extends(files)?;
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

    /// Whatever the build files could call a package.
    pub(super) fn zig_names(&self) -> BTreeSet<String> {
        let texts = ["build.zig", "build.zig.zon"].into_iter().flat_map(|name| self.named(name));
        texts.flat_map(|(_, text)| spellings::zig_names(text)).collect()
    }

    /// The packages of the repository, by name, with their folders.
    pub(super) fn packages(&self) -> BTreeMap<String, PathBuf> {
        packages_of(&self.inner.texts)
    }

    /// Every configuration file but those of package managers alone.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&Path, &str)> {
        let is_asked = |path: &Path| path.extension().is_none_or(|ending| ending != "yaml" && ending != "yml");
        let all = self.inner.texts.iter().filter(move |(path, _)| is_asked(path));
        all.map(|(path, text)| (path.as_path(), text.as_str()))
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

impl Inner {
    /// A `jsconfig.json` is read as the `tsconfig.json` that its folder does not have.
    fn take_script_configurations(&mut self) {
        let scripts =
            self.texts.iter().filter(|(path, _)| path.file_name().is_some_and(|name| name == "jsconfig.json"));
        let taken: Vec<(PathBuf, String)> =
            scripts.map(|(path, text)| (path.with_file_name("tsconfig.json"), with_scripts(text))).collect();
        for (path, text) in taken {
            if self.files.insert(path.clone()) {
                self.texts.insert(path, text);
            }
        }
    }

    /// Reads what configurations extend, and writes into their texts where it is.
    fn follow_extends(&mut self, files: &dyn Files) -> Result<(), FileError> {
        let none = PathBuf::from(extends::NONE);
        self.files.insert(none.clone());
        self.texts.insert(none, "{}".to_owned());
        let packages = packages_of(&self.texts);
        let is_typescript =
            |path: &&PathBuf| path.to_str().is_some_and(|path| is_compiler_configuration(name_of(path)));
        let mut queue: Vec<PathBuf> = self.texts.keys().filter(is_typescript).cloned().collect();
        let mut next = 0;
        while let Some(path) = queue.get(next).cloned() {
            next += 1;
            let Some(mut text) = self.texts.get(&path).cloned() else { continue };
            let folder = path.parent().unwrap_or(Path::new("/"));
            let specifiers: Vec<_> =
                extends::specifiers(&text).into_iter().map(|(at, to)| (at, to.to_owned())).collect();
            for (at, specifier) in specifiers.into_iter().rev() {
                let places = extends::places(folder, &specifier, &|name| packages.get(name).cloned());
                let found = places.into_iter().find(|place| self.files.contains(place) || specifier.starts_with('#'));
                let target = found.unwrap_or_else(|| PathBuf::from(extends::NONE));
                if self.files.contains(&target) && !queue.contains(&target) {
                    let name = target.strip_prefix("/").unwrap_or(&target).to_string_lossy().into_owned();
                    let known = self.texts.contains_key(&target);
                    let loaded = if known { None } else { read(files, &RepoPath::from_git(name))? };
                    self.texts.extend(loaded.map(|text| (target.clone(), text)));
                    queue.push(target.clone());
                }
                text.replace_range(at, &target.to_string_lossy());
            }
            self.texts.insert(path, text);
        }
        Ok(())
    }
}

/// A `jsconfig.json` is a `tsconfig.json` that allows JavaScript.
fn with_scripts(text: &str) -> String {
    const KEY: &str = "\"compilerOptions\"";
    let brace = text.find(KEY).and_then(|at| Some(at + text[at..].find('{')? + 1));
    match brace {
        Some(at) => format!("{} \"allowJs\": true, {}", &text[..at], &text[at..]),
        None => text.to_owned(),
    }
}

/// The packages of the repository, by name, with their folders. Of several of one name, as tests' fixtures have them,
/// the one that a workspace lists, or else the outermost.
fn packages_of(texts: &BTreeMap<PathBuf, String>) -> BTreeMap<String, PathBuf> {
    let of_packages = texts.iter().filter(|(path, _)| path.file_name().is_some_and(|name| name == "package.json"));
    let parsed: Vec<(&Path, serde_json::Value)> =
        of_packages.filter_map(|(path, text)| Some((path.parent()?, serde_json::from_str(text).ok()?))).collect();
    let mut listed = globset::GlobSetBuilder::new();
    let of_pnpm = texts.iter().filter(|(path, _)| path.file_name().is_some_and(|name| name == manifests::NAMES[1]));
    let of_pnpm: Vec<(&Path, serde_json::Value)> =
        of_pnpm.filter_map(|(path, text)| Some((path.parent()?, serde_saphyr::from_str(text).ok()?))).collect();
    for (folder, manifest) in parsed.iter().chain(&of_pnpm) {
        let workspaces = manifest.get("workspaces").or_else(|| manifest.get("packages"));
        let list = workspaces.and_then(|all| all.as_array().or_else(|| all.get("packages")?.as_array()));
        for pattern in list.into_iter().flatten().filter_map(|pattern| pattern.as_str()) {
            let whole = folder.join(pattern.trim_start_matches("./").trim_end_matches('/'));
            let glob = globset::GlobBuilder::new(&whole.to_string_lossy()).literal_separator(true).build();
            if let Ok(glob) = glob {
                listed.add(glob);
            }
        }
    }
    let listed = listed.build().unwrap_or_default();
    let mut packages: BTreeMap<String, PathBuf> = BTreeMap::new();
    let rank = |folder: &Path| (!listed.is_match(folder), folder.components().count());
    for (folder, package) in &parsed {
        let Some(name) = package.get("name").and_then(|name| name.as_str()) else { continue };
        let known = packages.entry(name.to_owned()).or_insert_with(|| folder.to_path_buf());
        if rank(folder) < rank(known) {
            *known = folder.to_path_buf();
        }
    }
    packages
}

fn read(files: &dyn Files, path: &RepoPath) -> Result<Option<String>, FileError> {
    let bytes = files.read(path)?;
    Ok(bytes
        .filter(|bytes| bytes.len() <= CONFIGURATION_LIMIT)
        .and_then(|bytes| String::from_utf8(bytes.to_vec()).ok())
        .map(|text| text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
}

fn is_configuration(path: &str) -> bool {
    let name = name_of(path);
    manifests::NAMES.contains(&name) || matches!(name, "build.zig.zon" | "build.zig") || is_compiler_configuration(name)
}

fn is_compiler_configuration(name: &str) -> bool {
    name.ends_with(".json") && (name.contains("tsconfig") || name.contains("jsconfig"))
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
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
