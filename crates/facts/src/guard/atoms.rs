//! What tests of the code say, and what atoms of patterns ask of it.
//!
//! A test says in which classes the value of a form is: that is all that is learnt. An atom that matches the words of the
//! value has its outcome from the classes, whatever was tested.

use super::classes::{ABSENT, Ask, Classes, Domain, FALSE, OTHER_TRUE, TRUE, is_one};
use super::code::{Code, Means};
use super::forms::{Form, FormId, Forms, Stands};
use super::names::Names;
use super::question::{Asked, Asks, Atom, Side};
use super::spelling::{Reach, Which, Words};
use crate::pattern::{Env, Matching};
use factgate_ir::graph::{Action, FrameId};
use factgate_ir::{Atom as Test, Const, Does, How, Op, OpId, Operand, Prim, Sameness, ValueId};
use factgate_syntax::NodeId;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// What the outcome of a test says about the value of a form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Learnt {
    pub(super) form: FormId,
    /// The classes when it is true, and when it is false.
    pub(super) when: [Classes; 2],
    /// The names that must still have what stands for them.
    pub(super) needs: BTreeSet<Means>,
    /// The values that were read before, and must be what they would be now.
    pub(super) of: BTreeSet<ValueId>,
}

/// An atom that a form is about.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) atom: usize,
    pub(super) form: FormId,
    /// The classes for which the atom may be true, and those for which it may be false.
    pub(super) when: [Classes; 2],
    pub(super) env: Env,
    /// The code of the two sides, or of the one.
    pub(super) codes: Vec<Code>,
    pub(super) frame: FrameId,
}

/// A constant that nobody's code spells as one: a member of an enum.
pub(super) type Constants<'c> = &'c dyn Fn(FrameId, NodeId) -> Option<super::classes::Constant>;

/// A value of a form, and the names in it that what stands for them was put in for.
pub(super) type Source = (FrameId, ValueId, BTreeSet<Means>);

/// Whether a container in sight declares a constant of this name, which a tag of the name may be.
pub(super) type Declared<'c> = &'c dyn Fn(FrameId, &str) -> bool;

/// Reads tests of the code.
pub(super) struct Tests<'t> {
    pub(super) names: &'t Names<'t>,
    pub(super) forms: Forms,
    pub(super) domain: Domain,
    pub(super) constants: Constants<'t>,
    declared: Declared<'t>,
    words: HashMap<(FrameId, ValueId), Rc<[Words]>>,
    classes: HashMap<(FrameId, ValueId), Option<Classes>>,
    /// Where each form's value was met: what it reads is what these read.
    pub(super) values: HashMap<FormId, BTreeSet<Source>>,
    /// Where each form's place is given a constant.
    pub(super) places: HashMap<FormId, BTreeSet<(FrameId, OpId)>>,
}

