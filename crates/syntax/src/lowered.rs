//! What a language's lowering gives: the core of a file, and the trees that spell its values in other words.

use crate::tree::{NodeId, Tree};
use factgate_ir::{Asked, Builder, Code, Does, Forget, SpellingId, Test, Unit};

/// A tree in the core.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// What it does.
    pub unit: Unit,
    /// The trees behind the unit's [`SpellingId`]s.
    pub spellings: Vec<Spelling>,
}

/// A condition in the core.
#[derive(Clone, Debug)]
pub struct LoweredTest {
    /// What it asks, and the unit whose top body holds the values that it asks of.
    pub asked: Asked,
    /// The trees behind the unit's [`SpellingId`]s.
    pub spellings: Vec<Spelling>,
}

/// A value in other words: `m?.ok` as `m.ok`, the `s` of `{ s } = m` as `m.s`.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// The words.
    pub tree: Tree,
    /// For each node of it the node of the lowered tree that it is a copy of, so that names mean what they mean there;
    /// `None` for a node that stands nowhere.
    pub from: Vec<Option<NodeId>>,
}

impl Lowered {
    /// Of a tree that nobody can read: anything may happen.
    pub(crate) fn unread() -> Lowered {
        let mut builder = Builder::new(NodeId::ROOT);
        builder.act_or_raise(NodeId::ROOT, Does::Forget(Forget::Everything));
        Lowered { unit: builder.finish(), spellings: Vec::new() }
    }

    /// The tree behind an id.
    pub fn spelling(&self, id: SpellingId) -> &Spelling {
        &self.spellings[id.index()]
    }
}

impl LoweredTest {
    /// Of a condition that nobody can read.
    pub(crate) fn unread(node: NodeId) -> LoweredTest {
        let test = Test::Unknown(Box::new(Code::nothing()), node);
        LoweredTest { asked: Asked { unit: Builder::new(NodeId::ROOT).finish(), test }, spellings: Vec::new() }
    }

    /// The tree behind an id.
    pub fn spelling(&self, id: SpellingId) -> &Spelling {
        &self.spellings[id.index()]
    }
}
