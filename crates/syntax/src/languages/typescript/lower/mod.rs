//! Lowering of TypeScript's normal trees to the core.
//!
//! What stands here is all that guards know of the language, so evaluation order is the language's own (ECMA-262,
//! "Evaluation" of each production), every read, write and call is an operation where it happens, and a form that is not
//! known becomes the operation after which nothing is known. Random programs are run in Node.js and in the core's
//! interpreter to hold it to that (`examples/lowering`).
//!
//! [`names`] finds variables, [`expressions`], [`operators`], [`chains`], [`calls`], [`literals`] and [`jsx`] lower values,
//! [`tests`] conditions, [`assign`] and [`patterns`] what gives new values, [`statements`], [`loops`] and
//! [`switches`] statements, [`functions`] and [`classes`] bodies; [`library`] is the table of what the language's own library does, [`effects`]
//! and [`through`] use it.

mod assign;
mod calls;
mod chains;
mod classes;
mod effects;
mod expressions;
mod functions;
mod jsx;
mod keys;
mod library;
mod literals;
mod loops;
mod names;
mod operators;
mod patterns;
#[cfg(test)]
mod snippets;
mod spell;
mod statements;
mod switches;
mod tests;
mod through;

use super::{scope, shape};
use crate::lowered::{Lowered, LoweredTest, Spelling};
use crate::scope::{BindingId, Scopes};
use crate::tree::{NodeId, Tree};
use factgate_ir::{Asked, BodyId, Builder, ClassId, Code, Const, Does, Label, Place, SlotId, Sym, ValueId, VarId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Lowers a whole tree: a file's, or an item's.
pub(super) fn lower(tree: &Tree) -> Lowered {
    let mut lowering = Lowering::new(tree);
    if !tree.is_empty() {
        lowering.anything(NodeId::ROOT);
    }
    Lowered { unit: lowering.b.finish(), spellings: lowering.spellings }
}

/// Lowers an expression whose truth is asked, apart from what runs it.
pub(super) fn lower_test(tree: &Tree, node: NodeId) -> LoweredTest {
    let mut lowering = Lowering::new(tree);
    let test = lowering.test(node);
    LoweredTest { asked: Asked { unit: lowering.b.finish(), test }, spellings: lowering.spellings }
}

/// The state of one lowering.
struct Lowering<'t> {
    tree: &'t Tree,
    b: Builder,
    scopes: Scopes,
    vars: HashMap<BindingId, VarId>,
    /// The variables that a function other than the one that declares them mentions.
    captured: HashSet<BindingId>,
    /// The bodies of functions and static blocks, by their nodes.
    bodies: HashMap<NodeId, BodyId>,
    spellings: Vec<Spelling>,
    /// The bodies that are being lowered, the innermost last.
    frames: Vec<Frame<'t>>,
    /// The classes around, the innermost last, with their private names.
    classes: Vec<(ClassId, HashSet<&'t str>)>,
    /// A class that stands for one whose private names are used and that is not in the tree.
    elsewhere: Option<ClassId>,
    /// Nodes whose mark was set before they were left.
    marked: HashSet<NodeId>,
}

/// What is known of the body that is being lowered.
#[derive(Default)]
struct Frame<'t> {
    is_async: bool,
    is_generator: bool,
    /// What `break` and `continue` can leave, innermost last.
    targets: Vec<Target<'t>>,
    /// The labels in front of the statement that comes next.
    pending: Vec<&'t str>,
    /// How many `with` statements there are around.
    with: usize,
    /// The members that parameters of the constructor are, behind `super(…)`.
    members: Vec<NodeId>,
}

/// Something that `break` or `continue` can leave.
struct Target<'t> {
    label: Label,
    names: Vec<&'t str>,
    kind: TargetKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetKind {
    Loop,
    Switch,
    Block,
}

impl<'t> Lowering<'t> {
    fn new(tree: &'t Tree) -> Lowering<'t> {
        let scopes = scope::scopes(tree);
        let captured = names::captured(tree, &scopes);
        Lowering {
            tree,
            b: Builder::new(NodeId::ROOT),
            scopes,
            vars: HashMap::default(),
            captured,
            bodies: HashMap::default(),
            spellings: Vec::new(),
            frames: vec![Frame::default()],
            classes: Vec::new(),
            elsewhere: None,
            marked: HashSet::default(),
        }
    }

    fn kind(&self, node: NodeId) -> &'static str {
        self.tree.kind(node)
    }

    fn text(&self, node: NodeId) -> &'t str {
        self.tree.text(node)
    }

    fn frame(&mut self) -> &mut Frame<'t> {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The node has its value now, or was entered.
    fn mark(&mut self, node: NodeId) {
        if !self.marked.remove(&node) {
            self.b.mark(node);
        }
    }

    /// Lowers into a piece of code of its own.
    fn apart(&mut self, lower: impl FnOnce(&mut Self)) -> Code {
        self.b.open();
        lower(self);
        self.b.done()
    }

    fn constant(&mut self, node: NodeId, constant: Const) -> ValueId {
        self.b.constant(node, constant)
    }

    fn undefined(&mut self, node: NodeId) -> ValueId {
        self.constant(node, Const::Undefined)
    }

    /// A value of which nothing is known.
    fn unknown(&mut self, node: NodeId) -> ValueId {
        self.b.give(node, Does::Compute(factgate_ir::Prim::Other(factgate_ir::Converts::No), Vec::new()))
    }

    fn set_slot(&mut self, node: NodeId, slot: SlotId, value: ValueId) {
        self.b.write(node, Place::slot(slot), value, factgate_ir::How::Assign);
    }

    fn read_slot(&mut self, node: NodeId, slot: SlotId) -> ValueId {
        self.b.read(node, Place::slot(slot))
    }

    /// Lowers a node of any kind: a statement, an expression, or the parts of what is neither.
    fn anything(&mut self, node: NodeId) {
        let kind = self.kind(node);
        match kind {
            _ if shape::is_type_only(kind) => {}
            "parts" | "program" => {
                self.mark(node);
                let statements: Vec<_> = self.tree.children(node).collect();
                self.block_of(node, &statements);
            }
            "method_definition" | "public_field_definition" | "field_definition" | "class_static_block" => {
                self.lone_member(node);
            }
            "pair" | "spread_element" => {
                let object = self.b.give(node, Does::Make(factgate_ir::Made::Object));
                self.property(object, node);
            }
            _ if shape::is_expression(kind) => {
                self.value(node);
            }
            _ => self.statement(node),
        }
    }
}

/// Runs `work` with enough stack, however deep the source nests.
fn with_stack<R>(work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, work)
}

/// A name that is not declared in the tree.
fn global(name: &str) -> factgate_ir::Path {
    factgate_ir::Path(vec![Sym::from(name)])
}
