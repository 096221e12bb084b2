//! Lowering of Zig's normal trees to the core.
//!
//! What stands here is all that guards know of the language. Operands are evaluated from left to right, an assignment's
//! target before its value; what `defer` names runs on every way out of the block, the last one first. Errors are values:
//! nothing raises. A struct is a value that lies where its variable lies, so `a.b.c` is one place as far as no pointer is
//! followed; where a type is not written nearby, a step may or may not follow one. A form that is not known becomes the
//! operation after which nothing is known.
//!
//! [`containers`] lowers files and containers, [`names`] finds variables and what they hold, [`types`] what the tree
//! writes of types, [`places`] what can be assigned, [`values`] and [`literals`] expressions, [`calls`] calls and builtins, [`tests`] conditions, [`branches`],
//! [`loops`] and [`switches`] what branches, [`assign`] what gives new values, [`jumps`] what leaves. [`library`] is what
//! the language's own library does.

mod assign;
mod branches;
mod calls;
mod containers;
mod jumps;
mod library;
mod literals;
mod loops;
mod names;
mod places;
mod switches;
mod tests;
mod types;
mod values;

use super::scope;
use crate::lowered::{Lowered, LoweredTest, Spelling};
use crate::scope::{BindingId, Scopes};
use crate::tree::{NodeId, Tree, TreeBuilder};
use factgate_ir::{
    Asked, Builder, Code, Const, Converts, Does, How, Label, Place, Prim, SlotId, SpellingId, ValueId, VarId,
};
use rustc_hash::FxHashMap as HashMap;

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
    spellings: Vec<Spelling>,
    /// What `break` and `continue` can leave, innermost last; of the body that is being lowered.
    targets: Vec<Target<'t>>,
    /// Captures that hold an error, innermost last: `catch |e|`, `else |e|`, `errdefer |e|`.
    errors: Vec<NodeId>,
    /// The variables that stand for the containers around, innermost last: what `@This()` is.
    containers: Vec<VarId>,
    /// The node whose value comes next, when it was marked before: where its test was entered, or where it left.
    marked: Option<NodeId>,
}

/// What a `break` or `continue` can name.
struct Target<'t> {
    name: Option<&'t str>,
    kind: TargetKind,
    /// Where `break` goes.
    behind: Label,
    /// Where `continue` goes.
    again: Label,
    /// What a value that is given with it is written to.
    gives: Option<SlotId>,
    /// The subject of a labelled `switch`, which a `continue` with a value changes.
    subject: Option<SlotId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetKind {
    Loop,
    /// A labelled block or `switch`: only a jump with its label leaves it.
    Named,
}

impl<'t> Lowering<'t> {
    fn new(tree: &'t Tree) -> Lowering<'t> {
        Lowering {
            tree,
            b: Builder::new(NodeId::ROOT),
            scopes: scope::scopes(tree),
            vars: HashMap::default(),
            spellings: Vec::new(),
            targets: Vec::new(),
            errors: Vec::new(),
            containers: Vec::new(),
            marked: None,
        }
    }

    fn kind(&self, node: NodeId) -> &'static str {
        self.tree.kind(node)
    }

    fn text(&self, node: NodeId) -> &'t str {
        self.tree.text(node)
    }

    /// Lowers into a piece of code of its own.
    fn apart(&mut self, lower: impl FnOnce(&mut Self)) -> Code {
        self.b.open();
        lower(self);
        self.b.done()
    }

    /// A value of which nothing is known.
    fn unknown(&mut self, node: NodeId) -> ValueId {
        self.b.give(node, Does::Compute(Prim::Other(Converts::No), Vec::new()))
    }

    /// What code gives that has no value.
    fn nothing(&mut self, node: NodeId) -> ValueId {
        self.b.constant(node, Const::Undefined)
    }

    fn set_slot(&mut self, node: NodeId, slot: SlotId, value: ValueId) {
        self.b.write(node, Place::slot(slot), value, How::Assign);
    }

    /// Says that a value is that of another node: the payload of `try a` is `a`.
    fn spelled(&mut self, value: ValueId, node: NodeId) {
        let mut builder = TreeBuilder::default();
        builder.copy_as(self.tree, node, None);
        let from = self.tree.subtree(node).map(Some).collect();
        let id = SpellingId(self.spellings.len() as u32);
        self.spellings.push(Spelling { tree: builder.finish(), from });
        self.b.spelled(value, id);
    }

    /// Lowers a node of any kind: a file, a member, a statement, an expression.
    fn anything(&mut self, node: NodeId) {
        match self.kind(node) {
            "source_file" => self.file(node),
            "function_declaration" | "test_declaration" => self.function(node),
            "container_field" => self.b.mark(node),
            "switch_case" => self.lone_case(node),
            "field_initializer" => {
                let object = self.b.give(node, Does::Make(factgate_ir::Made::Struct));
                self.field(object, node);
            }
            _ => self.statement(node),
        }
    }
}

/// Runs `work` with enough stack, however deep the source nests.
fn with_stack<R>(work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, work)
}
