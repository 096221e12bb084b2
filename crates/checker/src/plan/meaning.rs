//! What a specification itself says that a verdict rests on: what the checked names mean, which defined values bound the
//! exploration, what the behaviour assumes, and which facts are read. In words that two versions of it can be compared by.

use super::asks::{is_constant, is_unread, reached, short, variables, whole};
use super::{PREFIX, Planned, Prepared};
use crate::constant::Facts;
use crate::definitions::{Definition, Definitions, names, text};
use crate::files::SpecPath;
use crate::scan::Token;
use std::collections::{BTreeMap, BTreeSet};

/// Words by aspect: `checked NAME in SPEC`, `bound NAME in SPEC`, `behaviour NAME in SPEC`, `actions of SPEC`, `facts of SPEC`.
pub type Aspects = BTreeMap<String, BTreeSet<String>>;

/// What the specifications of some runs say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// By aspect.
    pub aspects: Aspects,
    /// Specifications with a run that cannot be made: what they say is not known.
    pub unknown: BTreeSet<String>,
}

/// What the specifications say, their files named from a folder. A fault that a run plants is recorded with the run: where
/// another run reads the specification as it stands, that one is heard.
pub fn meaning(planned: &[Planned], facts: &Facts, folder: &str) -> Meaning {
    let mut meaning = Meaning::default();
    let (plain, planted): (Vec<&Planned>, Vec<&Planned>) =
        planned.iter().filter(|one| one.spec.mutant.is_none()).partition(|one| one.spec.edits.is_empty());
    for runs in [plain, planted] {
        let mut found = Aspects::new();
        for one in runs {
            let spec = one.spec.spec.below(folder);
            match &one.prepared {
                Ok(prepared) => {
                    let steps = one.steps(|_| false).unwrap_or_default();
                    if !steps.is_empty() {
                        found.entry(format!("actions of {spec}")).or_default().extend(steps);
                    }
                    of(&spec, prepared, facts, &mut found);
                }
                Err(_) => drop(meaning.unknown.insert(spec)),
            }
        }
        for (aspect, words) in found {
            meaning.aspects.entry(aspect).or_insert(words);
        }
    }
    meaning
}

fn of(spec: &str, prepared: &Prepared, facts: &Facts, found: &mut Aspects) {
    let definitions = Definitions::read(&prepared.root, &prepared.modules);
    let mut add = |aspect: String, words: Vec<String>| {
        if !words.is_empty() {
            found.entry(aspect).or_default().extend(words.into_iter().map(short));
        }
    };
    let cfg = &prepared.cfg;
    let checked: BTreeSet<&String> = cfg.invariants.iter().chain(&cfg.properties).collect();
    for name in checked.iter().filter(|name| !prepared.types.contains(**name)) {
        if let Some(definition) = definitions.get(name).filter(|definition| !is_of_types(definition, prepared)) {
            add(format!("checked {name} in {spec}"), conjuncts(name, definition, &definitions));
        }
    }
    let is_read = |name: &&String| prepared.declares(name) && !is_unread(name, prepared);
    let read: Vec<String> = facts.keys().filter(is_read).cloned().collect();
    add(format!("facts of {spec}"), read);
    for (_, name) in &cfg.behaviour {
        let parts = assumed(name, &definitions, &mut BTreeSet::new());
        add(format!("behaviour {name} in {spec}"), parts);
    }
    let variables = variables(prepared);
    let is_bound = |name: &&String| !name.starts_with(PREFIX) && !checked.contains(*name);
    for name in reached(prepared, &definitions).iter().filter(is_bound) {
        let Some(definition) = definitions.get(name).filter(|definition| is_value(definition)) else { continue };
        if is_constant(name, &definitions, &variables) {
            add(format!("bound {name} in {spec}"), elements(name, definition, &definitions));
        }
    }
}

impl Prepared {
    fn declares(&self, constant: &str) -> bool {
        self.modules.values().any(|text| crate::scan::scan(text).constants.contains_key(constant))
    }
}

/// Whether a definition is a value that can bound something: a name for a string bounds nothing.
fn is_value(definition: &Definition<'_>) -> bool {
    definition.parameters.is_empty() && !matches!(definition.body.as_slice(), [] | [Token::Text(_)])
}

