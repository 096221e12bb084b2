//! Other names for one thing: `const n = m`, `const { a } = m`, `for (const x of [m])`, Zig's `&x` and `|*p|`.
//!
//! Which of them holds where is not followed: two paths may name one thing anywhere in a scope when some assignment
//! makes them do so. That can only end more than what an assignment assigns. A variable may also hold a thing whose other
//! names nobody here knows: what a call gave, an element of a list, what a function called later is handed.

use super::code::{Base, Code, Target};
use super::runs::Lives;
use crate::graph::{Action, Graph, PointId};
use factgate_syntax::languages::{By, Denoted, Elements, Held, Replaces};
use factgate_syntax::scope::BindingKind;
use factgate_syntax::{BindingId, NodeId, Scopes};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Names of one target beyond which its property counts as assigned wherever it stands.
const MOST: usize = 48;
/// Steps of a path beyond which no longer names are made: a list whose links name each other.
const LONGEST: usize = 8;

/// The names of a scope that may mean one thing.
pub(super) struct Aliases {
    pairs: BTreeSet<Pair>,
    /// The pairs by where one of their paths starts: what starts elsewhere has no name by them.
    by_base: FxHashMap<Base, Vec<Pair>>,
    /// What may hold any object.
    anything: BTreeSet<Target>,
    /// Variables that are given something other than new objects.
    given: BTreeSet<BindingId>,
    /// Variables whose value, elements included, is their own.
    own: BTreeSet<BindingId>,
    elements: Elements,
}

/// Two paths that share something.
type Pair = (Sharing, Target, Target);

/// What two paths share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sharing {
    /// Both hold one object: what stands below them.
    Object,
    /// The first is a pointer to the second: the place itself.
    Place,
}

impl Aliases {
    pub(super) fn of(scopes: &Scopes, code: &Code, graph: &Graph, lives: &Lives) -> Aliases {
        let (pairs, anything) = (BTreeSet::new(), BTreeSet::new());
        let (given, own) = (BTreeSet::new(), BTreeSet::new());
        let (by_base, elements) = (FxHashMap::default(), code.rules.elements());
        let mut aliases = Aliases { pairs, by_base, anything, given, own, elements };
        aliases.anything.extend(code.receivers());
        for id in graph.ids() {
            let Action::Write { target, value, .. } = graph.point(id).action else { continue };
            let Some(name) = code.target(target) else { continue };
            aliases.note_own(scopes, code, &name);
            let held = match value {
                Some(value) => code.rules.held(&code.tree, value),
                None => code.rules.sources(&code.tree, target).into_iter().map(Held::from).collect(),
            };
            let handed = value.is_none() && held.is_empty() && is_handed(scopes, &name, lives, id);
            if handed || held.iter().any(|held| held.path.is_empty() && is_any(&held.denoted)) {
                aliases.hold_anything(scopes, code, &name);
            }
            let is_new = value.is_some() && held.iter().all(|held| !held.path.is_empty());
            if let Base::Variable(id) = name.base
                && !is_new
            {
                aliases.given.insert(id);
            }
            for Held { path, denoted } in held {
                let sharing = if denoted.by == By::Address { Sharing::Place } else { Sharing::Object };
                let name = below(&name, &path);
                if let Some(other) = code.denoted(&denoted).filter(|other| *other != name) {
                    aliases.pairs.insert((sharing, name, other));
                }
            }
        }
        for pair in &aliases.pairs {
            let bases = BTreeSet::from([&pair.1.base, &pair.2.base]);
            bases.into_iter().for_each(|base| aliases.by_base.entry(base.clone()).or_default().push(pair.clone()));
        }
        aliases
    }

    /// Notes that nobody else names what a variable holds.
    fn note_own(&mut self, scopes: &Scopes, code: &Code, name: &Target) {
        if let Base::Variable(id) = name.base
            && !code.rules.may_be_shared(&code.tree, scopes.get(id).declared)
        {
            self.own.insert(id);
        }
    }

    /// Notes that a variable or member may hold any object, where its language has it hold one that others can name.
    fn hold_anything(&mut self, scopes: &Scopes, code: &Code, name: &Target) {
        let is_named = !name.path.is_empty() && name.path.iter().all(Option::is_some);
        let holds = match &name.base {
            Base::Variable(id) if name.path.is_empty() => {
                code.rules.may_be_shared(&code.tree, scopes.get(*id).declared)
            }
            _ => is_named && self.elements == Elements::Shared,
        };
        if holds {
            self.anything.insert(name.clone());
        }
    }

    /// Everything that an assignment to a target may assign, the target first.
    pub(super) fn all(&self, target: Target) -> Vec<Target> {
        let mut all = self.names(target);
        let any = |target: &Target| self.of_anything(target);
        let somewhere: Vec<Target> = all.iter().filter_map(any).collect();
        if somewhere.is_empty() {
            self.through_anything(&mut all);
        }
        all.extend(somewhere);
        all
    }

    /// The names of a target, the target first.
    fn names(&self, target: Target) -> Vec<Target> {
        let mut all = vec![target];
        let mut next = 0;
        while let Some(target) = all.get(next).cloned() {
            next += 1;
            let pairs = self.by_base.get(&target.base).into_iter().flatten();
            for other in pairs.flat_map(|pair| renamed(pair, &target)) {
                if !all.contains(&other) && other.path.len() <= LONGEST {
                    all.push(other);
                }
            }
            if all.len() > MOST {
                all.extend(Target::somewhere(&target.path));
                break;
            }
        }
        all
    }

