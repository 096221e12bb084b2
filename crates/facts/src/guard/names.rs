//! Names that patterns spell out: the `m` of `ok(m)` is the variable that `m` means at the effect, not another one of
//! that name elsewhere in the scope. Where it means nothing at the effect, it is any.

use super::code::{Key, Mark, Mention};
use super::condition::Binds;
use super::query::{Place, Query};
use crate::program::Program;
use factgate_syntax::languages::Receiver;
use factgate_syntax::{BindingId, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// Sets spelled names apart from metavariables, whose names start with letters.
const SPELLED: char = '=';

/// A spelled name among bindings.
pub(super) fn spelled(name: &str) -> String {
    format!("{SPELLED}{name}")
}

/// What a name means at an effect.
#[derive(Clone, Copy)]
enum Means {
    Variable(BindingId),
    /// The `this` of a function in the scope, or of the scope itself.
    Receiver(Option<NodeId>),
    /// Something of the file around the scope.
    Outside,
    Nothing,
}

impl Query<'_> {
    /// Binds the names that the patterns spell out to what they mean at each effect, and has the patterns share them.
    /// Names that mean one thing wherever they were met are left alone.
    pub(super) fn settle_names(&mut self, program: &Program<'_>) {
        let mut keys = self.names_met();
        for index in 0..self.effects.len() {
            let unbound: Vec<String> =
                keys.keys().filter(|name| !self.effects[index].binds.contains_key(*name)).cloned().collect();
            for name in unbound {
                if let Some(key) = self.meant_at(program, &name[1..], self.effects[index].node) {
                    keys.entry(name.clone()).or_default().insert(key);
                    self.effects[index].binds.insert(name, key);
                }
            }
        }
        self.shared.extend(keys.into_iter().filter(|(_, keys)| keys.len() > 1).map(|(name, _)| name));
    }

    /// The names that the effects' own patterns spell out.
    pub(super) fn names_of_effects(&self) -> BTreeSet<String> {
        let names = self.effects.iter().flat_map(|effect| effect.binds.keys());
        names.filter(|name| name.starts_with(SPELLED)).cloned().collect()
    }

    /// The variables that places name as the effects do: assigned, they are another thing.
    pub(super) fn spelled_mentions(&self, places: &[Place]) -> Vec<Mention> {
        let binds = places.iter().flat_map(|place| &place.binds);
        let named = binds.filter(|(name, _)| self.effect_names.contains(*name));
        named.flat_map(|(_, &key)| self.forms.mentions(key)).cloned().collect()
    }

    /// The spelled names that patterns met, and what they were.
    fn names_met(&self) -> BTreeMap<String, BTreeSet<Key>> {
        let of_tables = self.tables.iter().flat_map(|table| {
            let afters = table.afters.iter().flat_map(|after| &after.places);
            let thens = table.thens.iter().flat_map(|then| &then.places);
            afters.chain(thens).chain(table.since.iter().flatten()).chain(&table.between)
        });
        let places = of_tables.chain(&self.effects).map(|place: &Place| &place.binds);
        let whole = self.conditions.iter().chain(self.values.values()).flat_map(|known| &known.whole);
        let hits = self.leaves.iter().flat_map(|leaf| &leaf.hits).chain(whole).map(|hit| &hit.binds);
        let mut met: BTreeMap<String, BTreeSet<Key>> = BTreeMap::new();
        for (name, key) in places.chain(hits).flat_map(|binds: &Binds| binds) {
            if name.starts_with(SPELLED) {
                met.entry(name.clone()).or_default().insert(*key);
            }
        }
        met
    }

    fn meant_at(&mut self, program: &Program<'_>, name: &str, at: NodeId) -> Option<Key> {
        let mark = match self.meaning(program, name, at) {
            Means::Variable(binding) => Mark { binding: Some(binding), ..Mark::default() },
            Means::Receiver(receiver) => Mark { receiver, ..Mark::default() },
            Means::Outside => Mark::default(),
            Means::Nothing => return None,
        };
        Some(self.forms.meaning(name, &mark))
    }

    fn meaning(&self, program: &Program<'_>, name: &str, at: NodeId) -> Means {
        let scope = &self.reading.scope;
        let rules = self.reading.code.rules;
        let ids = (0..scope.scopes.bindings.len() as u32).map(BindingId);
        // What another declaration of the name took over is none.
        let is_own = |id: BindingId| scope.scopes.binding(scope.scopes.get(id).declared) == Some(id);
        let named = ids.filter(|&id| scope.scopes.get(id).name == name && is_own(id));
        let around = named.filter_map(|id| {
            let within = rules.seen_within(&scope.tree, scope.scopes.get(id).declared);
            scope.tree.is_within(at, within).then_some((within, id))
        });
        match (around.max(), rules.receiver_at(&scope.tree, name, at)) {
            (Some((_, id)), _) => Means::Variable(id),
            (None, Some(Receiver::Inner(function))) => Means::Receiver(Some(function)),
            (None, Some(Receiver::Scope)) => Means::Receiver(None),
            (None, None) => {
                let whole = program.whole(&scope.file);
                let of_file = whole.is_some_and(|whole| whole.top_level(name).next().is_some());
                if of_file || self.is_used_from_outside(name) { Means::Outside } else { Means::Nothing }
            }
        }
    }

    /// Whether the scope mentions something of that name that it does not declare.
    fn is_used_from_outside(&self, name: &str) -> bool {
        let code = &self.reading.code;
        let is_it = |node: NodeId| {
            let is_word = code.tree.is_leaf(node) && code.tree.text(node) == name;
            is_word
                && code.binding(node).is_none()
                && code.rules.access(&code.tree, node).is_some()
                && code.is_name(node)
        };
        code.tree.subtree(NodeId::ROOT).any(is_it)
    }
}
