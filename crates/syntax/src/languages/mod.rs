//! The table of languages. A language is one module here and one row in [`LANGUAGES`]; help, file extensions and
//! docs derive from the rows.

mod answers;
pub(crate) mod kinds;
mod scripts;
mod typescript;
mod zig;

pub use answers::{Access, Call, CallForm, OwnObject, Receiver};
pub use kinds::{Kinds, does_nothing, only_gives_a_value};

use crate::grammar::{GrammarTree, Names, Node};
use crate::item::{Item, Text};
use crate::links::Links;
use crate::lowered::{Lowered, LoweredTest};
use crate::pieces::{Pieces, Told};
use crate::scope::Scopes;
use crate::source::Problem;
use crate::tree::{NodeId, Span, Tree, TreeBuilder};
use crate::value::{Constant, Entries, Spelled};
use std::borrow::Cow;
use std::sync::OnceLock;

/// One language.
pub struct Language {
    /// Its name, for people.
    pub name: &'static str,
    /// The endings of its files, without the dot.
    pub extensions: &'static [&'static str],
    grammar: fn() -> tree_sitter::Language,
    names: OnceLock<Names>,
    grammar_rules: &'static dyn GrammarRules,
    rules: &'static dyn Rules,
    links: ReadLinks,
    pieces: Told,
    /// How its files name one another.
    pub modules: Modules,
    /// Its own logging: patterns of calls that do not count where nobody uses their result and their arguments do nothing.
    pub logging: &'static [&'static str],
    /// Patterns of calls that make a logger: the calls of its members are logging as well.
    pub loggers: &'static [&'static str],
    /// What a container is called in itself, and may be given a name by.
    pub itself: Option<&'static str>,
    /// Whether its code stands in other text.
    embedded: Embedded,
}

/// Whether a file is code or holds some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Embedded {
    /// All of it is.
    No,
    /// Its `<script>` elements are.
    InScripts,
}

/// How the files of a language name one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modules {
    /// By specifiers, as Node.js, bundlers and TypeScript resolve them.
    Specifiers,
    /// By paths, and by names that Zig's build files give to paths.
    ZigPaths,
}

/// Reads a file's links: its path, its text, and the words whose uses are wanted.
type ReadLinks = fn(&str, &str, &dyn Fn(&str) -> bool) -> Links;

/// Every language, one row each.
pub static LANGUAGES: [Language; 5] = [
    Language {
        name: "TypeScript",
        extensions: &["ts", "mts", "cts"],
        grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        names: OnceLock::new(),
        grammar_rules: &typescript::Dialect::TypeScript,
        rules: &typescript::TypeScript,
        links: typescript::links,
        pieces: Told::Apart,
        modules: Modules::Specifiers,
        logging: &["console.$_($$$)"],
        loggers: &[],
        itself: None,
        embedded: Embedded::No,
    },
    Language {
        name: "TSX",
        extensions: &["tsx"],
        grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
        names: OnceLock::new(),
        grammar_rules: &typescript::Dialect::Tsx,
        rules: &typescript::TypeScript,
        links: typescript::links,
        pieces: Told::ByParser,
        modules: Modules::Specifiers,
        logging: &["console.$_($$$)"],
        loggers: &[],
        itself: None,
        embedded: Embedded::No,
    },
    Language {
        name: "JavaScript",
        extensions: &["js", "mjs", "cjs", "jsx"],
        grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
        names: OnceLock::new(),
        grammar_rules: &typescript::Dialect::JavaScript,
        rules: &typescript::TypeScript,
        links: typescript::links,
        pieces: Told::ByParser,
        modules: Modules::Specifiers,
        logging: &["console.$_($$$)"],
        loggers: &[],
        itself: None,
        embedded: Embedded::No,
    },
    Language {
        name: "Zig",
        extensions: &["zig"],
        grammar: || tree_sitter_zig::LANGUAGE.into(),
        names: OnceLock::new(),
        grammar_rules: &zig::Zig,
        rules: &zig::Zig,
        links: zig::links,
        pieces: Told::ByParser,
        modules: Modules::ZigPaths,
        logging: &["std.log.$_($$$)", "std.debug.print($$$)"],
        loggers: &["$_.log.scoped($$$)"],
        itself: Some("@This()"),
        embedded: Embedded::No,
    },
    Language {
        name: "Vue and Svelte",
        extensions: &["vue", "svelte"],
        grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        names: OnceLock::new(),
        grammar_rules: &typescript::Dialect::TypeScript,
        rules: &typescript::TypeScript,
        links: typescript::links,
        pieces: Told::ByParser,
        modules: Modules::Specifiers,
        logging: &["console.$_($$$)"],
        loggers: &[],
        itself: None,
        embedded: Embedded::InScripts,
    },
];

