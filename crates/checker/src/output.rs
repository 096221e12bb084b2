//! What the engine prints with `-tool`: numbered messages between marker lines, and plain lines around them.
//!
//! Both dialects are read: TLC 2.15 and the newer one that prints actions with arguments and names temporal
//! properties. Message numbers: `tlc2.output.EC` of the TLA+ tools.

use crate::counterexample::{self, Counterexample, Ending, State};
use crate::probes;
use std::collections::{BTreeMap, BTreeSet};

const START: &str = "@!@!@STARTMSG ";
const END: &str = "@!@!@ENDMSG ";
const TAIL: &str = " @!@!@";

/// Message numbers that factgate acts on.
pub(crate) mod code {
    pub(crate) const ASSUMPTION_FALSE: u32 = 2104;
    pub(crate) const INVARIANT_INITIAL: u32 = 2107;
    pub(crate) const PROPERTY_INITIAL: u32 = 2108;
    pub(crate) const INVARIANT: u32 = 2110;
    pub(crate) const ACTION_PROPERTY: u32 = 2112;
    pub(crate) const DEADLOCK: u32 = 2114;
    pub(crate) const TEMPORAL: u32 = 2116;
    pub(crate) const BACK_TO_STATE: u32 = 2122;
    pub(crate) const INITIAL_STATES: u32 = 2190;
    pub(crate) const INITIAL_STATES_DUPLICATES: u32 = 2191;
    pub(crate) const SUCCESS: u32 = 2193;
    pub(crate) const DEPTH: u32 = 2194;
    pub(crate) const STATS: u32 = 2199;
    pub(crate) const PROGRESS: u32 = 2200;
    pub(crate) const LIVENESS: u32 = 2212;
    pub(crate) const TRACE_STATE: u32 = 2217;
    pub(crate) const STUTTERING: u32 = 2218;
    pub(crate) const CONSTANT_FALSE: u32 = 2230;
    pub(crate) const SYMMETRY_WITH_LIVENESS: u32 = 2279;
    pub(crate) const CONSTRAINT_WITH_LIVENESS: u32 = 2284;
    pub(crate) const COVERAGE_ACTION: u32 = 2772;
}

/// Everything that was read from one execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    open: Vec<(u32, u32, String)>,
    /// The numbers of all messages.
    pub(crate) codes: BTreeSet<u32>,
    /// Texts of messages that report an error.
    pub(crate) errors: Vec<String>,
    /// What the engine warns of.
    pub(crate) warnings: Vec<String>,
    /// Whether a plain warning is being printed.
    warns: bool,
    /// The last plain lines.
    pub(crate) plain: Vec<String>,
    /// What the engine names as violated.
    pub(crate) violated: Option<String>,
    /// The questions that were answered with yes.
    pub(crate) seen: BTreeSet<usize>,
    /// Initial states.
    pub(crate) initial: Option<u64>,
    /// Whether the configuration has a VIEW: the engine does not say what that means for liveness.
    pub(crate) viewed: bool,
    /// Distinct states.
    pub(crate) distinct: Option<u64>,
    /// Depth of the search.
    pub(crate) depth: Option<u64>,
    /// How often each action was taken, by the engine's own place of it.
    actions: BTreeMap<String, u64>,
    states: Vec<State>,
    ending: Ending,
}

/// How many plain lines and error texts are kept for the report.
const KEPT: usize = 60;

impl Output {
    /// Takes one line. Gives the distinct states found so far when the line ends a report of progress.
    pub(crate) fn line(&mut self, line: &str) -> Option<u64> {
        let mut rest = line.trim_end_matches(['\n', '\r']);
        let mut progress = None;
        let mut first = true;
        while first || !rest.is_empty() {
            first = false;
            match (rest.find(START), rest.find(END)) {
                (Some(start), end) if end.is_none_or(|end| start < end) => {
                    self.text(&rest[..start]);
                    let (head, after) = cut(&rest[start + START.len()..]);
                    let (code, severity) = head.split_once(':').unwrap_or((head, "0"));
                    self.open.push((code.parse().unwrap_or(0), severity.parse().unwrap_or(0), String::new()));
                    rest = after;
                }
                (_, Some(end)) => {
                    self.text(&rest[..end]);
                    if let Some((code, severity, text)) = self.open.pop() {
                        let text = text.trim_end();
                        progress = self.message(code, severity, text).or(progress);
                        // An exception's message stands inside the message that reports the exception.
                        if let Some((_, _, outer)) = self.open.last_mut() {
                            outer.push_str(text);
                            outer.push('\n');
                        }
                    }
                    rest = cut(&rest[end + END.len()..]).1;
                }
                _ => {
                    self.text(rest);
                    break;
                }
            }
        }
        progress
    }

    fn text(&mut self, text: &str) {
        match self.open.last_mut() {
            Some((_, _, body)) => {
                if !body.is_empty() || !text.trim().is_empty() {
                    body.push_str(text);
                    body.push('\n');
                }
            }
            None if text.trim().is_empty() || is_noise(text) => self.warns = false,
            // The parser warns without a message of its own, over several lines.
            None if self.warns => {
                if let Some(last) = self.warnings.last_mut() {
                    last.push(' ');
                    last.push_str(text.trim());
                }
            }
            None if text.starts_with("Warning: ") && self.warnings.len() < KEPT => {
                self.warns = true;
                self.warnings.push(text.trim_start_matches("Warning: ").trim().to_owned());
            }
            None if let Some(number) = probes::answer(text) => drop(self.seen.insert(number)),
            None => {
                if self.plain.len() == KEPT {
                    self.plain.remove(0);
                }
                self.plain.push(text.to_owned());
            }
        }
    }

