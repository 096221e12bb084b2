//! TypeScript, TSX and JavaScript: three grammars of one family, read by one set of rules.
//!
//! The grammar side (items, normal form, damage) works on tree-sitter's nodes; the tree side in `rules` works on
//! normal trees only.

mod access;
mod breaks;
mod casts;
mod chains;
mod class;
mod compose;
mod condition;
mod damage;
mod denote;
mod entities;
mod flow;
mod items;
mod jsx;
mod links;
mod lists;
mod lower;
mod members;
mod names;
mod normal;
mod receiver;
mod regroup;
mod rules;
mod scope;
mod shape;
#[cfg(test)]
mod snippets;
mod statements;
#[cfg(test)]
mod testing;
mod text;
mod using;
mod values;
mod waits;

pub(super) use self::links::links;

use super::{Check, Given, GrammarRules, Place};
use crate::grammar::Node;
use crate::item::Item;
use crate::tree::TreeBuilder;
use normal::Normalizer;

pub(super) struct TypeScript;

impl GrammarRules for TypeScript {
    fn items(&self, root: Node<'_>, given: Given<'_>) -> Vec<Item> {
        items::items(root, given)
    }

    fn normalize(&self, parts: &[Node<'_>], given: Given<'_>, out: &mut TreeBuilder) {
        let Some(first) = parts.first() else { return };
        let mut normalizer = Normalizer::new(given, out);
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

    fn checks(&self) -> &'static [(&'static str, Check)] {
        &damage::CHECKS
    }

    fn relined(&self, root: Node<'_>, given: Given<'_>) -> Option<String> {
        breaks::relined(root, given)
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
