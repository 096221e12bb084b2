//! What a guard asks for, as plain data. The command line fills it from TOML.

use crate::pattern::{Matching, Pattern};
use factgate_syntax::Selector;
use std::sync::Arc;

/// One guard. Its patterns are read for the language of its first scope.
#[derive(Clone, Debug, Default)]
pub struct GuardSpec {
    /// The scopes; the guard must hold in each.
    pub scopes: Vec<Selector>,
    /// What is protected; empty for a guard of `never` and `has` alone.
    pub effect: Vec<Pattern>,
    /// The keys that stand in the guard itself.
    pub keys: Keys,
    /// The tables of `any`: beside the guard's own keys one of them must hold.
    pub any: Vec<Keys>,
    /// Nothing in the scope may match one of these.
    pub never: Vec<Pattern>,
    /// Something in the scope must match one of these.
    pub has: Vec<Pattern>,
    /// What metavariables may be bound to.
    pub matching: Arc<Matching>,
    /// Whether called functions count.
    pub through: Through,
}

/// The keys that say how an effect is guarded. An empty list is an absent key.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// Known true at the effect.
    pub only_if: Vec<Pattern>,
    /// Known false at the effect.
    pub skip_if: Vec<Pattern>,
    /// The check was made after this, and this does not come again.
    pub since: Vec<Pattern>,
    /// Passed on every path to the effect.
    pub after: Vec<Pattern>,
    /// Passed on every path from the effect.
    pub then: Vec<Pattern>,
    /// Which ends count for `then`.
    pub then_on: ThenOn,
    /// Not between check and effect.
    pub without: Vec<Between>,
}

/// Which ends of a scope `then` is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThenOn {
    /// Normal returns.
    #[default]
    Return,
    /// Raised errors and error returns as well (`then_on_throw = true`).
    EveryEnd,
}

/// What must not lie between a check and its effect.
#[derive(Clone, Debug)]
pub enum Between {
    /// `"await"`: any suspension point.
    Suspension,
    /// What a pattern matches.
    Pattern(Pattern),
}

/// Whether conditions and `after` nodes inside called functions count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Through {
    /// Conditions of functions that only return an expression, one level deep.
    #[default]
    OneLevel,
    /// At any depth, and `after` nodes too (`through = true`).
    Deep,
}

/// `[assertions]`, read for one language.
#[derive(Clone, Debug, Default)]
pub struct Assertions {
    /// Calls after which what `$C` is bound to is known true.
    pub calls: Vec<Pattern>,
    /// Calls that never return.
    pub never_returns: Vec<Pattern>,
}
