//! Computing a constant: literals, arithmetic, and the constants that it names, in this file and in imported ones.

use super::counts_members;
use super::lookup::{Found, dotted, find};
use super::number::{self, Value};
use crate::program::{Program, Scope};
use factgate_record::{Evidence, Reason, RepoPath, Role};
use factgate_syntax::value::{Constant, Entries, Entry};
use factgate_syntax::{ItemKind, NodeId};
use std::collections::BTreeSet;

/// Why something is no constant: what it is, and where.
#[derive(Clone, Debug)]
pub(super) struct Unread {
    pub(super) reason: Reason,
    pub(super) what: String,
    pub(super) evidence: Evidence,
}

impl Unread {
    pub(super) fn here(scope: &Scope, node: NodeId, what: impl Into<String>) -> Unread {
        Unread { reason: Reason::NotLiteral, what: what.into(), evidence: scope.evidence(Role::Source, node) }
    }
}

/// Reads constants and remembers which it is in the middle of, so that a cycle ends.
pub(super) struct Reader<'p, 'f> {
    program: &'p Program<'f>,
    open: BTreeSet<(RepoPath, String)>,
}

impl<'p, 'f> Reader<'p, 'f> {
    pub(super) fn new(program: &'p Program<'f>) -> Reader<'p, 'f> {
        Reader { program, open: BTreeSet::new() }
    }

    /// The constant that a whole scope is.
    pub(super) fn of_scope(&mut self, scope: &Scope) -> Result<Value, Unread> {
        self.of_node(scope, NodeId::ROOT)
    }

    /// The constant at a node.
    pub(super) fn of_node(&mut self, scope: &Scope, node: NodeId) -> Result<Value, Unread> {
        let constant = scope.source.language().rules().constant(&scope.tree, node);
        self.compute(scope, node, &constant)
    }

    /// The elements that an entry's name stands for: one, or all of a type that it names.
    pub(super) fn elements_of(&mut self, scope: &Scope, entry: &Entry) -> Result<Vec<Value>, Unread> {
        if let Constant::Name(name) = entry.name
            && let Some(found) = find(self.program, scope, name)
            && found.kind == ItemKind::Type
            && found.rest.is_empty()
        {
            let key = (found.scope.file.clone(), found.scope.name.clone());
            if !self.open.insert(key.clone()) {
                return Err(Unread::here(scope, name, "defined by itself"));
            }
            let elements = self.entries(scope, name, &found.scope).and_then(|entries| {
                let each = entries.iter().map(|entry| self.elements_of(&found.scope, entry));
                each.collect::<Result<Vec<_>, _>>().map(|all| all.concat())
            });
            self.open.remove(&key);
            return elements;
        }
        self.compute(scope, entry.node, &entry.name).map(|value| vec![value])
    }

    fn entries(&self, scope: &Scope, name: NodeId, found: &Scope) -> Result<Vec<Entry>, Unread> {
        match found.source.language().rules().entries(&found.tree, NodeId::ROOT) {
            Entries::All(entries) => Ok(entries),
            Entries::NotLiteral(_, what) => {
                Err(Unread::here(scope, name, format!("the name of something with {what}")))
            }
        }
    }

