//! What a specification says and nobody asks: predicates over its variables that no run checks and nothing else uses.

use crate::definitions::{Definition, Definitions};
use crate::plan::Planned;
use crate::scan::{Token, scan};
use std::collections::{BTreeMap, BTreeSet};

/// The names by specification, where there are any. Mutants ask what the run asks that they are made from.
pub fn unchecked(planned: &[Planned]) -> BTreeMap<String, Vec<String>> {
    let mut by_spec: BTreeMap<String, Option<BTreeSet<String>>> = BTreeMap::new();
    for one in planned {
        // A run that cannot be made may ask anything.
        let names = one.prepared.as_ref().ok().map(|prepared| {
            let module = prepared.modules.get(one.spec.spec.module()).map(|text| text.as_str()).unwrap_or_default();
            let definitions = Definitions::read(&prepared.root, &prepared.modules);
            let own = scan(module).defined;
            let asked = asked(prepared);
            let is_open = |name: &String| own.contains(name) && !asked.contains(name.as_str());
            predicates(&definitions, &prepared.variables).into_iter().filter(is_open).collect::<BTreeSet<String>>()
        });
        let entry = by_spec.entry(one.spec.spec.as_str().to_owned());
        let known = entry.or_insert_with(|| names.clone());
        *known = known.take().zip(names).map(|(known, names)| &known & &names);
    }
    let found = by_spec.into_iter().map(|(spec, names)| (spec, names.unwrap_or_default().into_iter().collect()));
    found.filter(|(_, names): &(String, Vec<String>)| !names.is_empty()).collect()
}

/// Every name that the configuration says.
fn asked(prepared: &crate::plan::Prepared) -> BTreeSet<&str> {
    let cfg = &prepared.cfg;
    let lists = cfg.invariants.iter().chain(&cfg.properties).map(String::as_str);
    let lines = cfg.others.iter().flat_map(|line| line.split_whitespace());
    let behaviour = cfg.behaviour.iter().map(|(_, name)| name.as_str());
    let constants = cfg.constants.iter().flat_map(|one| one.rest.split_whitespace());
    lists.chain(lines).chain(behaviour).chain(constants).collect()
}

/// Definitions that read like predicates over the variables, and that no other definition uses.
fn predicates(definitions: &Definitions<'_>, variables: &[String]) -> BTreeSet<String> {
    let used: BTreeSet<&str> =
        definitions.all().flat_map(|(name, definition)| names(definition).filter(move |used| *used != name)).collect();
    let is_one = |(name, definition): &(&str, &Definition<'_>)| {
        !used.contains(name)
            && definition.parameters.is_empty()
            && is_boolean(definition)
            && !is_behaviour(definition)
            && !definitions.is_action(name)
            && reads(definitions, name, variables)
    };
    definitions.visible().filter(is_one).map(|(name, _)| name.to_owned()).collect()
}

fn names<'d, 'a>(definition: &'d Definition<'a>) -> impl Iterator<Item = &'a str> + 'd {
    definition.body.iter().filter_map(|token| if let Token::Name(name) = token { Some(*name) } else { None })
}

/// Whether a body is made of what makes truth values, and makes no tuple, set or record.
fn is_boolean(definition: &Definition<'_>) -> bool {
    let body = &definition.body;
    let opens = matches!(body.as_slice(), [Token::Symbol("["), Token::Name(_), ..] | [Token::Symbol("{"), ..]);
    let tuple = matches!(body.as_slice(), [Token::Symbol("<"), Token::Symbol("<"), ..]);
    let signs =
        ["=", "#", "\\in", "\\notin", "=>", "/\\", "\\/", "~", "\\A", "\\E", "\\subseteq", "<", ">", "\\leq", "\\geq"];
    let conditional = body.first() == Some(&Token::Name("IF")) || body.first() == Some(&Token::Name("CHOOSE"));
    !opens
        && !tuple
        && !conditional
        && body.iter().any(|token| matches!(token, Token::Symbol(sign) if signs.contains(sign)))
}

/// `I /\\ [][N]_v`, or a fairness condition: a behaviour, and nothing to be checked.
fn is_behaviour(definition: &Definition<'_>) -> bool {
    let box_of = [Token::Symbol("["), Token::Symbol("]"), Token::Symbol("[")];
    let fair = names(definition).any(|name| name.starts_with("WF_") || name.starts_with("SF_"));
    fair || definition.body.windows(3).any(|three| three == box_of)
}

/// Whether a definition reads a variable, itself or through what it names.
fn reads(definitions: &Definitions<'_>, name: &str, variables: &[String]) -> bool {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut queue = vec![name.to_owned()];
    while let Some(name) = queue.pop() {
        if variables.contains(&name) {
            return true;
        }
        let Some(definition) = definitions.get(&name).filter(|_| seen.insert(name.clone())) else { continue };
        queue.extend(names(definition).map(str::to_owned));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::Facts;
    use crate::files::SpecPath;
    use crate::plan::plan;
    use crate::run::RunSpec;

    #[test]
    fn predicates_that_no_run_checks() {
        let text = "---- MODULE A ----\nEXTENDS Naturals\nVARIABLES x, y\nvars == <<x, y>>\nInit == x = 0 /\\ y = 0\n\
            Next == x' = x + 1 /\\ UNCHANGED y\nSpec == Init /\\ [][Next]_vars\nFair == Spec /\\ WF_vars(Next)\n\
            Small == x < 9\nPart == y = 0\nWhole == Part /\\ x > 0\nOpen == x = y\nLive == <>(x = 3)\nSeen == x\n\
            Shown == [a |-> x = y]\nSquare(n) == n = x\nOne == 1 = 1\n====\n";
        let files = BTreeMap::from([(SpecPath::new("A.tla"), text.as_bytes().to_vec())]);
        let run = |name: &str, invariants: &[&str]| {
            let mut run = RunSpec::new(name, SpecPath::new("A.tla"));
            run.invariants = invariants.iter().map(|name| (*name).to_owned()).collect();
            run
        };
        let check = |runs: &[RunSpec], wanted: &[&str]| {
            let found = unchecked(&plan(runs, &Facts::new(), &files));
            assert_eq!(found.get("A.tla").cloned().unwrap_or_default(), wanted);
        };
        check(&[run("a", &["Small"])], &["Live", "Open", "Whole"]);
        check(&[run("a", &["Small"]), run("b", &["Open", "Whole"])], &["Live"]);
    }
}