    /// What an assignment to all of an object may assign beside its names: all of any object, or all of those that may be any.
    pub(super) fn replaced(&self, code: &Code, assignment: NodeId, target: NodeId) -> Vec<Target> {
        let replaces = code.rules.replaces(&code.tree, assignment, target);
        let given = code.rules.members_given(&code.tree, assignment);
        let members: Vec<Option<String>> =
            if given.is_empty() { vec![None] } else { given.into_iter().map(Some).collect() };
        let names: Vec<Target> = code.targets(target).into_iter().flat_map(|target| self.names(target)).collect();
        let is_inside = |target: &Target, name: &Target| rest(name, target).is_some_and(|rest| !rest.is_empty());
        let of_anything = |target: &Target| self.anything.iter().any(|name| is_inside(target, name));
        let leads_anywhere = |denoted: &Denoted| match denoted.path.split_last() {
            Some((_, above)) => denoted.root.is_none() || above.iter().any(is_element),
            None => false,
        };
        let is_any = match replaces {
            Replaces::Nothing => return Vec::new(),
            Replaces::Element => !names.iter().any(|name| self.is_own(name)),
            Replaces::Pointed => code.rules.denotes(&code.tree, target).iter().any(leads_anywhere),
        };
        if is_any || names.iter().any(of_anything) {
            let of_all = |member| Target { base: Base::Anything, path: vec![member] };
            return members.into_iter().map(of_all).collect();
        }
        // A pointer to a place with a name is one to no other.
        let is_unnamed = |name: &Target| name.path.last().is_some_and(is_element);
        let those = self.anything.iter().filter(|_| names.iter().all(is_unnamed));
        those.flat_map(|name| members.iter().map(|member| below(name, std::slice::from_ref(member)))).collect()
    }

    fn is_own(&self, target: &Target) -> bool {
        matches!(target.base, Base::Variable(id) if self.own.contains(&id))
    }

    /// Adds the same members of the variables that may hold any object: also that of which one is assigned.
    fn through_anything(&self, all: &mut Vec<Target>) {
        let is_old = |target: &&Target| match target.base {
            Base::Variable(id) => self.given.contains(&id),
            Base::Name(_) => true,
            Base::Receiver(..) => self.of_anything(target).is_some(),
            Base::Anything => false,
        };
        let suffixes =
            |target: &Target| (0..target.path.len()).map(|at| target.path[at..].to_vec()).collect::<Vec<_>>();
        let members: BTreeSet<Vec<_>> = all.iter().filter(is_old).flat_map(suffixes).collect();
        let named = members.iter().filter(|path| path.iter().any(Option::is_some));
        if self.anything.len() > MOST {
            all.extend(named.filter_map(|path| Target::somewhere(path)));
        } else {
            all.extend(named.flat_map(|path| self.anything.iter().map(|name| below(name, path))));
        }
    }

    /// The property of anything that a target is, when it is one of what may be any object.
    fn of_anything(&self, target: &Target) -> Option<Target> {
        let is_any = |name: &Target| rest(name, target).is_some_and(|rest| !rest.is_empty());
        let above = target.path.split_last().map_or(&[][..], |(_, above)| above);
        // What a pointer to a known place leads to counts under the name of that place.
        let points =
            |(sharing, name, _): &(Sharing, Target, Target)| *sharing == Sharing::Place && name.base == target.base;
        let is_counted = self.is_own(target) || self.pairs.iter().any(points);
        let of_element = !is_counted && above.iter().any(is_element);
        if of_element || self.anything.iter().any(is_any) { Target::somewhere(&target.path) } else { None }
    }
}

/// Whether a value may be any object: what a call gave, an element of a list.
fn is_any(denoted: &Denoted) -> bool {
    denoted.root.is_none() || denoted.by == By::Value && denoted.path.last().is_some_and(is_element)
}

/// Whether a step of a path leads to one of many.
fn is_element(step: &Option<String>) -> bool {
    step.as_deref().is_none_or(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a name is the parameter of a function called later.
fn is_handed(scopes: &Scopes, name: &Target, lives: &Lives, id: PointId) -> bool {
    let is_parameter = |id: BindingId| scopes.get(id).kind == BindingKind::Parameter;
    lives.owner(id).is_some() && matches!(name.base, Base::Variable(id) if is_parameter(id))
}

/// The names that a pair gives a target.
fn renamed((sharing, name, other): &Pair, target: &Target) -> Vec<Target> {
    let content = |from| rest(from, target).filter(|rest| !rest.is_empty());
    let there = content(name).map(|rest| match (sharing, rest) {
        // Following the pointer is no step of the path to the place.
        (Sharing::Place, [None, rest @ ..]) => below(other, rest),
        _ => below(other, rest),
    });
    let back = content(other).map(|rest| below(name, rest));
    let pointed = rest(other, target).filter(|_| *sharing == Sharing::Place);
    let pointed = pointed.map(|rest| below(name, &[&[None], rest].concat()));
    [there, back, pointed].into_iter().flatten().collect()
}

/// The steps of a target behind another path.
fn rest<'t>(from: &Target, target: &'t Target) -> Option<&'t [Option<String>]> {
    let same = |(a, b): (&Option<String>, &Option<String>)| a.is_none() || b.is_none() || a == b;
    let fits = from.base == target.base
        && from.path.len() <= target.path.len()
        && from.path.iter().zip(&target.path).all(same);
    fits.then(|| &target.path[from.path.len()..])
}

fn below(base: &Target, rest: &[Option<String>]) -> Target {
    Target { base: base.base.clone(), path: [&base.path, rest].concat() }
}