/// The language of a file, by its ending.
pub fn language_for_path(path: &str) -> Option<&'static Language> {
    let name = path.rsplit('/').next()?;
    let (_, extension) = name.rsplit_once('.')?;
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
}

impl std::fmt::Debug for Language {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name)
    }
}

impl Language {
    /// What the language knows about its normal trees.
    pub fn rules(&self) -> &'static dyn Rules {
        self.rules
    }

    /// Whether a leaf of this kind is a mere token (punctuation, a keyword, an operator) rather than a node with a
    /// meaning of its own such as `this` or an empty string.
    pub fn is_token(&'static self, kind: &str) -> bool {
        kind != "hole" && !self.names().is_named_kind(kind)
    }

    /// What the names of a file mean and where they are used. `path` tells the dialect by its ending. Uses are kept
    /// that can lead to one of the words, or that come from an import.
    pub fn links(&self, path: &str, text: &str, is_word: &dyn Fn(&str) -> bool) -> Links {
        (self.links)(path, &self.code(text), is_word)
    }

    /// The code of a file's text, the rest of it as spaces.
    pub fn code<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.embedded {
            Embedded::No => Cow::Borrowed(text),
            Embedded::InScripts => Cow::Owned(scripts::scripts(text)),
        }
    }

    /// What of a file's text is no code that is read, and may be code all the same: `@click="drain()"`.
    pub fn aside(&self, text: &str) -> Option<String> {
        (self.embedded == Embedded::InScripts).then(|| scripts::markup(text))
    }

    /// The comments and strings of a text of this language.
    pub fn pieces<'t>(&self, text: &'t [u8]) -> Pieces<'t> {
        Pieces::of(text, self.pieces)
    }

    pub(crate) fn grammar_rules(&self) -> &'static dyn GrammarRules {
        self.grammar_rules
    }

    pub(crate) fn names(&'static self) -> &'static Names {
        self.names.get_or_init(|| Names::of(&(self.grammar)()))
    }

    pub(crate) fn parse(&self, text: &str) -> Result<tree_sitter::Tree, String> {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&(self.grammar)()).map_err(|error| error.to_string())?;
        // Much of a masked text is white space, which the parser would walk through a letter at a time, and twice.
        let ranges = shown(text);
        if ranges.len() > 1 {
            parser.set_included_ranges(&ranges).map_err(|error| error.to_string())?;
        }
        parser.parse(text, None).ok_or_else(|| "the parser gave up".to_owned())
    }
}

/// White space that is worth leaving out.
const LONG: usize = 48;

/// The ranges of a text without the inside of long white space; what is left of that still parts words, and ends a line
/// if the whole did.
fn shown(text: &str) -> Vec<tree_sitter::Range> {
    let bytes = text.as_bytes();
    let mut ranges = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n')).count();
        if length > LONG {
            let line_break = bytes[at..at + length].iter().position(|&byte| byte == b'\n');
            let end = at + line_break.map_or(1, |line_break| line_break + 1);
            // The break stands in a range of its own where much is before it.
            let begin = if end > at + LONG { (from, at + 1, Some((end - 1, end))) } else { (from, end, None) };
            ranges.push(range(begin.0, begin.1));
            ranges.extend(begin.2.map(|(start, end)| range(start, end)));
            from = at + length - 1;
            if from < end {
                from = end;
            }
        }
        at += length.max(1);
    }
    ranges.push(range(from, bytes.len()));
    ranges
}

