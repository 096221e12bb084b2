//! What stands elsewhere than it is recorded: items, watched definitions and scopes by their selectors, and files with
//! the call sites in them. They are compared with what is there at the new place.

use crate::compare::{Current, Stale, StaleKind};
use crate::record::{CallRecord, Record};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a selector names something inside an item, or the item itself.
pub fn is_inside(selector: &str, item: &str) -> bool {
    inside(selector, item).is_some()
}

/// What a selector has behind that of the item around it.
pub fn inside<'s>(selector: &'s str, item: &str) -> Option<&'s str> {
    selector.strip_prefix(item).filter(|rest| rest.is_empty() || rest.starts_with(['.', '/', '#']))
}

/// Every recorded name that stands elsewhere now.
pub(crate) fn moves(recorded: &Record, current: &Current, found: &mut Vec<Stale>) {
    for (name, to) in &current.moved {
        let same = recorded.items.get(name).zip(current.items.get(name));
        let detail = match same.map(|(known, now)| known.fingerprint == now.record.fingerprint) {
            Some(true) => format!("stands unchanged at {}", to.item),
            Some(false) => format!("stands at {}, and is not the same", to.item),
            None => format!("stands at {}", to.item),
        };
        let stale = Stale::new(StaleKind::Moved, name, detail).at(Some(&to.at));
        found.push(Stale { to: Some(to.item.clone()), ..stale });
    }
    let sites: BTreeSet<&str> = recorded.calls.values().flat_map(CallRecord::sites).collect();
    for (file, to) in &current.moved_files {
        let is_told = current.moved.keys().any(|name| is_inside(name, file));
        if !is_told && sites.iter().any(|site| is_inside(site, file)) {
            let stale = Stale::new(StaleKind::Moved, file, format!("stands at {}", to.item)).at(Some(&to.at));
            found.push(Stale { to: Some(to.item.clone()), ..stale });
        }
    }
}

impl CallRecord {
    /// The names of every site, and the files of imports that could hide one.
    pub fn sites(&self) -> impl Iterator<Item = &str> {
        let counted = [&self.calls, &self.possible, &self.values].into_iter().flat_map(BTreeMap::keys);
        let imports = self.unresolved.iter().map(|import| import.split(": ").next().unwrap_or(import));
        counted.map(String::as_str).chain(imports)
    }
}

impl Current {
    /// A recorded call record with each site where it stands now. A site that still has its old name keeps it.
    pub(crate) fn here<'r>(&self, recorded: &'r CallRecord, now: &CallRecord) -> Cow<'r, CallRecord> {
        if self.moved.is_empty() && self.moved_files.is_empty() {
            return Cow::Borrowed(recorded);
        }
        let counted = |known: &BTreeMap<String, u32>, now: &BTreeMap<String, u32>| {
            let mut there: BTreeMap<String, u32> = BTreeMap::new();
            for (site, count) in known {
                let name = if now.contains_key(site) { site.clone() } else { self.name_now(site) };
                *there.entry(name).or_default() += count;
            }
            there
        };
        let import = |import: &String| {
            let (file, specifier) = import.split_once(": ").unwrap_or((import, ""));
            if now.unresolved.contains(import) {
                import.clone()
            } else {
                format!("{}: {specifier}", self.name_now(file))
            }
        };
        Cow::Owned(CallRecord {
            calls: counted(&recorded.calls, &now.calls),
            possible: counted(&recorded.possible, &now.possible),
            unresolved: recorded.unresolved.iter().map(import).collect(),
            values: counted(&recorded.values, &now.values),
        })
    }

    /// What something is called now: by the innermost item around it that moved, else by its file.
    fn name_now(&self, name: &str) -> String {
        let items = self.moved.iter().filter(|(item, _)| is_inside(name, item)).max_by_key(|(item, _)| item.len());
        let files = || self.moved_files.iter().find(|(file, _)| is_inside(name, file));
        match items.or_else(files) {
            Some((old, to)) => format!("{}{}", to.item, inside(name, old).unwrap_or_default()),
            None => name.to_owned(),
        }
    }
}
