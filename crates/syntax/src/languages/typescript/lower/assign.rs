//! Assignments: the target is reached first, then the value, then it is written.

use super::Lowering;
use crate::languages::typescript::shape::{self, Logic};
use crate::tree::NodeId;
use factgate_ir::{Atom, Code, Does, Forget, Given, How, Place, Root, Step, Test, ValueId};

/// Something that is given a value: reached, and not yet written.
pub(super) enum Target {
    /// A variable or member.
    Place(Place),
    /// A pattern, taken apart when the value is there.
    Pattern,
    /// Something that is not known.
    Unknown,
}

impl Lowering<'_> {
    /// Reaches a target: evaluates the object and the key of a member.
    pub(super) fn target(&mut self, target: NodeId) -> Target {
        let target = shape::bare(self.tree, target);
        match self.kind(target) {
            "identifier" | "undefined" | "shorthand_property_identifier" | "shorthand_property_identifier_pattern" => {
                let root = self.root(target);
                Target::Place(Place { root, steps: Vec::new() })
            }
            "member_expression" | "subscript_expression" => self.member_target(target),
            "object_pattern" | "array_pattern" | "object" | "array" => Target::Pattern,
            _ => Target::Unknown,
        }
    }

    fn member_target(&mut self, target: NodeId) -> Target {
        let Some(object) = self.tree.child(target, "object") else { return Target::Unknown };
        let root = if self.kind(object) == "super" {
            self.mark(object);
            Root::Super
        } else {
            Root::Value(self.value(object))
        };
        let step = self.member_step(target);
        Target::Place(Place { root, steps: vec![step] })
    }

    /// The value that a target has now.
    pub(super) fn read_target(&mut self, node: NodeId, target: &Target) -> ValueId {
        let value = match target {
            Target::Place(place) => self.b.read(node, place.clone()),
            _ => self.unknown(node),
        };
        self.mark_target(node);
        value
    }

    /// Writes a target. `node` assigns, `at` is the target's own node, which has been marked when it was read.
    pub(super) fn put(&mut self, node: NodeId, at: NodeId, target: &Target, value: Option<ValueId>) {
        match target {
            Target::Place(place) => {
                self.b.write(node, place.clone(), value, How::Assign);
                self.exported(node, at, value);
            }
            _ => self.b.act(node, Does::Forget(Forget::Everything)),
        }
        self.parameters_behind(node, at);
        self.forget_names(node);
    }

    /// What a namespace exports is a member of it as well: `namespace N { export let a }`, `N.a`.
    pub(super) fn exported(&mut self, node: NodeId, name: NodeId, value: Option<ValueId>) {
        let Some(id) = self.scopes.binding(name) else { return };
        let declared = self.scopes.get(id).declared;
        let mut above =
            self.tree.ancestors(declared).skip_while(|&above| self.kind(above) != "export_statement").skip(1);
        let namespace = above.nth(1).filter(|&above| matches!(self.kind(above), "module" | "internal_module"));
        let Some(of) = namespace.and_then(|namespace| self.tree.child(namespace, "name")) else { return };
        let Root::Var(var) = self.root(of) else { return };
        let object = self.b.read(node, Place::var(var));
        let step = Step::Member(super::keys::named(self.text(declared)));
        self.b.write(node, Place::of(object, step), value, How::Assign);
    }

    /// Outside strict code, `arguments[i] = v` assigns a parameter.
    fn parameters_behind(&mut self, node: NodeId, target: NodeId) {
        let target = shape::bare(self.tree, target);
        let object = self.tree.child(target, "object").map(|object| shape::bare(self.tree, object));
        if object.is_none_or(|object| self.kind(object) != "identifier" || self.text(object) != "arguments") {
            return;
        }
        let is_own = |&above: &NodeId| shape::is_function(self.kind(above)) && self.kind(above) != "arrow_function";
        let Some(function) = self.tree.ancestors(target).find(is_own) else { return };
        let parameters = shape::parameters(self.tree, function).into_iter();
        let names = parameters.filter_map(|parameter| shape::target_and_default(self.tree, parameter).0);
        let names: Vec<_> = names.filter(|&name| self.kind(name) == "identifier").collect();
        let vars: Vec<_> = names.into_iter().filter_map(|name| self.var_of(name)).collect();
        for var in vars {
            self.b.write(node, Place::var(var), None, How::Assign);
        }
    }

    fn mark_target(&mut self, target: NodeId) {
        self.mark(target);
        if shape::is_wrapper(self.kind(target)) {
            let mut inner = target;
            while let Some(below) = shape::operand(self.tree, inner).filter(|_| shape::is_wrapper(self.kind(inner))) {
                self.mark(below);
                inner = below;
            }
        }
    }

    /// `left = right`
    pub(super) fn assignment(&mut self, node: NodeId) -> ValueId {
        let (Some(left), Some(right)) = (self.tree.child(node, "left"), self.tree.child(node, "right")) else {
            self.parts(node);
            let value = self.unknown(node);
            self.mark(node);
            return value;
        };
        let target = self.target(left);
        let value = self.value(right);
        let given = match &target {
            Target::Pattern => {
                let taken = super::spell::Taken::of(self.tree, right);
                self.take_apart(node, shape::bare(self.tree, left), value, taken, How::Assign);
                value
            }
            Target::Place(place) => {
                self.mark_target(left);
                self.put(node, left, &target, Some(value));
                // Behind it, the variable is another word for the value.
                match place.root {
                    Root::Var(_) if place.steps.is_empty() => self.b.read(shape::bare(self.tree, left), place.clone()),
                    _ => value,
                }
            }
            Target::Unknown => {
                self.put(node, left, &target, Some(value));
                value
            }
        };
        self.mark(node);
        given
    }

    /// `left += right` and its like; `left ??= right` and its like evaluate and write only when they must.
    pub(super) fn augmented_assignment(&mut self, node: NodeId) -> ValueId {
        let (Some(left), Some(right)) = (self.tree.child(node, "left"), self.tree.child(node, "right")) else {
            self.parts(node);
            let value = self.unknown(node);
            self.mark(node);
            return value;
        };
        let target = self.target(left);
        let operator = shape::operator(self.tree, node);
        let Some(logic) = shape::logic_of(operator) else {
            let old = self.read_target(left, &target);
            let with = self.value(right);
            let new = self.computed(node, operator.trim_end_matches('='), old, with);
            self.put(node, left, &target, Some(new));
            self.mark(node);
            return new;
        };
        self.b.open();
        let old = self.read_target(left, &target);
        let slot = self.b.slot(node);
        let atom = if logic == Logic::Nullish { Atom::Missing(old) } else { Atom::Truth(old) };
        let test = self.b.leaf(left, atom);
        let stays = self.apart(|lowering| lowering.set_slot(node, slot, old));
        let assigns = self.apart(|lowering| {
            let value = lowering.value(right);
            lowering.put(node, left, &target, Some(value));
            lowering.set_slot(node, slot, value);
        });
        let (yes, no) = if logic == Logic::Or { (stays, assigns) } else { (assigns, stays) };
        self.b.branch(test, yes, no);
        let value = self.read_slot(node, slot);
        self.mark(node);
        value
    }

    /// `private x` in the parameters of a constructor is a member as well.
    pub(super) fn parameter_member(&mut self, parameter: NodeId) {
        let (Some(name), _) = shape::target_and_default(self.tree, parameter) else { return };
        let Some(var) = self.var_of(name) else { return };
        let this = self.b.give(parameter, Does::Given(Given::This));
        let value = self.b.read(name, Place::var(var));
        let step = Step::Member(super::keys::named(self.text(name)));
        self.b.write(parameter, Place::of(this, step), value, How::Assign);
    }

    /// Whether to do something: a branch whose other way does nothing.
    pub(super) fn only_if(&mut self, test: Test, yes: Code) {
        self.b.branch(test, yes, Code::nothing());
    }
}