impl<'t> Tests<'t> {
    pub(super) fn new(names: &'t Names<'t>, constants: Constants<'t>, declared: Declared<'t>) -> Tests<'t> {
        Tests {
            names,
            forms: Forms::default(),
            domain: Domain::default(),
            constants,
            declared,
            words: HashMap::default(),
            classes: HashMap::default(),
            values: HashMap::default(),
            places: HashMap::default(),
        }
    }

    /// Gives classes of their own first to the constants that are asked for: there are not enough for all.
    pub(super) fn reserve(&mut self, asked: &Asked) {
        for atom in &asked.atoms {
            if let Asks::Same(left, right, _) = &atom.asks {
                let constants = [left, right].into_iter().filter_map(|side| side.constant.as_ref());
                constants.for_each(|constant| _ = self.domain.of(constant));
            }
        }
        let graph = self.names.graph;
        for point in graph.ids().map(|id| graph.point(id)) {
            if let Action::Assume { atom, .. } = &point.action {
                atom.values().for_each(|value| _ = self.constant(point.frame, value));
            }
        }
    }

    /// All words of a value.
    pub(super) fn words(&mut self, frame: FrameId, value: ValueId) -> Rc<[Words]> {
        if let Some(known) = self.words.get(&(frame, value)) {
            return known.clone();
        }
        let words: Rc<[Words]> = self.names.words(&mut self.forms, frame, value).into();
        let own = self.names.chain(frame, value).unwrap_or(value);
        for one in words.iter() {
            self.values.entry(one.form).or_default().insert((frame, own, one.needs.clone()));
            self.add_stands(one.form, frame, &one.needs);
        }
        self.words.insert((frame, value), words.clone());
        words
    }

    /// A form reads what the values read that stand for names in it.
    fn add_stands(&mut self, form: FormId, frame: FrameId, needs: &BTreeSet<Means>) {
        for &means in needs {
            let met = self.forms.met(means).unwrap_or(frame);
            if let Some(stand) = self.names.stand(met, means) {
                self.values.entry(form).or_default().insert((stand.frame, stand.value, needs.clone()));
            }
        }
    }

    /// The forms of a value: as it stands, and with names replaced.
    fn forms_of(&mut self, frame: FrameId, value: ValueId) -> Vec<(FormId, BTreeSet<Means>, Reach)> {
        let mut found: Vec<(FormId, BTreeSet<Means>, Reach)> = Vec::new();
        for words in self.words(frame, value).iter() {
            match found.iter_mut().find(|(form, ..)| *form == words.form) {
                // In other words it has no value where the chain has one.
                Some(known) if words.reach == Reach::Chain => known.2 = Reach::Chain,
                Some(_) => {}
                None => found.push((words.form, words.needs.clone(), words.reach)),
            }
        }
        found
    }

    /// The classes of a value that is a constant.
    pub(super) fn constant(&mut self, frame: FrameId, value: ValueId) -> Option<Classes> {
        if let Some(&known) = self.classes.get(&(frame, value)) {
            return known;
        }
        let names = self.names;
        let op = names.def(frame, value);
        let found = match op.map(|op| &op.does) {
            Some(Does::Const(constant)) => self.constant_of(frame, op.map(|op| op.node), constant),
            Some(Does::Read(place)) if !matches!(place.root, factgate_ir::Root::Slot(_)) => {
                let node = op.map(|op| op.node);
                node.and_then(|node| (self.constants)(frame, node)).map(|constant| self.domain.class(constant))
            }
            Some(Does::Compute(Prim::Text, _)) => {
                let node = op.map(|op| op.node);
                node.and_then(|node| (self.constants)(frame, node)).map(|constant| self.domain.class(constant))
            }
            Some(Does::Compute(Prim::Negate, operands)) => {
                let inner = operands.first().and_then(|&inner| self.constant(frame, inner));
                let number = inner.and_then(|class| self.domain.one_number(class));
                number.map(|number| self.domain.class(super::classes::Constant::Number(-number)))
            }
            _ => None,
        };
        self.classes.insert((frame, value), found);
        found
    }

    fn constant_of(&mut self, frame: FrameId, node: Option<NodeId>, constant: &Const) -> Option<Classes> {
        if let (Const::Tag(tag), Some(_)) = (constant, node) {
            // A declaration of the container may have the tag's name.
            let name = tag.as_str().trim_start_matches('.').to_owned();
            return (!(self.declared)(frame, &name)).then(|| self.domain.of(constant));
        }
        Some(self.domain.of(constant))
    }

    /// What the outcome of a test says.
    pub(super) fn learnt(&mut self, frame: FrameId, test: &Test) -> Vec<Learnt> {
        let mut found = Vec::new();
        match test {
            Test::Truth(value) => self.truth(frame, *value, &mut found),
            Test::Same(left, Operand::Const(constant), sameness) => {
                let class = self.domain.of(constant);
                self.ask(frame, *left, Ask::Is(class, *sameness), &mut found);
            }
            Test::Same(left, Operand::Value(right), sameness) => self.same(frame, *left, *right, *sameness, &mut found),
            Test::Less(left, right, order) => self.less(frame, *left, *right, *order, &mut found),
            Test::Missing(value) => self.ask(frame, *value, Ask::Missing, &mut found),
            Test::Error(value) => self.ask(frame, *value, Ask::Error, &mut found),
            Test::Done(_) => {}
        }
        found
    }

    fn truth(&mut self, frame: FrameId, value: ValueId, found: &mut Vec<Learnt>) {
        self.ask(frame, value, Ask::Truth, found);
        let names = self.names;
        let Some(Does::Compute(prim, operands)) = names.def(frame, value).map(|op| &op.does) else { return };
        let before = found.len();
        match (prim, &operands[..]) {
            (Prim::Not, &[inner]) => {
                self.truth(frame, inner, found);
                found[before..].iter_mut().for_each(|learnt| learnt.when.swap(0, 1));
            }
            (Prim::Same(sameness), &[left, right]) => self.same(frame, left, right, *sameness, found),
            (Prim::Less(order), &[left, right]) => self.less(frame, left, right, *order, found),
            (Prim::Missing, &[inner]) => self.ask(frame, inner, Ask::Missing, found),
            (Prim::IsError, &[inner]) => self.ask(frame, inner, Ask::Error, found),
            _ => {}
        }
    }

    fn ask(&mut self, frame: FrameId, value: ValueId, ask: Ask, found: &mut Vec<Learnt>) {
        for (form, needs, reach) in self.forms_of(frame, value) {
            let when = within(self.domain.answers(ask), reach);
            found.push(Learnt { form, when, needs, of: BTreeSet::from([value]) });
        }
    }

    fn same(&mut self, frame: FrameId, left: ValueId, right: ValueId, sameness: Sameness, found: &mut Vec<Learnt>) {
        let classes = [self.constant(frame, left), self.constant(frame, right)];
        for (value, other) in [(left, classes[1]), (right, classes[0])] {
            if let Some(class) = other {
                self.ask(frame, value, Ask::Is(class, sameness), found);
                // `x === true` makes `x` known true when it is true itself.
                self.compared(frame, value, class, sameness, found);
            }
        }
        let strict = [TRUE, OTHER_TRUE | FALSE];
        let when = if sameness == Sameness::Strict { strict } else { [TRUE | OTHER_TRUE, FALSE] };
        self.both(frame, [left, right], when, |forms, a, b| forms.same(a, b), found);
    }

    /// What a comparison with `true` or `false` says of what it compares.
    fn compared(
        &mut self,
        frame: FrameId,
        value: ValueId,
        class: Classes,
        sameness: Sameness,
        found: &mut Vec<Learnt>,
    ) {
        let names = self.names;
        let is_boolean = names.def(frame, value).is_some_and(|op| {
            matches!(
                op.does,
                Does::Compute(Prim::Not | Prim::Same(_) | Prim::Less(_) | Prim::Missing | Prim::IsError, _)
            )
        });
        let truth = match class {
            TRUE => true,
            // `'0' == false`, and `'0'` is true.
            FALSE if sameness == Sameness::Strict => false,
            _ => return,
        };
        if !is_boolean {
            return;
        }
        let before = found.len();
        self.truth(frame, value, found);
        for learnt in &mut found[before..] {
            if !truth {
                learnt.when.swap(0, 1);
            }
        }
    }

    fn less(
        &mut self,
        frame: FrameId,
        left: ValueId,
        right: ValueId,
        order: factgate_ir::Order,
        found: &mut Vec<Learnt>,
    ) {
        let number = |tests: &mut Self, value| {
            let class = tests.constant(frame, value)?;
            tests.domain.one_number(class)
        };
        if let Some(limit) = number(self, right) {
            self.ask(frame, left, Ask::Below(limit, order), found);
        }
        if let Some(limit) = number(self, left) {
            self.ask(frame, right, Ask::Above(limit, order), found);
        }
        self.both(frame, [left, right], [TRUE, FALSE], |forms, a, b| forms.id(Form::Less(a, b, order)), found);
    }

    /// What is said of two values together.
    fn both(
        &mut self,
        frame: FrameId,
        values: [ValueId; 2],
        when: [Classes; 2],
        form: impl Fn(&mut Forms, FormId, FormId) -> FormId,
        found: &mut Vec<Learnt>,
    ) {
        for stands in [Stands::Kept, Stands::Replaced] {
            let [left, right] = values.map(|value| {
                let own = self.names.chain(frame, value).unwrap_or(value);
                self.forms.of(self.names, frame, own, stands)
            });
            let needs: BTreeSet<Means> = left.needs.union(&right.needs).copied().collect();
            if stands == Stands::Replaced && needs.is_empty() {
                continue;
            }
            let both = form(&mut self.forms, left.form, right.form);
            for value in values {
                self.values.entry(both).or_default().insert((frame, value, needs.clone()));
            }
            self.add_stands(both, frame, &needs);
            found.push(Learnt { form: both, when, needs, of: values.into() });
        }
    }
}

