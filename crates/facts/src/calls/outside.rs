//! Watched functions of the platform and of packages: `node:fs/promises#rm`, `pg#Pool.query`, Zig's `std.posix.kill`.
//!
//! Such a module has no source here, so it is given one: a file that declares what is watched of it and nothing else, and
//! that its specifiers lead to. Aliases, namespaces, re-exports, `require` and receivers are then followed as ever.

use super::manifests::{Dependency, Manifests};
use super::resolve::split_package;
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use factgate_syntax::languages::Modules;
use nodejs_built_in_modules::{BUILTINS, BUILTINS_WITH_MANDATORY_NODE_PREFIX};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// A function outside of the repository, by its module and its name in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Without `node:`.
    module: String,
    /// The parts of its name: `Pool`, `query`.
    name: Vec<String>,
    modules: Modules,
    written: String,
}

impl Outside {
    /// Reads `MODULE#NAME`, where a module is what an `import` says and no path of a file, or a dotted path from one of
    /// Zig's packages. `None` for everything else.
    pub fn parse(of: &str) -> Option<Outside> {
        let is_name = |part: &str| {
            let plain = |letter: char| letter.is_alphanumeric() || "_$".contains(letter);
            !part.is_empty() && part.chars().all(plain) && !part.starts_with(|letter: char| letter.is_ascii_digit())
        };
        let (module, name) = match of.split_once('#') {
            Some((module, name)) => (module, name),
            None => of.split_once('.').filter(|(package, _)| is_name(package))?,
        };
        let modules = if of.contains('#') { Modules::Specifiers } else { Modules::ZigPaths };
        let mut name: Vec<String> = name.split('.').map(str::to_owned).collect();
        let is_known = language_for_path(if of.contains('#') { module } else { of }).is_some();
        let is_path = module.starts_with(['.', '/']) || is_known && scheme(module).is_none();
        let bare = scheme(module).map_or(module, |(_, bare)| bare);
        if is_path || bare.is_empty() || module.contains(char::is_whitespace) || !name.iter().all(|part| is_name(part))
        {
            return None;
        }
        let mut module = bare.to_owned();
        let inner = format!("{module}/{}", name[0]);
        if name.len() > 1 && is_builtin(&inner) {
            // `fs#promises.rm` is `fs/promises#rm`.
            name.remove(0);
            module = inner;
        }
        Some(Outside { module, name, modules, written: of.to_owned() })
    }

    /// Its name within its module, and with Zig's package before it.
    pub fn key(&self) -> String {
        let name = self.name.join(".");
        if self.modules == Modules::ZigPaths { format!("{}.{name}", self.module) } else { name }
    }

    /// As it was written.
    pub fn written(&self) -> &str {
        &self.written
    }

    pub(super) fn name(&self) -> &[String] {
        &self.name
    }
}

/// `node:fs` is `node` and `fs`. A version behind the name of an `npm:` specifier is no part of it.
fn scheme(specifier: &str) -> Option<(&str, &str)> {
    let (scheme, bare) = specifier.split_once(':')?;
    let at = bare.char_indices().skip(1).find(|(_, letter)| *letter == '@').map_or(bare.len(), |(at, _)| at);
    ["node", "npm", "bun", "jsr"]
        .contains(&scheme)
        .then_some((scheme, if scheme == "node" { bare } else { &bare[..at] }))
}

/// The files that stand for watched modules.
#[derive(Default)]
pub(super) struct Stand {
    files: BTreeMap<RepoPath, Module>,
    by_name: BTreeMap<(bool, String), RepoPath>,
}

struct Module {
    name: String,
    text: String,
}