    fn message(&mut self, code: u32, severity: u32, text: &str) -> Option<u64> {
        self.codes.insert(code);
        match code {
            code::INVARIANT | code::ACTION_PROPERTY | code::TEMPORAL | code::CONSTANT_FALSE => self.name(text),
            code::INVARIANT_INITIAL | code::PROPERTY_INITIAL => {
                self.name(text);
                let body = text.split_once('\n').map_or("", |(_, body)| body);
                self.states = vec![State { action: None, variables: counterexample::variables(body) }];
            }
            code::INITIAL_STATES | code::INITIAL_STATES_DUPLICATES => {
                self.initial = number(text.split_once(':').map_or(text, |(_, counts)| counts));
            }
            code::DEPTH => self.depth = number(text),
            code::STATS => self.distinct = distinct(text),
            code::PROGRESS => return distinct(text),
            code::TRACE_STATE => self.states.push(counterexample::state(text)),
            code::STUTTERING => self.ending = Ending::Stuttering,
            code::BACK_TO_STATE => {
                let back_to = number(text).and_then(|number| usize::try_from(number).ok()).unwrap_or(1);
                self.ending = Ending::Loop { back_to: back_to.saturating_sub(1), action: counterexample::action(text) };
            }
            code::COVERAGE_ACTION => self.coverage(text),
            _ => {}
        }
        // Messages about the machine say nothing about the model.
        if severity == 3 && !(2400..2500).contains(&code) {
            self.warnings.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if matches!(severity, 1 | 2) || (severity == 0 && (5000..6000).contains(&code)) {
            self.errors.truncate(KEPT - 1);
            self.errors.push(text.to_owned());
        }
        None
    }

    /// `Invariant NAME is violated…`, `Action property NAME is violated…`, `Temporal property NAME was violated…`, and
    /// `The invariant of NAME is equal to FALSE` for one that mentions no variable.
    fn name(&mut self, text: &str) {
        let first = text.lines().next().unwrap_or_default();
        let heads = [
            "Invariant ",
            "Action property ",
            "Temporal property ",
            "Property ",
            "The invariant of ",
            "The property of ",
        ];
        let tails = [" is violated", " was violated", " is equal to FALSE"];
        let rest = heads.iter().find_map(|head| first.strip_prefix(head));
        let name = rest.and_then(|rest| tails.iter().find_map(|tail| rest.split_once(tail)));
        if let (Some((name, _)), None) = (name, &self.violated) {
            self.violated = Some(name.to_owned());
        }
    }

    /// `<Try line 5, col 1 to line 5, col 3 of module A>: 3:3`: distinct states, then all.
    fn coverage(&mut self, text: &str) {
        if let Some((place, counts)) = text.rsplit_once(">: ") {
            let taken = counts.rsplit(':').next().and_then(number).unwrap_or(0);
            self.actions.insert(place.to_owned(), taken);
        }
    }

    /// How often each action was taken, by name.
    pub(crate) fn actions_taken(&self) -> BTreeMap<String, u64> {
        let mut taken = BTreeMap::new();
        for (place, count) in &self.actions {
            if let Some(name) = counterexample::action(place) {
                *taken.entry(name).or_default() += count;
            }
        }
        taken
    }

    /// The behaviour that was printed, if any.
    pub(crate) fn counterexample(&self) -> Option<Counterexample> {
        (!self.states.is_empty()).then(|| counterexample::changes(self.states.clone(), self.ending.clone()))
    }

    /// The states of the printed behaviour.
    pub(crate) fn states(&self) -> &[State] {
        &self.states
    }

    /// The engine's own words for what went wrong.
    pub(crate) fn words(&self) -> String {
        let mut lines: Vec<&str> = self.errors.iter().map(String::as_str).collect();
        lines.extend(self.plain.iter().map(String::as_str));
        let mut text = String::new();
        let mut said = BTreeSet::new();
        let lines = lines.iter().flat_map(|text| text.lines()).map(str::trim_end);
        for line in lines.filter(|line| !BOILERPLATE.contains(line) && said.insert(*line)) {
            if text.len() + line.len() > 4000 {
                text.push_str("…\n");
                break;
            }
            text.push_str(line);
            text.push('\n');
        }
        text.trim_end().to_owned()
    }
}

/// Lines around an exception that say nothing about it.
const BOILERPLATE: [&str; 6] = [
    "",
    ":",
    "The behavior up to this point is:",
    "TLC threw an unexpected exception.",
    "This was probably caused by an error in the spec or model.",
    "See the User Output or TLC Console for clues to what happened.",
];

/// Splits `2190:0 @!@!@rest` behind the marker.
fn cut(text: &str) -> (&str, &str) {
    text.split_once(TAIL).unwrap_or((text, ""))
}

/// Lines that say nothing about an error.
fn is_noise(text: &str) -> bool {
    ["Parsing file ", "Semantic processing of module "].iter().any(|head| text.starts_with(head))
        || text.trim_start().starts_with("at ") && text.contains('(')
}

/// The first whole number in a text; thousands may be parted by `,`.
fn number(text: &str) -> Option<u64> {
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let digits = text[start..].chars().take_while(|letter| letter.is_ascii_digit() || *letter == ',');
    digits.filter(char::is_ascii_digit).collect::<String>().parse().ok()
}

/// The number before `distinct states found`.
fn distinct(text: &str) -> Option<u64> {
    let before = &text[..text.find(" distinct state")?];
    number(before.rsplit(", ").next().unwrap_or(before))
}

#[cfg(test)]
mod tests;
