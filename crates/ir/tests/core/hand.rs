//! Units written by hand: calls of names that nobody declares, and tests of such names. Each node stands once.

use factgate_ir::{Atom, BodyId, BodyKind, Builder, Catch, Code, Exit, Name, NodeId, Place, Test, This, ValueId, When};

/// A builder that counts nodes.
pub(crate) struct Hand {
    pub(crate) b: Builder,
    nodes: u32,
}

impl Hand {
    pub(crate) fn new() -> Hand {
        Hand { b: Builder::new(NodeId::ROOT), nodes: 0 }
    }

    pub(crate) fn node(&mut self) -> NodeId {
        self.nodes += 1;
        NodeId::new(self.nodes)
    }

    /// `name()`, with its mark.
    pub(crate) fn call(&mut self, name: &str) -> ValueId {
        let node = self.node();
        let value = self.b.call_global(node, name, &[]);
        self.b.mark(node);
        value
    }

    /// The code that `write` emits.
    pub(crate) fn code(&mut self, write: impl FnOnce(&mut Hand)) -> Code {
        self.b.open();
        write(self);
        self.b.done()
    }

    /// `m.name` as a test, of a global `m`.
    pub(crate) fn test(&mut self, name: &str) -> Test {
        let node = self.node();
        self.b.open();
        let object = self.b.read(node, Place::global("m"));
        let value = self.b.read(node, Place::of(object, Name::text(name)));
        self.b.mark(node);
        self.b.leaf(node, Atom::Truth(value))
    }

    pub(crate) fn exit(&mut self, to: Exit) {
        let node = self.node();
        self.b.exit(node, to, None);
    }

    pub(crate) fn finally(&mut self, body: impl FnOnce(&mut Hand), when: When, leaving: impl FnOnce(&mut Hand)) {
        let body = self.code(body);
        let leaving = self.code(leaving);
        self.b.guarded(body, None, Some((when, leaving)));
    }

    pub(crate) fn catch(&mut self, body: impl FnOnce(&mut Hand), catch: impl FnOnce(&mut Hand)) {
        let body = self.code(body);
        let node = self.node();
        let value = Some(self.b.value(node));
        let code = Box::new(self.code(catch));
        self.b.guarded(body, Some(Catch { value, code }), None);
    }

    pub(crate) fn when(&mut self, test: Test, yes: impl FnOnce(&mut Hand), no: impl FnOnce(&mut Hand)) {
        let yes = self.code(yes);
        let no = self.code(no);
        self.b.branch(test, yes, no);
    }

    /// A function that is made here.
    pub(crate) fn function(&mut self, write: impl FnOnce(&mut Hand)) -> (BodyId, ValueId) {
        let node = self.node();
        self.b.enter(node, BodyKind::Plain, This::Given);
        write(self);
        let body = self.b.leave();
        (body, self.b.give(node, factgate_ir::Does::Close { body, runs: factgate_ir::Runs::Later }))
    }
}