/// The classes of an outcome as they are where something on the way may be missing.
fn within([yes, no]: [Classes; 2], reach: Reach) -> [Classes; 2] {
    let with = |classes: Classes| match reach {
        Reach::Chain if classes & super::classes::UNDEFINED != 0 => classes | ABSENT,
        _ => classes & !ABSENT,
    };
    [with(yes), with(no)]
}

/// Matches atoms with the words of values.
pub(super) struct Matcher<'m> {
    pub(super) asked: &'m Asked,
    pub(super) matching: &'m Arc<Matching>,
    pub(super) hits: Vec<Hit>,
    seen: BTreeSet<(FrameId, ValueId)>,
}

impl<'m> Matcher<'m> {
    pub(super) fn new(asked: &'m Asked, matching: &'m Arc<Matching>) -> Matcher<'m> {
        Matcher { asked, matching, hits: Vec::new(), seen: BTreeSet::new() }
    }

    /// Matches all that a test asks of.
    pub(super) fn test(&mut self, tests: &mut Tests<'_>, frame: FrameId, test: &Test, node: NodeId) {
        for value in test.values() {
            self.value(tests, frame, value);
        }
        match test {
            Test::Same(left, Operand::Value(right), _) => self.pair(tests, frame, *left, *right, Some(node)),
            Test::Less(left, right, order) => self.ordered(tests, frame, [*left, *right], *order, Some(node)),
            _ => {}
        }
    }

    /// Matches atoms that ask the member that an assignment gives a constant to.
    pub(super) fn written(&mut self, tests: &mut Tests<'_>, frame: FrameId, op: &Op) {
        let Does::Write { place, value: Some(value), how: How::Assign | How::Init | How::Whole(_) } = &op.does else {
            return;
        };
        if place.steps.is_empty() || tests.constant(frame, *value).is_none() {
            return;
        }
        let names = tests.names;
        // The target is the first part of an assignment.
        let Some(target) = names.file(frame).tree.children(op.node).next() else { return };
        for stands in [Stands::Kept, Stands::Replaced] {
            let Some(formed) = tests.forms.place(names, frame, place, stands) else { return };
            if stands == Stands::Replaced && formed.needs.is_empty() {
                return;
            }
            let code = names.code(frame, target);
            let code = match stands {
                Stands::Kept => code,
                Stands::Replaced => names.replaced(frame, &code, Which::All, 0).unwrap_or(code),
            };
            tests.places.entry(formed.form).or_default().insert((frame, op.id));
            let asked = self.asked;
            for (index, atom) in asked.atoms.iter().enumerate() {
                if let Some((part, ask)) = asks_one(atom, &mut tests.domain) {
                    let found = atom.pattern.matches_part(part, &code.tree, code.root, &self.start());
                    let when = within_hit(tests.domain.answers(ask), Reach::Plain, atom);
                    self.hit(index, formed.form, when, found, &[&code], frame);
                }
            }
        }
    }

    /// Matches atoms that ask one value.
    pub(super) fn value(&mut self, tests: &mut Tests<'_>, frame: FrameId, value: ValueId) {
        if !self.seen.insert((frame, value)) {
            return;
        }
        let asked = self.asked;
        for words in tests.words(frame, value).iter() {
            for (index, atom) in asked.atoms.iter().enumerate() {
                if let Some((part, ask)) = asks_one(atom, &mut tests.domain) {
                    let found = atom.pattern.matches_part(part, &words.code.tree, words.code.root, &self.start());
                    let when = tests.domain.answers(ask);
                    self.hit(index, words.form, within_hit(when, words.reach, atom), found, &[&words.code], frame);
                }
            }
        }
        let names = tests.names;
        if let Some(op) = names.def(frame, value)
            && let Does::Compute(prim, operands) = &op.does
        {
            match (prim, &operands[..]) {
                (Prim::Not | Prim::Missing | Prim::IsError, &[inner]) => self.value(tests, frame, inner),
                (Prim::Same(_), &[left, right]) => {
                    [left, right].into_iter().for_each(|value| self.value(tests, frame, value));
                    self.pair(tests, frame, left, right, None);
                }
                (Prim::Less(order), &[left, right]) => {
                    [left, right].into_iter().for_each(|value| self.value(tests, frame, value));
                    self.ordered(tests, frame, [left, right], *order, None);
                }
                _ => {}
            }
        }
    }

    fn start(&self) -> Env {
        Env::with(self.matching.clone())
    }

    fn hit(&mut self, atom: usize, form: FormId, when: [Classes; 2], found: Vec<Env>, codes: &[&Code], frame: FrameId) {
        self.hits.extend(found.into_iter().map(|env| Hit {
            atom,
            form,
            when,
            env,
            codes: codes.iter().map(|&code| code.clone()).collect(),
            frame,
        }));
    }

    /// Matches atoms that compare two values.
    fn pair(&mut self, tests: &mut Tests<'_>, frame: FrameId, left: ValueId, right: ValueId, node: Option<NodeId>) {
        let classes = [tests.constant(frame, left), tests.constant(frame, right)];
        let (lefts, rights) = (tests.words(frame, left), tests.words(frame, right));
        let (Some(lefts_form), Some(rights_form)) =
            (lefts.first().map(|one| one.form), rights.first().map(|one| one.form))
        else {
            return;
        };
        for (index, atom) in self.asked.atoms.iter().enumerate() {
            match &atom.asks {
                Asks::Same(
                    Side { node: Some(one), constant: None },
                    Side { node: Some(other), constant: None },
                    sameness,
                ) => {
                    for (one, other) in [(*one, *other), (*other, *one)] {
                        for a in lefts.iter() {
                            let firsts = atom.pattern.matches_part(one, &a.code.tree, a.code.root, &self.start());
                            for b in rights.iter().filter(|b| {
                                b.needs.is_empty() == a.needs.is_empty() || b.needs.is_empty() || a.needs.is_empty()
                            }) {
                                let both: Vec<Env> = firsts
                                    .iter()
                                    .flat_map(|env| atom.pattern.matches_part(other, &b.code.tree, b.code.root, env))
                                    .collect();
                                if both.is_empty() {
                                    continue;
                                }
                                let (form, when) = compare_form(tests, [a.form, b.form], classes, *sameness);
                                // What is bound on both sides is said in the code of each.
                                self.hit(index, form, when, both, &[&a.code, &b.code], frame);
                            }
                        }
                    }
                }
                Asks::Truth(part) if atom.pattern.is_hole(*part) => {
                    let Some(node) = node else { continue };
                    let (form, when) = compare_form(tests, [lefts_form, rights_form], [None, None], Sameness::Strict);
                    let code = tests.names.code(frame, node);
                    let found = atom.pattern.matches_part(*part, &code.tree, code.root, &self.start());
                    self.hit(index, form, when, found, &[&code], frame);
                }
                _ => {}
            }
        }
    }

    fn ordered(
        &mut self,
        tests: &mut Tests<'_>,
        frame: FrameId,
        [left, right]: [ValueId; 2],
        order: factgate_ir::Order,
        node: Option<NodeId>,
    ) {
        let (lefts, rights) = (tests.words(frame, left), tests.words(frame, right));
        let (Some(lefts_form), Some(rights_form)) =
            (lefts.first().map(|one| one.form), rights.first().map(|one| one.form))
        else {
            return;
        };
        for (index, atom) in self.asked.atoms.iter().enumerate() {
            match &atom.asks {
                Asks::Less(smaller, larger, asked) if *asked == order => {
                    for a in lefts.iter() {
                        let firsts = atom.pattern.matches_part(*smaller, &a.code.tree, a.code.root, &self.start());
                        for b in rights.iter() {
                            let both: Vec<Env> = firsts
                                .iter()
                                .flat_map(|env| atom.pattern.matches_part(*larger, &b.code.tree, b.code.root, env))
                                .collect();
                            let form = tests.forms.id(Form::Less(a.form, b.form, order));
                            self.hit(index, form, [TRUE, FALSE], both, &[&a.code, &b.code], frame);
                        }
                    }
                }
                Asks::Truth(part) if atom.pattern.is_hole(*part) => {
                    let Some(node) = node else { continue };
                    let form = tests.forms.id(Form::Less(lefts_form, rights_form, order));
                    let code = tests.names.code(frame, node);
                    let found = atom.pattern.matches_part(*part, &code.tree, code.root, &self.start());
                    self.hit(index, form, [TRUE, FALSE], found, &[&code], frame);
                }
                _ => {}
            }
        }
    }
}

