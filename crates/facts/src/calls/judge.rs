//! Judging the uses of one file: which watched definitions each of them calls, hands on, or may call.

use super::join::{Join, Meaning, Of, Thing};
use super::resolve::Found as Led;
use super::search::{Owners, Search};
use super::{SiteKind, sites::Found};
use factgate_record::RepoPath;
use factgate_syntax::links::{Base, Denotes, Form, Links, Means, Use};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The watched definitions, as uses are compared with them.
pub(super) struct Judge<'s, 'f> {
    join: &'s Join<'f>,
    owners: &'s Owners,
    /// The files that the search found.
    near: &'s BTreeSet<RepoPath>,
    /// Targets that are members, by their name: an unknown receiver may have one.
    members: HashMap<String, Vec<usize>>,
    /// Members of base classes that a target overrides: a receiver of the base class may be one of the target's.
    overridden: HashMap<Thing, Vec<usize>>,
    /// Targets by the names under which they are exported somewhere.
    names: HashMap<&'s str, Vec<usize>>,
    /// Modules that export the class of a method that is a target.
    classes: &'s BTreeMap<RepoPath, BTreeSet<usize>>,
    /// The files that the targets are defined in.
    homes: Vec<&'s RepoPath>,
}

/// What one file holds: sites, and lines for imports that lead nowhere, each with its target's number.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) sites: Vec<(usize, Found)>,
    pub(super) unresolved: Vec<(usize, String)>,
}

