//! What a bare specifier stands for in a repository of packages: `import 'old'` is the repository's own `core` where the
//! nearest `package.json` depends on `"old": "workspace:core@*"`, where a catalog or an override says so, or where `old`
//! is what that package calls itself.
//!
//! Read as npm, pnpm, yarn and bun document their manifests: `dependencies`, `overrides`, `resolutions`, `catalog`,
//! `packageExtensions`. A name whose meaning is not shown is unknown, not foreign.

use super::disk::Disk;
use super::extends::normal;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The manifests of a view.
#[derive(Default)]
pub(super) struct Manifests {
    /// The packages by their own names, with their folders.
    own: BTreeMap<String, PathBuf>,
    /// The folders with a `package.json`.
    folders: BTreeSet<PathBuf>,
    /// The names of packages by their folders.
    named: BTreeMap<PathBuf, String>,
    /// What the package of a folder depends on, with what it says of it.
    depends: BTreeMap<PathBuf, BTreeMap<String, String>>,
    overrides: Vec<Override>,
    /// By folder and by the catalog's name.
    catalogs: BTreeMap<(PathBuf, String), BTreeMap<String, String>>,
}

/// What a dependency's name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dependency {
    /// A package of the repository.
    Inside(Package),
    /// A package that comes from elsewhere, by the name that it has there.
    Outside(String),
    /// Nobody says.
    Unknown,
}

/// A package of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) folder: PathBuf,
    /// Its own name, which it may be imported by another than.
    pub(super) name: String,
}

/// One entry of `overrides` or `resolutions`.
struct Override {
    /// Where it stands: paths start here, and what lies below is meant.
    folder: PathBuf,
    name: String,
    /// The package that depends on it, where only that one's dependency is meant.
    parent: Option<String>,
    /// Whether every version is meant.
    is_whole: bool,
    says: String,
}

/// The files that say what a name stands for.
pub(super) const NAMES: [&str; 3] = ["package.json", "pnpm-workspace.yaml", ".yarnrc.yml"];

/// How often one entry may refer to another.
const HOPS: usize = 8;

impl Manifests {
    /// Reads the manifests of a view.
    pub(super) fn of(disk: &Disk) -> Manifests {
        let own = disk.packages();
        let named = own.iter().map(|(name, folder)| (folder.clone(), name.clone())).collect();
        let mut manifests = Manifests { own, named, ..Manifests::default() };
        for name in NAMES {
            for (path, text) in disk.named(name) {
                let (Some(folder), Some(parsed)) = (path.parent(), parse(name, text)) else { continue };
                manifests.add(folder, &parsed);
                if name == NAMES[0] {
                    manifests.folders.insert(folder.to_owned());
                }
            }
        }
        manifests
    }

    fn add(&mut self, folder: &Path, manifest: &Value) {
        let entries = |key: &str| manifest.get(key).and_then(Value::as_object);
        let depends = dependencies(manifest);
        if !depends.is_empty() {
            self.depends.entry(folder.to_owned()).or_default().extend(depends);
        }
        let workspaces = manifest.get("workspaces").filter(|found| found.is_object());
        let pnpm = manifest.get("pnpm").filter(|found| found.is_object());
        for holder in [Some(manifest), workspaces, pnpm].into_iter().flatten() {
            self.add_catalog(folder, "default", holder.get("catalog"));
            for (name, catalog) in holder.get("catalogs").and_then(Value::as_object).into_iter().flatten() {
                self.add_catalog(folder, name, Some(catalog));
            }
            let extensions = holder.get("packageExtensions").and_then(Value::as_object);
            for (package, extension) in extensions.into_iter().flatten() {
                let Some(place) = self.own.get(split_version(package).0).cloned() else { continue };
                let depends = self.depends.entry(place).or_default();
                dependencies(extension).into_iter().for_each(|(name, says)| {
                    depends.entry(name).or_insert(says);
                });
            }
            if let Some(table) = holder.get("overrides").and_then(Value::as_object) {
                self.add_overrides(folder, None, table);
            }
        }
        for (pattern, says) in entries("resolutions").into_iter().flatten() {
            self.add_override(folder, None, &pattern.replace("**/", ""), says.as_str());
        }
    }

    fn add_catalog(&mut self, folder: &Path, name: &str, catalog: Option<&Value>) {
        let Some(catalog) = catalog.and_then(Value::as_object) else { return };
        self.catalogs.entry((folder.to_owned(), name.to_owned())).or_default().extend(strings(catalog));
    }

