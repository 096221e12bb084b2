//! Module resolution: from a specifier in one file to another file of the view.
//!
//! TypeScript and JavaScript go through `oxc_resolver` (specifiers, extensions, index files, `tsconfig.json`,
//! `package.json`), which reads the view as if it were a disk, and then through the packages of the same repository;
//! Zig's `@import` is a path, or a name that `build.zig.zon` or `build.zig` gives to one.

use super::conditions::Conditions;
use super::disk::Disk;
use super::manifests::{Dependency, Manifests, Package};
use super::outside::Stand;
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
    pub(super) manifests: Manifests,
    /// The files that stand for watched modules outside of the repository.
    pub(super) stand: Stand,
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
        let manifests = Manifests::of(&disk);
        let conditions = Conditions::of(disk.named("package.json"));
        let has_other_roots = disk.texts().any(|(_, text)| text.contains("\"rootDirs\""));
        Ok(Resolver {
            has_other_roots,
            node,
            plain,
            manifests,
            stand: Stand::default(),
            disk,
            conditions,
            given: OnceLock::new(),
            closed: OnceLock::new(),
            prefixes: OnceLock::new(),
        })
    }

    /// Where `specifier` leads when `from` says it.
    pub(super) fn resolve(&self, from: &RepoPath, specifier: &str) -> Found {
        match self.resolve_here(from, specifier) {
            Found::File(file) => Found::File(file),
            other => self.stand.find(&self.manifests, from, specifier).cloned().map_or(other, Found::File),
        }
    }

    fn resolve_here(&self, from: &RepoPath, specifier: &str) -> Found {
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
                    Err(_) if specifier.starts_with('#') => self.resolve_own_import(from, specifier),
                    Err(_) => self.resolve_package(&file, specifier),
                }
            }
        }
    }

    /// What the package around a file calls `#x`: another package of the repository may stand behind it.
    fn resolve_own_import(&self, from: &RepoPath, specifier: &str) -> Found {
        self.under_conditions(from, specifier).into_iter().next().map_or(Found::Unresolved, Found::File)
    }

    /// The packages whose own module nobody finds, as those that are built first, with their folders.
    pub(super) fn closed(&self) -> &[(String, RepoPath)] {
        self.closed.get_or_init(|| {
            let folders = self.manifests.packages().map(|(name, folder)| (name.clone(), repo_path(folder)));
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

    fn resolve_package(&self, from: &Path, specifier: &str) -> Found {
        let found = self.manifests.find(from, split_package(specifier).0);
        match found.into_iter().next() {
            Some(Dependency::Inside(package)) => self.resolve_inside(&package, specifier),
            Some(Dependency::Outside(_)) => Found::Platform,
            Some(Dependency::Unknown) | None => Found::Unresolved,
        }
    }

    /// Every package of this repository that a bare specifier may name.
    pub(super) fn in_packages(&self, from: &Path, specifier: &str) -> impl Iterator<Item = Found> {
        let found = self.manifests.find(from, split_package(specifier).0);
        let inside =
            found.into_iter().filter_map(|one| if let Dependency::Inside(one) = one { Some(one) } else { None });
        inside.map(move |package| self.resolve_inside(&package, specifier))
    }

    /// A bare specifier that names a package of this repository: what `node_modules` would link to. Its own
    /// `exports` are asked first; where they name built files that are not there, the sources are looked for.
    fn resolve_inside(&self, package: &Package, specifier: &str) -> Found {
        let (name, rest) = split_package(specifier);
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

/// A path of the disk as one of the repository.
pub(super) fn repo_path(path: &Path) -> RepoPath {
    RepoPath::from_git(path.to_string_lossy().trim_start_matches('/'))
}

/// Modules of the platform, and files that hold no functions: styles, pictures, data.
pub(super) fn is_foreign(specifier: &str) -> bool {
    const PLATFORMS: [&str; 5] = ["node:", "bun:", "cloudflare:", "https:", "data:"];
    const ENDINGS: [&str; 20] = [
        "css", "scss", "sass", "less", "svg", "png", "jpg", "jpeg", "gif", "webp", "ico", "woff", "woff2", "ttf",
        "json", "txt", "md", "html", "wasm", "node",
    ];
    let file = specifier.split('?').next().unwrap_or(specifier);
    PLATFORMS.iter().any(|platform| specifier.starts_with(platform))
        || file.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
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
