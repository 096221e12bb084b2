//! What an expression is, as far as the tree writes it. Zig has no dynamic dispatch: where a type is a container that is
//! written here, a method is one function, and whether a step follows a pointer is known.

use super::Lowering;
use super::library::{is_plain_type, is_type_name};
use super::places::is_slice;
use super::values::inside;
use crate::languages::zig::condition::call;
use crate::tree::NodeId;
use factgate_ir::{Name, Sym};

/// Types within types, and names for names, beyond which nothing is known.
const DEEPEST: u32 = 24;

/// A type, or what a name of a type means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// A container of the tree.
    Container(NodeId),
    /// What a path of declarations behind an import names.
    Foreign(Vec<Sym>),
    /// A struct of some kind, with its parts in place.
    Struct,
    /// It has no parts: a number, a truth, an error, a function.
    Plain,
    /// A pointer to one thing.
    Pointer(Box<Type>),
    /// A pointer to several: a slice.
    Slice(Box<Type>),
    Array(Box<Type>),
    Optional(Box<Type>),
    ErrorUnion(Box<Type>),
    /// The expression is itself this type.
    Itself(Box<Type>),
    Unknown,
}

impl Type {
    fn itself(self) -> Type {
        Type::Itself(Box::new(self))
    }

    /// What a pointer leads to; what is no pointer, itself.
    pub(super) fn behind(self) -> Type {
        match self {
            Type::Pointer(of) => *of,
            other => other,
        }
    }

    /// What an optional or error union holds.
    fn payload(self) -> Type {
        match self {
            Type::Optional(of) | Type::ErrorUnion(of) => *of,
            _ => Type::Unknown,
        }
    }

    pub(super) fn element(self) -> Type {
        match self.behind() {
            Type::Slice(of) | Type::Array(of) => *of,
            _ => Type::Unknown,
        }
    }

    /// Whether a value of it is a pointer.
    pub(super) fn is_pointer(&self) -> bool {
        matches!(self, Type::Pointer(_) | Type::Slice(_))
    }
}

impl<'t> Lowering<'t> {
    /// The type of an expression.
    pub(super) fn type_of(&self, node: NodeId) -> Type {
        self.type_at(node, DEEPEST)
    }

    /// The type that a type expression spells.
    pub(super) fn written(&self, node: NodeId) -> Type {
        self.written_at(node, DEEPEST)
    }

    /// Whether a value of this type has no parts that can be assigned one by one.
    pub(super) fn is_whole(&self, of: &Type) -> bool {
        match of {
            Type::Plain | Type::Pointer(_) | Type::Slice(_) => true,
            Type::Container(node) => self.kind(*node) == "enum_declaration",
            Type::Optional(of) | Type::ErrorUnion(of) => self.is_whole(of),
            _ => false,
        }
    }

    fn written_at(&self, node: NodeId, depth: u32) -> Type {
        let Some(depth) = depth.checked_sub(1) else { return Type::Unknown };
        let last = || match self.tree.children(node).last() {
            Some(inner) => Box::new(self.written_at(inner, depth)),
            None => Box::new(Type::Unknown),
        };
        match self.kind(node) {
            "pointer_type" if self.tree.has_child(node, "[") => Type::Slice(last()),
            "pointer_type" => Type::Pointer(last()),
            "slice_type" => Type::Slice(last()),
            "array_type" => Type::Array(last()),
            "nullable_type" => Type::Optional(last()),
            "error_union_type" => match self.tree.child(node, "ok") {
                Some(inner) => Type::ErrorUnion(Box::new(self.written_at(inner, depth))),
                None => Type::Unknown,
            },
            "unary_expression" => match self.tree.child(node, "argument") {
                Some(inner) => Type::ErrorUnion(Box::new(self.written_at(inner, depth))),
                None => Type::Unknown,
            },
            "builtin_type" if matches!(self.text(node), "anytype" | "type" | "anyopaque") => Type::Unknown,
            "builtin_type" | "error_set_declaration" | "function_signature" => Type::Plain,
            _ => match self.type_at(node, depth) {
                Type::Itself(of) => *of,
                _ => Type::Unknown,
            },
        }
    }

