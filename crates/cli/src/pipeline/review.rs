//! `sync --review`: the STALE things of a model one by one, each accepted or skipped by somebody who has seen it.

use crate::report::StaleReport;
use factgate_record::{Chosen, StaleKind};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};

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

/// Asks about each; `shown` is what somebody must have seen, `needs_reason` tells what is accepted only with a reason,
/// `files` names a file in the record by its path here.
pub fn walk(
    stale: &[(StaleReport, String)],
    needs_reason: impl Fn(&StaleReport) -> bool,
    files: impl Fn(&str) -> String,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> std::io::Result<Review> {
    let mut review = Review::default();
    for (report, shown) in stale {
        write!(output, "{shown}[a]ccept, [s]kip, [q]uit? ")?;
        match answer(input, output)? {
            Answer::Accept => {}
            Answer::Skip => continue,
            Answer::Quit => {
                review.ended = Ended::Quit;
                return Ok(review);
            }
        }
        let item = &report.stale.item;
        if needs_reason(report) {
            write!(output, "why is the model still right? ")?;
            output.flush()?;
            match line(input)?.filter(|reason| !reason.is_empty()) {
                Some(reason) => drop(review.reasons.insert(item.clone(), reason)),
                None => {
                    writeln!(output, "without a reason it is skipped")?;
                    continue;
                }
            }
        }
        accept(&mut review.chosen, report, files(item));
    }
    Ok(review)
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

enum Answer {
    Accept,
    Skip,
    Quit,
}

/// Asks again until it is an answer; the end of the input is `quit`.
fn answer(input: &mut impl BufRead, output: &mut impl Write) -> std::io::Result<Answer> {
    loop {
        output.flush()?;
        match line(input)?.as_deref() {
            Some("a" | "accept") => return Ok(Answer::Accept),
            Some("s" | "skip") => return Ok(Answer::Skip),
            Some("q" | "quit") | None => return Ok(Answer::Quit),
            Some(_) => write!(output, "a, s or q? ")?,
        }
    }
}

fn line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut text = String::new();
    Ok((input.read_line(&mut text)? > 0).then(|| text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use factgate_record::{Current, CurrentItem, ItemRecord, Place, Record, compare};

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
        let mut output = Vec::new();
        let needs_reason = |report: &StaleReport| report.stale.kind == StaleKind::Changed;
        let review = walk(&stale(), needs_reason, str::to_owned, &mut answers.as_bytes(), &mut output).unwrap();
        assert_eq!(review.chosen.items.iter().collect::<Vec<_>>(), items, "{answers:?}");
        assert_eq!(review.chosen.files.iter().collect::<Vec<_>>(), files, "{answers:?}");
        assert_eq!(review.ended, ended, "{answers:?}");
        assert_eq!(review.reasons.len(), items.len(), "{answers:?}");
    }

    #[test]
    fn only_what_was_accepted_with_a_reason_is_chosen() {
        check("a\nbounded\na\nsame\na\n", &["a.ts#f", "a.ts#g"], &["M.tla"], Ended::Through);
        check("s\na\nbounded\ns\n", &["a.ts#g"], &[], Ended::Through);
        check("a\n\nwhat\ns\na\n", &[], &["M.tla"], Ended::Through);
        check("a\nbounded\nq\n", &["a.ts#f"], &[], Ended::Quit);
        check("", &[], &[], Ended::Quit);
    }
}
