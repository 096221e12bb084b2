//! The kinds of things that the grammar and oxc both know by a node of its own, so that their readings can be compared.

use super::buffer::Buffer;
use crate::languages::Shape;
use oxc_ast::AstKind;
use oxc_ast::ast::{ArrowFunctionBody, FunctionType};
use oxc_span::GetSpan;

macro_rules! kinds {
    ($($kind:ident: $words:literal = $($grammar:literal)|+;)*) => {
        /// A kind of thing that both readings have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Kind { None, $($kind),* }

        /// The kind of a node of the grammar, as a number; 0 where it is none of these.
        pub(super) fn of_grammar(kind: &str, is_named: bool) -> u8 {
            match kind {
                _ if !is_named => Kind::None as u8,
                $($($grammar)|+ => Kind::$kind as u8,)*
                _ => Kind::None as u8,
            }
        }

        /// What a kind is called in a message.
        pub(super) fn words(number: u8) -> &'static str {
            const WORDS: &[&str] = &["nothing", $($words),*];
            WORDS.get(number as usize).copied().unwrap_or("something else")
        }
    };
}

kinds! {
    Statement: "a statement" = "expression_statement";
    Variables: "a declaration of variables" = "lexical_declaration" | "variable_declaration" | "using_declaration";
    Variable: "a variable" = "variable_declarator";
    Return: "a `return`" = "return_statement";
    Throw: "a `throw`" = "throw_statement";
    Break: "a `break`" = "break_statement";
    Continue: "a `continue`" = "continue_statement";
    If: "an `if`" = "if_statement";
    For: "a `for`" = "for_statement";
    ForIn: "a loop over something" = "for_in_statement";
    While: "a `while`" = "while_statement";
    Do: "a `do`" = "do_statement";
    Switch: "a `switch`" = "switch_statement";
    Case: "a `case`" = "switch_case" | "switch_default";
    Try: "a `try`" = "try_statement";
    Catch: "a `catch`" = "catch_clause";
    Label: "a label" = "labeled_statement";
    Debugger: "a `debugger`" = "debugger_statement";
    With: "a `with`" = "with_statement";
    Block: "a block" = "statement_block";
    Import: "an import" = "import_statement";
    Export: "an export" = "export_statement";
    FunctionDeclaration: "a function's declaration" = "function_declaration" | "generator_function_declaration";
    FunctionExpression: "a function" = "function_expression" | "generator_function";
    Arrow: "an arrow function" = "arrow_function";
    Method: "a method" = "method_definition";
    Field: "a field" = "public_field_definition" | "field_definition";
    ClassBody: "a class" = "class_body";
    StaticBlock: "a static block" = "class_static_block";
    Decorator: "a decorator" = "decorator";
    Enum: "an enum" = "enum_body";
    Binary: "an operation on two values" = "binary_expression";
    Unary: "an operation on one value" = "unary_expression";
    Update: "an increment" = "update_expression";
    Assignment: "an assignment" = "assignment_expression" | "augmented_assignment_expression";
    Ternary: "a choice between two values" = "ternary_expression";
    Await: "an `await`" = "await_expression";
    Yield: "a `yield`" = "yield_expression";
    Sequence: "a row of expressions" = "sequence_expression";
    Member: "a member" = "member_expression";
    Index: "an index" = "subscript_expression";
    Call: "a call" = "call_expression";
    New: "a `new`" = "new_expression";
    Object: "an object" = "object" | "object_pattern";
    Array: "an array" = "array" | "array_pattern";
    Pair: "a property" = "pair" | "pair_pattern";
    Spread: "a spread" = "spread_element" | "rest_pattern";
    Template: "a template" = "template_string";
    String: "a string" = "string";
    Number: "a number" = "number";
    Regex: "a regular expression" = "regex";
    Jsx: "a JSX element" = "jsx_element" | "jsx_self_closing_element";
    JsxAttribute: "a JSX attribute" = "jsx_attribute";
    Interface: "an interface" = "interface_declaration";
    Alias: "a type alias" = "type_alias_declaration";
    Union: "a union of types" = "union_type";
    Intersection: "an intersection of types" = "intersection_type";
    ArrayType: "an array type" = "array_type";
    Lookup: "an indexed type" = "lookup_type";
    Conditional: "a conditional type" = "conditional_type";
    FunctionType: "a function type" = "function_type";
    ConstructorType: "a constructor type" = "constructor_type";
    Tuple: "a tuple type" = "tuple_type";
    PropertySignature: "a property's signature" = "property_signature";
    CallSignature: "a call signature" = "call_signature";
    ConstructSignature: "a construct signature" = "construct_signature";
}

