//! Conditions made in a helper: a call of a function that only returns an expression stands for that expression.

use super::code::Code;
use super::spec::Through;
use crate::program::{Program, Scope};
use crate::table::lookup;
use factgate_syntax::tree::{Origin, TreeBuilder};
use factgate_syntax::{NodeId, Tree};
use std::sync::Arc;

/// Calls inside calls that `through` follows.
const DEEPEST: usize = 8;

/// Finds the functions that a scope's conditions call.
pub(super) struct Helpers<'p> {
    program: &'p Program<'p>,
    through: Through,
}

/// The expression that a call stands for, with the arguments in it.
pub(super) struct Expanded {
    pub(super) code: Code,
    /// Where its own calls are looked up.
    pub(super) scope: Scope,
}

/// How deep a condition lies in called functions, and which they are: a ring of calls ends.
#[derive(Clone, Default)]
pub(super) struct Depth {
    functions: Vec<String>,
}

impl Depth {
    /// In the guard's own scope.
    pub(super) fn is_outside(&self) -> bool {
        self.functions.is_empty()
    }
}

impl<'p> Helpers<'p> {
    pub(super) fn new(program: &'p Program<'p>, through: Through) -> Helpers<'p> {
        Helpers { program, through }
    }

    /// What the call at `node` stands for, when its function is known and only returns an expression.
    pub(super) fn expand(&self, scope: &Scope, code: &Code, node: NodeId, depth: &mut Depth) -> Option<Expanded> {
        let deepest = if self.through == Through::Deep { DEEPEST } else { 1 };
        if depth.functions.len() >= deepest {
            return None;
        }
        let call = code.rules.call(&code.tree, node)?;
        let (callee_scope, function, inner) = match self.own_function(scope, code, call.callee) {
            Some(function) => (scope.clone(), function, Some(code)),
            None => {
                let callee = self.named(scope, code, call.callee)?;
                (callee, NodeId::ROOT, None)
            }
        };
        let name = format!("{}:{}", callee_scope.name, function.index());
        if depth.functions.contains(&name) {
            return None;
        }
        let callee_tree = inner.map_or(&callee_scope.tree, |code| &code.tree).clone();
        let (parameters, expression) = code.rules.only_returns(&callee_tree, function)?;
        if call.arguments.len() < parameters.len() {
            return None;
        }
        let callee_code = match inner {
            Some(code) => code.clone(),
            None => Code::of(&callee_tree, &callee_scope.scopes, code.rules),
        };
        let arguments: Vec<_> = parameters
            .iter()
            .map(|&parameter| callee_code.binding(parameter))
            .zip(call.arguments.iter().copied())
            .collect();
        let expanded = substitute(&callee_code, expression, code, &arguments, inner.is_some())?;
        depth.functions.push(name);
        Some(Expanded { code: expanded, scope: callee_scope })
    }

    /// A function that is declared inside the scope and never assigned again.
    fn own_function(&self, scope: &Scope, code: &Code, callee: NodeId) -> Option<NodeId> {
        if !Arc::ptr_eq(&code.tree, &scope.tree) {
            return None;
        }
        let binding = scope.scopes.get(code.variable(callee)?);
        if !binding.writes.is_empty() {
            return None;
        }
        let above = scope.tree.parent(binding.declared)?;
        (above != NodeId::ROOT && code.rules.only_returns(&scope.tree, above).is_some()).then_some(above)
    }

    /// A function of this file, or of one that it imports from.
    pub(super) fn named(&self, scope: &Scope, code: &Code, callee: NodeId) -> Option<Scope> {
        let found = if Arc::ptr_eq(&code.tree, &scope.tree) {
            let access = code.rules.access(&code.tree, callee)?;
            // A variable of the scope is no function of the file.
            let hidden = code.binding(access.root).is_some_and(|id| scope.scopes.get(id).local);
            if hidden {
                return None;
            }
            lookup::find(self.program, scope, callee)?
        } else {
            let within = Scope { tree: code.tree.clone(), ..scope.clone() };
            lookup::find(self.program, &within, callee)?
        };
        found.rest.is_empty().then_some(found.scope)
    }
}

/// The expression of a function with its parameters replaced. Variables of another tree lose their identity, unless the
/// function stands in the tree of its call.
fn substitute(
    callee: &Code,
    expression: NodeId,
    caller: &Code,
    arguments: &[(Option<factgate_syntax::BindingId>, NodeId)],
    same_tree: bool,
) -> Option<Code> {
    if arguments.iter().any(|(parameter, _)| parameter.is_none()) {
        return None;
    }
    let replace = |node: NodeId| -> Option<(&Tree, NodeId)> {
        let binding = callee.binding(node)?;
        let (_, argument) = arguments.iter().find(|(parameter, _)| *parameter == Some(binding))?;
        Some((&*caller.tree, *argument))
    };
    let mut builder = TreeBuilder::default();
    let origins = builder.copy_replacing(&callee.tree, expression, &replace);
    let binding = |origin: &Origin| match origin {
        Origin::Replacement(node) => caller.binding(*node),
        Origin::Copied(node) if same_tree => callee.binding(*node),
        Origin::Copied(_) => None,
    };
    let bindings = origins.iter().map(binding).collect();
    Some(Code { tree: Arc::new(builder.finish()), bindings: Arc::new(bindings), rules: caller.rules })
}
