//! What a language's lowering gives: the core of a file, and the trees that spell its values in other words.

use crate::tree::{NodeId, Tree};
use factgate_ir::{Asked, Atom, Builder, Code, Const, Does, Forget, Op, SpellingId, Test, Unit, ValueId};

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
    /// The outcome of a test that is the same everywhere: `true`, `!0 || x`.
    pub fn outcome(&self) -> Option<bool> {
        outcome(&self.asked.test)
    }

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

fn outcome(test: &Test) -> Option<bool> {
    match test {
        Test::Always => Some(true),
        Test::Not(inner) => outcome(inner).map(|truth| !truth),
        Test::And(parts) => decided(parts, false),
        Test::Or(parts) => decided(parts, true),
        Test::Choice(parts) => match outcome(&parts[0]) {
            Some(true) => outcome(&parts[1]),
            Some(false) => outcome(&parts[2]),
            None => outcome(&parts[1]).filter(|truth| outcome(&parts[2]) == Some(*truth)),
        },
        Test::Leaf(leaf) => match leaf.atom {
            Atom::Truth(value) => given_in(&leaf.code, value).and_then(|op| truth(&op.does)),
            _ => None,
        },
        Test::Unknown(..) => None,
    }
}

/// What all parts come to, of which one of this outcome decides.
fn decided(parts: &[Test], by: bool) -> Option<bool> {
    let outcomes: Vec<Option<bool>> = parts.iter().map(outcome).collect();
    let is_decided = outcomes.contains(&Some(by));
    let is_other = outcomes.iter().all(|outcome| *outcome == Some(!by));
    if is_decided { Some(by) } else { is_other.then_some(!by) }
}

/// The truth of a constant that has one in every language here.
fn truth(does: &Does) -> Option<bool> {
    match does {
        Does::Const(Const::Bool(truth)) => Some(*truth),
        Does::Const(Const::Undefined | Const::Null) => Some(false),
        Does::Const(Const::Number(number)) => Some(number.get() != 0.0),
        _ => None,
    }
}

/// The operation in a piece of straight code that gives a value.
pub fn given_in(code: &Code, value: ValueId) -> Option<&Op> {
    match code {
        Code::Do(op) => (op.gives == Some(value)).then_some(op),
        Code::Seq(parts) => parts.iter().find_map(|part| given_in(part, value)),
        _ => None,
    }
}