/// What both texts do with everything that is met: a name is one to the grammar too, and what it has a node for is noted.
pub(super) fn meet(kind: &AstKind<'_>, buffer: &mut Buffer<'_>, shapes: &mut Vec<Shape>) {
    if let AstKind::IdentifierName(_)
    | AstKind::IdentifierReference(_)
    | AstKind::BindingIdentifier(_)
    | AstKind::LabelIdentifier(_) = kind
    {
        return buffer.name(kind.span());
    }
    if let Some((from, to, kind)) = of(kind) {
        shapes.push((from, to, kind as u8));
    }
}

/// Where a thing stands and what it is, when the grammar has a node for it.
fn of(kind: &AstKind<'_>) -> Option<(u32, u32, Kind)> {
    let span = kind.span();
    let (from, to) = (span.start, span.end);
    let kind = match kind {
        AstKind::MethodDefinition(it) if it.value.body.is_none() => return None,
        AstKind::MethodDefinition(it) => return Some((member_start(&it.decorators, from), to, Kind::Method)),
        AstKind::PropertyDefinition(it) => return Some((member_start(&it.decorators, from), to, Kind::Field)),
        AstKind::AccessorProperty(it) => return Some((member_start(&it.decorators, from), to, Kind::Field)),
        AstKind::ObjectProperty(it) if it.method || it.kind != oxc_ast::ast::PropertyKind::Init => Kind::Method,
        AstKind::ObjectProperty(it) if it.shorthand => return None,
        AstKind::ObjectProperty(_) => Kind::Pair,
        AstKind::BindingProperty(it) if it.shorthand => return None,
        AstKind::BindingProperty(_) | AstKind::AssignmentTargetPropertyProperty(_) => Kind::Pair,
        AstKind::Function(it) => match it.r#type {
            // The grammar has an expression in `export default function () {}`.
            FunctionType::FunctionDeclaration if it.id.is_none() => Kind::FunctionExpression,
            FunctionType::FunctionDeclaration if it.body.is_some() => Kind::FunctionDeclaration,
            // The value of a method has no node of its own.
            FunctionType::FunctionExpression if starts_with_word(it) => Kind::FunctionExpression,
            _ => return None,
        },
        AstKind::ArrowFunctionExpression(it) => {
            let end = match &it.body {
                ArrowFunctionBody::FunctionBody(body) => body.span.end,
                _ => to,
            };
            return Some((from, end, Kind::Arrow));
        }
        _ => return simple(kind).map(|kind| (from, to, kind)),
    };
    Some((from, to, kind))
}

/// Whether a function expression has its word, and is no method's value, which begins with its parameters.
fn starts_with_word(function: &oxc_ast::ast::Function<'_>) -> bool {
    let parameters = function.type_parameters.as_ref().map_or(function.params.span.start, |list| list.span.start);
    function.span.start < parameters
}

