//! SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), for code scanning.

use crate::cause::{Cause, Line};
use crate::finding::{Code, Finding};
use crate::output::json::line;
use crate::report::{Report, StaleReport};
use crate::run_groups::Group;
use factgate_record::{Place, StaleKind};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// One run; a result a cause with what follows from it at its related locations, a notification an error or warning.
pub fn render(report: &Report) -> String {
    let mut results = Vec::new();
    let mut rules: BTreeSet<StaleKind> = BTreeSet::new();
    for model in &report.models {
        for cause in Cause::all(model.stale.as_deref().unwrap_or_default()) {
            let first = cause.first();
            rules.insert(first.stale.kind);
            let mut result = json!({
                "ruleId": first.stale.kind.code(),
                "level": "error",
                "message": { "text": format!("{}: {}", model.name, cause.message()) },
                "locations": [location(&cause.place(&model.config))],
                "partialFingerprints": { "factgate/v1": identity(&model.name, first) },
            });
            let related: Vec<Value> = cause.lines().below.iter().filter_map(related).collect();
            if let (false, Some(object)) = (related.is_empty(), result.as_object_mut()) {
                object.insert("relatedLocations".to_owned(), related.into());
            }
            results.push(result);
        }
    }
    for model in &report.models {
        for note in &model.notes {
            rules.insert(note.stale.kind);
            let place = note.stale.at.clone().unwrap_or(Place { file: model.config.clone(), line: 1, column: 1 });
            results.push(json!({
                "ruleId": note.stale.kind.code(),
                "level": "note",
                "message": { "text": format!("{}: {}", model.name, note.line()) },
                "locations": [location(&place)],
                "partialFingerprints": { "factgate/v1": identity(&model.name, note) },
            }));
        }
    }
    for model in &report.models {
        for group in Group::failing(model) {
            let (run, complaint) = (group.head, group.message().unwrap_or_default());
            results.push(json!({
                "ruleId": "run",
                "level": "error",
                "message": { "text": format!("{}: {complaint}", model.name) },
                "locations": [location(&group.place(model))],
                "partialFingerprints": { "factgate/v1": format!("{}/run/{}", model.name, run.name) },
            }));
        }
    }
    let mut notifications: Vec<Value> = report.all_errors().iter().map(|it| notification(it, "error")).collect();
    notifications.extend(report.all_warnings().iter().map(|it| notification(it, "warning")));
    let mut rules: Vec<Value> =
        rules.iter().map(|kind| json!({ "id": kind.code(), "shortDescription": { "text": kind.word() } })).collect();
    if report.models.iter().flat_map(|model| &model.runs).any(|run| run.complaint().is_some()) {
        rules.push(json!({ "id": "run", "shortDescription": { "text": "unexpected outcome of a run" } }));
    }
    let invocation = json!({
        "executionSuccessful": report.all_errors().is_empty(),
        "exitCode": report.exit().code(),
        "toolExecutionNotifications": notifications,
    });
    line(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(&rules) },
            "invocations": [invocation],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn driver(rules: &[Value]) -> Value {
    let codes: Vec<Value> = Code::ALL.iter().map(|code| json!({ "id": code.code() })).collect();
    json!({ "name": "factgate", "version": env!("CARGO_PKG_VERSION"), "rules": rules, "notifications": codes })
}

fn location(place: &Place) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(place.file.as_str()) },
        "region": { "startLine": place.line, "startColumn": place.column },
    } })
}

/// What follows from a cause, where it stands somewhere.
fn related(line: &Line) -> Option<Value> {
    let mut value = location(line.at.as_ref()?);
    let text = format!("{} {}", line.kind, line.text);
    value.as_object_mut()?.insert("message".to_owned(), json!({ "text": text }));
    Some(value)
}

/// What stays of a result from run to run: two watched functions may be called in one item.
fn identity(model: &str, report: &StaleReport) -> String {
    let stale = &report.stale;
    let callee = stale.callee.as_ref().map(|callee| format!("/{callee}")).unwrap_or_default();
    format!("{model}/{}/{}{callee}", stale.kind.code(), stale.item)
}

fn notification(finding: &Finding, level: &str) -> Value {
    let mut value = json!({
        "level": level,
        "message": { "text": finding.message },
        "descriptor": { "id": finding.code.code() },
    });
    if let (Some(place), Some(object)) = (&finding.at, value.as_object_mut()) {
        object.insert("locations".to_owned(), json!([location(place)]));
    }
    value
}

/// A path as a relative URI (RFC 3986): what is not unreserved or `/` is percent-encoded.
fn uri(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
