//! What the normal form does with each kind of grammar node, as a number a kind, so that no node costs a string match.

/// How a kind of node is written. See [`super::normal`] for what each means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(pub(super) u8);

impl Class {
    /// Written as it is, child by child; a leaf with its source text.
    pub(super) const PLAIN: Class = Class(0);
    /// A keyword or operator: a leaf whose kind says it all.
    pub(super) const TOKEN: Class = Class(1);
    /// A comment.
    pub(super) const COMMENT: Class = Class(2);
    pub(super) const COMMA: Class = Class(3);
    /// `;` as a token.
    pub(super) const SEMICOLON: Class = Class(4);
    /// `;` as a statement.
    pub(super) const EMPTY: Class = Class(5);
    /// A leaf with its source text.
    pub(super) const TEXT: Class = Class(6);
    pub(super) const STRING: Class = Class(7);
    pub(super) const NUMBER: Class = Class(8);
    pub(super) const REGEX: Class = Class(9);
    pub(super) const TEMPLATE: Class = Class(10);
    pub(super) const PAREN: Class = Class(11);
    pub(super) const BINARY: Class = Class(13);
    /// `<T>a` where only the cast tells that an object or function follows.
    pub(super) const CAST: Class = Class(16);
    pub(super) const ASSIGNMENT: Class = Class(18);
    pub(super) const ARROW: Class = Class(20);
    /// `a.b`, `a[b]`, `a(b)`.
    pub(super) const POSTFIX: Class = Class(21);
    pub(super) const SEQUENCE: Class = Class(22);
    pub(super) const NEW: Class = Class(23);
    /// A union or intersection type.
    pub(super) const JOINED_TYPE: Class = Class(24);
    /// A statement that holds another one, with or without braces.
    pub(super) const BODIED: Class = Class(25);
    pub(super) const BLOCK: Class = Class(26);
    pub(super) const PROGRAM: Class = Class(27);
    pub(super) const FUNCTION: Class = Class(28);
    pub(super) const CLASS_BODY: Class = Class(29);
    /// Something with a property's name.
    pub(super) const KEYED: Class = Class(30);
    /// A list in which two commas mean a hole.
    pub(super) const LIST: Class = Class(31);
    pub(super) const PARAMETERS: Class = Class(32);
    pub(super) const JSX_ELEMENT: Class = Class(33);
    pub(super) const JSX_ATTRIBUTE: Class = Class(34);
    pub(super) const JSX_TEXT: Class = Class(35);
    pub(super) const JSX_EXPRESSION: Class = Class(36);
    pub(super) const EXPORT: Class = Class(37);
    /// `?.`
    pub(super) const OPTIONAL: Class = Class(38);
    pub(super) const DECORATOR: Class = Class(39);
    pub(super) const METHOD: Class = Class(40);
    /// A class or function expression.
    pub(super) const CLASS: Class = Class(41);

    /// A declaration of variables.
    pub(super) const VARIABLES: Class = Class(44);

    /// The class of a kind of the TypeScript, TSX or JavaScript grammar.
    pub(super) fn of(kind: &str, named: bool) -> u8 {
        let class = if named { Class::of_node(kind) } else { Class::of_token(kind) };
        class.0
    }

    fn of_token(token: &str) -> Class {
        match token {
            "," => Class::COMMA,
            ";" => Class::SEMICOLON,
            "?." => Class::OPTIONAL,
            _ => Class::TOKEN,
        }
    }

    fn of_node(kind: &str) -> Class {
        match kind {
            "comment" | "html_comment" => Class::COMMENT,
            "empty_statement" => Class::EMPTY,
            "this"
            | "super"
            | "true"
            | "false"
            | "null"
            | "undefined"
            | "import"
            | "this_type"
            | "override_modifier"
            | "accessibility_modifier"
            | "existential_type" => Class::TOKEN,
            "optional_chain" => Class::OPTIONAL,
            "identifier"
            | "property_identifier"
            | "private_property_identifier"
            | "type_identifier"
            | "statement_identifier"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern"
            | "predefined_type"
            | "hash_bang_line" => Class::TEXT,
            "string" => Class::STRING,
            "number" => Class::NUMBER,
            "regex" => Class::REGEX,
            "template_string" | "template_literal_type" => Class::TEMPLATE,
            "jsx_element" | "jsx_self_closing_element" => Class::JSX_ELEMENT,
            "jsx_attribute" => Class::JSX_ATTRIBUTE,
            "jsx_text" | "html_character_reference" => Class::JSX_TEXT,
            "jsx_expression" => Class::JSX_EXPRESSION,
            _ => Class::of_expression(kind).unwrap_or_else(|| Class::of_structure(kind)),
        }
    }

    fn of_expression(kind: &str) -> Option<Class> {
        Some(match kind {
            "parenthesized_expression" | "parenthesized_type" => Class::PAREN,
            "binary_expression" => Class::BINARY,
            "type_assertion" => Class::CAST,
            "assignment_expression" | "augmented_assignment_expression" => Class::ASSIGNMENT,
            "arrow_function" => Class::ARROW,
            "member_expression" | "subscript_expression" | "call_expression" => Class::POSTFIX,
            "sequence_expression" => Class::SEQUENCE,
            "new_expression" => Class::NEW,
            "class" => Class::CLASS,
            _ => return None,
        })
    }

    fn of_structure(kind: &str) -> Class {
        match kind {
            "union_type" | "intersection_type" => Class::JOINED_TYPE,
            "if_statement" | "else_clause" | "for_statement" | "for_in_statement" | "while_statement"
            | "do_statement" | "labeled_statement" | "with_statement" => Class::BODIED,
            "statement_block" => Class::BLOCK,
            "program" => Class::PROGRAM,
            "lexical_declaration" | "using_declaration" => Class::VARIABLES,
            "function_declaration"
            | "function_expression"
            | "generator_function"
            | "generator_function_declaration" => Class::FUNCTION,
            "method_definition" => Class::METHOD,
            "class_body" => Class::CLASS_BODY,
            "pair"
            | "pair_pattern"
            | "public_field_definition"
            | "field_definition"
            | "property_signature"
            | "method_signature"
            | "abstract_method_signature"
            | "enum_assignment"
            | "enum_body" => Class::KEYED,
            "array" | "array_pattern" | "arguments" | "object" | "object_pattern" => Class::LIST,
            "formal_parameters" => Class::PARAMETERS,
            "export_statement" => Class::EXPORT,
            "decorator" => Class::DECORATOR,
            _ => Class::PLAIN,
        }
    }

    /// Whether the parts of the node may stand in parentheses that matter, or are written in a row.
    pub(super) fn is_operation(self) -> bool {
        let operations = [
            Class::PAREN,
            Class::CAST,
            Class::BINARY,
            Class::JOINED_TYPE,
            Class::POSTFIX,
            Class::ASSIGNMENT,
            Class::ARROW,
        ];
        operations.contains(&self)
    }
}
