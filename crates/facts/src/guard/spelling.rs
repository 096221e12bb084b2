//! What a value is in words: the code at its node, the same in other words, and either with every name replaced by what it
//! stands for. Patterns match the words; the form says which cell they are about.

use super::code::{Code, Means};
use super::forms::{FormId, Forms, Stands};
use super::names::{Names, Stand};
use factgate_ir::graph::FrameId;
use factgate_ir::{Const, Does, Op, Place, Root, ValueId};
use factgate_syntax::lowered::Spelling;
use factgate_syntax::tree::{Origin, TreeBuilder};
use factgate_syntax::{NodeId, Tree};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Names replaced in what stands for names, at most so deep.
const DEEPEST: usize = 8;

/// A value in words.
#[derive(Clone)]
pub(super) struct Words {
    pub(super) code: Code,
    pub(super) form: FormId,
    /// The names that must still have what stands for them.
    pub(super) needs: BTreeSet<Means>,
    pub(super) reach: Reach,
}

/// What the words say when something on the way to the value is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// They have no value then.
    Plain,
    /// They are `undefined` then: `m?.ok`.
    Chain,
}

/// The names that are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// All.
    All,
    /// Those of bodies that were put in: what is left is said in the words of the caller.
    PutIn,
}

impl Names<'_> {
    /// All words of a value.
    pub(super) fn words(&self, forms: &mut Forms, frame: FrameId, value: ValueId) -> Vec<Words> {
        let chain = self.chain(frame, value);
        let own = chain.unwrap_or(value);
        let reach = if chain.is_some() { Reach::Chain } else { Reach::Plain };
        let known = self.value(frame, value);
        let mut codes = Vec::new();
        if !self.is_given_elsewhere(frame, value) {
            codes.push((self.code(frame, known.node), reach));
        }
        let file = self.file(frame);
        for &id in &known.spelled {
            codes.push((self.spelled(frame, file.lowered.spelling(id)), Reach::Plain));
        }
        let kept = forms.of(self, frame, own, Stands::Kept);
        let replaced = forms.of(self, frame, own, Stands::Replaced);
        let mut all: Vec<Words> = Vec::new();
        for (code, reach) in &codes {
            all.push(Words { code: code.clone(), form: kept.form, needs: kept.needs.clone(), reach: *reach });
        }
        if !replaced.needs.is_empty() {
            for (code, reach) in codes {
                let code = self.replaced(frame, &code, Which::All, 0).unwrap_or(code);
                all.push(Words { code, form: replaced.form, needs: replaced.needs.clone(), reach });
            }
        }
        all
    }

    fn value(&self, frame: FrameId, value: ValueId) -> &factgate_ir::Value {
        let body = self.graph.frame(frame).body;
        self.sight.unit(body.unit).body(body.body).value(value)
    }

    /// Whether a slot is written outside the node whose value it is read as: another subject of the same `switch`.
    fn is_given_elsewhere(&self, frame: FrameId, value: ValueId) -> bool {
        let Some(Op { does: Does::Read(Place { root: Root::Slot(slot), .. }), node, .. }) = self.def(frame, value)
        else {
            return false;
        };
        let (body, tree) = (self.graph.frame(frame).body, &self.file(frame).tree);
        let writes = self.sight.index(body.unit).ops_of(body.body).filter(|op| match &op.does {
            Does::Write { place, .. } => place.root == Root::Slot(*slot),
            _ => false,
        });
        writes.into_iter().any(|write| !tree.is_within(write.node, *node))
    }

    /// What an optional chain gives where nothing on the way is missing.
    pub(super) fn chain(&self, frame: FrameId, value: ValueId) -> Option<ValueId> {
        let Does::Read(Place { root: Root::Slot(slot), steps }) = &self.def(frame, value)?.does else { return None };
        if !steps.is_empty() || self.value(frame, value).spelled.is_empty() {
            return None;
        }
        let body = self.graph.frame(frame).body;
        let slot = &self.sight.index(body.unit).bodies[body.body.index()].slots[slot.index()];
        let is_nothing =
            |value: ValueId| self.def(frame, value).is_some_and(|op| matches!(op.does, Does::Const(Const::Undefined)));
        let mut others = slot.values.iter().copied().filter(|&value| !is_nothing(value));
        let inner = others.next()?;
        if others.next().is_some() || slot.values.len() < 2 {
            None
        } else {
            Some(self.chain(frame, inner).unwrap_or(inner))
        }
    }

    fn spelled(&self, frame: FrameId, spelling: &Spelling) -> Code {
        let marks = spelling
            .from
            .iter()
            .enumerate()
            .filter_map(|(at, from)| Some((NodeId::new(u32::try_from(at).ok()?), self.means(frame, (*from)?)?)));
        Code { tree: Arc::new(spelling.tree.clone()), root: NodeId::ROOT, marks: Arc::new(marks.collect()) }
    }

    /// The code that stands for a name.
    fn stand_code(&self, Stand { frame, value }: Stand) -> Code {
        let known = self.value(frame, value);
        match known.spelled.first() {
            Some(&id) => self.spelled(frame, self.file(frame).lowered.spelling(id)),
            None => self.code(frame, known.node),
        }
    }

    /// The code with names replaced; `None` when there is none to replace.
    pub(super) fn replaced(&self, frame: FrameId, code: &Code, which: Which, depth: usize) -> Option<Code> {
        if depth > DEEPEST {
            return None;
        }
        let mut others: HashMap<NodeId, Code> = HashMap::default();
        for node in code.tree.subtree(code.root).filter(|&node| code.tree.is_leaf(node)) {
            let Some(means) = code.means(node) else { continue };
            let is_wanted = which == Which::All || matches!(means, Means::Var(.., Some(_)) | Means::Given(.., Some(_)));
            if let Some(stand) = self.stand(frame, means).filter(|_| is_wanted) {
                let other = self.stand_code(stand);
                let other = self.replaced(stand.frame, &other, which, depth + 1).unwrap_or(other);
                others.insert(node, other);
            }
        }
        if others.is_empty() { None } else { Some(put_in(code, &others)) }
    }
}

/// A copy of code with other code for some of its leaves.
fn put_in(code: &Code, others: &HashMap<NodeId, Code>) -> Code {
    let mut builder = TreeBuilder::default();
    let replace =
        |node: NodeId| -> Option<(&Tree, NodeId)> { others.get(&node).map(|other| (&*other.tree, other.root)) };
    let origins = builder.copy_replacing(&code.tree, code.root, &replace);
    // The replacements in the order in which they were put in.
    let mut order = code.tree.subtree(code.root).filter_map(|node| others.get(&node));
    let (mut other, mut left): (Option<&Code>, usize) = (None, 0);
    let mut marks = HashMap::default();
    for (at, origin) in origins.into_iter().enumerate() {
        let means = match origin {
            Origin::Copied(node) => code.means(node),
            Origin::Replacement(node) => {
                if left == 0 {
                    other = order.next();
                    left = other.map_or(1, |known| known.tree.subtree(known.root).count());
                }
                left -= 1;
                other.and_then(|known| known.means(node))
            }
        };
        if let (Some(means), Ok(at)) = (means, u32::try_from(at)) {
            marks.insert(NodeId::new(at), means);
        }
    }
    Code { tree: Arc::new(builder.finish()), root: NodeId::ROOT, marks: Arc::new(marks) }
}
