//! How a file can be spelled in an import: by its own name, by its folder's when it is what the folder stands for, and
//! by what a configuration calls it. Whoever imports a file says one of these.

use super::conditions::leaves;
use super::resolve::{Found, Resolver};
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Relative specifiers without any name: a folder's own module.
const NAMELESS: [&str; 11] =
    [".", "./", "./.", "..", "../", "./..", "../..", "../../", "./../..", "../../..", "../../../"];

/// How some files can be spelled.
#[derive(Default)]
pub(super) struct Spellings {
    /// The names that specifiers of them can end with.
    pub(super) stems: BTreeSet<String>,
    /// The specifiers that are spelled otherwise.
    pub(super) specifiers: BTreeSet<String>,
    /// What specifiers begin with that say less of a file's name than its end.
    pub(super) prefixes: BTreeSet<String>,
    /// Where relative specifiers of them lead, without endings; nothing where a configuration can lead them elsewhere.
    pub(super) places: Option<BTreeSet<String>>,
}

impl Spellings {
    /// Whether a specifier in a folder can mean one of the files.
    pub(super) fn may_mean(&self, folder: &RepoPath, specifier: &str) -> bool {
        let places = self.places.as_ref().filter(|_| is_relative(specifier));
        places.is_none_or(|known| places_of(folder, specifier).any(|place| known.contains(place.as_str())))
    }
}

impl Resolver {
    /// How these files can be spelled.
    pub(super) fn spellings(&self, files: &BTreeSet<RepoPath>) -> Spellings {
        if files.is_empty() {
            return Spellings::default();
        }
        let (mut stems, mut specifiers, mut places) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for file in files {
            if let Some(said) = self.stand.specifiers(file) {
                specifiers.extend(said);
                continue;
            }
            let closed = self.closed().iter().filter(|(_, folder)| file.below(folder).is_some());
            specifiers.extend(closed.map(|(name, _)| name.clone()));
            stems.insert(stem(file).to_owned());
            places.insert(without_ending(file).to_owned());
            for folder in self.folders_of(file) {
                stems.extend(folder.as_str().rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned));
                specifiers.extend(NAMELESS.map(str::to_owned));
                places.insert(folder.as_str().to_owned());
            }
            let given = self.given().get(file).into_iter().flatten();
            specifiers.extend(given.filter(|specifier| !specifier.starts_with(FOLDER)).cloned());
        }
        let read_prefixes = || self.disk.texts().flat_map(|(path, text)| prefixes(path, text)).collect();
        let prefixes = self.prefixes.get_or_init(read_prefixes).clone();
        Spellings { stems, specifiers, prefixes, places: (!self.has_other_roots).then_some(places) }
    }

    /// Whether an import in a file that leads nowhere may mean a module: where it is relative, by the place that it
    /// names, and else by its last name, which is the module's, or its folder's where the module is an index.
    pub(super) fn may_mean(&self, module: &RepoPath, file: &RepoPath, specifier: &str) -> bool {
        if self.stand.text(module).is_some() {
            return false;
        }
        if is_relative(specifier) && !self.has_other_roots {
            return places_of(&file.parent(), specifier)
                .any(|place| place.as_str() == without_ending(module) || self.folders_of(module).contains(&place));
        }
        let is_closed = |(name, folder): &(String, RepoPath)| name == specifier && module.below(folder).is_some();
        if self.closed().iter().any(is_closed) {
            return true;
        }
        let said = specifier.split('?').next().unwrap_or(specifier).trim_end_matches('/');
        let mut names = said.rsplit('/').map(first_of);
        let parent = module.parent();
        let [own, folder] =
            [module, &parent].map(|path| first_of(path.as_str().rsplit('/').next().unwrap_or_default()));
        match (names.next(), names.next()) {
            // `@/index` is one of whatever `@` is.
            (Some("index"), before) => {
                own == "index"
                    && before.is_none_or(|before| before == folder || !before.contains(char::is_alphanumeric))
            }
            (Some(last), _) => last == own || own == "index" && last == folder,
            (None, _) => false,
        }
    }

    /// The folders that a file is the module of.
    fn folders_of(&self, file: &RepoPath) -> Vec<RepoPath> {
        let given = self.given().get(file).into_iter().flatten();
        let mut folders: Vec<RepoPath> =
            given.filter_map(|specifier| specifier.strip_prefix(FOLDER)).map(RepoPath::from_git).collect();
        if stem(file) == "index" {
            folders.push(file.parent());
        }
        folders
    }

    fn given(&self) -> &BTreeMap<RepoPath, BTreeSet<String>> {
        self.given.get_or_init(|| self.read_given())
    }

    /// What each file is called by a configuration.
    fn read_given(&self) -> BTreeMap<RepoPath, BTreeSet<String>> {
        let mut given: BTreeMap<RepoPath, BTreeSet<String>> = BTreeMap::new();
        for (path, text) in self.disk.texts() {
            let Some(from) = path.strip_prefix("/").ok().and_then(Path::to_str).map(RepoPath::from_git) else {
                continue;
            };
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let beside = |file: &str| from.parent().join(file).unwrap_or_else(|_| from.clone());
            let (importer, said) = match name {
                "package.json" => (from.clone(), self.package_names(path, text)),
                "build.zig" | "build.zig.zon" => (beside("build.zig"), zig_names(text)),
                _ => (beside("_.ts"), keys(text)),
            };
            for specifier in said {
                let mut files = self.under_conditions(&importer, &specifier);
                if let Found::File(file) = self.resolve(&importer, &specifier) {
                    files.push(file);
                }
                for file in files {
                    given.entry(file).or_default().insert(specifier.clone());
                }
            }
            if name == "package.json"
                && let Found::File(file) = self.resolve(&from, ".")
            {
                given.entry(file).or_default().insert(format!("{FOLDER}{}", from.parent()));
            }
        }
        given
    }

    /// A package's own name, and the names in its `exports` and `imports`.
    fn package_names(&self, path: &Path, text: &str) -> Vec<String> {
        let Ok(parsed) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
        let own = parsed.get("name").and_then(|name| name.as_str());
        let table = |key: &str| parsed.get(key).and_then(|table| table.as_object()).into_iter().flatten();
        let imports = table("imports").map(|(name, _)| name.clone());
        let exports = own.into_iter().flat_map(|own| {
            let below = table("exports").filter_map(|(name, _)| name.strip_prefix("./"));
            below.map(move |name| format!("{own}/{name}"))
        });
        let local = path.parent().map(|folder| self.manifests.renamed(folder)).unwrap_or_default();
        own.map(str::to_owned)
            .into_iter()
            .chain(local)
            .chain(imports)
            .chain(exports)
            .filter(|name| !name.contains('*'))
            .collect()
    }
}