fn range(start_byte: usize, end_byte: usize) -> tree_sitter::Range {
    let point = |column| tree_sitter::Point { row: 0, column };
    tree_sitter::Range { start_byte, end_byte, start_point: point(start_byte), end_point: point(end_byte) }
}

/// A grammar tree's surroundings: what a language's grammar rules are given beside the nodes.
#[derive(Clone, Copy)]
pub(crate) struct Given<'s> {
    pub(crate) names: &'static Names,
    pub(crate) text: &'s str,
    /// Words that the grammar did not see and that count, in order.
    pub(crate) words: &'s [Span],
    /// Of which reading of it the nodes are.
    pub(crate) reads: Text,
}

/// A text as the grammar reads it: each byte at its place, some of them masked.
#[derive(Default)]
pub(crate) struct Reading {
    /// What runs.
    pub(crate) runs: String,
    /// The types that are items, and nothing else.
    pub(crate) types: Option<String>,
    /// Words that are masked and count all the same, in order.
    pub(crate) words: Vec<Span>,
    /// Those of them that the grammar has no word for at all, in order.
    pub(crate) lacking: Vec<Span>,
    /// The functions whose written return type says that they never return, in order.
    pub(crate) never: Vec<Span>,
    /// What the language has in each text.
    pub(crate) shapes: Vec<Shape>,
    pub(crate) type_shapes: Vec<Shape>,
    /// Whether nothing runs: the file is one type.
    pub(crate) is_all_types: bool,
    /// What could be read, where not all of the file could.
    pub(crate) pieces: Option<Vec<Span>>,
}

/// What stands at a place: from, to, and a number of the language's for its kind.
pub(crate) type Shape = (u32, u32, u8);

/// Says in words what is wrong with a node, when something is.
pub(crate) type Check = fn(Node<'_>, Given<'_>) -> Option<&'static str>;

/// What a language knows about the grammar's tree. The only users are [`crate::source`] and [`crate::snippet`].
pub(crate) trait GrammarRules: Sync {
    /// The items of a file, in source order: of what runs, and of the types.
    fn items(&self, runs: Node<'_>, types: Option<Node<'_>>, given: Given<'_>) -> Vec<Item>;

    /// Writes the normal form of an item's grammar nodes: one root node. With several parts (overload signatures and
    /// their implementation) the root is a node `parts` that holds each.
    fn normalize(&self, parts: &[Node<'_>], given: Given<'_>, out: &mut TreeBuilder);

    /// Whether an `ERROR` or missing node is known to be harmless.
    fn harmless(&self, node: Node<'_>, given: Given<'_>) -> bool;

    /// What the grammar reads without an error but wrongly beyond repair: for each kind of node (or token), who can tell.
    fn checks(&self) -> &'static [(&'static str, Check)] {
        &[]
    }

    /// The text that the grammar reads in the place of a file's; `None` where that is the file's own, and the error in
    /// words where a piece of the file has to be taken at a time ([`GrammarRules::salvage`]).
    fn reading(&self, _text: &str) -> Option<Result<Reading, String>> {
        None
    }

    /// The same for what can be read of a broken file, of whose text this is the tree, with what cannot be read.
    fn salvage(&self, _root: Node<'_>, _text: &str) -> (Reading, Vec<Problem>) {
        Default::default()
    }

    /// Where the grammar reads another thing than the language.
    fn misread(&self, _tree: &GrammarTree, _shapes: &mut Vec<Shape>, _read: &str, _reading: &Reading) -> Vec<Problem> {
        Vec::new()
    }

    /// Where a snippet can stand, tried in order: text before it, text behind it. The first place whose parse has no
    /// error is taken, and the node is what the place's text encloses.
    fn places(&self) -> &'static [Place];

    /// Where a member of an object, struct or enum can stand.
    fn member_place(&self) -> Place {
        Place { before: "({ ", after: " })" }
    }

