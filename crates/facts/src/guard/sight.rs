//! What a scope sees: its file, lowered whole, with the files that its imports lead to; and where in the file it is.

use super::classes::Constant;
use super::names::File;
use crate::core::Sight;
use crate::program::{Program, Scope};
use crate::table::constant_at;
use factgate_ir::graph::{FrameId, Graph};
use factgate_ir::{BodyId, Does, NodeId, Op, OpId, OpRef, Sym, UnitRef};
use factgate_record::FactValue;
use factgate_syntax::Tree;

use std::cell::OnceCell;

/// A scope in its file.
pub(super) struct Found<'p> {
    /// With the file's tree.
    pub(super) scope: Scope,
    /// The nodes that the scope is.
    pub(super) within: Vec<NodeId>,
    pub(super) sight: Sight<'p>,
}

/// The files of the units in sight, each made when it is asked for.
pub(super) struct Files<'s> {
    sight: &'s Sight<'s>,
    all: Vec<OnceCell<File>>,
}

impl<'s> Files<'s> {
    pub(super) fn new(sight: &'s Sight<'s>) -> Files<'s> {
        Files { sight, all: (0..sight.count()).map(|_| OnceCell::new()).collect() }
    }

    pub(super) fn get(&self, unit: UnitRef) -> &File {
        self.all[unit.index()].get_or_init(|| {
            let index = self.sight.index(unit);
            let bodies = self.sight.unit(unit).body_ids();
            let ops: Vec<(BodyId, &Op)> =
                bodies.flat_map(|body| index.ops_of(body).map(move |op| (body, op))).collect();
            let lowered = self.sight.lowered(unit).clone();
            match self.sight.file(unit) {
                Some(file) => File::of(file.tree.clone(), &file.scopes, lowered, &ops),
                None => File::of(Default::default(), &Default::default(), lowered, &ops),
            }
        })
    }
}

impl<'p> Found<'p> {
    pub(super) fn of(program: &'p Program<'p>, item: Scope) -> Found<'p> {
        let sight = Sight::of(program, &item.file);
        let (tree, scopes) = match sight.file(UnitRef(0)) {
            Some(file) => (file.tree.clone(), file.scopes.clone()),
            None => (item.tree.clone(), item.scopes.clone()),
        };
        let within = places(&tree, &item.tree);
        Found { scope: Scope { tree, scopes, ..item }, within, sight }
    }

    /// The constant that a node of a frame's unit is.
    pub(super) fn constant(
        &self,
        files: &Files<'_>,
        program: &Program<'_>,
        graph: &Graph<'_>,
        frame: FrameId,
        node: NodeId,
    ) -> Option<Constant> {
        if graph.unit(frame) != UnitRef(0) {
            return None;
        }
        let rules = self.scope.source.language().rules();
        use factgate_syntax::value::Spelled;
        match rules.spelled(&self.scope.tree, node) {
            Spelled::Member(name) => Some(Constant::Tag(Sym::from(name))),
            Spelled::Constant(_) if files.get(UnitRef(0)).is_local(node) => None,
            Spelled::Constant(_) => match constant_at(program, &self.scope, node)? {
                FactValue::Integer(number) => Some(Constant::Number(number as f64)),
                FactValue::Float(number) => Some(Constant::Number(number)),
                FactValue::Text(text) => Some(Constant::Text(Sym::from(text))),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Found<'_> {
    /// Whether a value of this name is declared in a frame's file, which a tag of the name may mean: no function is.
    pub(super) fn declares(&self, graph: &Graph<'_>, frame: FrameId, name: &str) -> bool {
        let unit = graph.unit(frame);
        let index = self.sight.index(unit);
        let is_function = |at: usize| {
            let writes = &index.vars[at].writes;
            !writes.is_empty() && writes.iter().all(|&op| self.writes_function(unit, op))
        };
        let vars = self.sight.unit(unit).vars.iter().enumerate();
        vars.filter(|(_, var)| var.name.as_str() == name).any(|(at, _)| !is_function(at))
    }

    fn writes_function(&self, unit: UnitRef, op: OpId) -> bool {
        let at = OpRef { unit, op };
        let Some(Does::Write { value: Some(value), .. }) = self.sight.op(at).map(|op| &op.does) else { return false };
        let made = self.sight.def(self.sight.owner(at), *value);
        matches!(made.map(|op| &op.does), Some(Does::Close { .. }))
    }
}

/// Where an item stands in its file's tree.
fn places(file: &Tree, item: &Tree) -> Vec<NodeId> {
    let root = NodeId::ROOT;
    let find = |node: NodeId| {
        let same = |&other: &NodeId| file.kind(other) == item.kind(node);
        let all: Vec<NodeId> = file.at_span(item.span(node)).collect();
        all.iter().copied().find(same).or_else(|| all.first().copied())
    };
    match find(root) {
        Some(node) => vec![node],
        None => item.children(root).filter_map(find).collect(),
    }
}
