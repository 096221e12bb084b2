//! Where a file uses names: every maximal chain of names and members, with the form of its use.

use super::require::is_promise;
use super::{Reader, span};
use crate::links::{Base, Denotes, Form, Means, Use};
use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTargetProperty, BindingPattern, BindingProperty, Expression};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span as OxcSpan};

/// How the surroundings use a chain.
enum Place {
    /// As this form.
    Used(Form),
    /// As the start of a longer chain, which is looked at itself.
    Inside,
    /// As what goes out of the file under a name of its own.
    Exported,
    /// Not at all: an alias, a type, a write.
    NotASite,
}

impl<'a> Reader<'a, '_> {
    /// All uses that can matter.
    pub(super) fn read_uses(&mut self) {
        let symbols = self.links.exports.values().filter(|what| what.path.is_empty());
        self.exported =
            symbols.filter_map(|what| if let Base::Symbol(index) = what.base { Some(index) } else { None }).collect();
        let mut uses = Vec::new();
        for node in self.semantic.nodes().iter() {
            let Some((what, at)) = self.chain(node.kind()) else { continue };
            if !self.links.matters(&what, self.is_word) {
                continue;
            }
            match self.place(node.id()) {
                Place::Used(form) => uses.push(Use { what, form, span: at }),
                // Whoever imports it cannot tell what it was.
                Place::Exported if !what.path.is_empty() && self.is_unknown(&what) => {
                    uses.push(Use { what, form: Form::Value, span: at });
                }
                Place::Exported | Place::Inside | Place::NotASite => {}
            }
        }
        uses.extend(self.computed_uses());
        uses.extend(self.taken_uses());
        self.links.uses = uses;
    }

    /// Members that patterns give to what is no alias: a variable that is assigned again, an export whose importers
    /// cannot tell what it was, the target of an assignment.
    fn taken_uses(&self) -> Vec<Use> {
        let mut uses = Vec::new();
        let mut take = |what: Denotes, span| {
            if self.links.matters(&what, self.is_word) {
                uses.push(Use { what, form: Form::Value, span });
            }
        };
        for taken in &self.taken {
            if !taken.settled || self.exported.contains(&taken.symbol) && self.is_unknown(&taken.what) {
                take(taken.what.clone(), taken.at);
            }
        }
        for node in self.semantic.nodes().iter() {
            let AstKind::ObjectAssignmentTarget(target) = node.kind() else { continue };
            let from = match self.semantic.nodes().parent_kind(node.id()) {
                AstKind::AssignmentExpression(assignment) => self.denote(&assignment.right),
                _ => None,
            };
            let from = from.unwrap_or_else(Denotes::anything);
            // Whole modules and objects that are known are values where they stand.
            if !self.is_unknown(&from) {
                continue;
            }
            for property in &target.properties {
                let (name, at) = match property {
                    AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(short) => {
                        (Some(short.binding.name.to_string()), span(&**short))
                    }
                    AssignmentTargetProperty::AssignmentTargetPropertyProperty(long) => {
                        (self.property_name(&long.name), span(&long.name))
                    }
                };
                name.into_iter().for_each(|name| take(from.clone().then(&name), at));
            }
        }
        uses
    }

    /// The names in `o[x ? 'run' : 'stop']`.
    fn chosen_keys(&self, key: &Expression<'a>, found: &mut dyn FnMut(&str)) {
        match key.get_inner_expression() {
            Expression::ConditionalExpression(choice) => {
                self.chosen_keys(&choice.consequent, found);
                self.chosen_keys(&choice.alternate, found);
            }
            Expression::LogicalExpression(choice) => {
                self.chosen_keys(&choice.left, found);
                self.chosen_keys(&choice.right, found);
            }
            other => self.key(other).iter().for_each(|name| found(name)),
        }
    }

    /// Members of instances under a name that nobody can tell: `this[event]()`.
    fn computed_uses(&self) -> Vec<Use> {
        let mut uses = Vec::new();
        for node in self.semantic.nodes().iter() {
            let AstKind::ComputedMemberExpression(member) = node.kind() else { continue };
            let is_telling = self.key(&member.expression).is_some()
                || matches!(member.expression.get_inner_expression(), Expression::NumericLiteral(_));
            let what = if is_telling { Denotes::foreign() } else { self.object(&member.object) };
            if !is_telling {
                self.chosen_keys(&member.expression, &mut |key| {
                    let what = what.clone().then(key);
                    if self.is_unknown(&what) && (self.is_word)(key) {
                        uses.push(Use { what, form: Form::Value, span: span(&member.expression) });
                    }
                });
            }
            let is_instance = what.path.is_empty()
                && match what.base {
                    Base::Instance(_) => true,
                    Base::Symbol(index) => matches!(self.links.symbols[index].means, Means::Instance(_)),
                    _ => false,
                };
            if is_instance {
                uses.push(Use { what, form: Form::Computed, span: span(&member.expression) });
            }
        }
        uses
    }

    /// What a node stands for when it is a name or a member.
    fn chain(&self, kind: AstKind<'a>) -> Option<(Denotes, crate::tree::Span)> {
        match kind {
            AstKind::IdentifierReference(name) => {
                let reference = self.semantic.scoping().get_reference(name.reference_id.get()?);
                (reference.is_read() && !reference.is_type()).then(|| (self.denote_name(name), span(name)))
            }
            AstKind::StaticMemberExpression(member) => {
                let what = match member.property.name.as_str() {
                    "exports" if self.is_exports_member(member) => Denotes::module(&self.own),
                    name => self.object(&member.object).then(name),
                };
                Some((what, span(&member.property)))
            }
            AstKind::ThisExpression(this) => {
                let what = self.denote_this(this.node_id.get());
                matches!(what.base, Base::Symbol(_)).then(|| (what, span(this)))
            }
            AstKind::PrivateFieldExpression(member) => {
                let what = self.object(&member.object).then(&format!("#{}", member.field.name));
                Some((what, span(&member.field)))
            }
            AstKind::ComputedMemberExpression(member) => {
                let name = self.key(&member.expression)?;
                Some((self.object(&member.object).then(&name), span(&member.expression)))
            }
            AstKind::Super(base) => match self.denote_super(base.node_id.get())?.base {
                Base::Instance(class) => Some((*class, span(base))),
                _ => None,
            },
            AstKind::JSXMemberExpression(member) => {
                let what = self.denote_element(&member.object).then(member.property.name.as_str());
                Some((what, span(&member.property)))
            }
            _ => None,
        }
    }

    fn object(&self, object: &Expression<'a>) -> Denotes {
        self.asserted(object).unwrap_or_else(|| self.denote_object(object))
    }

    /// An instance of the class in `(x as Log).flush()`, unless the value is better known than that.
    fn asserted(&self, object: &Expression<'a>) -> Option<Denotes> {
        let (annotation, inner) = match object.without_parentheses() {
            Expression::TSAsExpression(cast) => (&cast.type_annotation, &cast.expression),
            Expression::TSTypeAssertion(cast) => (&cast.type_annotation, &cast.expression),
            _ => return None,
        };
        let is_known = match self.denote(inner).map(|what| what.base) {
            Some(Base::Symbol(index)) => !matches!(self.links.symbols[index].means, Means::Anything),
            Some(Base::Module(_)) => true,
            _ => false,
        };
        match self.of_type(annotation) {
            Means::Instance(class) if !is_known => Some(Denotes::instance(class)),
            Means::Alias(what) if !is_known => Some(what),
            Means::Foreign if !is_known => Some(Denotes::foreign()),
            _ => None,
        }
    }

    /// How the surroundings of a chain use it: wrappers that mean the same value are climbed.
    fn place(&self, node: NodeId) -> Place {
        let nodes = self.semantic.nodes();
        let mut at = nodes.kind(node).span();
        let mut id = node;
        loop {
            let parent = nodes.parent_id(id);
            let same = match nodes.kind(parent) {
                AstKind::ParenthesizedExpression(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSSatisfiesExpression(_)
                | AstKind::TSTypeAssertion(_)
                | AstKind::TSNonNullExpression(_)
                | AstKind::TSInstantiationExpression(_)
                | AstKind::ChainExpression(_) => true,
                AstKind::SequenceExpression(sequence) => {
                    sequence.expressions.last().is_some_and(|last| last.span() == at)
                }
                _ => false,
            };
            if !same || parent == id {
                return self.place_in(parent, at);
            }
            at = nodes.kind(parent).span();
            id = parent;
        }
    }

    fn place_in(&self, parent: NodeId, at: OxcSpan) -> Place {
        match self.semantic.nodes().kind(parent) {
            AstKind::StaticMemberExpression(member) if member.object.span() == at => Place::Inside,
            AstKind::ComputedMemberExpression(member) if member.object.span() == at => {
                match self.key(&member.expression) {
                    Some(_) => Place::Inside,
                    None => Place::Used(Form::Value),
                }
            }
            AstKind::PrivateFieldExpression(member) if member.object.span() == at => Place::Inside,
            AstKind::JSXMemberExpression(member) if member.object.span() == at => Place::Inside,
            AstKind::CallExpression(call) if call.callee.span() == at => Place::Used(self.call_form(parent)),
            AstKind::NewExpression(new) if new.callee.span() == at => Place::Used(Form::New),
            AstKind::TaggedTemplateExpression(tagged) if tagged.tag.span() == at => Place::Used(Form::Tag),
            AstKind::JSXOpeningElement(_) => Place::Used(Form::Element),
            AstKind::Class(class) if class.heritage.as_ref().is_some_and(|base| base.expression.span() == at) => {
                Place::Used(Form::Extends)
            }
            AstKind::BinaryExpression(binary) if binary.operator.is_instance_of() && binary.right.span() == at => {
                Place::Used(Form::Instanceof)
            }
            AstKind::Decorator(_) => Place::Used(Form::Decorator),
            AstKind::VariableDeclarator(declarator) if self.is_alias(&declarator.id) => {
                let id = declarator.id.get_binding_identifier().and_then(|name| name.symbol_id.get());
                match id.and_then(|id| self.symbols.get(&id)).is_some_and(|symbol| self.exported.contains(symbol)) {
                    true => Place::Exported,
                    false => Place::NotASite,
                }
            }
            AstKind::ExportDefaultDeclaration(_) | AstKind::TSExportAssignment(_) => Place::Exported,
            AstKind::JSXClosingElement(_)
            | AstKind::ExportSpecifier(_)
            | AstKind::TSImportEqualsDeclaration(_)
            | AstKind::TSTypeQuery(_)
            | AstKind::TSQualifiedName(_)
            | AstKind::TSTypeReference(_)
            | AstKind::TSClassImplements(_)
            | AstKind::TSInterfaceHeritage(_)
            | AstKind::ExpressionStatement(_) => Place::NotASite,
            AstKind::UnaryExpression(unary) if !unary.operator.is_arithmetic() => Place::NotASite,
            AstKind::AssignmentExpression(assignment) => match self.target_path(&assignment.left) {
                Some(path) if matches!(path[0].as_str(), "exports" | "module") && !self.is_choice(&assignment.left) => {
                    if assignment.right.span() == at {
                        Place::Exported
                    } else {
                        Place::NotASite
                    }
                }
                _ if assignment.right.span() == at => Place::Used(Form::Value),
                _ => Place::NotASite,
            },
            AstKind::ObjectProperty(property) if property.value.span() != at => Place::NotASite,
            AstKind::ObjectProperty(_) | AstKind::SpreadElement(_) if self.is_common_export(parent) => Place::Exported,
            AstKind::CallExpression(call) if self.copies_exports(call) => Place::NotASite,
            _ => Place::Used(Form::Value),
        }
    }

    /// A call, or a call whose result is called on the spot.
    fn call_form(&self, call: NodeId) -> Form {
        let nodes = self.semantic.nodes();
        let at = nodes.kind(call).span();
        let above = nodes
            .ancestor_kinds(call)
            .find(|kind| !matches!(kind, AstKind::ParenthesizedExpression(_) | AstKind::ChainExpression(_)));
        match above {
            Some(AstKind::CallExpression(outer)) if outer.callee.get_inner_expression().span() == at => {
                Form::CallOfResult
            }
            _ => Form::Call,
        }
    }

    /// Whether a declaration only gives other names to what it is initialised with.
    fn is_alias(&self, pattern: &BindingPattern<'a>) -> bool {
        match pattern {
            BindingPattern::BindingIdentifier(name) => name.symbol_id.get().is_some_and(|id| self.is_settled(id)),
            BindingPattern::ObjectPattern(object) => {
                let is_named = |part: &BindingProperty<'a>| {
                    self.property_name(&part.key).is_some()
                        && (!matches!(part.value, BindingPattern::ObjectPattern(_)) || self.is_alias(&part.value))
                };
                object.rest.is_none() && object.properties.iter().all(is_named)
            }
            _ => false,
        }
    }

    /// `import()` and `require()` whose module goes where names are not followed.
    pub(super) fn read_loose(&mut self) {
        let nodes = self.semantic.nodes();
        for node in nodes.iter() {
            let from = match node.kind() {
                AstKind::ImportExpression(import) => self.specifier(&import.source),
                AstKind::CallExpression(call) => match self.denote_require(call) {
                    Some(Denotes { base: Base::Module(from), .. }) => from,
                    _ => continue,
                },
                _ => continue,
            };
            if self.is_loose(node.id()) {
                let what = Denotes::module(&from);
                self.links.uses.push(Use { what, form: Form::Value, span: span(&node.kind()) });
                self.links.loose.push(from);
            }
        }
        self.links.loosen();
    }

    fn is_loose(&self, module: NodeId) -> bool {
        let nodes = self.semantic.nodes();
        let mut at = nodes.kind(module).span();
        let mut awaited = match nodes.kind(module) {
            AstKind::CallExpression(call) => !is_promise(call),
            _ => false,
        };
        for parent in nodes.ancestor_kinds(module) {
            match parent {
                AstKind::AwaitExpression(_) => awaited = true,
                AstKind::ParenthesizedExpression(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSSatisfiesExpression(_)
                | AstKind::TSNonNullExpression(_)
                | AstKind::ChainExpression(_) => {}
                AstKind::ExpressionStatement(_) | AstKind::TSImportEqualsDeclaration(_) => return false,
                AstKind::VariableDeclarator(declarator) => return !awaited || !self.is_alias(&declarator.id),
                AstKind::StaticMemberExpression(member) if member.object.span() == at => {
                    return !awaited && !self.is_then(module);
                }
                AstKind::ComputedMemberExpression(member) if member.object.span() == at => {
                    return self.key(&member.expression).is_none();
                }
                AstKind::AssignmentExpression(assignment) => {
                    return self.target_path(&assignment.left).is_none() || self.is_choice(&assignment.left);
                }
                AstKind::SpreadElement(spread) => return !self.is_common_export(spread.node_id.get()),
                AstKind::CallExpression(call) => return !self.copies_exports(call),
                _ => return true,
            }
            at = parent.span();
        }
        true
    }

    /// `import('./x').then((m) => …)`: the parameter stands for the module.
    fn is_then(&self, module: NodeId) -> bool {
        let mut above = self.semantic.nodes().ancestor_kinds(module);
        let is_then = |kind: AstKind<'_>| matches!(kind, AstKind::StaticMemberExpression(member) if member.property.name == "then");
        if !above.find(|kind| !matches!(kind, AstKind::ParenthesizedExpression(_))).is_some_and(is_then) {
            return false;
        }
        let Some(AstKind::CallExpression(call)) = above.next() else { return false };
        call.arguments.first().and_then(|first| first.as_expression()).is_some_and(|first| {
            matches!(first, Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
        })
    }

    /// Whether an object's property or spread stands in `module.exports = { … }` or `export = { … }`.
    fn is_common_export(&self, property: NodeId) -> bool {
        let mut above = self.semantic.nodes().ancestor_kinds(property);
        let Some(AstKind::ObjectExpression(_)) = above.next() else { return false };
        match above.next() {
            Some(AstKind::AssignmentExpression(assignment)) => {
                self.target_path(&assignment.left).is_some_and(|path| path == ["module", "exports"])
                    && !self.is_choice(&assignment.left)
            }
            Some(AstKind::TSExportAssignment(_)) => true,
            Some(AstKind::CallExpression(call)) => self.copies_exports(call),
            _ => false,
        }
    }
}
