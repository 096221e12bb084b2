//! `sync --review`: the STALE things of a model one by one, each accepted or skipped by somebody who has seen it.

use crate::report::StaleReport;
use factgate_record::{Chosen, StaleKind};
use std::collections::BTreeMap;
use std::io;

/// What somebody said about one model.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// What was accepted.
    pub chosen: Chosen,
    /// Why the model still describes it, by item.
    pub reasons: BTreeMap<String, String>,
    /// Whether the rest is to be left alone.
    pub ended: Ended,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// After the last question.
    #[default]
    Through,
    /// With `quit`, or when nobody answered any more.
    Quit,
}

/// One thing to look at.
pub struct Question {
    /// The difference.
    pub report: StaleReport,
    /// What somebody must have seen.
    pub shown: String,
    /// The facts that are accepted with it, since they are read in it.
    pub follows: Vec<StaleReport>,
}

/// Whom the questions go to.
pub trait Asked {
    /// Shows something.
    fn say(&mut self, text: &str) -> io::Result<()>;
    /// One of some letters, or nothing when nobody answers any more.
    fn key(&mut self, letters: &str) -> io::Result<Option<char>>;
    /// A line, or nothing when nobody answers any more.
    fn line(&mut self) -> io::Result<Option<String>>;
}

const HELP: &str = "  a  accept: the model describes it as it is now\n  s  skip: leave it STALE\n  \
     q  quit: keep what was accepted, leave the rest STALE\n";

/// The questions of all differences: what is read in a changed item is accepted with it, and what accepting cannot settle
/// is none. What moved is followed by `factgate mv`; a verdict is computed anew by `factgate verify`.
pub fn questions(shown: Vec<(StaleReport, String)>) -> Vec<Question> {
    let settles = |kind: StaleKind| !matches!(kind, StaleKind::Moved | StaleKind::Unverified);
    let (follows, heads): (Vec<_>, Vec<_>) = shown
        .into_iter()
        .filter(|(report, _)| settles(report.stale.kind))
        .partition(|(report, _)| report.stale.kind == StaleKind::Fact && report.because.is_some());
    let mut questions: Vec<Question> =
        heads.into_iter().map(|(report, shown)| Question { report, shown, follows: Vec::new() }).collect();
    for (report, shown) in follows {
        let head = questions.iter_mut().find(|one| Some(&one.report.stale.item) == report.because.as_ref());
        match head {
            Some(head) => head.follows.push(report),
            None => questions.push(Question { report, shown, follows: Vec::new() }),
        }
    }
    questions
}

/// Asks about each; `needs_reason` tells what is accepted only with a reason, `files` names a file in the record by its
/// path here.
pub fn walk(
    questions: &[Question],
    needs_reason: impl Fn(&Question) -> bool,
    files: impl Fn(&str) -> String,
    asked: &mut dyn Asked,
) -> io::Result<Review> {
    let mut review = Review::default();
    let mut accepted = 0;
    for (number, question) in questions.iter().enumerate() {
        asked.say(&head(number + 1, questions.len(), question))?;
        match answer(asked)? {
            Some('a') => {}
            Some('s') => continue,
            _ => {
                review.ended = Ended::Quit;
                break;
            }
        }
        let item = &question.report.stale.item;
        if needs_reason(question) {
            asked.say("why is the model still right? ")?;
            match asked.line()?.filter(|reason| !reason.is_empty()) {
                Some(reason) => {
                    let facts = question.follows.iter().map(|fact| fact.stale.item.clone());
                    review.reasons.extend(facts.map(|fact| (fact, reason.clone())));
                    review.reasons.insert(item.clone(), reason);
                }
                None => {
                    asked.say("without a reason it is skipped\n")?;
                    continue;
                }
            }
        }
        accepted += 1;
        accept(&mut review.chosen, &question.report, files(item));
        question.follows.iter().for_each(|fact| accept(&mut review.chosen, fact, files(&fact.stale.item)));
    }
    if !questions.is_empty() {
        let left = questions.len() - accepted;
        asked.say(&format!("accepted {accepted}, left STALE {left}\n"))?;
    }
    Ok(review)
}

