//! Module resolution: from a specifier in one file to another file of the view.
//!
//! TypeScript and JavaScript go through `oxc_resolver` (specifiers, extensions, index files, `tsconfig.json`,
//! `package.json`), which reads the view as if it were a disk, and then through the packages of the same repository;
//! Zig's `@import` is a path, or a name that `build.zig.zon` or `build.zig` gives to one.

use super::conditions::Conditions;
use super::disk::Disk;
use super::extends::normal;
use crate::files::{FileError, Files};
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use factgate_syntax::languages::Modules;
use oxc_resolver::{ResolveError, ResolveOptions, ResolverGeneric, TsconfigDiscovery};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where a specifier leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// To a file of the view.
    File(RepoPath),
    /// Certainly out of the repository: the platform's own modules.
    Platform,
    /// Nobody knows.
    Unresolved,
}

/// Resolves specifiers in one view.
pub(super) struct Resolver {
    node: ResolverGeneric<Disk>,
    /// The same without `tsconfig.json`: a broken one must not hide relative imports.
    plain: ResolverGeneric<Disk>,
    /// Packages of the repository by the names that they are imported by.
    packages: BTreeMap<String, Package>,
    /// Packages that the repository's packages depend on and that come from elsewhere.
    outside: BTreeSet<String>,
    pub(super) disk: Disk,
    pub(super) conditions: Conditions,
    /// Whether a `rootDirs` may lead a relative specifier to another place than it names.
    pub(super) has_other_roots: bool,
    closed: OnceLock<Vec<(String, RepoPath)>>,
    /// What specifiers begin with that patterns of configurations stand for.
    pub(super) prefixes: OnceLock<BTreeSet<String>>,
    /// Specifiers that configurations give to files, however the files are called.
    pub(super) given: OnceLock<BTreeMap<RepoPath, BTreeSet<String>>>,
}

impl Resolver {
    /// Reads the configuration files that resolution depends on.
    pub(super) fn new(files: &dyn Files) -> Result<Resolver, FileError> {
        let disk = Disk::of(files)?;
        let node = ResolverGeneric::new_with_file_system(disk.clone(), options());
        let without = ResolveOptions { tsconfig: None, ..options() };
        let plain = ResolverGeneric::new_with_file_system(disk.clone(), without);
        let packages = packages(&disk);
        let outside = disk.named("package.json").flat_map(|(_, text)| dependencies(text)).collect();
        let conditions = Conditions::of(disk.named("package.json"));
        let has_other_roots = disk.texts().any(|(_, text)| text.contains("\"rootDirs\""));
        Ok(Resolver {
            has_other_roots,
            node,
            plain,
            packages,
            outside,
            disk,
            conditions,
            given: OnceLock::new(),
            closed: OnceLock::new(),
            prefixes: OnceLock::new(),
        })
    }

    /// Where `specifier` leads when `from` says it.
    pub(super) fn resolve(&self, from: &RepoPath, specifier: &str) -> Found {
        if language_for_path(from.as_str()).is_some_and(|language| language.modules == Modules::ZigPaths) {
            return self.resolve_zig(from, specifier);
        }
        let file = Path::new("/").join(from.as_str());
        match self.node.resolve_file(&file, specifier) {
            Ok(found) => self.file_of(found.path()),
            Err(ResolveError::Builtin { .. } | ResolveError::Ignored(_)) => Found::Platform,
            Err(_) if is_foreign(specifier) => Found::Platform,
            Err(_) => {
                // Bundlers and test runners ask `paths` for JavaScript, too.
                let beside = || self.node.resolve_file(file.with_file_name("_.ts"), specifier);
                match self.plain.resolve_file(&file, specifier).or_else(|_| beside()) {
                    Ok(found) => self.file_of(found.path()),
                    Err(_) => self.resolve_package(specifier),
                }
            }
        }
    }

