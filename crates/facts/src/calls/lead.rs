//! What can lead to a watched definition at all. A name that nobody exports one under, from a file that has none, need not
//! be followed: the file that it comes from is not even parsed.

use super::join::{Join, Meaning, deep};
use super::resolve::Found;
use factgate_record::RepoPath;
use factgate_syntax::links::{Base, Denotes, Means, WHOLE};
use std::collections::BTreeSet;

/// How far aliases and re-exports are looked through; beyond, anything may lead anywhere.
const STEPS: u32 = 64;

/// Which way a question goes.
struct Way<'j, 'f> {
    join: &'j Join<'f>,
    /// The files that say a watched name, or import a module that exports one.
    near: &'j BTreeSet<RepoPath>,
    /// Modules whose `export *` were asked already.
    seen: BTreeSet<RepoPath>,
}

impl Join<'_> {
    /// The meaning of what may lead to a watched definition, by way of the files that are `near` one; nothing for
    /// everything else.
    pub(super) fn leading(&self, near: &BTreeSet<RepoPath>, file: &RepoPath, what: &Denotes) -> Meaning {
        let mut way = Way { join: self, near, seen: BTreeSet::new() };
        match way.leads(file, what, &[], STEPS) {
            true => self.meaning(file, what),
            false => Meaning::Nothing,
        }
    }
}

impl Way<'_, '_> {
    /// Whether something said in a file, with more properties behind it, may lead to a definition.
    fn leads(&mut self, file: &RepoPath, what: &Denotes, rest: &[String], steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return true };
        // The default of a module may be the whole of it.
        let is_watched = |name: &String| name == "default" || self.join.is_word(name);
        if what.path.iter().chain(rest).any(is_watched) {
            return true;
        }
        let path: Vec<String> = what.path.iter().chain(rest).cloned().collect();
        deep(|| match &what.base {
            Base::Symbol(index) => self.symbol_leads(file, *index, &path, steps),
            Base::Module(from) => match self.join.resolve(file, from) {
                Found::File(target) => self.module_leads(&target, &path, steps),
                Found::Platform | Found::Unresolved => false,
            },
            Base::Instance(of) | Base::Result(of) => self.leads(file, of, &path, steps),
            Base::Anything | Base::Foreign => false,
        })
    }

    fn symbol_leads(&mut self, file: &RepoPath, index: usize, path: &[String], steps: u32) -> bool {
        let Some(links) = self.join.links(file) else { return false };
        let Some(symbol) = links.symbols.get(index) else { return false };
        match &symbol.means {
            _ if self.join.is_word(&symbol.name) || self.join.is_opaque(file, index) => true,
            Means::Alias(other) | Means::Instance(other) => self.leads(file, other, path, steps),
            Means::Itself | Means::Class(_) => true,
            Means::Foreign | Means::Anything => false,
        }
    }

    fn module_leads(&mut self, file: &RepoPath, path: &[String], steps: u32) -> bool {
        if !self.near.contains(file) {
            return false;
        }
        let Some((name, rest)) = path.split_first() else { return true };
        let Some(links) = self.join.links(file) else { return true };
        match links.exports.get(name) {
            Some(what) => self.leads(file, what, rest, steps),
            None if links.exports.contains_key(WHOLE) => true,
            None if !self.seen.insert(file.clone()) => false,
            None => links.stars.iter().any(|star| match self.join.resolve(file, star) {
                Found::File(target) => deep(|| self.module_leads(&target, path, steps)),
                Found::Platform | Found::Unresolved => false,
            }),
        }
    }
}