/// The count, what has changed, and what is accepted with it.
fn head(number: usize, all: usize, question: &Question) -> String {
    let mut text = format!("[{number}/{all}] {}", question.shown);
    for fact in &question.follows {
        text.push_str(&format!("  with it: {} {}\n", fact.stale.kind.word(), fact.line()));
    }
    text
}

/// Asks again until it is an answer; the end of the input is none.
fn answer(asked: &mut dyn Asked) -> io::Result<Option<char>> {
    loop {
        asked.say("[a]ccept, [s]kip, [q]uit and keep what was accepted, [?] ")?;
        match asked.key("asq?")? {
            Some('?') => asked.say(HELP)?,
            other => return Ok(other),
        }
    }
}

fn accept(chosen: &mut Chosen, report: &StaleReport, file: String) {
    let item = report.stale.item.clone();
    match report.stale.kind {
        StaleKind::Fact => drop(chosen.facts.insert(item)),
        StaleKind::File => drop(chosen.files.insert(file)),
        StaleKind::CallAdded | StaleKind::CallRemoved => chosen.calls.extend(report.stale.callee.clone()),
        StaleKind::Run => drop(chosen.runs.insert(item)),
        StaleKind::Gate => drop(chosen.gate.insert(item)),
        StaleKind::Unverified => {}
        _ => drop(chosen.items.insert(item)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use factgate_record::{Current, CurrentItem, ItemRecord, Place, Record, compare};

    /// Answers one after the other.
    struct Script {
        answers: std::collections::VecDeque<String>,
        said: String,
    }

    impl Asked for Script {
        fn say(&mut self, text: &str) -> io::Result<()> {
            self.said.push_str(text);
            Ok(())
        }

        fn key(&mut self, letters: &str) -> io::Result<Option<char>> {
            while let Some(answer) = self.answers.pop_front() {
                if let Some(letter) = answer.chars().next().filter(|&letter| letters.contains(letter)) {
                    return Ok(Some(letter));
                }
            }
            Ok(None)
        }

        fn line(&mut self) -> io::Result<Option<String>> {
            Ok(self.answers.pop_front())
        }
    }

    fn stale() -> Vec<(StaleReport, String)> {
        let mut now = Current::default();
        let mut known = Record::default();
        for name in ["a.ts#f", "a.ts#g"] {
            let hashes = |text: &str| ItemRecord {
                fingerprint: text.into(),
                literals: text.into(),
                locals: text.into(),
                ..ItemRecord::default()
            };
            known.items.insert(name.into(), hashes("1"));
            let at = Place { file: Default::default(), line: 1, column: 1 };
            now.items.insert(name.into(), CurrentItem::new(hashes("2"), at));
        }
        now.files.insert("M.tla".into(), "1".into());
        compare(&known, &now).into_iter().map(|stale| (StaleReport::new(stale), String::new())).collect()
    }

    fn check(answers: &str, items: &[&str], files: &[&str], ended: Ended) {
        let needs_reason = |question: &Question| question.report.stale.kind == StaleKind::Changed;
        let mut script = Script { answers: answers.lines().map(str::to_owned).collect(), said: String::new() };
        let review = walk(&questions(stale()), needs_reason, str::to_owned, &mut script).unwrap();
        assert!(script.said.contains("[1/3] ") && script.said.contains("accepted "), "{}", script.said);
        assert_eq!(review.chosen.items.iter().collect::<Vec<_>>(), items, "{answers:?}");
        assert_eq!(review.chosen.files.iter().collect::<Vec<_>>(), files, "{answers:?}");
        assert_eq!(review.ended, ended, "{answers:?}");
        assert_eq!(review.reasons.len(), items.len(), "{answers:?}");
    }

    #[test]
    fn only_what_was_accepted_with_a_reason_is_chosen() {
        check("a\nbounded\na\nsame\na\n", &["a.ts#f", "a.ts#g"], &["M.tla"], Ended::Through);
        check("s\na\nbounded\ns\n", &["a.ts#g"], &[], Ended::Through);
        check("a\n\nx\ns\n?\na\n", &[], &["M.tla"], Ended::Through);
        check("a\nbounded\nq\n", &["a.ts#f"], &[], Ended::Quit);
        check("", &[], &[], Ended::Quit);
    }
}