    /// The packages whose own module nobody finds, as those that are built first, with their folders.
    pub(super) fn closed(&self) -> &[(String, RepoPath)] {
        self.closed.get_or_init(|| {
            let own = self.packages.iter().filter(|(name, package)| **name == package.name);
            let folders = own.map(|(name, package)| (name.clone(), repo_path(&package.folder)));
            let is_closed = |(name, folder): &(String, RepoPath)| {
                let inside = folder.join("package.json").unwrap_or_else(|_| folder.clone());
                !matches!(self.resolve(&inside, name), Found::File(_))
            };
            folders.filter(is_closed).collect()
        })
    }

    fn file_of(&self, path: &Path) -> Found {
        match path.strip_prefix("/").ok().and_then(Path::to_str) {
            // Code in a language that is not read: it may hand on what it imports.
            Some(path) if language_for_path(path).is_none() && !is_foreign(path) => Found::Unresolved,
            Some(path) => Found::File(RepoPath::from_git(path)),
            None => Found::Unresolved,
        }
    }

    /// A bare specifier that names a package of this repository: what `node_modules` would link to. Its own
    /// `exports` are asked first; where they name built files that are not there, the sources are looked for.
    fn resolve_package(&self, specifier: &str) -> Found {
        let (name, rest) = split_package(specifier);
        let Some(package) = self.packages.get(name) else {
            return if self.outside.contains(name) { Found::Platform } else { Found::Unresolved };
        };
        let inside = package.folder.join("package.json");
        let own = format!("{}{}", package.name, &specifier[name.len()..]);
        if let Ok(found) = self.node.resolve_file(&inside, &own).or_else(|_| match rest {
            "" => self.node.resolve_file(&inside, "."),
            _ => self.node.resolve_file(&inside, &format!("./{rest}")),
        }) {
            return self.file_of(found.path());
        }
        let rest = rest.strip_suffix(".js").unwrap_or(rest);
        let stem = if rest.is_empty() { "index" } else { rest };
        for folder in ["src", "", "lib", "source"] {
            let request = format!("./{}", Path::new(folder).join(stem).display());
            if let Ok(found) = self.node.resolve_file(&inside, &request) {
                return self.file_of(found.path());
            }
        }
        Found::Unresolved
    }

    fn resolve_zig(&self, from: &RepoPath, specifier: &str) -> Found {
        if specifier.ends_with(".zig") {
            return match from.parent().join(specifier) {
                Ok(path) if self.disk.has(&path) => Found::File(path),
                _ => Found::Unresolved,
            };
        }
        if matches!(specifier, "std" | "builtin") {
            return Found::Platform;
        }
        let found = super::zig_packages::find(&self.disk, from, specifier).into_iter().next();
        found.map_or(Found::Unresolved, Found::File)
    }
}

/// A package of the repository.
struct Package {
    folder: PathBuf,
    /// Its own name, which it may be imported by another than.
    name: String,
}

/// The packages by their own names, and by those of dependencies that say where they are (`"core": "file:../core"`).
fn packages(disk: &Disk) -> BTreeMap<String, Package> {
    let own = disk.packages();
    let by_folder: BTreeMap<&PathBuf, &String> = own.iter().map(|(name, folder)| (folder, name)).collect();
    let package = |name: &str, folder: &PathBuf| Package { folder: folder.clone(), name: name.to_owned() };
    let mut packages: BTreeMap<String, Package> =
        own.iter().map(|(name, folder)| (name.clone(), package(name, folder))).collect();
    for (path, text) in disk.named("package.json") {
        for (name, place) in depended_on(text) {
            if let Some((own, folder)) = aliased(&place).and_then(|name| own.get_key_value(name)) {
                packages.entry(name.clone()).or_insert_with(|| package(own, folder));
            }
            let Some(place) = local_place(&place) else { continue };
            let folder = normal(&path.with_file_name(place));
            if disk.has_configuration(&folder.join("package.json")) {
                let own = by_folder.get(&folder).map_or(name.clone(), |own| (*own).clone());
                packages.entry(name).or_insert_with(|| package(&own, &folder));
            }
        }
    }
    packages
}

