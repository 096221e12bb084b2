//! One program in both, and the smallest program that still differs.

use crate::oracle::core::{self, Trace};
use crate::oracle::node::{self, Job};
use crate::oracle::program::{Code, Dialect};
use crate::oracle::tape;

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The same events.
    Same {
        events: usize,
        /// Why they could not run to the end.
        stopped: Option<String>,
    },
    /// Not the same. The two traces.
    Differs(Vec<String>, Vec<String>),
    /// No program: it does not parse, or names something before it is there.
    Invalid,
}

/// Runs programs in both. A program whose text is not read, or that Node.js refuses, is no program.
pub(crate) fn compare(programs: &[(u64, Code)]) -> std::io::Result<Vec<Outcome>> {
    let job = |(seed, code): &(u64, Code)| Job { tape: tape(*seed), text: code.print(Dialect::JavaScript) };
    let traces = node::traces(&programs.iter().map(job).collect::<Vec<_>>())?;
    let outcomes = programs.iter().zip(traces).map(|((seed, code), plain)| {
        if plain.iter().any(|event| event.starts_with("invalid")) {
            return Outcome::Invalid;
        }
        match core::trace(&code.print(Dialect::TypeScript), &tape(*seed)) {
            None => Outcome::Invalid,
            Some(lowered) => judge(plain, lowered),
        }
    });
    Ok(outcomes.collect())
}

/// Up to where both could go on.
fn judge(mut plain: Vec<String>, lowered: Trace) -> Outcome {
    let mut stopped = lowered.stopped;
    if plain.last().is_some_and(|event| event == "over") {
        plain.pop();
        stopped = stopped.or(Some("events".to_owned()));
    }
    let most = plain.len().min(lowered.events.len());
    let same = plain[..most] == lowered.events[..most] && (stopped.is_some() || plain.len() == lowered.events.len());
    if same { Outcome::Same { events: most, stopped } } else { Outcome::Differs(plain, lowered.events) }
}

/// Takes away what can be taken away while the program still differs.
pub(crate) fn shrink(seed: u64, code: Code) -> std::io::Result<Code> {
    let mut best = code;
    loop {
        let mut smaller: Vec<(u64, Code)> = best.smaller().into_iter().map(|code| (seed, code)).collect();
        smaller.sort_by_key(|(_, code)| code.size());
        let mut found = None;
        for some in smaller.chunks(40) {
            let outcomes = compare(some)?;
            let differs = |(_, outcome): &(_, Outcome)| matches!(outcome, Outcome::Differs(..));
            found = some.iter().zip(outcomes).find(differs);
            if found.is_some() {
                break;
            }
        }
        match found {
            Some(((_, code), _)) => best = code.clone(),
            None => return Ok(best),
        }
    }
}
