//! JUnit's XML: a suite a model, a case an item, fact, call rule and run; a failure a cause with what follows from it, an error what could not be decided.
//! What is worth a note stands in the output of its case, which passes.

use crate::cause::Cause;
use crate::report::{ModelReport, Report};
use std::collections::BTreeSet;

/// The whole report.
pub fn render(report: &Report) -> String {
    let mut suites: String = report.models.iter().map(suite).collect();
    if !report.errors.is_empty() {
        let cases: String = report.errors.iter().map(|error| {
            format!("    <testcase classname=\"factgate\" name=\"{}\">\n      <error message=\"{}\"/>\n    </testcase>\n", error.code.code(), escape(&error.message))
        }).collect();
        let count = report.errors.len();
        suites.push_str(&format!("  <testsuite name=\"factgate\" tests=\"{count}\" failures=\"0\" errors=\"{count}\">\n{cases}  </testsuite>\n"));
    }
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"factgate\">\n{suites}</testsuites>\n")
}

fn suite(model: &ModelReport) -> String {
    let stale = model.stale.as_deref().unwrap_or_default();
    let named: BTreeSet<&str> = stale.iter().map(|stale| stale.stale.item.as_str()).collect();
    let causes = Cause::all(stale);
    let mut cases = String::new();
    let mut count = 0;
    for cause in &causes {
        let (place, first) = (cause.place(&model.config), &cause.first().stale);
        let body = format!("{}:{}:{}\n{}", place.file, place.line, place.column, cause.message());
        let failure = format!(
            "<failure type=\"{}\" message=\"{}\">{}</failure>",
            first.kind.code(),
            escape(&cause.lines().head.text),
            escape(&body)
        );
        cases.push_str(&case(model, &first.item, &failure));
        count += 1;
    }
    // Without a comparison nothing is known of the items: none passes.
    if model.stale.is_some() {
        for name in passed(model, &named) {
            cases.push_str(&case(model, name, &notes(model, name)));
            count += 1;
        }
    }
    let (mut unexpected, mut undecided) = (0, 0);
    for run in &model.runs {
        let body = match run.complaint() {
            Some(complaint) => {
                unexpected += 1;
                format!("<failure type=\"run\" message=\"{}\"/>", escape(&complaint))
            }
            None if run.ok => String::new(),
            None => {
                undecided += 1;
                let why = run.detail.as_deref().unwrap_or(&run.outcome);
                format!("<error type=\"{}\" message=\"{}\"/>", escape(&run.outcome), escape(why))
            }
        };
        cases.push_str(&timed(model, &run.name, run.seconds.filter(|_| !run.cached), &body));
        count += 1;
    }
    for error in &model.errors {
        let body = format!("<error type=\"{}\" message=\"{}\"/>", error.code.code(), escape(&error.message));
        cases.push_str(&case(model, error.at.as_ref().map_or("model", |place| place.file.as_str()), &body));
        count += 1;
    }
    format!(
        "  <testsuite name=\"{}\" tests=\"{count}\" failures=\"{}\" errors=\"{}\"{}>\n{cases}  </testsuite>\n",
        escape(&model.name),
        causes.len() + unexpected,
        model.errors.len() + undecided,
        time(model.total.map(|total| total.seconds)),
    )
}

/// The items, facts and call rules that are as they were confirmed.
fn passed<'m>(model: &'m ModelReport, named: &BTreeSet<&str>) -> BTreeSet<&'m str> {
    let callees = model.stale.iter().flatten().filter_map(|stale| stale.stale.callee.as_deref());
    let called: BTreeSet<&str> = callees.collect();
    let noted = model.notes.iter().map(|note| note.stale.item.as_str());
    let items = model.items.keys().map(String::as_str).chain(noted);
    let facts = model.facts.iter().filter(|(_, fact)| fact.value.is_some()).map(|(name, _)| name.as_str());
    let calls = model.calls.keys().map(String::as_str).filter(|key| !called.contains(key));
    items.chain(facts).chain(calls).filter(|name| !named.contains(name)).collect()
}

/// What is told of an item and is no drift, a line each.
fn notes(model: &ModelReport, item: &str) -> String {
    let lines = model.notes.iter().filter(|note| note.stale.item == item);
    let lines: Vec<String> = lines.map(|note| format!("note: {}", note.line())).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("<system-out>{}</system-out>", escape(&lines.join("\n")))
}

/// How long it took, as an attribute.
fn time(seconds: Option<f64>) -> String {
    seconds.map(|seconds| format!(" time=\"{seconds:.3}\"")).unwrap_or_default()
}

fn case(model: &ModelReport, name: &str, body: &str) -> String {
    timed(model, name, None, body)
}

fn timed(model: &ModelReport, name: &str, seconds: Option<f64>, body: &str) -> String {
    let time = time(seconds);
    let open = format!("    <testcase classname=\"{}\" name=\"{}\"{time}", escape(&model.name), escape(name));
    if body.is_empty() { format!("{open}/>\n") } else { format!("{open}>\n      {body}\n    </testcase>\n") }
}

/// XML 1.0: the five characters that mean something, and the control characters that may not stand at all.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' | '\r' => escaped.push(' '),
            letter if letter.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&letter) => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}