    fn type_at(&self, node: NodeId, depth: u32) -> Type {
        let Some(depth) = depth.checked_sub(1) else { return Type::Unknown };
        let tree = self.tree;
        let of = |node: Option<NodeId>| node.map_or(Type::Unknown, |node| self.type_at(node, depth));
        match self.kind(node) {
            "identifier" => self.named(node, depth),
            "parenthesized_expression" | "comptime_expression" | "nosuspend_expression" => of(inside(tree, node)),
            "field_expression" => self.member_type(node, depth),
            "dereference_expression" => of(inside(tree, node)).behind(),
            "null_coercion_expression" => of(inside(tree, node)).payload(),
            "try_expression" => of(tree.child(node, "argument")).payload(),
            "catch_expression" => of(tree.child(node, "left")).payload(),
            "index_expression" if is_slice(self, node) => {
                Type::Slice(Box::new(of(tree.child(node, "object")).element()))
            }
            "index_expression" => of(tree.child(node, "object")).element(),
            "call_expression" => self.returned(node, depth),
            "builtin_function" => self.of_builtin(node, depth),
            "struct_initializer" => match tree.children(node).next() {
                Some(written) => self.written_at(written, depth),
                None => Type::Struct,
            },
            "anonymous_struct_initializer" => Type::Struct,
            "if_expression" => {
                let other =
                    tree.child_of_kind(node, "else_clause").and_then(|clause| tree.child(clause, "alternative"));
                let (yes, no) = (of(tree.child(node, "body")), of(other));
                if yes == no { yes } else { Type::Unknown }
            }
            "binary_expression" => self.computed(node, depth),
            "unary_expression" if tree.has_child(node, "&") => {
                Type::Pointer(Box::new(of(tree.child(node, "argument"))))
            }
            "unary_expression"
                if tree.has_child(node, "!")
                    && tree.child(node, "argument").is_some_and(|inner| is_type(self.kind(inner))) =>
            {
                self.written_at(node, depth).itself()
            }
            "unary_expression" | "logical_expression" => Type::Plain,
            "integer" | "float" | "boolean" | "character" | "null" | "error_type" => Type::Plain,
            "string" | "multiline_string" => Type::Slice(Box::new(Type::Plain)),
            "error_set_declaration" => Type::Plain.itself(),
            _ if self.is_container(node) => Type::Container(node).itself(),
            kind if is_type(kind) => self.written_at(node, depth).itself(),
            _ => Type::Unknown,
        }
    }

    fn computed(&self, node: NodeId, depth: u32) -> Type {
        let tree = self.tree;
        let operator = tree.child(node, "operator").map_or("", |operator| tree.kind(operator));
        if operator == "orelse" || tree.has_child(node, "orelse") {
            return tree.child(node, "left").map_or(Type::Unknown, |left| self.type_at(left, depth)).payload();
        }
        match operator {
            // Lists are joined and repeated; error sets are merged.
            "++" | "**" => tree.child(node, "left").map_or(Type::Unknown, |left| self.type_at(left, depth)),
            "||" => Type::Unknown,
            _ => Type::Plain,
        }
    }

    /// The type of a variable, parameter or capture, or the type that a name means.
    fn named(&self, name: NodeId, depth: u32) -> Type {
        let Some(id) = self.scopes.binding(name) else {
            return match self.text(name) {
                text if is_plain_type(text) => Type::Plain.itself(),
                text if is_type_name(text) => Type::Struct.itself(),
                _ => Type::Unknown,
            };
        };
        self.declared_type(self.scopes.get(id).declared, depth)
    }

    /// The type of what is declared by this name.
    pub(super) fn declared_type_of(&self, name: NodeId) -> Type {
        self.declared_type(name, DEEPEST)
    }

    fn declared_type(&self, name: NodeId, depth: u32) -> Type {
        let Some(depth) = depth.checked_sub(1) else { return Type::Unknown };
        let tree = self.tree;
        let Some(above) = tree.parent(name) else { return Type::Unknown };
        match self.kind(above) {
            "parameter" => tree.child(above, "type").map_or(Type::Unknown, |written| self.written_at(written, depth)),
            "payload" => self.captured_type(above, name, depth),
            "variable_declaration" => {
                let names = tree.children(above).filter(|&child| matches!(tree.field(child), Some("name" | "left")));
                if names.count() != 1 {
                    return Type::Unknown;
                }
                let written = tree.child(above, "type").filter(|&written| self.text(written) != "type");
                match (written, tree.child(above, "value")) {
                    (Some(written), _) => self.written_at(written, depth),
                    (None, Some(value)) if self.is_import(value) => {
                        Type::Foreign(vec![Sym::from(self.text(name))]).itself()
                    }
                    (None, Some(value)) => self.type_at(value, depth),
                    (None, None) => Type::Unknown,
                }
            }
            _ => Type::Unknown,
        }
    }