fn is_relative(specifier: &str) -> bool {
    specifier.starts_with('.') || specifier.ends_with(".zig")
}

/// The places that a relative specifier may name, without a file's ending: `./a.js` is `a.ts`, or `a.js.ts`.
fn places_of(folder: &RepoPath, specifier: &str) -> impl Iterator<Item = RepoPath> {
    const ENDINGS: [&str; 9] = [".js", ".ts", ".jsx", ".tsx", ".mjs", ".mts", ".cjs", ".cts", ".zig"];
    let whole = specifier.split(['?', '#']).next().unwrap_or(specifier).trim_end_matches('/');
    let bare = ENDINGS.iter().find_map(|ending| whole.strip_suffix(ending));
    bare.into_iter().chain([whole]).filter_map(|place| folder.join(place).ok())
}

/// What stands before the first dot of a name.
fn first_of(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn stem(file: &RepoPath) -> &str {
    let name = file.as_str().rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn without_ending(file: &RepoPath) -> &str {
    file.as_str().rsplit_once('.').map_or(file.as_str(), |(place, _)| place)
}

/// Marks a folder that a file stands for, among specifiers.
const FOLDER: &str = "folder:";

/// The keys of a configuration with comments: `paths` are among them.
fn keys(text: &str) -> Vec<String> {
    let all = entries(text).into_iter().map(|(key, _)| key);
    all.filter(|key| !key.contains('*')).collect()
}

/// The keys of a configuration with comments, each with the strings that stand behind it in one pair of brackets.
fn entries(text: &str) -> Vec<(String, Vec<&str>)> {
    let quoted: Vec<&str> = text.split('"').collect();
    let said = |key: &str| serde_json::from_str(&format!("\"{key}\"")).unwrap_or_else(|_| key.to_owned());
    let mut entries: Vec<(String, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    for pair in quoted.get(1..).unwrap_or_default().chunks(2) {
        let behind = pair.get(1).copied().unwrap_or_default();
        match entries.last_mut() {
            _ if behind.trim_start().starts_with(':') => {
                entries.push((said(pair[0]), Vec::new()));
                is_open = true;
            }
            Some((_, strings)) if is_open => strings.push(pair[0]),
            _ => {}
        }
        is_open &= !behind.contains([']', '}']);
    }
    entries
}

/// The beginnings of the specifiers that a configuration's patterns stand for, where a file's name is not their end.
fn prefixes(path: &Path, text: &str) -> Vec<String> {
    if path.file_name().is_none_or(|name| name != "package.json") {
        let patterns = entries(text).into_iter().filter(|(key, targets)| !is_plain(key, targets.iter().copied()));
        return patterns.filter_map(|(key, _)| Some(key.split_once('*')?.0.to_owned())).collect();
    }
    let Ok(parsed) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let own = parsed.get("name").and_then(|name| name.as_str()).unwrap_or_default();
    let table = |key: &str| parsed.get(key).and_then(|table| table.as_object()).into_iter().flatten();
    let patterns = table("imports").chain(table("exports")).filter_map(|(key, entry)| {
        let mut targets = Vec::new();
        leaves(entry, "*", &mut targets);
        let (prefix, _) = key.split_once('*')?;
        let prefix = prefix.strip_prefix('.').map_or(prefix.to_owned(), |below| format!("{own}{below}"));
        (!is_plain(key, targets.iter().map(String::as_str))).then_some(prefix)
    });
    patterns.collect()
}

/// Whether what a pattern stands for ends as the file does that it is for.
fn is_plain<'t>(key: &str, mut targets: impl Iterator<Item = &'t str>) -> bool {
    let is_end = |text: &str| {
        text.rsplit_once('*').is_some_and(|(_, end)| {
            end.is_empty()
                || language_for_path(end).is_some_and(|_| end.matches('.').count() == 1 && !end.contains('/'))
        })
    };
    !key.contains('*')
        || is_end(key)
            && targets
                .all(|target| is_end(target) && target.rsplit('/').next().is_some_and(|last| last.starts_with('*')))
}

/// Whatever a build file could call a module.
pub(super) fn zig_names(text: &str) -> Vec<String> {
    let quoted = text.split('"').skip(1).step_by(2);
    let fields = text.split('.').skip(1).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        &rest[..end]
    });
    quoted.chain(fields).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