    /// npm nests tables by the package that depends; `.` is that package itself.
    fn add_overrides(&mut self, folder: &Path, parent: Option<&str>, table: &Map<String, Value>) {
        for (key, says) in table {
            match says {
                Value::Object(inner) => {
                    self.add_override(folder, parent, key, inner.get(".").and_then(Value::as_str));
                    self.add_overrides(folder, Some(split_version(key).0), inner);
                }
                says if key != "." => self.add_override(folder, parent, key, says.as_str()),
                _ => {}
            }
        }
    }

    /// `old`, `old@^1`, `app>old`, `app/old`: yarn parts by slashes, of which a scope has one, too.
    fn add_override(&mut self, folder: &Path, parent: Option<&str>, key: &str, says: Option<&str>) {
        let Some(says) = says else { return };
        let (before, last) = match key.rsplit_once('>') {
            Some((before, last)) => (Some(before.rsplit('>').next().unwrap_or(before)), last),
            None => within(key),
        };
        let (name, version) = split_version(last.trim());
        let parent = before.map(|before| split_version(before.trim()).0).or(parent).map(str::to_owned);
        let (folder, name) = (folder.to_owned(), name.to_owned());
        self.overrides.push(Override { folder, name, parent, is_whole: version.is_empty(), says: says.to_owned() });
    }

    /// What `name` may lead to when a file of the disk imports it. The first is what package managers make of it: what
    /// overrides it, or what the nearest package that depends on it says. They differ in whom an override reaches and
    /// which version they link, so the others may be meant as well: whatever another package around says, and the
    /// repository's own package of that name.
    pub(super) fn find(&self, from: &Path, name: &str) -> Vec<Dependency> {
        let around = || from.ancestors().skip(1);
        let importer = around().find_map(|folder| self.named.get(folder));
        let overrides = self.overrides.iter().filter(|entry| entry.name == name && from.starts_with(&entry.folder));
        let reaches = |entry: &&Override| entry.parent.as_ref().is_none_or(|parent| Some(parent) == importer);
        let (reaching, others): (Vec<&Override>, Vec<&Override>) =
            overrides.partition(|entry| reaches(entry) && entry.is_whole);
        let declared: Vec<_> =
            around().filter_map(|folder| Some((folder, self.depends.get(folder)?.get(name)?))).collect();
        let overriding = |entry: &&Override| self.read(&entry.folder, name, &entry.says, HOPS);
        let mut found: Vec<Dependency> = reaching.iter().map(overriding).collect();
        found.extend(declared.iter().map(|(folder, says)| self.read(folder, name, says, HOPS)));
        if declared.is_empty() {
            // What others depend on lies in a folder that all see, where a manager puts it there.
            let all = self.depends.iter().filter_map(|(folder, table)| Some((folder, table.get(name)?)));
            let all: Vec<Dependency> = all.map(|(folder, says)| self.read(folder, name, says, HOPS)).collect();
            let (inside, outside): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|one| !matches!(one, Dependency::Outside(_)));
            found.extend(inside.into_iter().chain(self.own(name)).chain(outside));
        }
        found.extend(others.iter().map(overriding).chain(self.own(name)));
        let mut seen = Vec::new();
        found.retain(|one| {
            !seen.contains(one) && {
                seen.push(one.clone());
                true
            }
        });
        found
    }

    /// The repository's packages by their own names, with their folders.
    pub(super) fn packages(&self) -> impl Iterator<Item = (&String, &PathBuf)> {
        self.own.iter()
    }

    /// Every name that some package depends on.
    pub(super) fn depended_on(&self) -> impl Iterator<Item = &String> {
        let overridden = self.overrides.iter().map(|entry| &entry.name);
        self.depends.values().flat_map(BTreeMap::keys).chain(overridden)
    }

    /// The names that may lead to a package of the repository from a folder's manifest.
    pub(super) fn renamed(&self, folder: &Path) -> BTreeSet<String> {
        let declared = self.depends.get(folder).into_iter().flat_map(|table| table.keys());
        let overridden =
            self.overrides.iter().filter(|entry| folder.starts_with(&entry.folder)).map(|entry| &entry.name);
        let inside = |name: &&String| {
            self.find(&folder.join("package.json"), name).iter().any(|found| matches!(found, Dependency::Inside(_)))
        };
        declared.chain(overridden).filter(inside).cloned().collect()
    }

    /// What a version, or what stands in its place, leads to; paths start in `folder`.
    fn read(&self, folder: &Path, name: &str, says: &str, hops: usize) -> Dependency {
        let says = says.trim();
        let Some(hops) = hops.checked_sub(1) else { return Dependency::Unknown };
        if let Some(catalog) = says.strip_prefix("catalog:") {
            let catalog = if catalog.trim().is_empty() { "default" } else { catalog.trim() };
            let found = folder.ancestors().find_map(|folder| {
                let (key, table) = self.catalogs.get_key_value(&(folder.to_owned(), catalog.to_owned()))?;
                Some((&key.0, table.get(name)?))
            });
            return found.map_or(Dependency::Unknown, |(folder, says)| self.read(folder, name, says, hops));
        }
        if let Some(other) = says.strip_prefix('$') {
            let found = self.depends.get(folder).and_then(|table| table.get(other));
            return found.map_or(Dependency::Unknown, |says| self.read(folder, other, says, hops));
        }
        if let Some(patched) = says.strip_prefix("patch:") {
            let inner = patched.split('#').next().unwrap_or(patched).replace("%3A", ":").replace("%2F", "/");
            let (name, says) = split_version(&inner);
            return self.read(folder, name, says, hops);
        }
        if let Some(alias) = says.strip_prefix("npm:") {
            let other = split_version(alias).0;
            // `npm:^1.0.0` names no other package.
            let other =
                if other.starts_with(|letter: char| letter.is_alphabetic() || letter == '@') { other } else { name };
            return self.own(other).unwrap_or_else(|| Dependency::Outside(other.to_owned()));
        }
        if let Some(target) = says.strip_prefix("workspace:") {
            let found = self.at(folder, name, target).or_else(|| self.own(split_version(target).0));
            return found.or_else(|| self.own(name)).unwrap_or(Dependency::Unknown);
        }
        let place = ["file:", "link:", "portal:"].iter().find_map(|protocol| says.strip_prefix(protocol));
        let plain = ["./", "../", "/", "~/"].iter().any(|start| says.starts_with(start)) || matches!(says, "." | "..");
        if let Some(place) = place.or(Some(says).filter(|_| plain)) {
            return self.at(folder, name, place).unwrap_or(Dependency::Unknown);
        }
        // A package manager links the repository's own package where its version fits.
        let own = if says.contains(':') { None } else { self.own(name) };
        let is_unreadable = says.starts_with("exec:") || says == "-";
        own.unwrap_or_else(|| if is_unreadable { Dependency::Unknown } else { Dependency::Outside(name.to_owned()) })
    }

    /// The repository's own package of a name.
    fn own(&self, name: &str) -> Option<Dependency> {
        self.own.get(name).map(|folder| Dependency::Inside(self.package(folder, name)))
    }

    /// The package in a folder that is named from another.
    fn at(&self, folder: &Path, name: &str, place: &str) -> Option<Dependency> {
        let folder = normal(&folder.join(place.trim_start_matches("//")));
        self.folders.contains(&folder).then(|| Dependency::Inside(self.package(&folder, name)))
    }

    fn package(&self, folder: &Path, name: &str) -> Package {
        let own = self.named.get(folder).map_or(name, String::as_str);
        Package { folder: folder.to_owned(), name: own.to_owned() }
    }
}