    fn compute(&mut self, scope: &Scope, node: NodeId, constant: &Constant) -> Result<Value, Unread> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.compute_here(scope, node, constant))
    }

    fn compute_here(&mut self, scope: &Scope, node: NodeId, constant: &Constant) -> Result<Value, Unread> {
        let refused = || Unread::here(scope, node, "no exact result");
        match constant {
            Constant::Integer(number) => Ok(Value::Integer(*number)),
            Constant::Float(number) => Ok(Value::Float(*number)),
            Constant::Text(text) => Ok(Value::Text(text.clone())),
            Constant::Bool(truth) => Ok(Value::Bool(*truth)),
            Constant::Negate(inner) => {
                let value = self.compute(scope, node, inner)?;
                number::negate(&value).ok_or_else(refused)
            }
            Constant::Binary(left, operator, right) => {
                let left = self.compute(scope, node, left)?;
                let right = self.compute(scope, node, right)?;
                let arithmetic = scope.source.language().rules().kinds().arithmetic;
                number::binary(arithmetic, &left, operator, &right).ok_or_else(refused)
            }
            Constant::Name(name) => self.named(scope, *name),
            Constant::NotLiteral(node, what) => Err(Unread::here(scope, *node, *what)),
        }
    }

    /// The constant that a name means.
    fn named(&mut self, scope: &Scope, name: NodeId) -> Result<Value, Unread> {
        let words = dotted(scope, name);
        if let [only] = &words[..]
            && let Some((entries, at)) = sibling(scope, only, name)
        {
            let without = if counts_members(scope) { Without::Counts } else { Without::None };
            let key = format!("{}/{only}", scope.name);
            return self.guarded(scope, name, &key, |reader| reader.entry(scope, &entries, at, without));
        }
        let Some(found) = find(self.program, scope, name) else {
            return Err(Unread::here(scope, name, "not known to be a constant"));
        };
        super::settled::settled(self.program, &found.scope)?;
        let key = format!("{}.{}", found.scope.name, found.rest.join("."));
        self.guarded(scope, name, &key, |reader| match &found.rest[..] {
            [] if found.kind == ItemKind::Value => reader.of_scope(&found.scope),
            [member] => reader.member(&found, member),
            _ => Err(Unread::here(scope, name, "not known to be a constant")),
        })
    }

    /// Runs `read` unless it is already running for this key.
    fn guarded(
        &mut self,
        scope: &Scope,
        name: NodeId,
        key: &str,
        read: impl FnOnce(&mut Self) -> Result<Value, Unread>,
    ) -> Result<Value, Unread> {
        let key = (scope.file.clone(), key.to_owned());
        if !self.open.insert(key.clone()) {
            return Err(Unread::here(scope, name, "defined by itself"));
        }
        let value = read(self);
        self.open.remove(&key);
        value
    }

    /// A member of a table or enum, by name. Members of an enum without a value count on from the one before.
    fn member(&mut self, found: &Found, member: &str) -> Result<Value, Unread> {
        let scope = &found.scope;
        let entries = match scope.source.language().rules().entries(&scope.tree, NodeId::ROOT) {
            Entries::All(entries) => entries,
            Entries::NotLiteral(node, what) => return Err(Unread::here(scope, node, what)),
        };
        let is_it = |entry: &Entry| entry.name == Constant::Text(member.to_owned());
        let Some(at) = entries.iter().rposition(is_it) else {
            return Err(Unread::here(scope, NodeId::ROOT, format!("without a member `{member}`")));
        };
        let counts = if found.kind == ItemKind::Value { Without::None } else { Without::Counts };
        self.entry(scope, &entries, at, counts)
    }

    /// The value of an entry: its own, or the number behind the one before.
    fn entry(&mut self, scope: &Scope, entries: &[Entry], at: usize, without: Without) -> Result<Value, Unread> {
        let refused = || Unread::here(scope, entries[at].node, "a member without a value");
        for (back, entry) in entries[..=at].iter().rev().enumerate() {
            if let Some(value) = entry.value {
                return match self.of_node(scope, value)? {
                    Value::Integer(number) => Ok(Value::Integer(number + back as i128)),
                    other if back == 0 => Ok(other),
                    _ => Err(refused()),
                };
            }
        }
        if without == Without::None { Err(refused()) } else { Ok(Value::Integer(at as i128)) }
    }
}

/// What an entry is that says no value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Without {
    /// The next number, the first 0: a member of an enum.
    Counts,
    /// Nothing.
    None,
}

/// An earlier member of the same enum, which its members may name bare: all members, and its number among them.
fn sibling(scope: &Scope, name: &str, at: NodeId) -> Option<(Vec<Entry>, usize)> {
    let Entries::All(entries) = scope.source.language().rules().entries(&scope.tree, NodeId::ROOT) else { return None };
    let is_it = |entry: &Entry| {
        let is_earlier = entry.node < at && !scope.tree.is_within(at, entry.node);
        entry.name == Constant::Text(name.to_owned()) && is_earlier
    };
    let found = entries.iter().position(is_it)?;
    Some((entries, found))
}
