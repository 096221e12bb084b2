//! Joining the links of files: what a use in one file stands for in another.

use super::resolve::{Found, Resolver};
use super::shelf::Shelf;
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use factgate_syntax::links::{Base, Denotes, Holder, Links, Means, Typing};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// One thing of the program: a symbol of a file, or a member of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Thing {
    pub(super) file: RepoPath,
    pub(super) symbol: usize,
    pub(super) path: Vec<String>,
    pub(super) of: Of,
}

/// Whether a member belongs to a thing itself or to its instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Of {
    Itself,
    Instances,
}

impl Thing {
    /// A whole module, whatever it exports.
    pub(super) fn module(file: &RepoPath) -> Thing {
        Thing { file: file.clone(), symbol: usize::MAX, path: Vec::new(), of: Of::Itself }
    }

    /// A symbol of a file.
    pub(super) fn symbol(file: &RepoPath, symbol: usize) -> Thing {
        Thing { file: file.clone(), symbol, path: Vec::new(), of: Of::Itself }
    }

    pub(super) fn is_module(&self) -> bool {
        self.symbol == usize::MAX
    }
}

/// What a use stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// This thing.
    Thing(Thing),
    /// A member of something unknown, by its name; the unknown thing itself has none.
    Unknown(String),
    /// Something that cannot be watched.
    Nothing,
}

/// How far aliases, re-exports and base classes are followed.
pub(super) const STEPS: u32 = 512;

/// The files of one view, joined.
pub(super) struct Join<'f> {
    shelf: &'f Shelf<'f>,
    resolver: Resolver,
    pub(super) words: BTreeSet<String>,
    /// Names that count in one file only: of what stands around a definition there, and of the definition itself.
    own_words: HashMap<RepoPath, BTreeSet<String>>,
    links: Mutex<HashMap<RepoPath, Option<Arc<Links>>>>,
    found: Mutex<HashMap<RepoPath, HashMap<String, Found>>>,
    pub(super) hidden: Mutex<Hidden>,
    /// Watched definitions whose value nobody can follow (`const run = wrap(…)`): their names are as far as it goes.
    opaque: HashSet<(RepoPath, usize)>,
    /// Whether a watched method's class extends one that is not read: an instance of a class of the platform may be it.
    extends_outside: bool,
}

/// What stood between a use and what it means.
#[derive(Clone, Debug, Default)]
pub(super) struct Hidden {
    /// Files that could not be read, and were asked for a watched name.
    pub(super) unread: BTreeSet<RepoPath>,
    /// Re-exports that lead nowhere: the name that was looked for, the file, its specifier.
    pub(super) lost: BTreeSet<(String, RepoPath, String)>,
}

