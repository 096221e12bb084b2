//! Member chains: `a.b?.c(d)[e]`. What stands behind a `?.` runs only when what stands before it is there.

use super::{Lowering, library};
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{Atom, Const, Does, Given, How, Name, Path, Place, Root, SlotId, Step, Test, ValueId};

/// The value of a chain up to a link, and what it would be called on.
pub(super) struct Reached {
    pub(super) node: NodeId,
    pub(super) value: ValueId,
    /// The object and the member's name, when the last link is a member.
    pub(super) member: Option<(ValueId, Step)>,
}

/// What is done with the last link of a chain.
#[derive(Clone, Copy)]
pub(super) enum Last {
    Read,
    /// `delete` at this node.
    Deleted(NodeId),
}

/// How a chain starts.
enum Start {
    Value(Reached),
    /// `super`
    Super,
    /// `super.m`, which is called next.
    SuperMethod(Name),
    /// A name from outside that is called or whose member is.
    Global(NodeId),
    /// A function of the library's that is called next.
    Library(Path, NodeId),
}

/// A test that something is there, and what its absence skips.
struct Opened {
    test: Test,
}

impl Lowering<'_> {
    pub(super) fn chain(&mut self, node: NodeId) -> ValueId {
        self.chain_to(node, Last::Read)
    }

    /// Lowers a chain from its base outwards, in one loop: chains get long.
    pub(super) fn chain_to(&mut self, node: NodeId, last: Last) -> ValueId {
        let (base, links) = self.links(node);
        let mut reached = self.start(base, &links);
        let mut opened: Vec<Opened> = Vec::new();
        let mut slot: Option<SlotId> = None;
        for (at, &link) in links.iter().enumerate().rev() {
            if shape::is_optional(self.tree, link) {
                let there = self.settle(base, reached);
                self.b.open();
                let test = self.b.leaf(there.node, Atom::Missing(there.value));
                slot.get_or_insert_with(|| self.b.slot(node));
                opened.push(Opened { test });
                self.b.open();
                reached = Start::Value(there);
            }
            let last = if at == 0 { last } else { Last::Read };
            reached = self.link(base, link, reached, last);
        }
        let end = self.settle(base, reached);
        let Some(slot) = slot else { return end.value };
        self.set_slot(node, slot, end.value);
        while let Some(Opened { test }) = opened.pop() {
            let there = self.b.done();
            let missing = self.apart(|lowering| {
                let value = match last {
                    Last::Read => lowering.undefined(node),
                    Last::Deleted(_) => lowering.constant(node, Const::Bool(true)),
                };
                lowering.set_slot(node, slot, value);
            });
            self.b.branch(test, missing, there);
        }
        let value = self.read_slot(node, slot);
        self.spelled_unchained(value, node);
        value
    }

    /// A chain whose truth is asked, or what is asked of its value: the tests that all before a `?.` is there, and then
    /// what `end` asks of the value. `missing` says what the whole is when something is not there.
    pub(super) fn chain_test(
        &mut self,
        node: NodeId,
        missing: bool,
        end: impl FnOnce(&mut Self, ValueId) -> Test,
    ) -> Test {
        let (base, links) = self.links(node);
        self.b.open();
        let mut reached = self.start(base, &links);
        let mut tests = Vec::new();
        for &link in links.iter().rev() {
            if shape::is_optional(self.tree, link) {
                let there = self.settle(base, reached);
                let test = self.b.leaf(there.node, Atom::Missing(there.value));
                tests.push(if missing { test } else { Test::Not(Box::new(test)) });
                self.b.open();
                reached = Start::Value(there);
            }
            reached = self.link(base, link, reached, Last::Read);
        }
        let value = self.settle(base, reached).value;
        self.spelled_unchained(value, node);
        tests.push(end(self, value));
        if missing { Test::Or(tests) } else { Test::And(tests) }
    }

    /// Whether a chain has a `?.` of its own.
    pub(super) fn is_optional_chain(&self, node: NodeId) -> bool {
        let is_link = shape::is_chain_link(self.kind(node));
        is_link && self.links(node).1.iter().any(|&link| shape::is_optional(self.tree, link))
    }

    /// The base of a chain and its links, outermost first.
    fn links(&self, node: NodeId) -> (NodeId, Vec<NodeId>) {
        let mut links = Vec::new();
        let mut current = node;
        loop {
            let kind = self.kind(current);
            if !shape::is_chain_link(kind) && kind != "non_null_expression" {
                return (current, links);
            }
            links.push(current);
            match shape::object_of(self.tree, current) {
                Some(object) => current = object,
                None => return (current, links),
            }
        }
    }

    fn start(&mut self, base: NodeId, links: &[NodeId]) -> Start {
        if self.kind(base) == "super" {
            return Start::Super;
        }
        let first = links.last().map(|&link| self.kind(link));
        let is_name = self.kind(base) == "identifier" && self.is_global(base) && self.text(base) != "arguments";
        if is_name && (first == Some("call_expression") || self.names_library(links)) {
            return Start::Global(base);
        }
        let value = self.value(base);
        Start::Value(Reached { node: base, value, member: None })
    }

    /// Whether the first two links are a call of a function of the library's: `Object.assign(…)`.
    fn names_library(&self, links: &[NodeId]) -> bool {
        let [.., call, member] = links else { return false };
        self.kind(*call) == "call_expression" && library::names_function(self.tree, *member)
    }

    /// What was reached as a value.
    fn settle(&mut self, base: NodeId, reached: Start) -> Reached {
        match reached {
            Start::Value(reached) => reached,
            Start::Global(name) => {
                let value = self.value(name);
                Reached { node: name, value, member: None }
            }
            Start::Library(path, link) => {
                let value = self.b.read(link, Place::global(path));
                Reached { node: link, value, member: None }
            }
            Start::Super | Start::SuperMethod(_) => {
                let value = self.b.give(base, Does::Given(Given::This));
                self.mark(base);
                Reached { node: base, value, member: None }
            }
        }
    }

    fn link(&mut self, base: NodeId, link: NodeId, reached: Start, last: Last) -> Start {
        let reached = match (self.kind(link), reached) {
            ("call_expression", Start::Super) => self.super_call(base, link),
            ("call_expression", Start::SuperMethod(name)) => self.super_method_call(link, name),
            ("call_expression", Start::Global(name)) => {
                self.mark(name);
                self.global_call(link, super::global(self.text(name)))
            }
            ("call_expression", Start::Library(path, _)) => self.global_call(link, path),
            ("call_expression", Start::Value(reached)) => self.call(link, reached),
            ("non_null_expression", reached) => {
                let reached = self.settle(base, reached);
                self.mark(link);
                Reached { node: link, ..reached }
            }
            (_, Start::Super) => return self.super_member(base, link),
            (_, Start::Global(name)) if library::names_function(self.tree, link) => {
                return self.library_member(name, link);
            }
            (_, reached) => {
                let reached = self.settle(base, reached);
                self.member(link, reached, last)
            }
        };
        Start::Value(reached)
    }

    fn member(&mut self, link: NodeId, reached: Reached, last: Last) -> Reached {
        let object = reached.value;
        let step = self.member_step(link);
        let place = Place { root: Root::Value(object), steps: vec![step.clone()] };
        let value = match last {
            Last::Read => self.b.read(link, place),
            Last::Deleted(node) => {
                self.mark(link);
                self.b.write(node, place, None, How::Delete);
                self.constant(node, Const::Bool(true))
            }
        };
        if let Last::Read = last {
            self.mark(link);
        }
        Reached { node: link, value, member: Some((object, step)) }
    }

    /// The step of `.b` or `[b]`, whose key is evaluated.
    pub(super) fn member_step(&mut self, link: NodeId) -> Step {
        if let Some(property) = self.tree.child(link, "property") {
            return self.property_step(property);
        }
        match self.tree.child(link, "index") {
            Some(index) => self.index_step(index),
            None => Step::Any,
        }
    }

    /// `super.x`
    fn super_member(&mut self, base: NodeId, link: NodeId) -> Start {
        self.mark(base);
        let step = self.member_step(link);
        let is_called = self.tree.parent(link).is_some_and(|call| {
            self.tree.child(call, "function") == Some(link) && !shape::is_optional(self.tree, call)
        });
        if let Some(name) = Self::name_of(&step).filter(|_| is_called) {
            self.mark(link);
            return Start::SuperMethod(name);
        }
        let value = self.b.read(link, Place { root: Root::Super, steps: vec![step.clone()] });
        self.mark(link);
        // What is called behind it is called on `this`.
        let object = self.b.give(base, Does::Given(Given::This));
        Start::Value(Reached { node: link, value, member: Some((object, step)) })
    }

    /// A function of the library's, by its path.
    fn library_member(&mut self, name: NodeId, link: NodeId) -> Start {
        self.mark(name);
        let property = self.tree.child(link, "property").map_or("", |property| self.text(property));
        let path = Path(vec![self.text(name).into(), property.into()]);
        self.mark(link);
        Start::Library(path, link)
    }

    /// The name of a member's step, for a call of it.
    pub(super) fn name_of(step: &Step) -> Option<Name> {
        match step {
            Step::Member(name) => Some(name.clone()),
            _ => None,
        }
    }
}
