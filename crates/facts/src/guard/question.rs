//! A guard's patterns as questions: the tables of keys, the formulas of their conditions over atoms, and what an atom asks
//! of which part of its pattern. Conditions are lowered as tests, so that `!==`, swapped sides and De Morgan are equal.

use super::spec::{Between, GuardSpec, Keys, ThenOn};
use crate::pattern::Pattern;
use factgate_ir::{Atom as Question, Code, Const, Does, Operand, Order, Sameness, Test, ValueId};
use factgate_syntax::lowered::given_in;
use factgate_syntax::{LoweredTest, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// A condition that must be known.
pub(super) struct Check {
    /// One formula for each alternative.
    pub(super) formulas: Vec<Formula>,
    pub(super) patterns: Vec<Pattern>,
}

/// What must be passed on every path from the effect.
pub(super) struct Then {
    pub(super) on: ThenOn,
    pub(super) patterns: Vec<Pattern>,
}

/// One table of keys that must hold together; its atoms are `atoms` of the question.
#[derive(Default)]
pub(super) struct Table {
    pub(super) checks: Vec<Check>,
    pub(super) afters: Vec<Vec<Pattern>>,
    pub(super) thens: Vec<Then>,
    pub(super) since: Vec<Pattern>,
    pub(super) between: Vec<Pattern>,
    /// Whether a suspension comes between.
    pub(super) suspension: bool,
    pub(super) atoms: std::ops::Range<usize>,
}

/// An atom of a pattern's condition.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) pattern: Pattern,
    pub(super) asks: Asks,
    /// Whether it is enough that it is not true, though what it asks about may be missing: `skip_if = "m.ok"`.
    pub(super) or_missing: bool,
}

/// What an atom asks of the parts of its pattern.
#[derive(Clone, Debug)]
pub(super) enum Asks {
    Truth(NodeId),
    Same(Side, Side, Sameness),
    Less(NodeId, NodeId, Order),
    Missing(NodeId),
    Error(NodeId),
}

/// One side of an equality: a part of the pattern, and the constant that it is.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) node: Option<NodeId>,
    pub(super) constant: Option<Const>,
}

/// When a pattern's condition has the wanted outcome.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    /// An atom has this outcome.
    Literal { atom: usize, outcome: bool },
    /// All of them.
    All(Vec<Formula>),
    /// One of them.
    Any(Vec<Formula>),
    /// Always or never.
    Constant(bool),
}

/// The tables and atoms of a guard.
pub(super) struct Asked {
    pub(super) tables: Vec<Table>,
    pub(super) atoms: Vec<Atom>,
    /// Metavariables that several patterns share.
    pub(super) shared: BTreeSet<String>,
}

impl Asked {
    pub(super) fn of(spec: &GuardSpec) -> Asked {
        let mut asked = Asked { tables: Vec::new(), atoms: Vec::new(), shared: BTreeSet::new() };
        let alone = [Keys::default()];
        let any = if spec.any.is_empty() { &alone[..] } else { &spec.any[..] };
        for inner in any {
            let table = asked.table(&spec.keys, inner);
            asked.tables.push(table);
        }
        asked.shared = asked.shared_names(spec);
        asked
    }

    fn table(&mut self, outer: &Keys, inner: &Keys) -> Table {
        let mut table = Table { atoms: self.atoms.len()..0, ..Table::default() };
        for keys in [outer, inner] {
            for (patterns, wanted) in [(&keys.only_if, true), (&keys.skip_if, false)] {
                if !patterns.is_empty() {
                    let formulas = patterns.iter().map(|pattern| self.formula(pattern, wanted)).collect();
                    table.checks.push(Check { formulas, patterns: patterns.clone() });
                }
            }
            if !keys.after.is_empty() {
                table.afters.push(keys.after.clone());
            }
            if !keys.then.is_empty() {
                table.thens.push(Then { on: keys.then_on, patterns: keys.then.clone() });
            }
            table.since.extend(keys.since.iter().cloned());
            for between in &keys.without {
                match between {
                    Between::Suspension => table.suspension = true,
                    Between::Pattern(pattern) => table.between.push(pattern.clone()),
                }
            }
        }
        table.atoms.end = self.atoms.len();
        table
    }

    /// The formula for a pattern to be known to have `outcome`; its atoms are added.
    fn formula(&mut self, pattern: &Pattern, outcome: bool) -> Formula {
        // A run of statements is no condition.
        let Some(root) = pattern.root() else { return Formula::Constant(false) };
        let lowered = pattern.language().rules().lower_test(pattern.tree(), root);
        let formula = Reader { lowered: &lowered, pattern, atoms: &mut self.atoms }.test(&lowered.asked.test, outcome);
        let mut literals = Vec::new();
        formula.literals(&mut literals);
        for (atom, wanted) in literals {
            self.atoms[atom].or_missing = !outcome && !wanted;
        }
        formula
    }