/// The form that an equality of two values is about, and its classes.
fn compare_form(
    tests: &mut Tests<'_>,
    [a, b]: [FormId; 2],
    classes: [Option<Classes>; 2],
    sameness: Sameness,
) -> (FormId, [Classes; 2]) {
    match classes {
        [_, Some(class)] if is_one(class) => (a, tests.domain.answers(Ask::Is(class, sameness))),
        [Some(class), _] if is_one(class) => (b, tests.domain.answers(Ask::Is(class, sameness))),
        _ if sameness == Sameness::Strict => (tests.forms.same(a, b), [TRUE, OTHER_TRUE | FALSE]),
        _ => (tests.forms.same(a, b), [TRUE | OTHER_TRUE, FALSE]),
    }
}

/// The part of a pattern that an atom asks, when it asks one.
fn asks_one(atom: &Atom, domain: &mut Domain) -> Option<(NodeId, Ask)> {
    match &atom.asks {
        Asks::Truth(part) => Some((*part, Ask::Truth)),
        Asks::Missing(part) => Some((*part, Ask::Missing)),
        Asks::Error(part) => Some((*part, Ask::Error)),
        Asks::Less(..) => None,
        Asks::Same(left, right, sameness) => match (left, right) {
            (Side { node: Some(part), .. }, Side { constant: Some(constant), .. })
            | (Side { constant: Some(constant), .. }, Side { node: Some(part), .. }) => {
                Some((*part, Ask::Is(domain.of(constant), *sameness)))
            }
            _ => None,
        },
    }
}

/// What an atom's outcomes are where something on the way may be missing.
fn within_hit(when: [Classes; 2], reach: Reach, atom: &Atom) -> [Classes; 2] {
    let [yes, no] = within(when, reach);
    match reach {
        Reach::Chain => [yes, no],
        // What has no value has any outcome, unless it is enough that it is not true.
        Reach::Plain if atom.or_missing => [yes, no | ABSENT],
        Reach::Plain => [yes | ABSENT, no | ABSENT],
    }
}