/// The elements of a set that is written out; of anything else its text.
fn elements(name: &str, definition: &Definition<'_>, definitions: &Definitions<'_>) -> Vec<String> {
    let inner = match definition.body.as_slice() {
        [Token::Symbol("{"), inner @ .., Token::Symbol("}")] => inner,
        _ => return vec![whole(name, definitions)],
    };
    let plain = |part: &[Token<'_>]| matches!(part, [Token::Name(_) | Token::Text(_) | Token::Number(_)]);
    let parts: Vec<&[Token<'_>]> = inner.split(|token| *token == Token::Symbol(",")).collect();
    match parts.iter().all(|part| plain(part)) {
        true => parts.into_iter().map(text).collect(),
        false => vec![whole(name, definitions)],
    }
}

/// Whether a definition says the kind of every variable and nothing else, as a type invariant does: it grows with the model.
fn is_of_types(definition: &Definition<'_>, prepared: &Prepared) -> bool {
    let mut said: BTreeSet<&str> = BTreeSet::new();
    let says = |part: &&[Token<'_>]| {
        let sign = part.iter().position(|token| matches!(token, Token::Symbol("\\in" | "\\subseteq")));
        sign.is_some_and(|at| names(&part[at..]).iter().all(|name| !prepared.variables.iter().any(|one| one == name)))
    };
    for part in parts(&definition.body) {
        if !says(&part) {
            return false;
        }
        said.extend(names(part));
    }
    prepared.variables.iter().all(|variable| said.contains(variable.as_str()))
}

/// What binds weaker than a conjunction, denies, or reaches to the end of what follows: a text with one of these is not cut.
const LOOSER: [&str; 7] = ["\\/", "\\lor", "\\equiv", "~", "\\lnot", "\\neg", "|"];
/// The same of signs that the scanner cut: `=>`, `<=>`, `-+->`, `<<`.
const LOOSER_PAIRS: [(&str, &str); 3] = [("=", ">"), ("-", ">"), ("<", "<")];
const REACHING: [&str; 5] = ["LET", "IF", "CASE", "CHOOSE", "LAMBDA"];

/// The parts of a conjunction, each with all that it leads to; the parts of a part that is a name stand in its place. One more
/// part makes a predicate stronger.
fn conjuncts(name: &str, definition: &Definition<'_>, definitions: &Definitions<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([name.to_owned()]);
    let mut queue = vec![definition.body.as_slice()];
    while let Some(body) = queue.pop() {
        for part in parts(body) {
            let named = match part {
                [Token::Name(name)] => {
                    definitions.get(name).filter(|one| one.parameters.is_empty()).map(|one| (name, one))
                }
                _ => None,
            };
            match named {
                Some((name, inner)) if seen.insert((*name).to_owned()) => queue.push(inner.body.as_slice()),
                Some(_) => {}
                None => found.push(super::asks::with_all(part, name, definitions)),
            }
        }
    }
    found
}

/// The parts of a text between its outermost `/\`; the whole, where that could cut something else.
fn parts<'d, 'a>(body: &'d [Token<'a>]) -> Vec<&'d [Token<'a>]> {
    let mut cuts = Vec::new();
    let mut depth = 0usize;
    for (at, token) in body.iter().enumerate() {
        let next = body.get(at + 1);
        let is_pair =
            |(first, second): &(&str, &str)| *token == Token::Symbol(first) && next == Some(&Token::Symbol(second));
        match token {
            Token::Symbol("(" | "[" | "{") => depth += 1,
            Token::Symbol(")" | "]" | "}") => depth = depth.saturating_sub(1),
            Token::Symbol("/\\" | "\\land") if depth == 0 => cuts.push(at),
            Token::Symbol(sign) if depth == 0 && LOOSER.contains(sign) => return vec![body],
            Token::Symbol(_) if depth == 0 && LOOSER_PAIRS.iter().any(is_pair) => return vec![body],
            Token::Name(word) if depth == 0 && REACHING.contains(word) => return vec![body],
            _ => {}
        }
    }
    let starts = std::iter::once(0).chain(cuts.iter().map(|at| at + 1));
    let ends = cuts.iter().copied().chain([body.len()]);
    starts.zip(ends).map(|(start, end)| &body[start..end]).filter(|part| !part.is_empty()).collect()
}

