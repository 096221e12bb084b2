//! What a module exports: by its own names, as a whole, and by what it hands on of others.

use super::join::{Join, Meaning, STEPS, Thing, deep, lock};
use super::resolve::Found;
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use factgate_syntax::links::{Base, Denotes, Links, Means, WHOLE};
use std::collections::BTreeSet;

impl Join<'_> {
    pub(super) fn module(&self, file: &RepoPath, path: &[String], steps: u32) -> Meaning {
        let Some(links) = self.links(file) else { return Meaning::Nothing };
        match path.split_first() {
            None => match links.exports.get(WHOLE) {
                Some(whole) => self.follow(file, whole, steps),
                None => Meaning::Thing(Thing::module(file)),
            },
            Some((name, rest)) => {
                let mut seen = BTreeSet::new();
                self.export(file, name, rest, steps, &mut seen).unwrap_or(Meaning::Nothing)
            }
        }
    }

    /// The specifier behind an export that cannot be resolved.
    fn leads_nowhere(&self, file: &RepoPath, links: &Links, what: &Denotes) -> Option<String> {
        let mut what = what;
        for _ in 0..STEPS {
            match &what.base {
                Base::Module(from) => return (self.resolve(file, from) == Found::Unresolved).then(|| from.clone()),
                Base::Symbol(index) => match &links.symbols.get(*index)?.means {
                    Means::Alias(other) => what = other,
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }

    /// An export by name: the file's own, then those of its `export *`, each file once.
    fn export(
        &self,
        file: &RepoPath,
        name: &str,
        rest: &[String],
        steps: u32,
        seen: &mut BTreeSet<RepoPath>,
    ) -> Option<Meaning> {
        let steps = steps.checked_sub(1)?;
        if !seen.insert(file.clone()) {
            return None;
        }
        let Some(links) = self.links(file) else {
            if self.words.contains(name) && language_for_path(file.as_str()).is_some() {
                lock(&self.hidden).unread.insert(file.clone());
            }
            return None;
        };
        if let Some(what) = links.exports.get(name) {
            if self.words.contains(name)
                && let Some(from) = self.leads_nowhere(file, &links, what)
            {
                lock(&self.hidden).lost.insert((name.to_owned(), file.clone(), from));
            }
            return Some(self.follow(file, &what.longer(rest), steps));
        }
        if let Some(whole) = links.exports.get(WHOLE) {
            if name == "default" {
                let copied =
                    rest.split_first().and_then(|(first, rest)| self.starred(file, &links, first, rest, steps, seen));
                return match copied {
                    Some(Meaning::Thing(_)) => copied,
                    _ => Some(self.follow(file, &whole.longer(rest), steps)),
                };
            }
            // What is copied onto it later (`Object.assign(module.exports, require('./q'))`) comes first.
            let copied = self.starred(file, &links, name, rest, steps, seen);
            if let Some(Meaning::Thing(_)) = copied {
                return copied;
            }
            if self.words.contains(name)
                && let Some(from) = self.leads_nowhere(file, &links, whole)
            {
                lock(&self.hidden).lost.insert((name.to_owned(), file.clone(), from));
            }
            return Some(self.follow(file, &whole.clone().then(name).longer(rest), steps));
        }
        if name == "default" {
            // An importer's default of a CommonJS module is the module itself.
            return Some(self.module(file, rest, steps));
        }
        self.starred(file, &links, name, rest, steps, seen)
    }

    /// An export by name that an `export *` of a file brings.
    fn starred(
        &self,
        file: &RepoPath,
        links: &Links,
        name: &str,
        rest: &[String],
        steps: u32,
        seen: &mut BTreeSet<RepoPath>,
    ) -> Option<Meaning> {
        let found = links.stars.iter().find_map(|star| match self.resolve(file, star) {
            Found::File(target) => deep(|| self.export(&target, name, rest, steps, seen)),
            Found::Platform | Found::Unresolved => None,
        });
        if found.is_none() && self.words.contains(name) {
            let mut hidden = lock(&self.hidden);
            if links.broken.is_some() {
                hidden.unread.insert(file.clone());
            }
            let lost = links.stars.iter().filter(|star| self.resolve(file, star) == Found::Unresolved);
            hidden.lost.extend(lost.map(|star| (name.to_owned(), file.clone(), star.clone())));
        }
        found
    }
}
