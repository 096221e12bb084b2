//! Links: what the names of one file mean, what it exports, and where it uses them.
//!
//! A file's links are made without looking at any other file; the `facts` crate joins them across files. The shapes
//! are the same for every language, so following a call knows nothing of imports' spelling.

#[cfg(test)]
pub(crate) mod testing;

use crate::tree::Span;
use std::collections::BTreeMap;

/// Everything that one file says about names.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// The variables, functions, classes and imports of the file, in every scope.
    pub symbols: Vec<Symbol>,
    /// Exported names. CommonJS's whole `module.exports` stands under [`WHOLE`].
    pub exports: BTreeMap<String, Denotes>,
    /// Specifiers of `export * from`, and of Zig's `usingnamespace @import`.
    pub stars: Vec<String>,
    /// Uses that can matter: the words asked for, and everything that comes from an import.
    pub uses: Vec<Use>,
    /// Every specifier with the names that are imported by it, for imports that cannot be resolved.
    pub imports: Vec<Import>,
    /// Specifiers of modules whose whole value goes where names are not followed: stored, handed on, chosen, spread.
    pub loose: Vec<String>,
    /// Whether the file could not be read to its end, so that a use may be missing: what is wrong, and where.
    pub broken: Option<(String, Span)>,
    /// Whether a value of a type from outside the repository can be one of a class of the repository.
    pub typing: Typing,
    /// What read the file.
    pub reading: Reading,
}

/// What reads a file's links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// The grammar that items are read with: what it cannot read is missing here, too.
    #[default]
    Grammar,
    /// A parser of its own: it may read what the grammar cannot.
    Apart,
}

/// How types relate to values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Typing {
    /// An interface from anywhere may stand for any class (TypeScript).
    #[default]
    Structural,
    /// A type is itself and nothing else (Zig).
    Nominal,
}

/// The key of a module's whole CommonJS export.
pub const WHOLE: &str = "module.exports";

/// One import of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The specifier; `None` where it is no literal.
    pub from: Option<String>,
    /// The imported name; `None` for the whole module.
    pub name: Option<String>,
    /// Where.
    pub span: Span,
}

/// A named thing of the file.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name in its scope.
    pub name: String,
    /// Its declaring identifier (for an anonymous default export, the declaration).
    pub span: Span,
    /// Its whole declaration: the function, class, declarator or parameter.
    pub whole: Span,
    /// What it stands for.
    pub means: Means,
    /// For a function: what a call of it gives, where its declaration says so.
    pub returns: Option<Means>,
}

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub enum Means {
    /// Itself: a function, a table, an enum, a namespace.
    Itself,
    /// A class or container, with its members.
    Class(Class),
    /// Another name for the same thing: an import, `const f = g`.
    Alias(Denotes),
    /// A value of this class or type.
    Instance(Denotes),
    /// Certainly nothing that is watched: a literal, a value of a built-in type.
    Foreign,
    /// Not known.
    Anything,
}

/// What has members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holder {
    /// A class or container: its instances have members, too.
    #[default]
    Class,
    /// An object literal or a namespace: whoever has it has its functions.
    Table,
}

/// A class's members.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// What it is.
    pub holder: Holder,
    /// Its base class.
    pub extends: Option<Denotes>,
    /// Names of members of its instances.
    pub instance: Vec<String>,
    /// Names of members of the class itself.
    pub statics: Vec<String>,
    /// Members that are symbols of their own, reached through the class (a namespace's), in Zig also through instances.
    pub members: BTreeMap<String, usize>,
    /// What the fields of instances hold, where the class says so.
    pub fields: BTreeMap<String, Means>,
    /// What the fields of the class itself hold.
    pub static_fields: BTreeMap<String, Means>,
    /// Members that are read and written, never called: getters, setters, constants.
    pub uncalled: Vec<String>,
    /// What is spread into it (an object literal's `...q`), the last one first: its members are this one's, too.
    pub spreads: Vec<Denotes>,
}

/// What an expression stands for: a start, and a path of properties from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denotes {
    /// The start.
    pub base: Base,
    /// The properties.
    pub path: Vec<String>,
}

/// The start of a [`Denotes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A symbol of the same file, by index.
    Symbol(usize),
    /// Another module, by its specifier.
    Module(String),
    /// An instance of a class.
    Instance(Box<Denotes>),
    /// What a call gives.
    Result(Box<Denotes>),
    /// Not known.
    Anything,
    /// Certainly nothing that is watched.
    Foreign,
}

/// One place that uses a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// What is used.
    pub what: Denotes,
    /// How.
    pub form: Form,
    /// The used expression.
    pub span: Span,
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// `f()`, `f?.()`.
    Call,
    /// `f()()`: the result of the call is called. Matters for `f.bind(o)()`.
    CallOfResult,
    /// `new F()`.
    New,
    /// A tagged template.
    Tag,
    /// A JSX element.
    Element,
    /// A decorator.
    Decorator,
    /// Zig's `@call`.
    Builtin,
    /// `o[k]` of an instance, where nobody can tell what `k` is: any of its members.
    Computed,
    /// Handed on, stored, returned.
    Value,
    /// A class's base.
    Extends,
    /// `x instanceof F`.
    Instanceof,
}

