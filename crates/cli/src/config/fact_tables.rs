//! The tables of a pattern file, as they are written: guards, sets and values.

use crate::config::spanned::{At, OneOrMany};
use crate::config::tables::PatternText;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Guards, sets and values, each by the name of the model's constant.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "patterns/*.toml")]
pub struct PatternFile {
    /// Booleans, decided on every path of a function.
    #[serde(default)]
    pub guard: BTreeMap<String, At<GuardTable>>,
    /// Sets of names or values.
    #[serde(default)]
    pub set: BTreeMap<String, At<SetTable>>,
    /// Constants.
    #[serde(default)]
    pub value: BTreeMap<String, At<ValueTable>>,
}

/// A guard: what must hold for every node that matches `effect`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GuardTable {
    /// The scopes: one selector, or several of which each must hold.
    #[serde(rename = "in")]
    pub within: OneOrMany<String>,
    /// The nodes that are guarded.
    pub effect: Option<OneOrMany<PatternText>>,
    /// The condition is known to be true there.
    pub only_if: Option<OneOrMany<PatternText>>,
    /// The condition is known to be false there.
    pub skip_if: Option<OneOrMany<PatternText>>,
    /// The check was made after such a node, with none between the check and the effect.
    pub since: Option<OneOrMany<PatternText>>,
    /// Such a node was passed on every path from the scope's start.
    pub after: Option<OneOrMany<PatternText>>,
    /// Such a node is passed on every path to the scope's end.
    pub then: Option<OneOrMany<PatternText>>,
    /// Whether leaving by a throw or an error return is an end for `then`.
    pub then_on_throw: Option<At<bool>>,
    /// Nothing like this lies between the check and the effect; `"await"` is every suspension point.
    pub without: Option<OneOrMany<PatternText>>,
    /// Nothing in the scope matches.
    pub never: Option<OneOrMany<PatternText>>,
    /// Something in the scope matches.
    pub has: Option<OneOrMany<PatternText>>,
    /// Tables of these keys: for every effect one of them holds.
    #[schemars(length(min = 1))]
    pub any: Option<Vec<At<AnyTable>>>,
    /// Whether called functions of the covered files are looked into.
    pub through: Option<bool>,
    /// What a metavariable may bind: a regular expression over its whole text.
    #[serde(default)]
    pub matching: BTreeMap<String, At<String>>,
}

impl GuardTable {
    /// The keys that an alternative of `any` has as well.
    #[must_use]
    pub fn alternative(&self) -> AnyTable {
        AnyTable {
            only_if: self.only_if.clone(),
            skip_if: self.skip_if.clone(),
            since: self.since.clone(),
            after: self.after.clone(),
            then: self.then.clone(),
            then_on_throw: self.then_on_throw.clone(),
            without: self.without.clone(),
        }
    }
}

/// One alternative of `any`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnyTable {
    /// The condition is known to be true.
    pub only_if: Option<OneOrMany<PatternText>>,
    /// The condition is known to be false.
    pub skip_if: Option<OneOrMany<PatternText>>,
    /// The check was made after such a node.
    pub since: Option<OneOrMany<PatternText>>,
    /// Such a node was passed.
    pub after: Option<OneOrMany<PatternText>>,
    /// Such a node is passed afterwards.
    pub then: Option<OneOrMany<PatternText>>,
    /// Whether leaving by a throw or an error return is an end for `then`.
    pub then_on_throw: Option<At<bool>>,
    /// Nothing like this lies between.
    pub without: Option<OneOrMany<PatternText>>,
}

/// A set of names or values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetTable {
    /// The selector of the object, array, enum, union or Zig enum.
    pub from: At<String>,
    /// Only the entries whose value has this.
    #[serde(rename = "where")]
    pub filter: Option<At<PatternText>>,
    /// `names` (default), or `values` for an enum's values.
    pub take: Option<TakeKind>,
}

/// What a set takes of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TakeKind {
    /// Its name.
    #[default]
    Names,
    /// Its value.
    Values,
}

/// One constant.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueTable {
    /// The selector of the constant.
    pub from: At<String>,
}
