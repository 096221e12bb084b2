//! The object literals that an argument may be, written out: `rm(dir, OPTIONS)`, `rm(dir, { ...BASE, force: true })` and
//! options that a function builds before its call are the call that their author could have written.
//!
//! All that may stand in the object is put into it, whatever overrides whatever: who looks for a shape wants to see it
//! where it is possible. A literal that stands behind a name, a choice or a table counts in the same way.

use super::plain;
use crate::scope::{Binding, Scopes};
use crate::tree::{NodeId, Span, Tree, TreeBuilder};

/// How far names, spreads and choices are followed.
const DEPTH: u32 = 8;
/// How many objects one argument is taken for.
const MOST: usize = 8;

/// What stands in an object.
#[derive(Clone, Copy)]
enum Member {
    /// As it is written.
    Written(NodeId),
    /// A key with a value that stands elsewhere.
    Given { key: NodeId, value: NodeId },
}

/// The objects that an argument may be and is not written as.
pub(in crate::languages::typescript) fn objects(tree: &Tree, scopes: &Scopes, argument: NodeId) -> Vec<Tree> {
    let options = Options { tree, scopes };
    let is_written = |members: &[Member]| {
        let own = |member: &Member| matches!(member, Member::Written(node) if tree.parent(*node) == Some(argument));
        tree.kind(argument) == "object" && members.iter().all(own)
    };
    let mut found = options.alternatives(argument, DEPTH);
    found.truncate(MOST);
    found.retain(|members| !is_written(members));
    let mut written: Vec<Tree> = found.iter().map(|members| options.write(members, tree.span(argument))).collect();
    let literals = options.literals(argument, DEPTH).into_iter().filter(|&literal| literal != argument);
    written.extend(literals.take(MOST).map(|literal| options.copy(literal, tree.span(argument))));
    written
}

struct Options<'t> {
    tree: &'t Tree,
    scopes: &'t Scopes,
}