/// Where a dependency's version says that it is in this repository.
fn local_place(version: &str) -> Option<&str> {
    let place = ["workspace:", "file:", "link:", "portal:"].iter().find_map(|inside| version.strip_prefix(inside));
    place.or(Some(version)).filter(|place| place.starts_with('.'))
}

/// The package of this repository that a dependency's version calls by another name: `workspace:core@*`.
fn aliased(version: &str) -> Option<&str> {
    let (name, _) = version.strip_prefix("workspace:")?.rsplit_once('@')?;
    Some(name).filter(|name| !name.is_empty())
}

/// A path of the disk as one of the repository.
pub(super) fn repo_path(path: &Path) -> RepoPath {
    RepoPath::from_git(path.to_string_lossy().trim_start_matches('/'))
}

/// Modules of the platform, and files that hold no functions: styles, pictures, data.
fn is_foreign(specifier: &str) -> bool {
    const PLATFORMS: [&str; 5] = ["node:", "bun:", "cloudflare:", "https:", "data:"];
    const ENDINGS: [&str; 20] = [
        "css", "scss", "sass", "less", "svg", "png", "jpg", "jpeg", "gif", "webp", "ico", "woff", "woff2", "ttf",
        "json", "txt", "md", "html", "wasm", "node",
    ];
    let file = specifier.split('?').next().unwrap_or(specifier);
    PLATFORMS.iter().any(|platform| specifier.starts_with(platform))
        || file.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// What a `package.json` depends on by a version, and so from outside the repository.
fn dependencies(text: &str) -> Vec<String> {
    const INSIDE: [&str; 7] = ["workspace:", "file:", "link:", "portal:", ".", "/", "~/"];
    let outside = |version: &str| !INSIDE.iter().any(|inside| version.starts_with(inside));
    depended_on(text).into_iter().filter(|(_, version)| outside(version)).map(|(name, _)| name).collect()
}

/// The names of dependencies that a `package.json` gives a folder.
pub(super) fn local_dependencies(text: &str) -> impl Iterator<Item = String> {
    let is_local = |version: &str| local_place(version).is_some() || aliased(version).is_some();
    depended_on(text).into_iter().filter(move |(_, version)| is_local(version)).map(|(name, _)| name)
}

/// What a `package.json` depends on, with the versions that it says.
fn depended_on(text: &str) -> Vec<(String, String)> {
    const KEYS: [&str; 4] = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    let Ok(parsed) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let tables = KEYS.iter().filter_map(|key| parsed.get(key)?.as_object());
    tables.flatten().filter_map(|(name, version)| Some((name.clone(), version.as_str()?.to_owned()))).collect()
}

/// `@scope/name/rest` and `name/rest`.
pub(super) fn split_package(specifier: &str) -> (&str, &str) {
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    let end = specifier.match_indices('/').nth(parts - 1).map_or(specifier.len(), |(at, _)| at);
    (&specifier[..end], specifier[end..].trim_start_matches('/'))
}

/// TypeScript's `bundler` resolution, which accepts what `node16` and `classic` projects write, too. Declarations are
/// left aside: they hold no calls.
fn options() -> ResolveOptions {
    let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let alias = |from: &str, to: &[&str]| (from.to_owned(), words(to));
    ResolveOptions {
        cwd: Some(PathBuf::from("/")),
        tsconfig: Some(TsconfigDiscovery::Auto),
        extensions: words(&[".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"]),
        extension_alias: vec![
            alias(".js", &[".ts", ".tsx", ".js", ".jsx"]),
            alias(".jsx", &[".tsx", ".jsx"]),
            alias(".mjs", &[".mts", ".mjs"]),
            alias(".cjs", &[".cts", ".cjs"]),
        ],
        condition_names: words(&["import", "require", "node", "default", "source", "development"]),
        main_fields: words(&["source", "module", "main"]),
        builtin_modules: true,
        node_path: false,
        symlinks: false,
        ..ResolveOptions::default()
    }
}
