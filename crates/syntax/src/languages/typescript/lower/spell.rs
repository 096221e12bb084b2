//! The same value in other words: a chain without its marks, a name that was taken apart as the member it stands for.

use super::Lowering;
use crate::languages::typescript::{access, chains, shape};
use crate::lowered::Spelling;
use crate::tree::{NodeId, Tree, TreeBuilder};
use factgate_ir::{SpellingId, ValueId};

/// Of which expression a pattern takes a member, and the members on the way.
#[derive(Clone)]
pub(super) struct Taken<'t> {
    source: NodeId,
    names: Vec<&'t str>,
}

impl<'t> Taken<'t> {
    /// Of an expression that a pattern could name: a variable and members, or a call.
    pub(super) fn of(tree: &Tree, source: NodeId) -> Option<Taken<'t>> {
        let is_call = matches!(tree.kind(shape::bare(tree, source)), "call_expression" | "await_expression");
        (is_call || access::access(tree, source).is_some()).then_some(Taken { source, names: Vec::new() })
    }

    pub(super) fn member(&self, name: &'t str) -> Taken<'t> {
        let mut taken = self.clone();
        taken.names.push(name);
        taken
    }

    /// `m.s`
    fn spelling(&self, tree: &Tree, at: NodeId) -> Spelling {
        let (mut builder, mut from) = (TreeBuilder::default(), Vec::new());
        let span = tree.span(at);
        for index in 0..self.names.len() {
            builder.open("member_expression", (index > 0).then_some("object"), span);
            from.push(None);
        }
        builder.copy_as(tree, self.source, Some("object"));
        from.extend(tree.subtree(self.source).map(Some));
        for name in &self.names {
            builder.leaf(".", None, "", span);
            builder.leaf("property_identifier", Some("property"), name, span);
            from.extend([None, None]);
            builder.close();
        }
        Spelling { tree: builder.finish(), from }
    }
}

impl<'t> Lowering<'t> {
    /// Says that a value is that member.
    pub(super) fn spelled_as_member(&mut self, value: ValueId, taken: &Taken<'t>, at: NodeId) {
        if !taken.names.is_empty() {
            let spelling = taken.spelling(self.tree, at);
            self.spelled(value, spelling);
        }
    }

    /// Says that the value of a chain is that of the same chain without its marks.
    pub(super) fn spelled_unchained(&mut self, value: ValueId, chain: NodeId) {
        if let Some((tree, from)) = chains::unchained(self.tree, chain) {
            self.spelled(value, Spelling { tree, from: from.into_iter().map(Some).collect() });
        }
    }

    fn spelled(&mut self, value: ValueId, spelling: Spelling) {
        let id = SpellingId(self.spellings.len() as u32);
        self.spellings.push(spelling);
        self.b.spelled(value, id);
    }
}