impl<'s, 'f> Judge<'s, 'f> {
    /// `words` are the targets' own last names, by number.
    pub(super) fn new(join: &'s Join<'f>, owners: &'s Owners, search: &'s Search<'_, '_>, words: &[&str]) -> Self {
        let names = &search.names;
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, names) in names.iter().enumerate() {
            for name in names {
                by_name.entry(name).or_default().push(number);
            }
        }
        let mut judge = Judge {
            join,
            owners,
            near: &search.files,
            members: HashMap::new(),
            overridden: HashMap::new(),
            names: by_name,
            classes: &search.classes,
            homes: search.homes(),
        };
        for (thing, numbers) in owners.targets.iter().filter(|(thing, _)| join.is_member(thing)) {
            for &number in numbers.iter().filter(|&&number| search.is_of_objects(number)) {
                let members = judge.members.entry(words[number].to_owned()).or_default();
                if !members.contains(&number) {
                    members.push(number);
                }
                for base in join.bases(thing) {
                    judge.overridden.entry(base).or_default().push(number);
                }
            }
        }
        judge
    }

    /// Judges every use of a file, which `shown` names.
    pub(super) fn file(&self, path: &RepoPath, shown: &str) -> Judged {
        let mut judged = Judged::default();
        let Some(links) = self.join.links(path) else { return judged };
        let loose = self.loose(path, &links);
        for one in &links.uses {
            let mut sites = self.judge(path, one);
            if sites.is_empty() && !loose.is_empty() {
                sites = self.judge_loosely(path, &links, one, &loose);
            }
            for (number, kind, form) in sites {
                let found = Found { file: path.clone(), start: one.span.start, end: one.span.end, kind, form };
                judged.sites.push((number, found));
            }
        }
        self.unresolved(path, shown, &links, &mut judged);
        judged
    }

    /// The targets that the loose modules of a file export, by the names that they have there.
    fn loose(&self, path: &RepoPath, links: &Links) -> HashMap<&'s str, Vec<usize>> {
        let mut loose: HashMap<&str, Vec<usize>> = HashMap::new();
        for from in &links.loose {
            for &name in self.names.keys() {
                if let Meaning::Thing(thing) = self.join.meaning(path, &Denotes::export(from, name)) {
                    loose.entry(name).or_default().extend(self.owners.targets.get(&thing).into_iter().flatten());
                }
            }
        }
        loose.retain(|_, numbers| !numbers.is_empty());
        loose
    }

    /// A use in a file that lets a whole module go where names are not followed: something of the right name may be
    /// the module's.
    fn judge_loosely(
        &self,
        path: &RepoPath,
        links: &Links,
        one: &Use,
        loose: &HashMap<&'s str, Vec<usize>>,
    ) -> Vec<(usize, SiteKind, &'static str)> {
        let form = one.form.word();
        if one.form == Form::Value {
            return Vec::new();
        }
        let name = match (self.join.meaning(path, &one.what), &one.what.base) {
            (Meaning::Unknown(last), _) if !last.is_empty() => Some(last),
            (Meaning::Thing(thing), _) if thing.path.len() > 1 => thing.path.last().cloned(),
            (Meaning::Nothing | Meaning::Unknown(_), Base::Symbol(index)) if one.what.path.is_empty() => {
                let symbol = &links.symbols[*index];
                matches!(symbol.means, Means::Anything).then(|| symbol.name.clone())
            }
            _ => None,
        };
        let numbers = name.and_then(|name| loose.get(name.as_str())).into_iter().flatten();
        numbers.map(|&number| (number, SiteKind::Possible, form)).collect()
    }

    /// `o[k]` of an instance of a class that has a target, or of one that extends it.
    fn judge_computed(&self, path: &RepoPath, one: &Use) -> Vec<(usize, SiteKind, &'static str)> {
        // The files that import a class are all looked at; of others it would be chance.
        let Some(links) = self.join.links(path) else { return Vec::new() };
        let imported = links.imports.iter().filter_map(|import| import.from.as_deref());
        let mut brought: BTreeSet<usize> = BTreeSet::new();
        for from in imported {
            if let Led::File(file) = self.join.resolve(path, from) {
                brought.extend(self.classes.get(&file).into_iter().flatten());
            }
        }
        let is_near = |number: &usize| self.homes[*number] == path || brought.contains(number);
        let classes = self.join.classes(path, &one.what);
        let numbers = self.owners.targets.iter().filter(|(thing, _)| {
            let is_member = thing.of == Of::Instances && thing.path.len() == 1;
            is_member && classes.contains(&Thing::symbol(&thing.file, thing.symbol))
        });
        let numbers = numbers.flat_map(|(_, numbers)| numbers).filter(|number| is_near(number));
        numbers.map(|&number| (number, SiteKind::Possible, one.form.word())).collect()
    }

    fn judge(&self, path: &RepoPath, one: &Use) -> Vec<(usize, SiteKind, &'static str)> {
        let form = one.form.word();
        if one.form == Form::Computed {
            return self.judge_computed(path, one);
        }
        let kind = match one.form {
            Form::Value | Form::Extends | Form::Instanceof => SiteKind::Value,
            _ => SiteKind::Call,
        };
        let meaning = self.join.leading(self.near, path, &one.what);
        if let Meaning::Thing(thing) = &meaning {
            if let Some(numbers) = self.owners.targets.get(thing) {
                return numbers.iter().map(|&number| (number, kind, form)).collect();
            }
            if let Some(numbers) = self.owners.holders.get(thing).filter(|_| one.form == Form::Value) {
                return numbers.iter().map(|&number| (number, kind, form)).collect();
            }
        }
        let possible = self.possible(&meaning);
        if !possible.is_empty() {
            return possible.iter().map(|&number| (number, SiteKind::Possible, form)).collect();
        }
        self.judge_through(path, one)
    }

    /// The targets that something not quite known may be.
    fn possible(&self, meaning: &Meaning) -> &[usize] {
        let known = match meaning {
            Meaning::Unknown(last) => self.members.get(last),
            Meaning::Thing(thing) => match self.overridden.get(thing) {
                // A member of something that a thing holds: what that is, nobody said.
                None if thing.path.len() > 1 => thing.path.last().and_then(|last| self.members.get(last)),
                overridden => overridden,
            },
            Meaning::Nothing => None,
        };
        known.map_or(&[], Vec::as_slice)
    }

    /// `f.call(o)`, `f.apply(o)`, `f.bind(o)` and `f.bind(o)()`.
    fn judge_through(&self, path: &RepoPath, one: &Use) -> Vec<(usize, SiteKind, &'static str)> {
        let Some((last, rest)) = one.what.path.split_last() else { return Vec::new() };
        let (kind, form) = match (last.as_str(), one.form) {
            ("call", Form::Call | Form::CallOfResult) => (SiteKind::Call, ".call"),
            ("apply", Form::Call | Form::CallOfResult) => (SiteKind::Call, ".apply"),
            ("bind", Form::CallOfResult) => (SiteKind::Call, ".bind"),
            ("bind", Form::Call) => (SiteKind::Value, ".bind"),
            _ => return Vec::new(),
        };
        let shorter = Denotes { base: one.what.base.clone(), path: rest.to_vec() };
        let meaning = self.join.meaning(path, &shorter);
        match &meaning {
            Meaning::Thing(thing) if self.owners.targets.contains_key(thing) => {
                self.owners.targets[thing].iter().map(|&number| (number, kind, form)).collect()
            }
            other => self.possible(other).iter().map(|&number| (number, SiteKind::Possible, form)).collect(),
        }
    }

    /// Imports that lead nowhere and say a name of a target: a site may hide behind each.
    fn unresolved(&self, path: &RepoPath, shown: &str, links: &Links, judged: &mut Judged) {
        for import in &links.imports {
            let Some(from) = import.from.as_deref() else { continue };
            let hidden: BTreeSet<usize> = match &import.name {
                Some(name) if name == "default" => {
                    let mut named = self.names_through(path, links, from);
                    match self.join.resolve(path, from) {
                        Led::Unresolved => named.extend(self.defaults_named(path, from)),
                        Led::File(_) | Led::Platform => named.extend(self.names.get("default").into_iter().flatten()),
                    }
                    named
                }
                Some(name) => self.names.get(name.as_str()).into_iter().flatten().copied().collect(),
                None => self.names_through(path, links, from),
            };
            if hidden.is_empty() {
                continue;
            }
            let hidden = match self.join.resolve(path, from) {
                Led::Unresolved => hidden,
                Led::File(_) | Led::Platform => self.passed_over(path, from, &hidden),
            };
            if !hidden.is_empty() {
                let line = format!("{shown}: {from}");
                judged.unresolved.extend(hidden.into_iter().map(|number| (number, line.clone())));
            }
        }
    }

    /// The targets of these that an import would lead to under another condition of its package, and does not as it is.
    fn passed_over(&self, path: &RepoPath, from: &str, hidden: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut passed = BTreeSet::new();
        for other in self.join.under_conditions(path, from) {
            for &name in self.names.keys() {
                let Meaning::Thing(thing) = self.join.exported(&other, name) else { continue };
                let numbers = self.owners.targets.get(&thing).into_iter().flatten();
                let numbers: BTreeSet<usize> = numbers.copied().filter(|number| hidden.contains(number)).collect();
                if !numbers.is_empty() && self.join.meaning(path, &Denotes::export(from, name)) != Meaning::Thing(thing)
                {
                    passed.extend(numbers);
                }
            }
        }
        passed
    }

    /// The targets whose names are used of a whole module; all that the file can say, when it hands on all of it.
    fn names_through(&self, path: &RepoPath, links: &Links, from: &str) -> BTreeSet<usize> {
        let through = links.uses.iter().filter_map(|one| path_from(links, &one.what, from, 16)).flatten();
        let through: BTreeSet<&str> = through.collect();
        let others = through.iter().filter(|name| **name != "default");
        let mut named: BTreeSet<usize> = others.filter_map(|name| self.names.get(name)).flatten().copied().collect();
        if through.contains("default") {
            named.extend(self.defaults_named(path, from));
        }
        let is_it = |what: &Denotes| links.whole_module(what) == Some(from);
        let handed = links.loose.iter().chain(&links.stars).any(|whole| whole == from)
            || links.exports.values().any(is_it)
            || links.uses.iter().any(|one| is_it(&one.what));
        if handed {
            named.extend(self.modules_named(path, from));
        }
        named
    }

    /// Those of these targets that are a default.
    fn defaults_named(&self, path: &RepoPath, from: &str) -> impl Iterator<Item = usize> {
        let defaults = self.names.get("default").map_or(&[][..], Vec::as_slice);
        self.modules_named(path, from).filter(|number| defaults.contains(number))
    }

    /// The targets of modules whose name a specifier ends with. Which files are looked at does not tell: an import that
    /// leads nowhere counts for its own words, whatever else its file says.
    fn modules_named(&self, path: &RepoPath, from: &str) -> impl Iterator<Item = usize> {
        let others = self.join.under_conditions(path, from);
        let may_be =
            move |module: &RepoPath| others.contains(module) || self.join.resolver().may_mean(module, path, from);
        let modules = self.owners.holders.iter().filter(move |(thing, _)| may_be(&thing.file));
        modules.flat_map(|(_, numbers)| numbers.iter().copied())
    }
}

