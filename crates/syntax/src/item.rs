//! Items: the named things of a file that a selector can cover.

use crate::tree::Span;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    /// A function, method, getter, setter, arrow or function expression with a name.
    Function,
    /// A class or Zig container.
    Container,
    /// A `const`, `let`, `var`, field or property that is no function.
    Value,
    /// A type alias, interface, enum.
    Type,
    /// A namespace or module.
    Namespace,
    /// A Zig test.
    Test,
    /// The whole file.
    File,
}

impl ItemKind {
    /// The word for lists and messages.
    pub fn word(self) -> &'static str {
        match self {
            ItemKind::Function => "function",
            ItemKind::Container => "container",
            ItemKind::Value => "value",
            ItemKind::Type => "type",
            ItemKind::Namespace => "namespace",
            ItemKind::Test => "test",
            ItemKind::File => "file",
        }
    }
}

/// One named thing of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The dotted name that selects it: `Session.setDimensions`, `Session.get phase`, `test "drains"`. Where two
    /// items of a file have one name, both are listed and the selector is ambiguous.
    pub name: String,
    /// What it is.
    pub kind: ItemKind,
    /// Where it stands: from its first modifier or decorator to its end. Leading comments do not belong to it.
    pub span: Span,
    /// The grammar nodes that make it up: one, or the overload signatures and their implementation.
    pub(crate) parts: Vec<Part>,
    /// Names under which a selector may also say it (the bare name of a lone getter).
    pub(crate) aliases: Vec<String>,
}

impl Item {
    /// Whether it is gone when the program runs: an alias, an interface, what is only declared.
    pub fn is_type(&self) -> bool {
        self.parts.iter().any(|part| part.0 == Text::Types)
    }

    /// Whether a selector's name says this item, among others perhaps.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }
}

/// A grammar node of the source that the item came from: of which of its texts, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part(pub(crate) Text, pub(crate) u32);

/// The texts of a source that the grammar reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// What runs.
    Runs,
    /// The types that are items.
    Types,
}

/// Whether a letter does something else than to be seen: control characters, marks of direction, what has no width.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