    /// `|v|`, `|*p|`: what the head holds, an element of a list, the payload of a tag.
    fn captured_type(&self, payload: NodeId, name: NodeId, depth: u32) -> Type {
        let tree = self.tree;
        let Some(above) = tree.parent(payload) else { return Type::Unknown };
        let before: Vec<NodeId> = tree.children(payload).take_while(|&child| child != name).collect();
        let at = before.iter().filter(|&&child| self.kind(child) == "identifier").count();
        let by_address = before.last().is_some_and(|&before| self.kind(before) == "*");
        let of = |node: Option<NodeId>| node.map_or(Type::Unknown, |node| self.type_at(node, depth));
        let found = match self.kind(above) {
            "if_expression" | "while_expression" => of(tree.child(above, "condition")).payload(),
            "for_expression" => {
                let heads = tree.children(above).take_while(|&child| tree.kind(child) != ")");
                let list = heads.filter(|&child| !super::values::is_word(tree.kind(child))).nth(at);
                match list {
                    Some(list) if self.kind(list) == "range_expression" || tree.has_child(list, "..") => Type::Plain,
                    list => of(list).element(),
                }
            }
            "else_clause" | "catch_expression" | "errdefer_statement" => Type::Plain,
            _ => Type::Unknown,
        };
        if by_address { Type::Pointer(Box::new(found)) } else { found }
    }

    fn member_type(&self, node: NodeId, depth: u32) -> Type {
        let (Some(object), Some(member)) = (self.tree.child(node, "object"), self.tree.child(node, "member")) else {
            return Type::Unknown;
        };
        let name = self.text(member);
        match self.type_at(object, depth) {
            Type::Itself(of) => match *of {
                Type::Container(container) if self.has_tag(container, name) => Type::Container(container),
                Type::Container(container) => match self.constant_in(container, name) {
                    Some(declared) => self.declared_type(declared, depth),
                    None => Type::Unknown,
                },
                Type::Foreign(mut path) => {
                    path.push(Sym::from(name));
                    Type::Foreign(path).itself()
                }
                _ => Type::Unknown,
            },
            of => match of.behind() {
                Type::Slice(of) if name == "ptr" => Type::Slice(of),
                Type::Slice(_) | Type::Array(_) if name == "len" => Type::Plain,
                Type::Container(container) => match self.field_in(container, name) {
                    Some(written) => self.written_at(written, depth),
                    None => Type::Unknown,
                },
                _ => Type::Unknown,
            },
        }
    }

    fn members(&self, container: NodeId, kind: &'static str, name: &str) -> Option<NodeId> {
        let is_it = |&member: &NodeId| {
            self.kind(member) == kind && self.tree.child(member, "name").is_some_and(|named| self.text(named) == name)
        };
        self.tree.children(container).find(is_it)
    }

    /// The written type of a field.
    fn field_in(&self, container: NodeId, name: &str) -> Option<NodeId> {
        self.tree.child(self.members(container, "container_field", name)?, "type")
    }

    /// The name of a constant or variable of a container.
    fn constant_in(&self, container: NodeId, name: &str) -> Option<NodeId> {
        self.tree.child(self.members(container, "variable_declaration", name)?, "name")
    }

    /// A function of a container.
    pub(super) fn function_in(&self, container: NodeId, name: &str) -> Option<NodeId> {
        self.members(container, "function_declaration", name)
    }

    /// The function that is called, when it is written in the tree.
    pub(super) fn function_of(&self, callee: NodeId) -> Option<NodeId> {
        self.function_at(callee, DEEPEST)
    }

    fn function_at(&self, callee: NodeId, depth: u32) -> Option<NodeId> {
        let depth = depth.checked_sub(1)?;
        let tree = self.tree;
        match self.kind(callee) {
            "identifier" => {
                let declared = self.scopes.get(self.scopes.binding(callee)?).declared;
                let above = tree.parent(declared).filter(|&above| tree.child(above, "name") == Some(declared))?;
                (self.kind(above) == "function_declaration").then_some(above)
            }
            "field_expression" => {
                let of = match self.type_at(tree.child(callee, "object")?, depth) {
                    Type::Itself(of) => *of,
                    of => of.behind(),
                };
                let Type::Container(container) = of else { return None };
                self.function_in(container, self.text(tree.child(callee, "member")?))
            }
            "parenthesized_expression" => self.function_at(inside(tree, callee)?, depth),
            _ => None,
        }
    }

