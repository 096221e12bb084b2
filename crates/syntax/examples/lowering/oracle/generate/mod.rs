//! Random programs: every form of the language that the lowering knows, each with a weight of its own.
//!
//! What a program does shows in calls of functions from outside: `t(…)` shows values, `q()` gives one that nobody knows,
//! `r()` may throw, `w()` gives a promise, `$o(…)` makes an object whose every use shows, and classes over `$B` make such
//! objects.

mod classes;
mod expressions;
mod functions;
mod loops;
mod patterns;
mod statements;

use crate::oracle::program::Code;

/// A small generator of random numbers (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % sides.max(1)
    }
}

/// What a variable holds, as far as the generator knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A number, string, boolean, `null` or `undefined`.
    Plain,
    /// An object with members.
    Object,
    /// A function to be called.
    Function,
    /// A function whose calls give an iterator.
    Generator,
    /// A function whose calls give an iterator of promises.
    AsyncGenerator,
    /// A function whose calls give a promise.
    Async,
    /// A list of values.
    List,
    /// A class, by its number.
    Class(usize),
}

#[derive(Clone)]
struct Variable {
    name: String,
    kind: Kind,
    /// Whether it may be assigned.
    open: bool,
}

/// What a class offers to those who use it.
#[derive(Clone, Default)]
struct Shape {
    methods: Vec<String>,
    accessors: Vec<String>,
    fields: Vec<String>,
    statics: Vec<String>,
    privates: Vec<(String, Private)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Private {
    Field,
    Method,
    Accessor,
}

/// What the code at hand may do.
#[derive(Clone, Default)]
struct Around {
    is_async: bool,
    is_generator: bool,
    is_function: bool,
    /// The class whose `this` is there.
    this: Option<usize>,
    /// Whether there is a base class.
    has_super: bool,
    /// The classes whose private names are seen.
    within: Vec<usize>,
    /// Names of loops around, and whether each is a loop.
    labels: Vec<(String, bool)>,
    in_loop: bool,
    in_switch: bool,
}

pub(crate) struct Generator {
    random: Random,
    scopes: Vec<Vec<Variable>>,
    around: Around,
    classes: Vec<Shape>,
    next: usize,
    /// How many statements may still be made.
    left: usize,
    depth: usize,
}

/// A program of a seed.
pub(crate) fn program(seed: u64) -> Code {
    let mut generator = Generator {
        random: Random::new(seed),
        scopes: vec![Vec::new()],
        around: Around::default(),
        classes: Vec::new(),
        next: 0,
        left: 14,
        depth: 0,
    };
    generator.file()
}

impl Generator {
    fn roll(&mut self, sides: usize) -> usize {
        self.random.roll(sides)
    }

    /// Whether something happens that happens one time in so many.
    fn one_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.random.roll(from.len())].clone()) }
    }

    fn one_of(&mut self, texts: &[&str]) -> String {
        texts[self.roll(texts.len())].to_owned()
    }

    fn name(&mut self, start: &str) -> String {
        self.next += 1;
        format!("{start}{}", self.next)
    }

    fn declare(&mut self, name: &str, kind: Kind, open: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Variable { name: name.to_owned(), kind, open });
        }
    }

    /// The variables in sight that fit.
    fn seen(&self, fits: impl Fn(&Variable) -> bool) -> Vec<Variable> {
        let mut found: Vec<Variable> = Vec::new();
        for variable in self.scopes.iter().rev().flatten() {
            if fits(variable) && !found.iter().any(|other| other.name == variable.name) {
                found.push(variable.clone());
            }
        }
        found
    }

    fn variable(&mut self, kind: Kind) -> Option<String> {
        let seen = self.seen(|variable| variable.kind == kind);
        self.pick(&seen).map(|variable| variable.name)
    }

    /// The whole file: some declarations, a function that runs, and its call.
    fn file(&mut self) -> Code {
        let mut lines = Vec::new();
        for _ in 0..1 + self.roll(3) {
            self.left = 5;
            let declared = self.declaration();
            lines.push(declared);
        }
        self.left = 8;
        let is_async = self.one_in(2);
        self.around = Around { is_async, is_function: true, ..Around::default() };
        let mut body = self.statements(6);
        body.extend(self.uses());
        let mut main = Code::of(if is_async { "async function main() " } else { "function main() " });
        main.block(body);
        lines.push(main);
        lines.push(Code::of(if is_async {
            "main().then((value) => $end(value), (error) => $raise(error));"
        } else {
            "try { $end(main()); } catch (error) { $raise(error); }"
        }));
        let mut code = Code::default();
        code.body(lines);
        code
    }

    /// Calls of what is declared, so that it runs.
    fn uses(&mut self) -> Vec<Code> {
        let mut lines = Vec::new();
        for Variable { name, kind, .. } in self.seen(|_| true) {
            let arguments = self.arguments(1).print(crate::oracle::program::Dialect::JavaScript);
            let waits = if self.around.is_async { "await " } else { "" };
            let text = match kind {
                Kind::Function | Kind::Async => format!("t({waits}{name}({arguments}));"),
                Kind::Generator => format!("for (const x of {name}({arguments})) {{ t(x); if (q()) break; }}"),
                Kind::AsyncGenerator if self.around.is_async => {
                    format!("for await (const x of {name}({arguments})) {{ t(x); if (q()) break; }}")
                }
                Kind::Class(class) => {
                    let methods = self.classes[class].methods.clone();
                    let accessors = self.classes[class].accessors.clone();
                    let object = self.name("o");
                    let calls: String = methods.iter().map(|method| format!(" t({object}.{method}(1));")).collect();
                    let reads: String =
                        accessors.iter().map(|name| format!(" {object}.{name} = {object}.{name};")).collect();
                    format!("{{ const {object} = new {name}({arguments});{calls}{reads} }}")
                }
                _ => continue,
            };
            lines.push(Code::of(text));
        }
        lines
    }
}
