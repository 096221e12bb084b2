//! Member chains: `a.b?.c(d)[e]`. What stands behind a `?.` runs only when what stands before it is there.

use super::{Lowering, Out, branch, is_there};
use crate::flow::{Exit, Flow};
use crate::languages::typescript::{access, shape, values};
use crate::tree::NodeId;

impl Lowering<'_> {
    /// Lowers a chain from its base outwards, in one loop: chains get long.
    pub(super) fn chain(&mut self, node: NodeId, out: &mut Out) {
        let (base, links) = self.links(node);
        if let Some(base) = base {
            self.value(base, out);
        }
        let mut opened: Vec<(NodeId, Out)> = Vec::new();
        for &link in links.iter().rev() {
            let object = shape::object_of(self.tree, link);
            if let Some(object) = object.filter(|_| shape::is_optional(self.tree, link)) {
                opened.push((object, Out::new()));
            }
            let here = opened.last_mut().map_or(&mut *out, |(_, inner)| inner);
            self.link(link, here);
        }
        while let Some((object, inner)) = opened.pop() {
            let here = opened.last_mut().map_or(&mut *out, |(_, outer)| outer);
            here.push(branch(is_there(object), Flow::Seq(inner), Flow::nothing()));
        }
    }

    /// The base of a chain (`None` when a function called on the spot makes it) and its links, outermost first.
    fn links(&self, node: NodeId) -> (Option<NodeId>, Vec<NodeId>) {
        let mut links = Vec::new();
        let mut current = node;
        loop {
            let kind = self.kind(current);
            if !shape::is_chain_link(kind) && kind != "non_null_expression" {
                return (Some(current), links);
            }
            links.push(current);
            if self.called_on_the_spot(current).is_some() {
                return (None, links);
            }
            match shape::object_of(self.tree, current) {
                Some(object) => current = object,
                None => return (None, links),
            }
        }
    }

    fn link(&mut self, link: NodeId, out: &mut Out) {
        match self.kind(link) {
            "subscript_expression" => {
                if let Some(index) = self.tree.child(link, "index") {
                    self.value(index, out);
                }
                self.eval(link, out);
            }
            "call_expression" => self.call(link, out),
            _ => self.eval(link, out),
        }
    }

    fn call(&mut self, call: NodeId, out: &mut Out) {
        if let Some(function) = self.called_on_the_spot(call) {
            return self.call_on_the_spot(call, function, out);
        }
        self.arguments(call, out);
        self.eval_raising(call, out);
        // `Object.assign(m, …)` is so many assignments to members of `m`, and `eval` may assign anything.
        let writes = values::assigned_by(self.tree, call).is_some() || self.evaluates_text(call);
        if let Some(arguments) = self.tree.child(call, "arguments").filter(|_| writes) {
            self.write(call, arguments, None, out);
        }
        if self.never_returns(call) {
            out.push(Flow::Leave { to: Exit::Never, node: call });
        }
    }

    /// Whether a call is one of `eval` by its own name, which sees the variables around it.
    fn evaluates_text(&self, call: NodeId) -> bool {
        let callee = self.tree.child(call, "function").map(|callee| shape::bare(self.tree, callee));
        callee.is_some_and(|callee| shape::is_eval(self.tree, callee) && !self.is_shadowed(callee))
    }

    /// Whether a call ends the program: `process.exit()`, `process.abort()`, `Deno.exit()`, unless something else of
    /// that name is in sight.
    fn never_returns(&self, call: NodeId) -> bool {
        let Some(callee) = self.tree.child(call, "function").and_then(|callee| access::access(self.tree, callee))
        else {
            return false;
        };
        let mut names = vec![self.tree.text(callee.root)];
        for property in &callee.path {
            let Some(property) = property else { return false };
            names.push(property);
        }
        if names[0] == "globalThis" {
            names.remove(0);
        }
        let ends = matches!(names[..], ["process", "exit" | "abort"] | ["Deno", "exit"]);
        ends && !self.is_shadowed(callee.root)
    }

    /// Whether a global's name means a variable of this tree, other than an import of that global.
    fn is_shadowed(&self, name: NodeId) -> bool {
        let scopes = self.scopes.get_or_init(|| super::super::scope::scopes(self.tree));
        scopes.binding(name).is_some_and(|id| {
            let declared = scopes.get(id).declared;
            !self.tree.ancestors(declared).any(|above| self.kind(above) == "import_statement")
        })
    }
}