    /// What an identifier needs around it to stand for a whole statement, case or member where it cannot stand bare.
    fn fillers(&self) -> &'static [(&'static str, &'static str)] {
        &[("", ""), ("", ";"), ("case ", ":"), ("", " => {},"), ("", ": u8,")]
    }
}

/// A place for a snippet: code around it in which it parses.
pub(crate) struct Place {
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
}

/// How a pattern sees a kind of node in the code that it does not mention itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// As what it is.
    Plain,
    /// As if it were not there: type arguments.
    Ignored,
    /// As the one operand that it marks: `q!`.
    Through,
    /// As a flat chain of operands, of which a pattern may name a run: `a && b && c`.
    Chain,
}

/// How numbers are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// IEEE doubles, bit operations on 32 bits: ECMAScript's Number type.
    Doubles,
    /// Exact integers whose division truncates: Zig's `comptime_int`.
    Exact,
}

/// What a language knows about its normal trees. All of it works on normal trees only.
pub trait Rules: Sync {
    /// Which identifiers name which variables.
    fn scopes(&self, tree: &Tree) -> Scopes;

    /// Whether a name stands where a variable is meant, not a member, label or field.
    fn names_variable(&self, _tree: &Tree, _node: NodeId) -> bool {
        true
    }

    /// What its kinds of nodes are to a pattern and to a skeleton.
    fn kinds(&self) -> &'static Kinds;

    /// What a tree does, in the core: all that guards know of it. Of a file's tree or an item's.
    fn lower(&self, _tree: &Tree) -> Lowered {
        Lowered::unread()
    }

    /// What the truth of an expression asks, in the core, as [`Rules::lower`] lowers a condition that stands in code.
    fn lower_test(&self, _tree: &Tree, node: NodeId) -> LoweredTest {
        LoweredTest::unread(node)
    }

    /// Whether a node has a value whose truth can be asked: no statement, declaration or type.
    fn is_value(&self, tree: &Tree, node: NodeId) -> bool;

    /// The variable and property path that a node reads or writes: `m.status` is root `m`, path `["status"]`. `None`
    /// for anything that is no such path.
    fn access(&self, tree: &Tree, node: NodeId) -> Option<Access>;

    /// The node in which the variable that an identifier declares can be seen.
    fn seen_within(&self, tree: &Tree, declared: NodeId) -> NodeId;

    /// The call that a node makes, when it is one (`f(x)`, `o.f(x)`, `new C(x)`, `@call`), seen through `await`-free
    /// wrappers only.
    fn call(&self, tree: &Tree, node: NodeId) -> Option<Call>;

    /// What the written type of the parameter that a leaf names says: an object of the function's own container.
    fn own_object(&self, _tree: &Tree, _scopes: &Scopes, _leaf: NodeId) -> Option<OwnObject> {
        None
    }

    /// Whose `this` (or `arguments`) a leaf is, when it is one: a leaf of the same spelling may mean another thing in
    /// another function.
    fn receiver_of(&self, _tree: &Tree, _node: NodeId) -> Option<Receiver> {
        None
    }

    /// Whose `this` (or `arguments`) a name would mean at a node, where no variable has that name.
    fn receiver_at(&self, _tree: &Tree, _name: &str, _at: NodeId) -> Option<Receiver> {
        None
    }

    /// What may stand in the place of a member of a table or class where the name of that is followed, and what it is.
    fn replacement(&self, _tree: &Tree, _member: NodeId) -> Option<(NodeId, &'static str)> {
        None
    }

    /// The entries of the table, enum, union or list that a node is or is initialised with.
    fn entries(&self, tree: &Tree, node: NodeId) -> Entries;

    /// The object literals that an argument may be and is not written as: what its name stands for, with what is spread
    /// into it.
    fn objects(&self, _tree: &Tree, _scopes: &Scopes, _argument: NodeId) -> Vec<Tree> {
        Vec::new()
    }

    /// The constant that a node is or is initialised with.
    fn constant(&self, tree: &Tree, node: NodeId) -> Constant;

    /// What an expression, or a declaration that gives its variable no value, says of the value.
    fn spelled(&self, tree: &Tree, node: NodeId) -> Spelled;
}
