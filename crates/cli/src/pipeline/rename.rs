//! A move as names see it: which selectors, paths, call sites and globs it renames, and to what. Plain text, without files
//! of its own: whoever asks says what the view has.

use factgate_record::{CallRecord, ItemRecord, Record, inside};
use factgate_syntax::Selector;
use std::collections::BTreeMap;

/// What moved, named from a model's root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Renaming {
    /// A file, or a folder with all that is below it.
    Path {
        /// Its old path.
        old: String,
        /// Its new one.
        new: String,
    },
    /// An item, with all that is inside it.
    Item {
        /// Its old selector.
        old: String,
        /// Its new one.
        new: String,
    },
}

/// A record's keys that a move would make one.
#[derive(Debug, PartialEq, Eq)]
pub struct Doubled(pub String);

impl Renaming {
    /// The new name of a selector, a path or a call site; `None` for one that the move leaves as it is. `stands` says
    /// whether the view has a file: one that did not move with its folder keeps its name.
    pub fn name(&self, text: &str, stands: &dyn Fn(&str) -> bool) -> Option<String> {
        match self {
            Renaming::Item { old, new } => Some(format!("{new}{}", inside(text, old)?)),
            Renaming::Path { .. } => {
                let path = Selector::parse(text).ok()?.path;
                let to = self.path(&path)?;
                let stayed = stands(&path) && !stands(&to);
                (!stayed).then(|| format!("{to}{}", &text[path.len()..]))
            }
        }
    }

    /// The new path of one that is the moved one, or below it.
    pub fn path(&self, path: &str) -> Option<String> {
        let Renaming::Path { old, new } = self else { return None };
        let rest = path.strip_prefix(old.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{new}{rest}"))
    }

    /// A glob whose first parts are the moved path, at the new place.
    pub fn glob(&self, glob: &str) -> Option<String> {
        let Renaming::Path { old, new } = self else { return None };
        let plain = glob.strip_prefix("./").unwrap_or(glob);
        let rest = plain.strip_prefix(globset::escape(old).as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", globset::escape(new)))
    }

    /// A glob for the new place of a folder that a wider one (`src/**/*.ts`) no longer reaches.
    pub fn wider(&self, glob: &str) -> Option<String> {
        let Renaming::Path { old, new } = self else { return None };
        let plain = glob.strip_prefix("./").unwrap_or(glob);
        let at = plain.find("**/")?;
        old.starts_with(&plain[..at]).then(|| format!("{}/{}", globset::escape(new), &plain[at..]))
    }

    /// The record with its keys renamed. `key` gives the new key of a watched function, if it has one.
    pub fn record(
        &self,
        record: &Record,
        stands: &dyn Fn(&str) -> bool,
        key: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Record, Doubled> {
        let mut renamed = Record { items: BTreeMap::new(), calls: BTreeMap::new(), ..record.clone() };
        for (name, item) in &record.items {
            let new = self.name(name, stands).unwrap_or_else(|| name.clone());
            let inner = item.inner.iter().map(|name| self.name(name, stands).unwrap_or_else(|| name.clone())).collect();
            if renamed.items.insert(new.clone(), ItemRecord { inner, ..item.clone() }).is_some() {
                return Err(Doubled(new));
            }
        }
        for (name, calls) in &record.calls {
            let new = key(name).unwrap_or_else(|| name.clone());
            if renamed.calls.insert(new.clone(), self.calls(calls, stands)).is_some() {
                return Err(Doubled(new));
            }
        }
        Ok(renamed)
    }

    fn calls(&self, calls: &CallRecord, stands: &dyn Fn(&str) -> bool) -> CallRecord {
        let now = |name: &str| self.name(name, stands).unwrap_or_else(|| name.to_owned());
        let counted = |known: &BTreeMap<String, u32>| {
            let mut there: BTreeMap<String, u32> = BTreeMap::new();
            known.iter().for_each(|(site, count)| *there.entry(now(site)).or_default() += count);
            there
        };
        let import = |import: &String| match import.split_once(": ") {
            Some((file, specifier)) => format!("{}: {specifier}", now(file)),
            None => import.clone(),
        };
        CallRecord {
            calls: counted(&calls.calls),
            possible: counted(&calls.possible),
            unresolved: calls.unresolved.iter().map(import).collect(),
            values: counted(&calls.values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(old: &str, new: &str) -> Renaming {
        Renaming::Path { old: old.into(), new: new.into() }
    }

    fn item(old: &str, new: &str) -> Renaming {
        Renaming::Item { old: old.into(), new: new.into() }
    }

    #[test]
    fn names_are_renamed_by_whole_parts() {
        let gone = |_: &str| false;
        let rows = [
            (path("lib", "src"), "lib/a.js#f", Some("src/a.js#f")),
            (path("lib", "src"), "library/a.js#f", None),
            (path("lib/a.js", "lib/b.js"), "lib/a.js", Some("lib/b.js")),
            (path("lib/a.js", "lib/b.js"), "lib/a.js#f/on('x', $_)", Some("lib/b.js#f/on('x', $_)")),
            (path("lib/a.js", "lib/b.js"), "lib/a.jsx#f", None),
            (item("a.ts#f", "b.ts#g"), "a.ts#f", Some("b.ts#g")),
            (item("a.ts#f", "b.ts#g"), "a.ts#f.inner", Some("b.ts#g.inner")),
            (item("a.ts#f", "b.ts#g"), "a.ts#f/on('x', $_)", Some("b.ts#g/on('x', $_)")),
            (item("a.ts#f", "b.ts#g"), "a.ts#fine", None),
            (item("a.ts#f", "b.ts#g"), "a.ts", None),
        ];
        for (renaming, name, wanted) in rows {
            assert_eq!(renaming.name(name, &gone).as_deref(), wanted, "{name}");
        }
        let stayed = |path: &str| path == "lib/a.js";
        assert_eq!(path("lib", "src").name("lib/a.js#f", &stayed), None);
        assert_eq!(path("lib", "src").name("lib/b.js#f", &stayed).as_deref(), Some("src/b.js#f"));
    }

    #[test]
    fn globs_are_renamed_by_their_first_parts() {
        let folder = path("lib/fetch", "lib/web/fetch");
        assert_eq!(folder.glob("lib/fetch/**/*.js").as_deref(), Some("lib/web/fetch/**/*.js"));
        assert_eq!(folder.glob("./lib/fetch/*.js").as_deref(), Some("lib/web/fetch/*.js"));
        assert_eq!(folder.glob("lib/**/*.js"), None);
        assert_eq!(folder.glob("lib/fetcher/*.js"), None);
        let out = path("src/host", "host");
        assert_eq!(out.wider("src/**/*.ts").as_deref(), Some("host/**/*.ts"));
        assert_eq!(out.wider("**/*.ts").as_deref(), Some("host/**/*.ts"));
        assert_eq!(out.wider("src/*.ts"), None);
    }
}