/// A manifest by its file's name.
fn parse(name: &str, text: &str) -> Option<Value> {
    if name.ends_with(".json") { serde_json::from_str(text).ok() } else { serde_saphyr::from_str(text).ok() }
}

/// What a manifest depends on, with what it says of it. Of several kinds, what is needed to run goes first.
fn dependencies(manifest: &Value) -> BTreeMap<String, String> {
    const KEYS: [&str; 4] = ["peerDependencies", "devDependencies", "dependencies", "optionalDependencies"];
    KEYS.iter().filter_map(|key| manifest.get(key)?.as_object()).flat_map(strings).collect()
}

fn strings(table: &Map<String, Value>) -> impl Iterator<Item = (String, String)> {
    table.iter().filter_map(|(name, says)| Some((name.clone(), says.as_str()?.to_owned())))
}

/// `old@^1.0.0` and `@scope/old@^1.0.0`, parted; a version may be missing.
fn split_version(text: &str) -> (&str, &str) {
    let at = text.char_indices().skip(1).find(|(_, letter)| *letter == '@').map_or(text.len(), |(at, _)| at);
    (&text[..at], text[at..].trim_start_matches('@'))
}

/// `app/old` and `@scope/app/@scope/old`: the package that depends, where there is one, and the one that is meant.
fn within(key: &str) -> (Option<&str>, &str) {
    let Some((before, _)) = key.rsplit_once('/') else { return (None, key) };
    let scope = before.rfind('/').map_or(0, |slash| slash + 1);
    let start = if before[scope..].starts_with('@') { scope } else { before.len() + 1 };
    let parent = key[..start].trim_end_matches('/');
    ((!parent.is_empty()).then(|| within(parent).1), &key[start..])
}
