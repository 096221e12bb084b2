//! TypeScript, TSX and JavaScript: three grammars of one family, read by one set of rules.
//!
//! The grammar side (items, normal form, damage) works on tree-sitter's nodes; the tree side in `rules` works on
//! normal trees only.

mod access;
mod chains;
mod class;
mod compose;
mod entities;
mod items;
mod jsx;
mod kinds;
mod links;
mod lists;
mod lower;
mod masks;
mod members;
mod names;
mod normal;
mod receiver;
mod rules;
mod scope;
mod shape;
#[cfg(test)]
mod snippets;
mod statements;
#[cfg(test)]
mod testing;
mod text;
mod values;
mod waits;

pub(super) use self::links::links;

use super::{Given, GrammarRules, Place, Reading, Shape};
use crate::grammar::{GrammarTree, Node};
use crate::item::Item;
use crate::source::Problem;
use crate::tree::TreeBuilder;
use normal::Normalizer;

pub(super) use self::masks::Dialect;

pub(super) struct TypeScript;

impl GrammarRules for Dialect {
    fn items(&self, runs: Node<'_>, types: Option<Node<'_>>, given: Given<'_>) -> Vec<Item> {
        items::items(runs, types, given)
    }

    fn normalize(&self, parts: &[Node<'_>], given: Given<'_>, out: &mut TreeBuilder) {
        let Some(first) = parts.first() else { return };
        let mut normalizer = Normalizer::new(given, *first, out);
        if let [only] = parts {
            return normalizer.item(*only, None);
        }
        normalizer.out.open("parts", None, first.span());
        for part in parts {
            normalizer.item(*part, None);
        }
        normalizer.out.close();
    }

    fn harmless(&self, _node: Node<'_>, _given: Given<'_>) -> bool {
        false
    }

    fn reading(&self, text: &str) -> Option<Result<Reading, String>> {
        Some(masks::read(text, *self))
    }

    fn salvage(&self, root: Node<'_>, text: &str) -> (Reading, Vec<Problem>) {
        masks::salvage(root, text, *self)
    }

    fn misread(&self, tree: &GrammarTree, shapes: &mut Vec<Shape>, read: &str, reading: &Reading) -> Vec<Problem> {
        masks::misread(tree, shapes, read, reading.pieces.as_deref())
    }

    fn places(&self) -> &'static [Place] {
        &[
            Place { before: "", after: "" },
            Place { before: "(", after: "\n)" },
            Place { before: "({", after: "\n})" },
            Place { before: "class A {", after: "\n}" },
            Place { before: "type A =", after: "\n" },
        ]
    }
}