    /// Names that occur in several patterns, or in a condition of several atoms.
    fn shared_names(&self, spec: &GuardSpec) -> BTreeSet<String> {
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        let effect: BTreeSet<&str> = spec.effect.iter().flat_map(|pattern| pattern.names()).collect();
        effect.into_iter().for_each(|name| *uses.entry(name).or_default() += 1);
        for atom in &self.atoms {
            atom.pattern.names().into_iter().for_each(|name| *uses.entry(name).or_default() += 1);
        }
        for table in &self.tables {
            let thens = table.thens.iter().flat_map(|then| &then.patterns);
            let others = table.since.iter().chain(table.afters.iter().flatten()).chain(thens).chain(&table.between);
            others.flat_map(Pattern::names).for_each(|name| *uses.entry(name).or_default() += 1);
        }
        uses.into_iter().filter(|&(_, count)| count > 1).map(|(name, _)| name.to_owned()).collect()
    }
}

struct Reader<'r> {
    lowered: &'r LoweredTest,
    pattern: &'r Pattern,
    atoms: &'r mut Vec<Atom>,
}

impl Reader<'_> {
    fn test(&mut self, test: &Test, outcome: bool) -> Formula {
        match test {
            Test::Leaf(leaf) => match self.asks(&leaf.atom, &leaf.code) {
                Some(Ok(asks)) => {
                    self.atoms.push(Atom { pattern: self.pattern.clone(), asks, or_missing: false });
                    Formula::Literal { atom: self.atoms.len() - 1, outcome }
                }
                Some(Err(constant)) => Formula::Constant(constant == outcome),
                None => Formula::Constant(false),
            },
            Test::Not(inner) => self.test(inner, !outcome),
            Test::And(parts) | Test::Or(parts) => {
                let is_and = matches!(test, Test::And(_));
                let parts = parts.iter().map(|part| self.test(part, outcome)).collect();
                if is_and == outcome { Formula::All(parts) } else { Formula::Any(parts) }
            }
            Test::Choice(parts) => {
                let [test, yes, no] = &**parts;
                let mut way = |chooses, part| {
                    let chosen = self.test(test, chooses);
                    Formula::All(vec![chosen, self.test(part, outcome)])
                };
                Formula::Any(vec![way(true, yes), way(false, no)])
            }
            Test::Unknown(..) => Formula::Constant(false),
            Test::Always => Formula::Constant(outcome),
        }
    }

    /// What a leaf asks; a constant has its answer in it.
    fn asks(&self, atom: &Question, code: &Code) -> Option<Result<Asks, bool>> {
        let side = |value: ValueId| Side { node: Some(self.node(value)), constant: self.constant(code, value) };
        Some(Ok(match atom {
            Question::Truth(value) => match self.constant(code, *value) {
                Some(Const::Bool(truth)) => return Some(Err(truth)),
                _ => Asks::Truth(self.node(*value)),
            },
            Question::Same(left, right, sameness) => {
                let right = match right {
                    Operand::Value(value) => side(*value),
                    Operand::Const(constant) => Side { node: None, constant: Some(constant.clone()) },
                };
                Asks::Same(side(*left), right, *sameness)
            }
            Question::Less(left, right, order) => Asks::Less(self.node(*left), self.node(*right), *order),
            Question::Missing(value) => Asks::Missing(self.node(*value)),
            Question::Error(value) => Asks::Error(self.node(*value)),
            Question::Done(_) => return None,
        }))
    }

    fn node(&self, value: ValueId) -> NodeId {
        let unit = &self.lowered.asked.unit;
        unit.body(unit.top).value(value).node
    }

    fn constant(&self, code: &Code, value: ValueId) -> Option<Const> {
        match given_in(code, value)?.does {
            Does::Const(ref constant) => Some(constant.clone()),
            _ => None,
        }
    }
}

impl Formula {
    /// Whether it holds, when `known` says which atoms have which outcome.
    pub(super) fn holds(&self, known: &mut dyn FnMut(usize, bool) -> bool) -> bool {
        match self {
            Formula::Literal { atom, outcome } => known(*atom, *outcome),
            Formula::All(parts) => parts.iter().all(|part| part.holds(known)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(known)),
            Formula::Constant(value) => *value,
        }
    }

    /// Its literals.
    pub(super) fn literals(&self, found: &mut Vec<(usize, bool)>) {
        match self {
            Formula::Literal { atom, outcome } => found.push((*atom, *outcome)),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| part.literals(found)),
            Formula::Constant(_) => {}
        }
    }
}