impl Stand {
    /// Makes a file of each module.
    pub(super) fn of<'o>(watched: impl Iterator<Item = &'o Outside>) -> Stand {
        let mut trees: BTreeMap<(bool, String), Tree> = BTreeMap::new();
        for outside in watched {
            let is_zig = outside.modules == Modules::ZigPaths;
            trees.entry((is_zig, outside.module.clone())).or_default().add(&outside.name);
            // `fs.promises` is `fs/promises`, as each such module of Node.js.
            if let Some((above, below)) =
                outside.module.split_once('/').filter(|_| !is_zig && is_builtin(&outside.module))
            {
                trees.entry((false, above.to_owned())).or_default().inner.insert(below.to_owned(), Tree::default());
            }
        }
        let mut stand = Stand::default();
        for ((is_zig, name), tree) in trees {
            let ending = if is_zig { "zig" } else { "js" };
            // No path of a repository holds this letter.
            let path = RepoPath::from_git(format!("\0{name}.{ending}"));
            let text = if is_zig { tree.zig() } else { tree.script(&name) };
            stand.by_name.insert((is_zig, name.clone()), path.clone());
            stand.files.insert(path, Module { name, text });
        }
        stand
    }

    /// The file of a watched module.
    pub(super) fn file(&self, outside: &Outside) -> Option<&RepoPath> {
        self.by_name.get(&(outside.modules == Modules::ZigPaths, outside.module.clone()))
    }

    /// The text of one of these files.
    pub(super) fn text(&self, path: &RepoPath) -> Option<&str> {
        self.files.get(path).map(|module| module.text.as_str())
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &RepoPath> {
        self.files.keys()
    }

    /// How code may spell one of these modules; nothing of another file.
    pub(super) fn specifiers(&self, path: &RepoPath) -> Option<[String; 3]> {
        let name = &self.files.get(path)?.name;
        Some([name.clone(), format!("node:{name}"), format!("npm:{name}")])
    }

    /// The file that a specifier leads to, when no file of the repository is it. A dependency may have another name here.
    pub(super) fn find(&self, manifests: &Manifests, from: &RepoPath, specifier: &str) -> Option<&RepoPath> {
        if self.files.is_empty() {
            return None;
        }
        let is_zig = language_for_path(from.as_str()).is_some_and(|language| language.modules == Modules::ZigPaths);
        let bare = scheme(specifier).map_or(specifier, |(_, bare)| bare);
        let known = |name: &str| self.by_name.get(&(is_zig, name.to_owned()));
        known(bare).or_else(|| {
            let (name, rest) = split_package(bare);
            let found = manifests.find(&Path::new("/").join(from.as_str()), name);
            let others = found.into_iter().filter_map(|one| match one {
                Dependency::Outside(other) if other != name => Some(other),
                _ => None,
            });
            let spelled = |other: String| if rest.is_empty() { other } else { format!("{other}/{rest}") };
            others.filter(|_| !is_zig).find_map(|other| known(&spelled(other)))
        })
    }
}

/// Whether something is a module that Node.js brings.
fn is_builtin(module: &str) -> bool {
    BUILTINS.contains(&module)
        || BUILTINS_WITH_MANDATORY_NODE_PREFIX.iter().any(|known| known.trim_start_matches("node:") == module)
}

/// Why a module is none that code of this repository could import; `None` where it may be one. `names` are those that build
/// files say.
pub(super) fn wrong(outside: &Outside, manifests: &Manifests, names: &BTreeSet<String>) -> Option<String> {
    let module = &outside.module;
    if outside.modules == Modules::ZigPaths {
        let is_known = matches!(module.as_str(), "std" | "builtin") || names.contains(module);
        return (!is_known).then(|| format!("no build file names a package `{module}`"));
    }
    let package = split_package(module).0;
    if manifests.packages().any(|(name, _)| name == package) {
        return Some(format!("`{package}` is a package of this repository: name the file, PATH#NAME"));
    }
    if is_builtin(module) || manifests.depended_on().any(|name| name == package) {
        return None;
    }
    let known = BUILTINS.iter().copied().chain(manifests.depended_on().map(String::as_str));
    let near = known.map(|name| (strsim::jaro_winkler(name, module), name)).filter(|(near, _)| *near > 0.85);
    let near = near.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, name)| format!("; did you mean `{name}`?"));
    Some(format!("`{module}` is no module of Node.js, and no package.json depends on it{}", near.unwrap_or_default()))
}

/// Names within a module; one without inner ones is a function.
#[derive(Default)]
struct Tree {
    inner: BTreeMap<String, Tree>,
}

impl Tree {
    fn add(&mut self, name: &[String]) {
        if let Some((first, rest)) = name.split_first() {
            self.inner.entry(first.clone()).or_default().add(rest);
        }
    }

    /// A CommonJS module: what `import` takes of one is the whole or a member of it.
    fn script(&self, module: &str) -> String {
        let (mut text, mut table) = (String::new(), String::new());
        for (name, tree) in self.inner.iter().filter(|(name, _)| *name != "default") {
            let inner = format!("{module}/{name}");
            let value =
                if tree.inner.is_empty() && is_builtin(&inner) { format!("require('{inner}')") } else { tree.value() };
            let _ = writeln!(text, "const own_{name} = {value};");
            let _ = write!(table, "{name}: own_{name}, ");
        }
        if !self.inner.contains_key("default") {
            return format!("{text}module.exports = {{ {table}}};\n");
        }
        // The whole is a function itself, as of `lodash.debounce`.
        text += "function whole() {}\nmodule.exports = whole;\n";
        for name in self.inner.keys().filter(|name| *name != "default") {
            let _ = writeln!(text, "whole.{name} = own_{name};");
        }
        text
    }

    fn value(&self) -> String {
        if self.inner.is_empty() {
            return "function () {}".to_owned();
        }
        // Nobody says which of them belong to the class itself: each may.
        let members = self.inner.iter().map(|(name, tree)| match tree.inner.is_empty() {
            true => format!("{name}() {{}} static {name}() {{}}"),
            false => format!("static {name} = {};", tree.value()),
        });
        format!("class {{ {} }}", members.collect::<Vec<_>>().join(" "))
    }

    fn zig(&self) -> String {
        let members = self.inner.iter().map(|(name, tree)| match tree.inner.is_empty() {
            true => format!("pub fn {name}() void {{}}"),
            false => format!("pub const {name} = struct {{ {} }};", tree.zig()),
        });
        members.collect::<Vec<_>>().join("\n")
    }
}