/// The parts of a behaviour: its beginning, its steps and its fairness by their names, behind the formulas that it names. None
/// for a plain predicate, as `INIT` and `NEXT` name them.
fn assumed(name: &str, definitions: &Definitions<'_>, seen: &mut BTreeSet<String>) -> Vec<String> {
    let Some(definition) = definitions.get(name).filter(|definition| is_temporal(definition, definitions)) else {
        return Vec::new();
    };
    if !seen.insert(name.to_owned()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for part in parts(&definition.body) {
        let inner = match part {
            [Token::Name(name)] => assumed(name, definitions, seen),
            _ => Vec::new(),
        };
        if inner.is_empty() { found.push(text(part)) } else { found.extend(inner) }
    }
    found
}

/// Whether a definition says anything of behaviours, itself or through a name that stands alone in it.
fn is_temporal(definition: &Definition<'_>, definitions: &Definitions<'_>) -> bool {
    let of_body = |body: &[Token<'_>]| {
        let boxed = body.windows(2).any(|two| two == [Token::Symbol("["), Token::Symbol("]")]);
        let fair = |token: &Token<'_>| matches!(token, Token::Name(name) if name.starts_with("WF_") || name.starts_with("SF_"));
        boxed || body.iter().any(fair)
    };
    let named = |part: &&[Token<'_>]| match part {
        [Token::Name(name)] => definitions.get(name).is_some_and(|one| of_body(&one.body)),
        _ => false,
    };
    of_body(&definition.body) || parts(&definition.body).iter().any(named)
}

impl SpecPath {
    /// The path from a folder, where it lies below it.
    pub(super) fn below(&self, folder: &str) -> String {
        let rest = self.as_str().strip_prefix(folder).map(|rest| rest.trim_start_matches('/'));
        rest.unwrap_or(self.as_str()).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::Constant;
    use crate::plan::plan;
    use crate::run::{Edit, RunSpec};

    const SPEC: &str = "---- MODULE Tank ----\nEXTENDS Naturals\nCONSTANTS Guarded, Unread, Size\nVARIABLE x\nMax == 3\n\
        Doors == {\"front\", \"back\"}\nSteps == 1..Max\nNo == \"none\"\nInit == x = 0\nMove == Guarded /\\ x < Max /\\ \
        x' \\in Steps /\\ Doors # {} /\\ No # \"\"\nNext == Move\nFair == WF_x(Move)\nSpec == Init /\\ [][Next]_x /\\ Fair\n\
        Low == x < Max\nInv == Low /\\ x >= 0\nOdd == x = 1 => x < 2 /\\ x > 0\nTypeOK == x \\in Nat\nIdle == 9\n====\n";

    fn of_text(text: &str, change: impl FnOnce(&mut RunSpec)) -> Meaning {
        let files = BTreeMap::from([
            (SpecPath::new("m/Tank.tla"), text.as_bytes().to_vec()),
            (SpecPath::new("m/Tank.cfg"), b"CONSTANT Size = 2".to_vec()),
        ]);
        let facts = Facts::from([
            ("Guarded".to_owned(), Some(Constant::Bool(true))),
            ("Unread".to_owned(), Some(Constant::Bool(true))),
            ("Elsewhere".to_owned(), Some(Constant::Bool(true))),
        ]);
        let mut run = RunSpec::new("run", SpecPath::new("m/Tank.tla"));
        run.cfg = Some(SpecPath::new("m/Tank.cfg"));
        // A type invariant is none of what a record guards, wherever it is listed.
        run.invariants = ["Inv", "Odd", "TypeOK"].map(str::to_owned).to_vec();
        change(&mut run);
        meaning(&plan(&[run], &facts, &files), &facts, "m")
    }

    #[test]
    fn what_a_specification_says() {
        let lines: Vec<String> = of_text(SPEC, |_| ())
            .aspects
            .into_iter()
            .map(|(aspect, words)| format!("{aspect}: {}", words.into_iter().collect::<Vec<_>>().join(" | ")))
            .collect();
        assert_eq!(
            lines,
            [
                "actions of Tank.tla: Move",
                "behaviour Spec in Tank.tla: Init | WF_x ( Move ) | [ ] [ Next ] _x",
                "bound Doors in Tank.tla: \"back\" | \"front\"",
                "bound Max in Tank.tla: 3",
                "bound Steps in Tank.tla: 1 .. Max; Max == 3",
                "checked Inv in Tank.tla: x < Max; Max == 3 | x >= 0",
                "checked Odd in Tank.tla: x = 1 => x < 2 /\\ x > 0",
                "facts of Tank.tla: Guarded",
            ]
        );
    }

    #[test]
    fn a_planted_fault_is_told_by_its_run() {
        let edit =
            Edit { file: SpecPath::new("m/Tank.tla"), find: "Max == 3".to_owned(), replace: "Max == 1".to_owned() };
        let planted = of_text(SPEC, |run| run.edits.push(edit));
        assert_eq!(planted.aspects["bound Max in Tank.tla"], BTreeSet::from(["1".to_owned()]));
        assert!(of_text(SPEC, |run| run.cfg = None).unknown.contains("Tank.tla"));
    }
}