fn member_start(decorators: &[oxc_ast::ast::Decorator<'_>], start: u32) -> u32 {
    decorators.last().map_or(start, |last| last.span.end)
}

fn simple(kind: &AstKind<'_>) -> Option<Kind> {
    statement(kind).or_else(|| expression(kind)).or_else(|| type_of(kind))
}

fn statement(kind: &AstKind<'_>) -> Option<Kind> {
    Some(match kind {
        AstKind::ExpressionStatement(_) | AstKind::Directive(_) => Kind::Statement,
        AstKind::VariableDeclaration(it) if !it.declare => Kind::Variables,
        AstKind::VariableDeclarator(_) => Kind::Variable,
        AstKind::ReturnStatement(_) => Kind::Return,
        AstKind::ThrowStatement(_) => Kind::Throw,
        AstKind::BreakStatement(_) => Kind::Break,
        AstKind::ContinueStatement(_) => Kind::Continue,
        AstKind::IfStatement(_) => Kind::If,
        AstKind::ForStatement(_) => Kind::For,
        AstKind::ForInStatement(_) | AstKind::ForOfStatement(_) => Kind::ForIn,
        AstKind::WhileStatement(_) => Kind::While,
        AstKind::DoWhileStatement(_) => Kind::Do,
        AstKind::SwitchStatement(_) => Kind::Switch,
        AstKind::SwitchCase(_) => Kind::Case,
        AstKind::TryStatement(_) => Kind::Try,
        AstKind::CatchClause(_) => Kind::Catch,
        AstKind::LabeledStatement(_) => Kind::Label,
        AstKind::DebuggerStatement(_) => Kind::Debugger,
        AstKind::WithStatement(_) => Kind::With,
        AstKind::BlockStatement(_) | AstKind::FunctionBody(_) => Kind::Block,
        AstKind::ImportDeclaration(_) => Kind::Import,
        AstKind::ExportDeclaration(it)
            if matches!(it.declaration, oxc_ast::ast::Declaration::TSImportEqualsDeclaration(_)) =>
        {
            return None;
        }
        AstKind::TSImportEqualsDeclaration(it)
            if matches!(it.module_reference, oxc_ast::ast::TSModuleReference::ExternalModuleReference(_)) =>
        {
            Kind::Import
        }
        AstKind::ExportDeclaration(_)
        | AstKind::ExportNamedDeclaration(_)
        | AstKind::ExportFromDeclaration(_)
        | AstKind::ExportDefaultDeclaration(_)
        | AstKind::ExportAllDeclaration(_)
        | AstKind::TSExportAssignment(_) => Kind::Export,
        AstKind::ClassBody(_) => Kind::ClassBody,
        AstKind::StaticBlock(_) => Kind::StaticBlock,
        AstKind::Decorator(_) => Kind::Decorator,
        AstKind::TSEnumBody(_) => Kind::Enum,
        _ => return None,
    })
}

fn expression(kind: &AstKind<'_>) -> Option<Kind> {
    Some(match kind {
        AstKind::BinaryExpression(_) | AstKind::LogicalExpression(_) | AstKind::PrivateInExpression(_) => Kind::Binary,
        AstKind::UnaryExpression(_) => Kind::Unary,
        AstKind::UpdateExpression(_) => Kind::Update,
        AstKind::AssignmentExpression(_) => Kind::Assignment,
        AstKind::ConditionalExpression(_) => Kind::Ternary,
        AstKind::AwaitExpression(_) => Kind::Await,
        AstKind::YieldExpression(_) => Kind::Yield,
        AstKind::SequenceExpression(_) => Kind::Sequence,
        AstKind::StaticMemberExpression(_) | AstKind::PrivateFieldExpression(_) => Kind::Member,
        AstKind::ComputedMemberExpression(_) => Kind::Index,
        AstKind::CallExpression(_) | AstKind::TaggedTemplateExpression(_) | AstKind::ImportExpression(_) => Kind::Call,
        AstKind::NewExpression(_) => Kind::New,
        AstKind::ObjectExpression(_) | AstKind::ObjectPattern(_) | AstKind::ObjectAssignmentTarget(_) => Kind::Object,
        AstKind::ArrayExpression(_) | AstKind::ArrayPattern(_) | AstKind::ArrayAssignmentTarget(_) => Kind::Array,
        AstKind::SpreadElement(_) | AstKind::BindingRestElement(_) | AstKind::AssignmentTargetRest(_) => Kind::Spread,
        AstKind::TemplateLiteral(_) => Kind::Template,
        AstKind::StringLiteral(_) => Kind::String,
        AstKind::NumericLiteral(_) | AstKind::BigIntLiteral(_) => Kind::Number,
        AstKind::RegExpLiteral(_) => Kind::Regex,
        AstKind::JSXElement(_) | AstKind::JSXFragment(_) => Kind::Jsx,
        AstKind::JSXAttribute(_) => Kind::JsxAttribute,
        _ => return None,
    })
}

fn type_of(kind: &AstKind<'_>) -> Option<Kind> {
    Some(match kind {
        AstKind::TSInterfaceDeclaration(_) => Kind::Interface,
        AstKind::TSTypeAliasDeclaration(_) => Kind::Alias,
        AstKind::TSUnionType(it) if it.types.len() > 1 => Kind::Union,
        AstKind::TSIntersectionType(it) if it.types.len() > 1 => Kind::Intersection,
        AstKind::TSArrayType(_) => Kind::ArrayType,
        AstKind::TSIndexedAccessType(_) => Kind::Lookup,
        AstKind::TSConditionalType(_) => Kind::Conditional,
        AstKind::TSFunctionType(_) => Kind::FunctionType,
        AstKind::TSConstructorType(_) => Kind::ConstructorType,
        AstKind::TSTupleType(_) => Kind::Tuple,
        AstKind::TSPropertySignature(_) => Kind::PropertySignature,
        AstKind::TSCallSignatureDeclaration(_) => Kind::CallSignature,
        AstKind::TSConstructSignatureDeclaration(_) => Kind::ConstructSignature,
        _ => return None,
    })
}