impl Form {
    /// The word for explanations.
    pub fn word(self) -> &'static str {
        match self {
            Form::Call | Form::CallOfResult => "call",
            Form::New => "new",
            Form::Tag => "tagged template",
            Form::Element => "JSX element",
            Form::Decorator => "decorator",
            Form::Builtin => "@call",
            Form::Computed => "computed member",
            Form::Value => "value",
            Form::Extends => "extends",
            Form::Instanceof => "instanceof",
        }
    }
}

impl Denotes {
    /// A symbol.
    pub fn symbol(index: usize) -> Denotes {
        Denotes { base: Base::Symbol(index), path: Vec::new() }
    }

    /// A whole module.
    pub fn module(from: &str) -> Denotes {
        Denotes { base: Base::Module(from.to_owned()), path: Vec::new() }
    }

    /// An export of a module.
    pub fn export(from: &str, name: &str) -> Denotes {
        Denotes::module(from).then(name)
    }

    /// An instance of a class.
    pub fn instance(of: Denotes) -> Denotes {
        Denotes { base: Base::Instance(Box::new(of)), path: Vec::new() }
    }

    /// Something unknown.
    pub fn anything() -> Denotes {
        Denotes { base: Base::Anything, path: Vec::new() }
    }

    /// What a call of a function gives.
    pub fn result(of: Denotes) -> Denotes {
        Denotes { base: Base::Result(Box::new(of)), path: Vec::new() }
    }

    /// Nothing that is watched.
    pub fn foreign() -> Denotes {
        Denotes { base: Base::Foreign, path: Vec::new() }
    }

    /// What more properties lead to from it.
    #[must_use]
    pub fn longer(&self, path: &[String]) -> Denotes {
        let mut longer = self.clone();
        longer.path.extend(path.iter().cloned());
        longer
    }

    /// A property of it.
    #[must_use]
    pub fn then(mut self, name: &str) -> Denotes {
        self.path.push(name.to_owned());
        self
    }
}

impl Links {
    /// The specifier of the module that an expression is, through aliases.
    pub fn whole_module<'l>(&'l self, what: &'l Denotes) -> Option<&'l str> {
        self.module_behind(what, |what| what.path.is_empty())
    }

    /// The specifier of the module that an expression comes from, through aliases.
    pub fn module_of<'l>(&'l self, what: &'l Denotes) -> Option<&'l str> {
        self.module_behind(what, |_| true)
    }

    /// The module at the end of a row of aliases, all of which are as `fits` wants them.
    fn module_behind<'l>(&'l self, what: &'l Denotes, fits: fn(&Denotes) -> bool) -> Option<&'l str> {
        let mut what = what;
        for _ in 0..16 {
            match &what.base {
                _ if !fits(what) => return None,
                Base::Module(from) => return Some(from),
                Base::Symbol(index) => match &self.symbols[*index].means {
                    Means::Alias(other) => what = other,
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }

    /// Adds the modules that are used as values to the loose ones.
    pub(crate) fn loosen(&mut self) {
        let values = self.uses.iter().filter(|one| one.form == Form::Value);
        let handed: Vec<String> = values.filter_map(|one| self.whole_module(&one.what)).map(str::to_owned).collect();
        self.loose.extend(handed);
        self.loose.sort();
        self.loose.dedup();
    }

    /// Whether a use can lead to one of the words or out of the file. Aliases are followed; a cycle of them ends, and may.
    pub fn matters(&self, what: &Denotes, is_word: &dyn Fn(&str) -> bool) -> bool {
        self.matters_within(what, is_word, 16)
    }

    fn matters_within(&self, what: &Denotes, is_word: &dyn Fn(&str) -> bool, steps: u32) -> bool {
        // At the end of the steps nobody knows: whoever joins files looks further.
        if steps == 0 || what.path.iter().any(|name| is_word(name)) {
            return true;
        }
        match &what.base {
            Base::Module(_) => true,
            Base::Instance(of) | Base::Result(of) => {
                !what.path.is_empty() && self.matters_behind(of, &what.path, is_word, steps - 1)
            }
            Base::Anything | Base::Foreign => false,
            Base::Symbol(index) => {
                let symbol = &self.symbols[*index];
                is_word(&symbol.name)
                    || match &symbol.means {
                        Means::Alias(other) => self.matters_behind(other, &what.path, is_word, steps - 1),
                        Means::Class(class) => what.path.split_first().is_some_and(|(first, rest)| {
                            let member = class.members.get(first).map(|&index| Denotes::symbol(index));
                            member.is_some_and(|member| self.matters_behind(&member, rest, is_word, steps - 1))
                        }),
                        Means::Instance(of) => {
                            !what.path.is_empty() && self.matters_behind(of, &what.path, is_word, steps - 1)
                        }
                        _ => false,
                    }
            }
        }
    }

    fn matters_behind(&self, what: &Denotes, path: &[String], is_word: &dyn Fn(&str) -> bool, steps: u32) -> bool {
        match (&what.base, path) {
            (Base::Module(_), _) => true,
            (_, []) => self.matters_within(what, is_word, steps),
            _ => self.matters_within(&what.longer(path), is_word, steps),
        }
    }
}
