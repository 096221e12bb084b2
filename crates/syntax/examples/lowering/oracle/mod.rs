//! Random programs of TypeScript, run in Node.js and in the core's interpreter.

pub(crate) mod compare;
pub(crate) mod core;
pub(crate) mod generate;
pub(crate) mod node;
pub(crate) mod program;

use compare::Outcome;
use generate::Random;
use program::{Code, Dialect};
use std::collections::BTreeMap;

/// How many programs go to one process of Node.js.
const AT_ONCE: u64 = 200;

/// What came of many programs.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) programs: usize,
    /// Those that ran in both to the end.
    pub(crate) whole: usize,
    /// Those that are the same as far as they run, by what ends them.
    pub(crate) stopped: BTreeMap<String, usize>,
    /// Those that are no program.
    pub(crate) invalid: usize,
    pub(crate) events: usize,
    /// What differs, as small as it gets, with both traces.
    pub(crate) differing: Vec<(u64, String)>,
}

/// The answers that a program gets from outside.
pub(crate) fn tape(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed ^ 0x5eed);
    (0..16).map(|_| random.roll(7) as u8).collect()
}

/// Runs the programs of many seeds. Shrinks the first that differ.
pub(crate) fn run(first: u64, count: u64, shrink: usize) -> std::io::Result<Tally> {
    let mut tally = Tally::default();
    let mut seed = first;
    while seed < first + count {
        let next = (seed + AT_ONCE).min(first + count);
        let programs: Vec<(u64, Code)> = (seed..next).map(|seed| (seed, generate::program(seed))).collect();
        let outcomes = compare::compare(&programs)?;
        for ((seed, code), outcome) in programs.into_iter().zip(outcomes) {
            tally.programs += 1;
            match outcome {
                Outcome::Invalid => tally.invalid += 1,
                Outcome::Same { events, stopped } => {
                    tally.events += events;
                    match stopped {
                        None => tally.whole += 1,
                        Some(why) => *tally.stopped.entry(why).or_default() += 1,
                    }
                }
                Outcome::Differs(..) => {
                    let small = if tally.differing.len() < shrink { compare::shrink(seed, code)? } else { code };
                    let shown = show(seed, &small)?;
                    tally.differing.push((seed, shown));
                }
            }
        }
        seed = next;
    }
    Ok(tally)
}

/// A program with both traces, side by side.
fn show(seed: u64, code: &Code) -> std::io::Result<String> {
    let outcome = compare::compare(&[(seed, code.clone())])?.pop();
    let mut out = format!("seed {seed}, tape {:?}\n{}\n", tape(seed), code.print(Dialect::TypeScript));
    if let Some(Outcome::Differs(node, core)) = outcome {
        for at in 0..node.len().max(core.len()) {
            let at_of = |trace: &[String]| trace.get(at).cloned().unwrap_or_default();
            let (left, right) = (at_of(&node), at_of(&core));
            let sign = if left == right { " " } else { "|" };
            out += &format!("  {left:<36} {sign} {right}\n");
            if left != right {
                break;
            }
        }
    }
    Ok(out)
}
