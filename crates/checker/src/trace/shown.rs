//! What became of a recorded run, for people.

use super::{Broken, Rejection, TraceVerdict};
use std::fmt;

impl fmt::Display for TraceVerdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceVerdict::Accepted(accepted) => writeln!(out, "ACCEPTED   {} steps", accepted.steps),
            TraceVerdict::Rejected(rejection) => rejected(rejection, out),
            TraceVerdict::Broken(Broken { invariant, step, state }) => {
                writeln!(out, "BROKEN at step {step}   {invariant}\n  the state that breaks it:")?;
                state.iter().try_for_each(|(name, value)| writeln!(out, "    {name} = {value}"))
            }
        }
    }
}

fn rejected(rejection: &Rejection, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Rejection { step, before, allowed } = rejection;
    writeln!(out, "REJECTED at step {step}")?;
    if before.is_empty() {
        return writeln!(out, "  the specification has no such initial state");
    }
    writeln!(out, "  the state before it:")?;
    before.iter().try_for_each(|(name, value)| writeln!(out, "    {name} = {value}"))?;
    writeln!(out, "{}", if allowed.is_empty() { "  nothing is allowed there" } else { "  allowed there:" })?;
    allowed.iter().try_for_each(|step| {
        let changes: Vec<String> = step.changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        writeln!(out, "    {:<20} {}", step.action, changes.join(", "))
    })
}
