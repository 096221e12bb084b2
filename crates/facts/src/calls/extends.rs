//! What a `tsconfig.json` extends. A base that the view does not have (it comes from an installed package) must not
//! keep the rest of the configuration from being read, and a base in a package of the repository is a file of the
//! view: both are written into the text as paths that the resolver can follow.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// An empty configuration that every view has: what stands for a base that cannot be read.
pub(super) const NONE: &str = "/.no-such-configuration.json";

/// The specifiers behind `"extends"`, with their places inside the quotes. Found as text: these files hold comments.
pub(super) fn specifiers(text: &str) -> Vec<(Range<usize>, &str)> {
    const KEY: &str = "\"extends\"";
    let mut found = Vec::new();
    for (at, _) in text.match_indices(KEY) {
        let rest = &text[at + KEY.len()..];
        let Some(value) = rest.trim_start().strip_prefix(':').map(str::trim_start) else { continue };
        let end = match value.strip_prefix('[') {
            Some(list) => list.find(']').map_or(value.len(), |end| end + 1),
            None => value.match_indices('"').nth(1).map_or(value.len(), |(end, _)| end + 1),
        };
        let start = text.len() - value.len();
        let quotes: Vec<usize> = value[..end].match_indices('"').map(|(quote, _)| quote).collect();
        for pair in quotes.chunks_exact(2) {
            let place = start + pair[0] + 1..start + pair[1];
            found.push((place.clone(), &text[place]));
        }
    }
    found
}

/// Where a specifier may lead, the likeliest first. `package` finds a package of the repository by name.
pub(super) fn places(folder: &Path, specifier: &str, package: &dyn Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    let base = if specifier.starts_with('.') {
        normal(&folder.join(specifier))
    } else if specifier.starts_with(['/', '#']) {
        return vec![PathBuf::from(specifier)];
    } else {
        let (name, rest) = super::resolve::split_package(specifier);
        let Some(folder) = package(name) else { return Vec::new() };
        normal(&folder.join(rest))
    };
    let with_ending = PathBuf::from(format!("{}.json", base.display()));
    vec![base.clone(), with_ending, base.join("tsconfig.json")]
}

/// Takes `.` and `..` out of a path.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::from("/");
    for part in path.components() {
        match part {
            std::path::Component::Normal(part) => parts.push(part),
            std::path::Component::ParentDir => drop(parts.pop()),
            _ => {}
        }
    }
    parts
}
