//! Conditions made in a helper: a call of a function that only returns an expression stands for that expression.

use super::code::{Code, Mark};
use super::method::Called;
use super::reading::Reading;
use super::spec::{Assertions, Through};
use crate::program::{Program, Scope, Whole};
use crate::table::lookup::{self, Found};
use factgate_record::RepoPath;
use factgate_syntax::languages::{Call, CallForm};
use factgate_syntax::tree::{Origin, TreeBuilder};
use factgate_syntax::{BindingId, Item, ItemKind, NodeId, Selector, Span, Tree};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Calls inside calls that `through` follows.
const DEEPEST: usize = 8;

/// Finds the functions that a scope's conditions call.
pub(super) struct Helpers<'p> {
    program: &'p Program<'p>,
    through: Through,
    /// The file of the guard's scope.
    home: RepoPath,
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
    pub(super) fn new(program: &'p Program<'p>, home: &RepoPath, through: Through) -> Helpers<'p> {
        Helpers { program, through, home: home.clone() }
    }

    pub(super) fn program(&self) -> &'p Program<'p> {
        self.program
    }

    /// What the call at `node` stands for, when it is shown which function is called, and that only returns an
    /// expression.
    pub(super) fn expand(&self, scope: &Scope, code: &Code, node: NodeId, depth: &mut Depth) -> Option<Expanded> {
        let deepest = if self.through == Through::Deep { DEEPEST } else { 1 };
        if depth.functions.len() >= deepest {
            return None;
        }
        let call = code.rules.call(&code.tree, node).filter(|call| call.form == CallForm::Plain)?;
        let (callee, outside) = match self.own_function(scope, code, call.callee) {
            Some(function) => (Callee { scope: scope.clone(), code: code.clone(), function, is_own: true }, None),
            None => {
                let called = self.called(scope, code, call.callee)?;
                let code = Code::of(&called.scope.tree, &called.scope.scopes, code.rules);
                let scope = called.scope.clone();
                (Callee { scope, code, function: NodeId::ROOT, is_own: false }, Some(called))
            }
        };
        let name = format!("{}:{}", callee.scope.name, callee.function.index());
        if depth.functions.contains(&name) {
            return None;
        }
        let is_method = outside.as_ref().is_some_and(|called| called.is_method);
        if is_method && self.assigns(&callee.scope, &callee.code) {
            return None;
        }
        let (parameters, expression) = match is_method {
            true => code.rules.method_returns(&callee.code.tree, callee.function)?,
            false => code.rules.only_returns(&callee.code.tree, callee.function)?,
        };
        let given = outside.map_or_else(|| call.arguments.clone(), |called| called.arguments(&call));
        if given.len() < parameters.len() {
            return None;
        }
        // A parameter without a name is not read.
        let named = |(&name, &argument): (&NodeId, &NodeId)| Some((callee.code.binding(name)?, argument));
        let arguments: Vec<_> = parameters.iter().zip(&given).filter_map(named).collect();
        if arguments.iter().any(|&(parameter, _)| !callee.scope.scopes.get(parameter).writes.is_empty()) {
            return None;
        }
        let code = self.substitute(&callee, expression, code, &arguments);
        depth.functions.push(name);
        Some(Expanded { code, scope: callee.scope })
    }

    /// Some nodes of a called function, with the arguments of the call in them.
    pub(super) fn seen_from(&self, code: &Code, call: &Call, called: &Called, nodes: &[NodeId]) -> Option<Vec<Code>> {
        let callee = &called.scope;
        let given = called.arguments(call);
        let callee_code = Code::of(&callee.tree, &callee.scopes, code.rules);
        let parameters = code.rules.parameters(&callee.tree, NodeId::ROOT)?;
        if call.form != CallForm::Plain || given.len() < parameters.len() {
            return None;
        }
        let named = |(&name, &argument): (&NodeId, &NodeId)| Some((callee_code.binding(name)?, argument));
        let arguments: Vec<_> = parameters.iter().zip(&given).filter_map(named).collect();
        if arguments.iter().any(|&(parameter, _)| !callee.scopes.get(parameter).writes.is_empty()) {
            return None;
        }
        let callee = Callee { scope: callee.clone(), code: callee_code, function: NodeId::ROOT, is_own: false };
        Some(nodes.iter().map(|&node| self.substitute(&callee, node, code, &arguments)).collect())
    }

    /// How deep a condition of a called function lies.
    pub(super) fn inside(callee: &Scope) -> Depth {
        Depth { functions: vec![format!("{}:{}", callee.name, NodeId::ROOT.index())] }
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

    /// The function of this file, or of one that it imports from, that a name means for good: a call runs this very one.
    pub(super) fn named(&self, scope: &Scope, code: &Code, callee: NodeId) -> Option<Scope> {
        let access = code.rules.access(&code.tree, callee)?;
        // What came with an argument is a name of another place.
        if code.mark(access.root).is_given {
            return None;
        }
        let within = Scope { tree: code.tree.clone(), ..scope.clone() };
        self.found(&within, callee).filter(|found| self.is_settled(found)).map(|found| found.scope)
    }

    /// The functions that a name in a scope may run; of one that its file assigns, all of the file.
    pub(super) fn likely(&self, scope: &Scope, name: NodeId) -> Vec<Scope> {
        let found = self.found(scope, name);
        let assigned = match &found {
            Some(found) if self.is_settled(found) => None,
            Some(found) => Some(found.scope.file.clone()),
            None => Some(scope.file.clone()).filter(|_| self.is_assigned(scope, name)),
        };
        let whole = assigned.and_then(|file| {
            let source = self.program.source(&file).ok()?;
            self.program.scope_of(&file, &source, &source.file_item()).ok()
        });
        found.map(|found| found.scope).into_iter().chain(whole).collect()
    }

    /// The same of a name that is only mentioned, where a class or container is none of them.
    pub(super) fn handed(&self, scope: &Scope, name: NodeId) -> Vec<Scope> {
        let is_container = self.found(scope, name).is_some_and(|found| found.kind == ItemKind::Container);
        if is_container { Vec::new() } else { self.likely(scope, name) }
    }

    /// Whether a name is that of a variable at the top level of its file, which is assigned there.
    fn is_assigned(&self, scope: &Scope, name: NodeId) -> bool {
        let Some(whole) = self.program.whole(&scope.file) else { return false };
        let variable = whole.variable(scope.tree.span(name));
        let text = scope.tree.text(name);
        variable.is_some_and(|id| whole.top_level(text).any(|other| other == id))
            && !whole.is_settled(&[text.to_owned()])
    }

    /// The function of the same class or container that a call by this name, on whatever object, may run.
    pub(super) fn sibling(&self, scope: &Scope, callee: NodeId) -> Option<Scope> {
        let access = scope.source.language().rules().access(&scope.tree, callee)?;
        let name = match access.path.last() {
            Some(member) => member.as_deref()?,
            None => scope.tree.text(access.root),
        };
        let (container, _) = scope.name.rsplit_once('.').filter(|(container, _)| container.contains('#'))?;
        let selector = Selector::parse(&format!("{container}.{name}")).ok()?;
        self.program.callable(&selector).ok()
    }

    fn found(&self, scope: &Scope, callee: NodeId) -> Option<Found> {
        let access = scope.source.language().rules().access(&scope.tree, callee)?;
        let whole = self.program.whole(&scope.file)?;
        let variable = whole.variable(scope.tree.span(access.root))?;
        if !whole.top_level(scope.tree.text(access.root)).any(|id| id == variable) {
            return if access.path.is_empty() { self.beside(scope, whole.span(variable)) } else { None };
        }
        lookup::find(self.program, scope, callee).filter(|found| found.rest.is_empty())
    }

    /// The function that is declared here in a container or namespace, whose functions see each other by plain names.
    fn beside(&self, scope: &Scope, declared: Span) -> Option<Found> {
        let item = scope.source.enclosing(declared).filter(|item| item.kind == ItemKind::Function)?;
        let (around, _) = item.name.rsplit_once('.')?;
        let holds = |other: &&Item| matches!(other.kind, ItemKind::Container | ItemKind::Namespace);
        let is_around = |other: &Item| other.name == around && other.span.contains(item.span);
        scope.source.items().iter().filter(holds).find(|other| is_around(other))?;
        let scope = self.program.scope_of(&scope.file, &scope.source, item).ok()?;
        Some(Found { scope, kind: item.kind, rest: Vec::new(), names: BTreeSet::new() })
    }

    /// A called function, read.
    pub(super) fn read(&self, callee: &Scope) -> Reading {
        Reading::of(self.program, callee, &Assertions::default())
    }

    /// Whether every name on the way to the item, and the item itself, means what it says for good.
    fn is_settled(&self, found: &Found) -> bool {
        let of_name = |(file, words): &(RepoPath, Vec<String>)| {
            self.program.whole(file).is_some_and(|whole| whole.is_settled(words))
        };
        let scope = &found.scope;
        let last = scope.name.rsplit(['#', '.']).next().unwrap_or_default();
        let of_item = |whole: Arc<Whole>| whole.is_settled_in(scope.span, last) && !whole.is_replaced(scope.span);
        found.names.iter().all(of_name) && self.program.whole(&scope.file).is_some_and(of_item)
    }

    /// The expression of a function with its parameters replaced.
    fn substitute(
        &self,
        callee: &Callee,
        expression: NodeId,
        caller: &Code,
        arguments: &[(BindingId, NodeId)],
    ) -> Code {
        let replace = |node: NodeId| -> Option<(&Tree, NodeId)> {
            let binding = callee.code.binding(node)?;
            let (_, argument) = arguments.iter().find(|(parameter, _)| *parameter == binding)?;
            Some((&*caller.tree, *argument))
        };
        let mut builder = TreeBuilder::default();
        let origins = builder.copy_replacing(&callee.code.tree, expression, &replace);
        let mark = |origin: &Origin| match origin {
            Origin::Replacement(node) => {
                let mark = caller.mark(*node);
                Mark { is_given: mark.is_given || !callee.is_own, ..mark }
            }
            Origin::Copied(node) if callee.is_own => callee.code.mark(*node),
            Origin::Copied(node) => Mark { apart: self.apart(callee, *node), ..Mark::default() },
        };
        let marks = origins.iter().map(mark).collect();
        Code { tree: Arc::new(builder.finish()), marks: Arc::new(marks), rules: caller.rules }
    }

    /// What sets a name of a called function apart from the same name in the guard's scope.
    fn apart(&self, callee: &Callee, node: NodeId) -> Option<Arc<str>> {
        let (tree, file) = (&callee.code.tree, &callee.scope.file);
        callee.code.rules.access(tree, node).filter(|access| access.root == node && access.path.is_empty())?;
        let name = tree.text(node);
        let is_home = |id: Option<BindingId>| {
            let home = self.program.whole(&self.home);
            home.is_some_and(|home| match id {
                Some(id) => *file == self.home && home.top_level(name).any(|other| other == id),
                None => home.top_level(name).next().is_none(),
            })
        };
        let variable = self.program.whole(file)?.variable(tree.span(node));
        (!is_home(variable)).then(|| format!("{file}:{variable:?}").into())
    }
}

/// A function that a call runs.
struct Callee {
    scope: Scope,
    code: Code,
    function: NodeId,
    /// Whether it stands in the tree of its call.
    is_own: bool,
}