impl<'f> Join<'f> {
    pub(super) fn new(shelf: &'f Shelf<'f>, resolver: Resolver) -> Join<'f> {
        Join {
            shelf,
            resolver,
            words: BTreeSet::new(),
            own_words: HashMap::default(),
            links: Mutex::default(),
            found: Mutex::default(),
            hidden: Mutex::default(),
            opaque: HashSet::default(),
            extends_outside: false,
        }
    }

    /// Takes more words. The links of files that say one of them are read again; all others stay as they are.
    pub(super) fn learn(&mut self, words: &BTreeSet<String>, said_in: &[RepoPath]) {
        self.words.extend(words.iter().cloned());
        let links = self.links.get_mut().unwrap_or_else(PoisonError::into_inner);
        for path in said_in {
            links.remove(path);
        }
    }

    /// Whether a symbol is a watched definition whose value nobody can follow.
    pub(super) fn is_opaque(&self, file: &RepoPath, symbol: usize) -> bool {
        !self.opaque.is_empty() && self.opaque.contains(&(file.clone(), symbol))
    }

    /// Takes names that count in one file only, which is read again.
    pub(super) fn learn_own(&mut self, file: &RepoPath, words: BTreeSet<String>) {
        self.own_words.entry(file.clone()).or_default().extend(words);
        self.links.get_mut().unwrap_or_else(PoisonError::into_inner).remove(file);
    }

    /// Learns whether a watched method's class extends one that is not read.
    pub(super) fn learn_bases(&mut self, thing: &Thing) {
        if thing.of == Of::Instances && !self.extends_outside {
            self.extends_outside = self.is_open(thing);
        }
    }

    /// Whether one of the base classes of a member's class is not read.
    fn is_open(&self, thing: &Thing) -> bool {
        let mut at = Thing::symbol(&thing.file, thing.symbol);
        for _ in 0..64 {
            let links = self.links(&at.file);
            let means = links.as_ref().and_then(|links| links.symbols.get(at.symbol)).map(|symbol| &symbol.means);
            let Some(Means::Class(class)) = means else { return true };
            let Some(base) = &class.extends else { return false };
            match self.meaning(&at.file, base) {
                Meaning::Thing(base) if !base.is_module() => at = base,
                _ => return true,
            }
        }
        true
    }

    /// Takes a watched symbol for a thing of its own where what it stands for cannot be told.
    pub(super) fn settle(&mut self, file: &RepoPath, symbol: usize) {
        if let Meaning::Thing(_) = self.meaning(file, &Denotes::symbol(symbol)) {
            return;
        }
        self.opaque.insert((file.clone(), symbol));
    }

    /// The links of a file: read once. `None` when the view has no such file, or it is none of a known language.
    pub(super) fn links(&self, path: &RepoPath) -> Option<Arc<Links>> {
        if let Some(known) = lock(&self.links).get(path) {
            return known.clone();
        }
        let read = self.read(path);
        lock(&self.links).entry(path.clone()).or_insert(read).clone()
    }

    fn read(&self, path: &RepoPath) -> Option<Arc<Links>> {
        let language = language_for_path(path.as_str())?;
        let stands = self.resolver.stand.text(path).map(|text| std::borrow::Cow::Borrowed(text.as_bytes()));
        let bytes = stands.or_else(|| self.shelf.text(path).ok()?)?;
        let text = std::str::from_utf8(&bytes).ok()?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let own = self.own_words.get(path);
        let is_word = |word: &str| self.words.contains(word) || own.is_some_and(|own| own.contains(word));
        Some(Arc::new(language.links(path.as_str(), text, &is_word)))
    }

    /// Whether a watched thing has this name somewhere.
    pub(super) fn is_word(&self, name: &str) -> bool {
        self.words.contains(name)
    }

    /// What stood in the way so far.
    pub(super) fn hidden(&self) -> Hidden {
        lock(&self.hidden).clone()
    }

    /// What resolves specifiers.
    pub(super) fn resolver(&self) -> &Resolver {
        &self.resolver
    }

    /// Where a specifier leads.
    pub(super) fn resolve(&self, from: &RepoPath, specifier: &str) -> Found {
        if let Some(known) = lock(&self.found).get(from).and_then(|known| known.get(specifier)) {
            return known.clone();
        }
        let found = match self.resolver.resolve(from, specifier) {
            // A file under another name is the same module.
            Found::File(path) => Found::File(self.shelf.end_of_link(&path).unwrap_or(path)),
            other => other,
        };
        lock(&self.found).entry(from.clone()).or_default().insert(specifier.to_owned(), found.clone());
        found
    }

    /// Every file that a specifier may lead to where a package's conditions choose.
    pub(super) fn under_conditions(&self, from: &RepoPath, specifier: &str) -> Vec<RepoPath> {
        let found = self.resolver.under_conditions(from, specifier);
        found.into_iter().map(|path| self.shelf.end_of_link(&path).unwrap_or(path)).collect()
    }

    /// What a module exports under a name.
    pub(super) fn exported(&self, file: &RepoPath, name: &str) -> Meaning {
        self.module(file, &[name.to_owned()], STEPS)
    }

    /// What the whole of a module is: what it exports as a whole, or itself.
    pub(super) fn whole(&self, file: &RepoPath) -> Option<Thing> {
        match self.module(file, &[], STEPS) {
            Meaning::Thing(thing) => Some(thing),
            Meaning::Unknown(_) | Meaning::Nothing => None,
        }
    }

    /// What something said in a file stands for.
    pub(super) fn meaning(&self, file: &RepoPath, what: &Denotes) -> Meaning {
        self.follow(file, what, STEPS)
    }

    pub(super) fn follow(&self, file: &RepoPath, what: &Denotes, steps: u32) -> Meaning {
        let Some(steps) = steps.checked_sub(1) else { return Meaning::Nothing };
        deep(|| self.follow_on(file, what, steps))
    }

    fn follow_on(&self, file: &RepoPath, what: &Denotes, steps: u32) -> Meaning {
        match &what.base {
            Base::Symbol(index) => self.symbol(file, *index, &what.path, steps),
            Base::Module(from) => match self.resolve(file, from) {
                Found::File(target) => self.module(&target, &what.path, steps),
                Found::Platform => Meaning::Nothing,
                Found::Unresolved => unknown(&what.path),
            },
            Base::Instance(of) => self.instance(file, of, &what.path, steps),
            Base::Result(of) => self.result(file, of, &what.path, steps),
            Base::Anything => unknown(&what.path),
            Base::Foreign => Meaning::Nothing,
        }
    }

    fn symbol(&self, file: &RepoPath, index: usize, path: &[String], steps: u32) -> Meaning {
        let Some(links) = self.links(file) else { return Meaning::Nothing };
        let Some(symbol) = links.symbols.get(index) else { return Meaning::Nothing };
        let thing = || Meaning::Thing(Thing { file: file.clone(), symbol: index, path: path.to_vec(), of: Of::Itself });
        if path.is_empty() && self.is_opaque(file, index) {
            return thing();
        }
        match &symbol.means {
            Means::Alias(other) => self.follow(file, &other.longer(path), steps),
            Means::Instance(class) => self.instance(file, class, path, steps),
            Means::Itself => thing(),
            Means::Class(class) => match path.first() {
                Some(member) if class.members.contains_key(member) => {
                    self.symbol_within(file, class.members[member], &path[1..], steps)
                }
                // The prototype itself, handed on: `Object.create(Queue.prototype)`.
                Some(member) if member == "prototype" && path.len() == 1 => thing(),
                Some(member) if member == "prototype" => {
                    self.instance(file, &Denotes::symbol(index), &path[1..], steps)
                }
                Some(member) if !class.statics.contains(member) => match &class.extends {
                    Some(base) => self.follow(file, &base.longer(path), steps),
                    // An object may be given members later.
                    None => self.spread(file, &class.spreads, path, steps).unwrap_or_else(|| match class.holder {
                        Holder::Table => unknown(path),
                        Holder::Class => thing(),
                    }),
                },
                Some(member) if path.len() > 1 => {
                    self.held(file, class.static_fields.get(member), path, steps, thing())
                }
                _ => thing(),
            },
            Means::Foreign => Meaning::Nothing,
            Means::Anything => unknown(path),
        }
    }

    /// A member that an object literal takes over from what is spread into it.
    fn spread(&self, file: &RepoPath, spreads: &[Denotes], path: &[String], steps: u32) -> Option<Meaning> {
        let mut met = spreads.iter().map(|one| self.follow(file, &one.longer(path), steps));
        met.find(|meaning| *meaning != Meaning::Nothing)
    }

    /// A member of what a field holds; `path` begins with the field. `other` is it where the class does not say.
    fn held(&self, file: &RepoPath, field: Option<&Means>, path: &[String], steps: u32, other: Meaning) -> Meaning {
        match field {
            Some(Means::Instance(class)) => self.instance(file, class, &path[1..], steps),
            Some(Means::Alias(what)) => self.follow(file, &what.longer(&path[1..]), steps),
            Some(Means::Foreign) => Meaning::Nothing,
            _ => other,
        }
    }

    fn symbol_within(&self, file: &RepoPath, index: usize, path: &[String], steps: u32) -> Meaning {
        steps.checked_sub(1).map_or(Meaning::Nothing, |steps| self.symbol(file, index, path, steps))
    }

    /// What a call gives: an instance of what the function is declared to return, or, of a function that makes a type,
    /// that type.
    fn result(&self, file: &RepoPath, of: &Denotes, path: &[String], steps: u32) -> Meaning {
        let thing = match self.follow(file, of, steps) {
            Meaning::Thing(thing) => thing,
            // A type made by a function from elsewhere is one from elsewhere.
            Meaning::Nothing if path.is_empty() => return Meaning::Nothing,
            _ => return unknown(path),
        };
        let Some(links) = self.links(&thing.file).filter(|_| thing.path.is_empty()) else { return unknown(path) };
        let Some(symbol) = links.symbols.get(thing.symbol) else { return unknown(path) };
        match (&symbol.means, &symbol.returns) {
            (Means::Class(class), _) if links.typing == Typing::Nominal && !class.members.is_empty() => {
                self.symbol_within(&thing.file, thing.symbol, path, steps)
            }
            (_, Some(Means::Instance(class))) => self.instance(&thing.file, class, path, steps),
            (_, Some(Means::Alias(other))) => self.follow(&thing.file, &other.longer(path), steps),
            (_, Some(Means::Foreign)) => Meaning::Nothing,
            _ => unknown(path),
        }
    }

    /// A member of an instance: of its class, or of the nearest base class that has it.
    fn instance(&self, file: &RepoPath, of: &Denotes, path: &[String], steps: u32) -> Meaning {
        let Some(steps) = steps.checked_sub(1) else { return Meaning::Nothing };
        let Some(member) = path.first() else { return Meaning::Nothing };
        if of.base == Base::Foreign && of.path.is_empty() && !self.extends_outside {
            return Meaning::Nothing;
        }
        let thing = match self.follow(file, of, steps) {
            Meaning::Thing(thing) if thing.is_module() => return unknown(path),
            Meaning::Thing(thing) if thing.path.is_empty() => thing,
            Meaning::Thing(thing) => {
                let path = thing.path.iter().chain(path).cloned().collect();
                return Meaning::Thing(Thing { path, of: Of::Instances, ..thing });
            }
            Meaning::Nothing if self.links(file).is_some_and(|links| links.typing == Typing::Nominal) => {
                return Meaning::Nothing;
            }
            // An imported type that nobody can read, or an interface: any class may stand behind it.
            _ => return unknown(path),
        };
        let links = self.links(&thing.file);
        if member == "constructor" {
            return self.symbol_within(&thing.file, thing.symbol, &path[1..], steps);
        }
        let is_nominal = links.as_ref().is_some_and(|links| links.typing == Typing::Nominal);
        let means = links.as_ref().and_then(|links| links.symbols.get(thing.symbol)).map(|symbol| &symbol.means);
        match means {
            Some(Means::Class(class)) if is_nominal && class.members.contains_key(member) => {
                self.symbol_within(&thing.file, class.members[member], &path[1..], steps)
            }
            Some(Means::Class(class)) if !class.instance.contains(member) => match &class.extends {
                Some(base) => self.instance(&thing.file, base, path, steps),
                None if is_nominal => Meaning::Nothing,
                // Given to it from elsewhere: its prototype is an object like any other.
                None => unknown(path),
            },
            Some(Means::Class(class)) if path.len() > 1 => {
                let other = Meaning::Thing(Thing { path: path.to_vec(), of: Of::Instances, ..thing.clone() });
                self.held(&thing.file, class.fields.get(member), path, steps, other)
            }
            _ => Meaning::Thing(Thing { path: path.to_vec(), of: Of::Instances, ..thing }),
        }
    }
}

/// Runs a step of a long row of names with stack enough for it.
pub(super) fn deep<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, step)
}

pub(super) fn unknown(path: &[String]) -> Meaning {
    Meaning::Unknown(path.last().cloned().unwrap_or_default())
}

/// A lock that a panic elsewhere does not poison: the maps behind it are only ever added to.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
