//! Selectors: the text that names an item.

use crate::languages::language_for_path;
use std::fmt;

/// `PATH`, `PATH#NAME` or `PATH#SCOPE/PATTERN`, as written in `cover`, `in`, `of` and `from`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selector {
    /// The file, from the model's root, with `/`.
    pub path: String,
    /// What in it.
    pub target: Target,
}

/// What a selector means inside its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// The whole file.
    File,
    /// The item of this dotted name.
    Name(String),
    /// The one node in a scope (the whole file when the name is empty) that a pattern matches.
    Handler {
        /// The enclosing item's dotted name.
        scope: String,
        /// The pattern's text.
        pattern: String,
    },
}

/// Why a text is no selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// Nothing before the `#`.
    #[error("a selector is PATH#NAME, and the path is missing")]
    NoPath,
    /// Nothing behind the `#`.
    #[error("a selector is PATH#NAME, and the name behind `#` is missing")]
    NoName,
    /// An absolute path, a `..`, a backslash or an empty part.
    #[error("the path of a selector starts at the model's root and stays inside it: `/` between its parts, no `..`")]
    BadPath,
}

impl Selector {
    /// Reads a selector. The first `#` behind a file name of a known language ends the path (a `#private` member has
    /// its own behind it, and a folder may have one); the first `/` behind it, outside quotes, starts a handler's
    /// pattern, unless all of it is an item's name: only the file can tell.
    pub fn parse(text: &str) -> Result<Selector, SelectorError> {
        let (path, name) = split(text);
        if path.is_empty() {
            return Err(SelectorError::NoPath);
        }
        if path.contains('\\') || path.split('/').any(|part| part.is_empty() || part == ".." || part == ".") {
            return Err(SelectorError::BadPath);
        }
        let target = match name {
            None => Target::File,
            Some(name) => match find_slash(name) {
                Some(at) if !name[at + 1..].trim().is_empty() => {
                    Target::Handler { scope: name[..at].to_owned(), pattern: name[at + 1..].to_owned() }
                }
                _ if name.trim().is_empty() => return Err(SelectorError::NoName),
                _ => Target::Name(name.to_owned()),
            },
        };
        Ok(Selector { path: path.to_owned(), target })
    }

    /// All the text behind the path's `#`: an item may have the name that reads like a handler's pattern
    /// (`routes./home`).
    pub fn name(&self) -> Option<String> {
        match &self.target {
            Target::File => None,
            Target::Name(name) => Some(name.clone()),
            Target::Handler { scope, pattern } => Some(format!("{scope}/{pattern}")),
        }
    }
}

/// The path, and the name behind it. Without a file of a known language the first `#` decides.
fn split(text: &str) -> (&str, Option<&str>) {
    let is_file = |path: &str| language_for_path(path).is_some();
    let at = text.match_indices('#').map(|(at, _)| at).find(|&at| is_file(&text[..at]));
    match at.or_else(|| text.find('#').filter(|_| !is_file(text))) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// The first `/` outside double quotes: a Zig test's or identifier's name may hold one.
fn find_slash(name: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, letter) in name.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '/' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

impl fmt::Display for Selector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.target {
            Target::File => write!(out, "{}", self.path),
            Target::Name(name) => write!(out, "{}#{name}", self.path),
            Target::Handler { scope, pattern } => write!(out, "{}#{scope}/{pattern}", self.path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, target: Target) {
        let selector = Selector::parse(text).unwrap();
        assert_eq!(selector.target, target);
        assert_eq!(selector.to_string(), text);
    }

    #[test]
    fn the_four_forms_are_read_and_printed_alike() {
        check("src/a.ts", Target::File);
        check("src/a.ts#Session.#flush", Target::Name("Session.#flush".into()));
        check("src/c#/a.ts", Target::File);
        check("src/c#/a.ts#Session.#flush", Target::Name("Session.#flush".into()));
        check("src/a.zig#test \"a/b\"", Target::Name("test \"a/b\"".into()));
        check(
            "src/a.ts#runHost/process.on('SIGTERM', $_)",
            Target::Handler { scope: "runHost".into(), pattern: "process.on('SIGTERM', $_)".into() },
        );
    }

    #[test]
    fn paths_that_leave_the_root_are_refused() {
        for text in ["/etc/passwd#f", "../a.ts#f", "src//a.ts#f", "src\\a.ts#f", "#f", "a.ts#"] {
            assert!(Selector::parse(text).is_err(), "{text}");
        }
    }
}