    /// What a call gives: the written type, or the container that a function makes.
    fn returned(&self, node: NodeId, depth: u32) -> Type {
        let Some(callee) = self.tree.child(node, "function") else { return Type::Unknown };
        if let Some(function) = self.function_at(callee, depth) {
            let Some(written) = self.tree.child(function, "type") else { return Type::Unknown };
            if self.text(written) == "type" {
                return self.made_by(function).map_or(Type::Unknown, |made| Type::Container(made).itself());
            }
            return self.written_at(written, depth);
        }
        // A type that a function of the library makes is a struct: `std.ArrayList(u8)`.
        match self.type_at(callee, depth) {
            Type::Itself(of) => match *of {
                // `std.log.scoped(.queue)` has the functions of `std.log`.
                Type::Foreign(path) if dotted(&path) == "std.log.scoped" => {
                    Type::Foreign(path[..path.len() - 1].to_vec()).itself()
                }
                Type::Foreign(path)
                    if path.len() > 1 && path.last().is_some_and(|last| is_type_name(last.as_str())) =>
                {
                    Type::Struct.itself()
                }
                _ => Type::Unknown,
            },
            _ => Type::Unknown,
        }
    }

    /// The one container that a function of types returns.
    fn made_by(&self, function: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let mut returns =
            tree.subtree(function).filter(|&node| self.kind(node) == "return_expression").filter(|&node| {
                tree.ancestors(node).find(|&above| self.kind(above) == "function_declaration") == Some(function)
            });
        let only = returns.next()?;
        let made = tree.children(only).nth(1).filter(|&made| self.is_container(made));
        made.filter(|_| returns.next().is_none())
    }

    fn of_builtin(&self, node: NodeId, depth: u32) -> Type {
        let Some(made) = call(self.tree, node) else { return Type::Unknown };
        match self.text(made.callee) {
            "@This" => match self.around(node) {
                Some(container) => Type::Container(container).itself(),
                None => Type::Unknown,
            },
            "@as" => made.arguments.first().map_or(Type::Unknown, |&written| self.written_at(written, depth)),
            "@intCast" | "@floatCast" | "@truncate" | "@intFromEnum" | "@intFromBool" | "@intFromPtr" | "@min"
            | "@intFromFloat" | "@floatFromInt" | "@enumFromInt" | "@max" | "@abs" | "@mod" | "@rem" | "@sizeOf"
            | "@divExact" | "@divFloor" | "@divTrunc" | "@clz" | "@ctz" | "@popCount" | "@hasField" | "@hasDecl" => {
                Type::Plain
            }
            _ => Type::Unknown,
        }
    }

    /// The container that a node stands in; a file is one.
    pub(super) fn around(&self, node: NodeId) -> Option<NodeId> {
        self.tree.ancestors(node).find(|&above| self.is_container(above) || self.kind(above) == "source_file")
    }

    /// All members that a struct of this type has in place, those of the structs in it too; none when it may have any.
    pub(super) fn members_in_place(&self, of: &Type) -> Vec<Name> {
        let mut names = Vec::new();
        if self.collect(of, DEEPEST, &mut names).is_none() {
            names.clear();
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    fn collect(&self, of: &Type, depth: u32, into: &mut Vec<Name>) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match of {
            Type::Plain | Type::Pointer(_) | Type::Slice(_) => Some(()),
            Type::Array(of) | Type::Optional(of) | Type::ErrorUnion(of) => self.collect(of, depth, into),
            Type::Container(container) => {
                let fields = self.tree.children(*container).filter(|&field| self.kind(field) == "container_field");
                for field in fields {
                    let name = self.tree.child(field, "name")?;
                    into.push(Name::text(self.text(name)));
                    // A tag of an enum, or of a union without a payload, has no type.
                    if let Some(written) = self.tree.child(field, "type") {
                        self.collect(&self.written_at(written, depth), depth, into)?;
                    }
                }
                Some(())
            }
            _ => None,
        }
    }
}

fn dotted(path: &[Sym]) -> String {
    path.iter().map(Sym::as_str).collect::<Vec<_>>().join(".")
}

/// Kinds that spell a type and nothing else.
fn is_type(kind: &str) -> bool {
    kind.ends_with("_type") && kind != "error_type" || kind == "function_signature"
}
