//! What a run came to.

use std::fmt;

/// The outcome of one run. Its text (`pass`, `violated NAME`, …) is what reports and records show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Everything that was asked holds in every reachable state.
    Pass,
    /// An invariant, action property or temporal property does not hold.
    Violated(String),
    /// A state without a successor.
    Deadlock,
    /// An `ASSUME` is false.
    Assumption,
    /// Nothing was checked: no property, or no initial state.
    Vacuous,
    /// Of recorded runs: the specification allows each.
    Accepted,
    /// Of recorded runs: the specification does not allow one.
    Rejected,
    /// The time limit was reached.
    Timeout,
    /// The engine came to no verdict; why, in its own words, stands in the report's detail.
    Error,
}

impl Outcome {
    /// From the text of a record or a verdict file.
    pub fn parse(text: &str) -> Option<Outcome> {
        Some(match text {
            "pass" => Outcome::Pass,
            "deadlock" => Outcome::Deadlock,
            "assumption" => Outcome::Assumption,
            "vacuous" => Outcome::Vacuous,
            "accepted" => Outcome::Accepted,
            "rejected" => Outcome::Rejected,
            "timeout" => Outcome::Timeout,
            "error" => Outcome::Error,
            other => Outcome::Violated(other.strip_prefix("violated ")?.to_owned()),
        })
    }

    /// Whether something that was asked does not hold.
    pub fn is_broken(&self) -> bool {
        matches!(self, Outcome::Violated(_) | Outcome::Deadlock | Outcome::Assumption)
    }

    /// Whether only recorded runs come to it.
    pub fn is_of_trace(&self) -> bool {
        matches!(self, Outcome::Accepted | Outcome::Rejected)
    }

    /// Whether the engine came to a verdict at all. Without one nothing is decided: exit 2.
    pub fn is_verdict(&self) -> bool {
        !matches!(self, Outcome::Timeout | Outcome::Error)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Pass => out.write_str("pass"),
            Outcome::Violated(name) => write!(out, "violated {name}"),
            Outcome::Deadlock => out.write_str("deadlock"),
            Outcome::Assumption => out.write_str("assumption"),
            Outcome::Vacuous => out.write_str("vacuous"),
            Outcome::Accepted => out.write_str("accepted"),
            Outcome::Rejected => out.write_str("rejected"),
            Outcome::Timeout => out.write_str("timeout"),
            Outcome::Error => out.write_str("error"),
        }
    }
}

impl serde::Serialize for Outcome {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Outcome {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
        let text = String::deserialize(from)?;
        Outcome::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is no outcome")))
    }
}