impl Options<'_> {
    fn alternatives(&self, node: NodeId, depth: u32) -> Vec<Vec<Member>> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        let tree = self.tree;
        let node = plain(tree, node);
        match tree.kind(node) {
            "object" => vec![self.members(node, depth)],
            "identifier" => self.named(node, depth),
            "member_expression" | "subscript_expression" => {
                self.held(node, depth).into_iter().flat_map(|value| self.alternatives(value, depth)).collect()
            }
            "ternary_expression" => {
                let ways = ["consequence", "alternative"].iter().filter_map(|way| tree.child(node, way));
                ways.flat_map(|way| self.alternatives(way, depth)).collect()
            }
            "logical_expression" => {
                let operands = tree.children(node).filter(|&child| tree.field(child) == Some("operand"));
                operands.flat_map(|operand| self.alternatives(operand, depth)).collect()
            }
            "call_expression" => {
                let arguments = self.assign(node).unwrap_or_default();
                if arguments.is_empty() {
                    return Vec::new();
                }
                vec![arguments.iter().flat_map(|&one| self.alternatives(one, depth)).flatten().collect()]
            }
            _ => Vec::new(),
        }
    }

    /// The arguments of an `Object.assign(…)`.
    fn assign(&self, call: NodeId) -> Option<Vec<NodeId>> {
        let tree = self.tree;
        let callee = super::super::access::access(tree, tree.child(call, "function")?)?;
        let assigns = tree.text(callee.root) == "Object" && callee.path == [Some("assign".to_owned())];
        assigns.then(|| super::super::shape::arguments(tree, call))
    }

    /// The literals that an argument always, or on one way of a choice, stands for.
    fn literals(&self, node: NodeId, depth: u32) -> Vec<NodeId> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        let tree = self.tree;
        let node = plain(tree, node);
        match tree.kind(node) {
            "true" | "false" | "null" | "number" | "string" => vec![node],
            "unary_expression" if tree.children(node).last().is_some_and(|one| tree.kind(one) == "number") => {
                vec![node]
            }
            "logical_expression" => {
                let operands = tree.children(node).filter(|&child| tree.field(child) == Some("operand"));
                operands.flat_map(|operand| self.literals(operand, depth)).collect()
            }
            "template_string" => {
                match tree.children(node).filter(|&part| tree.kind(part) != "`").collect::<Vec<_>>()[..] {
                    [only] if tree.kind(only) == "string_fragment" => vec![only],
                    _ => Vec::new(),
                }
            }
            "identifier" => {
                let Some(id) = self.scopes.binding(node) else { return Vec::new() };
                let binding = self.scopes.get(id);
                let assigned = binding.writes.iter().filter_map(|&write| self.assigned(write));
                let values = self.initial(binding).into_iter().chain(assigned);
                values.flat_map(|value| self.literals(value, depth)).collect()
            }
            "ternary_expression" => {
                let ways = ["consequence", "alternative"].iter().filter_map(|way| tree.child(node, way));
                ways.flat_map(|way| self.literals(way, depth)).collect()
            }
            "member_expression" | "subscript_expression" => {
                self.held(node, depth).into_iter().flat_map(|value| self.literals(value, depth)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The values that a member of a table or enum may have: `LIMITS.open`, `Signal.Kill`.
    fn held(&self, member: NodeId, depth: u32) -> Vec<NodeId> {
        let tree = self.tree;
        let property = tree
            .child(member, "property")
            .or_else(|| tree.child(member, "index").filter(|&index| tree.kind(index) == "string"));
        let (Some(object), Some(property)) = (tree.child(member, "object"), property) else { return Vec::new() };
        let name = tree.text(property);
        if let Some(values) = self.listed(object, name) {
            return values;
        }
        let members = self.alternatives(object, depth).into_iter().flatten();
        let value = |member: Member| match member {
            Member::Given { key, value } => (tree.text(key) == name).then_some(value),
            Member::Written(pair) => {
                let key = tree.child(pair, "key").filter(|&key| tree.text(key) == name);
                key.and_then(|_| tree.child(pair, "value"))
            }
        };
        members.filter_map(value).collect()
    }

    /// The value of an enum's member; `None` where the name is no enum's.
    fn listed(&self, name: NodeId, member: &str) -> Option<Vec<NodeId>> {
        let tree = self.tree;
        let declared = self.scopes.get(self.scopes.binding(name)?).declared;
        let declaration = tree.parent(declared).filter(|&above| tree.kind(above) == "enum_declaration")?;
        let assignments = tree.subtree(declaration).filter(|&node| tree.kind(node) == "enum_assignment");
        let is_member = |&node: &NodeId| tree.child(node, "name").is_some_and(|name| tree.text(name) == member);
        Some(assignments.filter(is_member).filter_map(|node| tree.child(node, "value")).collect())
    }

    /// What a variable holds: what it is declared with or assigned, and the properties that are assigned to it.
    fn named(&self, name: NodeId, depth: u32) -> Vec<Vec<Member>> {
        let Some(id) = self.scopes.binding(name) else { return Vec::new() };
        let binding = self.scopes.get(id);
        let mut values: Vec<NodeId> = self.initial(binding).into_iter().collect();
        values.extend(binding.writes.iter().filter_map(|&write| self.assigned(write)));
        let mut found: Vec<Vec<Member>> =
            values.into_iter().flat_map(|value| self.alternatives(value, depth)).collect();
        if found.is_empty() {
            return found;
        }
        let tree = self.tree;
        let is_it = |node: NodeId| self.scopes.binding(node) == Some(id);
        let assigned = tree.subtree(NodeId::ROOT).filter_map(|node| {
            let arguments = self.assign(node).filter(|_| tree.kind(node) == "call_expression")?;
            arguments.first().is_some_and(|&first| is_it(plain(tree, first))).then_some(arguments)
        });
        let given = assigned.flat_map(|arguments| arguments.into_iter().skip(1));
        let given: Vec<Member> = given.flat_map(|argument| self.alternatives(argument, depth)).flatten().collect();
        let sets = tree.subtree(NodeId::ROOT).filter_map(|node| {
            const KINDS: [&str; 2] = ["assignment_expression", "augmented_assignment_expression"];
            let left = tree.child(node, "left").filter(|_| KINDS.contains(&tree.kind(node)))?;
            let object = tree.child(left, "object")?;
            let key = tree.child(left, "property").or_else(|| tree.child(left, "index"))?;
            let value = tree.child(node, "right")?;
            is_it(object).then_some(Member::Given { key, value })
        });
        let sets: Vec<Member> = sets.chain(given).collect();
        found.iter_mut().for_each(|members| members.extend(&sets));
        found
    }

    fn initial(&self, binding: &Binding) -> Option<NodeId> {
        let declared = binding.declared;
        let above = self.tree.parent(declared).filter(|&above| self.tree.kind(above) == "variable_declarator")?;
        self.tree.child(above, "value").filter(|_| self.tree.field(declared) == Some("name"))
    }

    fn assigned(&self, write: NodeId) -> Option<NodeId> {
        let above = self.tree.parent(write).filter(|&above| self.tree.kind(above) == "assignment_expression")?;
        self.tree.child(above, "right").filter(|_| self.tree.field(write) == Some("left"))
    }

    /// An object's members, with those of what is spread into it, and constants in the place of their names.
    fn members(&self, object: NodeId, depth: u32) -> Vec<Member> {
        let tree = self.tree;
        let mut members = Vec::new();
        for member in tree.children(object) {
            match tree.kind(member) {
                "{" | "}" => {}
                "spread_element" => {
                    let spread = tree.children(member).last();
                    members.extend(spread.into_iter().flat_map(|one| self.alternatives(one, depth)).flatten());
                }
                "shorthand_property_identifier" => members.push(match self.constant(member) {
                    Some(value) => Member::Given { key: member, value },
                    None => Member::Written(member),
                }),
                "pair" => {
                    let (key, value) = (tree.child(member, "key"), tree.child(member, "value"));
                    let computed = key.and_then(|key| self.computed(key));
                    let constant = value.and_then(|value| self.constant(value));
                    // Without the marks of `true as boolean`.
                    let bare = value.map(|value| plain(tree, value));
                    members.push(match (computed.or(key), constant, bare) {
                        (Some(key), Some(value), _) => Member::Given { key, value },
                        (Some(key), None, Some(bare)) if computed.is_some() || Some(bare) != value => {
                            Member::Given { key, value: bare }
                        }
                        _ => Member::Written(member),
                    });
                }
                _ => members.push(Member::Written(member)),
            }
        }
        members
    }

    /// The text in `{ ['recursive']: true }`.
    fn computed(&self, key: NodeId) -> Option<NodeId> {
        let key = Some(key).filter(|&key| self.tree.kind(key) == "computed_property_name")?;
        self.tree.children(key).find(|&part| self.tree.kind(part) == "string")
    }

    /// The literal that a name always stands for.
    fn constant(&self, name: NodeId) -> Option<NodeId> {
        let binding = self.scopes.get(self.scopes.binding(name)?);
        let value = plain(self.tree, self.initial(binding).filter(|_| binding.writes.is_empty())?);
        matches!(self.tree.kind(value), "true" | "false" | "null" | "number" | "string").then_some(value)
    }

    /// A literal in the argument's place; a template without a hole is a string.
    fn copy(&self, literal: NodeId, span: Span) -> Tree {
        let mut out = TreeBuilder::default();
        match self.tree.kind(literal) {
            "string_fragment" => {
                out.leaf("string", None, self.tree.text(literal), span);
            }
            _ => out.copy(self.tree, literal),
        }
        out.finish()
    }

    fn write(&self, members: &[Member], span: Span) -> Tree {
        let mut out = TreeBuilder::default();
        out.open("object", None, span);
        out.leaf("{", None, "", span);
        for member in members {
            match *member {
                Member::Written(node) => out.copy(self.tree, node),
                Member::Given { key, value } => {
                    out.open("pair", None, span);
                    out.leaf("property_identifier", Some("key"), self.tree.text(key), self.tree.span(key));
                    out.leaf(":", None, "", span);
                    out.copy_as(self.tree, value, Some("value"));
                    out.close();
                }
            }
        }
        out.leaf("}", None, "", span);
        out.close();
        out.finish()
    }
}