/// The properties that lead from this module to an expression, through aliases.
fn path_from<'l>(links: &'l Links, what: &'l Denotes, from: &str, steps: u32) -> Option<Vec<&'l str>> {
    let own = what.path.iter().map(String::as_str);
    match &what.base {
        Base::Module(module) if module == from => Some(own.collect()),
        Base::Symbol(index) if steps > 0 => match &links.symbols[*index].means {
            Means::Alias(other) => {
                let mut path = path_from(links, other, from, steps - 1)?;
                path.extend(own);
                Some(path)
            }
            _ => None,
        },
        _ => None,
    }
}

impl Join<'_> {
    /// Whether a thing is a member of another, and so reached through whoever has that.
    pub(super) fn is_member(&self, thing: &Thing) -> bool {
        let holds = |means: &Means| matches!(means, Means::Class(class) if class.members.values().any(|&one| one == thing.symbol));
        !thing.path.is_empty()
            || self
                .links(&thing.file)
                .is_some_and(|links| links.symbols.iter().any(|other| !other.name.is_empty() && holds(&other.means)))
    }

    /// The class that something is an instance of, and its base classes.
    fn classes(&self, file: &RepoPath, what: &Denotes) -> Vec<Thing> {
        let of = match &what.base {
            Base::Instance(of) => Some((**of).clone()),
            Base::Symbol(index) => self.links(file).and_then(|links| match &links.symbols.get(*index)?.means {
                Means::Instance(of) => Some(of.clone()),
                _ => None,
            }),
            _ => None,
        };
        let mut classes = Vec::new();
        let mut next = of.map(|of| self.meaning(file, &of));
        while let Some(Meaning::Thing(class)) = next.take().filter(|_| classes.len() < 64) {
            let links = self.links(&class.file);
            let means = links.as_ref().and_then(|links| links.symbols.get(class.symbol)).map(|symbol| &symbol.means);
            if let Some(Means::Class(members)) = means {
                next = members.extends.as_ref().map(|base| self.meaning(&class.file, base));
            }
            classes.push(class);
        }
        classes
    }

    /// The members of the same name in the base classes of a member's class.
    fn bases(&self, thing: &Thing) -> Vec<Thing> {
        let mut bases = Vec::new();
        let mut at = thing.clone();
        while thing.of == Of::Instances && bases.len() < 64 {
            let Some(links) = self.links(&at.file) else { break };
            let Some(Means::Class(class)) = links.symbols.get(at.symbol).map(|symbol| &symbol.means) else { break };
            let Some(Meaning::Thing(base)) = class.extends.as_ref().map(|base| self.meaning(&at.file, base)) else {
                break;
            };
            at = Thing { path: thing.path.clone(), of: Of::Instances, ..base };
            bases.push(at.clone());
        }
        bases
    }
}
