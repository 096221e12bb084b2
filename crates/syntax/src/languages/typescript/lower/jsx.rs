//! JSX: an element is made of its component, its attributes and its children, and handed on.

use super::Lowering;
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{Arg, Callee, Const, Does, How, Made, Name, Place, ValueId};

impl Lowering<'_> {
    /// An element: the component, its attributes, its children, then the element itself, made by a call that nobody
    /// here can read.
    pub(super) fn jsx(&mut self, node: NodeId) -> ValueId {
        let props = self.b.give(node, Does::Make(Made::Object));
        let mut component = None;
        for child in self.tree.children(node).collect::<Vec<_>>() {
            match self.kind(child) {
                "jsx_opening_element" => {
                    component = self.tag(child, props);
                    self.mark(child);
                }
                "jsx_closing_element" => {}
                kind if shape::is_expression(kind) && self.tree.field(child) != Some("name") => {
                    let value = self.jsx_value(child);
                    self.b.write(child, Place::of(props, Name::text("children")), value, How::Init);
                }
                _ => {}
            }
        }
        if self.kind(node) == "jsx_self_closing_element" {
            component = self.tag(node, props);
        }
        let component = component.unwrap_or_else(|| self.constant(node, Const::Null));
        let args = vec![Arg::from(component), Arg::from(props)];
        let path = super::global("jsx");
        let value = self.quiet_call(node, Callee::Global(path), None, args);
        self.mark(node);
        value
    }

    /// The component and the attributes of a tag.
    fn tag(&mut self, tag: NodeId, props: ValueId) -> Option<ValueId> {
        let name = self.tree.child(tag, "name").filter(|&name| shape::is_expression(self.kind(name)));
        let is_element = |name: NodeId| {
            self.kind(name) == "identifier" && self.text(name).starts_with(|first: char| first.is_lowercase())
        };
        let component = name.filter(|&name| !is_element(name)).map(|name| self.value(name));
        if let Some(name) = name.filter(|_| component.is_none()) {
            self.mark(name);
        }
        let others = self.tree.children(tag).filter(|&child| self.tree.field(child) != Some("name"));
        for attribute in others.collect::<Vec<_>>() {
            match self.kind(attribute) {
                "jsx_attribute" => self.attribute(attribute, props),
                kind if shape::is_expression(kind) => {
                    self.jsx_spread(attribute, props);
                }
                _ => {}
            }
        }
        component
    }

    fn attribute(&mut self, attribute: NodeId, props: ValueId) {
        let value = shape::expressions(self.tree, attribute).last();
        let value = value.map(|value| self.jsx_value(value));
        let name = self.tree.children(attribute).next().map_or("", |name| self.text(name));
        self.b.write(attribute, Place::of(props, Name::text(name)), value, How::Init);
        self.mark(attribute);
    }

    /// `{value}` as an attribute or child.
    fn jsx_value(&mut self, node: NodeId) -> ValueId {
        if self.kind(node) != "jsx_expression" {
            return self.value(node);
        }
        let value = match shape::operand(self.tree, node) {
            Some(inner) if self.kind(inner) == "spread_element" => self.spread_value(inner),
            Some(inner) => self.value(inner),
            None => self.undefined(node),
        };
        self.mark(node);
        value
    }

    fn spread_value(&mut self, spread: NodeId) -> ValueId {
        let value = match shape::operand(self.tree, spread) {
            Some(inner) => self.value(inner),
            None => self.unknown(spread),
        };
        self.mark(spread);
        value
    }

    /// `{...props}`
    fn jsx_spread(&mut self, node: NodeId, props: ValueId) -> ValueId {
        let value = self.jsx_value(node);
        self.copy(node, value, props, Vec::new());
        value
    }
}
