//! Whether the configuration of a hook manager refuses a commit through factgate. Under `pre-push:` it does not, nor with
//! `skip: true`, nor at `stages: [pre-push]`: there the commit is made before anybody looks.
//!
//! Read as [lefthook](https://lefthook.dev/configuration/) and [pre-commit](https://pre-commit.com/#plugins) document
//! their files. Nothing is run: a configuration is somebody else's program.

use crate::hook_text::{self, Calls, Kind};
use serde_json::Value;
use std::path::Path;

const NOT_AT_COMMIT: &str = "not when a commit is made: write it under `pre-commit`";
const SKIPPED: &str = "lefthook is told to skip it";
const UNREADABLE: &str = "the file cannot be read as what its ending says";
const SOMETIMES: &str = "`skip` and `only` let some commits through";
const FILTERED: &str =
    "a commit that has no file of its `glob`, `exclude`, `files`, `root` or `file_types` is let through";
const DELETIONS: &str =
    "a commit that only deletes files, or has none that it looks at, is let through: `always_run: true`";
const NO_COMMAND: &str = "its `language` does not run a command";

/// Reads a configuration by its ending; nothing where it is not the format that this names.
pub(crate) fn parse(text: &str, file: &Path) -> Option<Value> {
    match file.extension()?.to_str()? {
        "toml" => toml::from_str(text).ok(),
        "json" => serde_json::from_str(text).ok(),
        _ => serde_saphyr::from_str(text).ok(),
    }
}

/// Adds what a file beside it says (`lefthook-local.yml`): it goes before.
pub(crate) fn merge(value: &mut Value, over: Value) {
    match (value, over) {
        (Value::Object(value), Value::Object(over)) => {
            for (key, over) in over {
                merge(value.entry(key).or_insert(Value::Null), over);
            }
        }
        (Value::Array(value), Value::Array(over)) => value.extend(over),
        (value, over) => *value = over,
    }
}

/// What lefthook makes of its configuration when a commit is made. `script` gives the text of one of its scripts.
pub(crate) fn lefthook(configuration: Option<&Value>, script: &dyn Fn(&str) -> Option<String>) -> Calls {
    let Some(configuration) = configuration else { return Calls::InVain(UNREADABLE) };
    let found = configuration.get("pre-commit").map_or(Calls::No, |hook| {
        let left_out: Vec<&str> = texts(hook.get("exclude_tags")).collect();
        limited(hook, jobs(hook, &left_out, script))
    });
    if found != Calls::No {
        return found;
    }
    let elsewhere = configuration.as_object().into_iter().flatten().filter(|(name, _)| *name != "pre-commit");
    let elsewhere = elsewhere.map(|(_, hook)| jobs(hook, &[], script)).any(|found| found != Calls::No);
    if elsewhere { Calls::InVain(NOT_AT_COMMIT) } else { Calls::No }
}

/// The best that a hook or a group of jobs comes to.
fn jobs<'j>(hook: &'j Value, left_out: &[&str], script: &dyn Fn(&str) -> Option<String>) -> Calls {
    let named = hook.get("commands").and_then(Value::as_object).into_iter().flatten();
    let named = named.map(|(name, job)| (Some(name.as_str()), job));
    let listed = hook.get("jobs").and_then(Value::as_array).into_iter().flatten();
    let listed = listed.map(|job| (job.get("name").and_then(Value::as_str), job));
    let scripts = hook.get("scripts").and_then(Value::as_object).into_iter().flatten();
    let scripts = scripts.map(|(name, job)| (calls_in(script(name)), Some(name.as_str()), job));
    let found_in = |(name, job): (_, &'j Value)| {
        let text = |key: &str| job.get(key).and_then(Value::as_str);
        let found = match (text("run"), text("script"), job.get("group")) {
            (Some(run), ..) => hook_text::calls(run, Kind::Shell),
            (None, Some(name), _) => calls_in(script(name)),
            (None, None, Some(group)) => jobs(group, left_out, script),
            (None, None, None) => Calls::No,
        };
        (found, name, job)
    };
    let of_job = |(found, name, job): (Calls, Option<&str>, &Value)| {
        let tagged = texts(job.get("tags")).chain(name).any(|tag| left_out.contains(&tag));
        if tagged && found != Calls::No { Calls::InVain(SKIPPED) } else { limited(job, found) }
    };
    named.chain(listed).map(found_in).chain(scripts).map(of_job).max().unwrap_or(Calls::No)
}

fn calls_in(script: Option<String>) -> Calls {
    script.map_or(Calls::No, |text| hook_text::calls(&text, Kind::Shell))
}

/// What `skip`, `only` and filters leave of a hook or job.
fn limited(table: &Value, found: Calls) -> Calls {
    const FILTERS: [&str; 5] = ["glob", "exclude", "files", "root", "file_types"];
    let says = |key: &str, value: bool| table.get(key) == Some(&Value::Bool(value));
    let limits = |key: &str| table.get(key).is_some_and(|value| !value.is_null() && !value.is_boolean());
    let names_files = table.get("run").and_then(Value::as_str);
    let names_files = names_files.is_some_and(|run| run.contains("_files}") || run.contains("{files}"));
    if found == Calls::No {
        found
    } else if says("skip", true) || says("only", false) {
        Calls::InVain(SKIPPED)
    } else if limits("skip") || limits("only") {
        found.min(Calls::InPart(SOMETIMES))
    } else if FILTERS.iter().any(|key| limits(key)) || names_files {
        found.min(Calls::InPart(FILTERED))
    } else {
        found
    }
}

/// What the pre-commit framework makes of its configuration when a commit is made.
pub(crate) fn pre_commit(configuration: Option<&Value>) -> Calls {
    let Some(configuration) = configuration else { return Calls::InVain(UNREADABLE) };
    let repositories = configuration.get("repos").and_then(Value::as_array).into_iter().flatten();
    let hooks = repositories.flat_map(|repository| {
        let address = repository.get("repo").and_then(Value::as_str).unwrap_or_default();
        let hooks = repository.get("hooks").and_then(Value::as_array).into_iter().flatten();
        hooks.map(move |hook| (address, hook))
    });
    hooks.map(|(address, hook)| framework_hook(configuration, address, hook)).max().unwrap_or(Calls::No)
}

fn framework_hook(configuration: &Value, address: &str, hook: &Value) -> Calls {
    let is_ours = is_factgates(address) && hook.get("id").and_then(Value::as_str) == Some("factgate");
    let word = |key: &str| hook.get(key).and_then(Value::as_str);
    let arguments: Vec<&str> = texts(hook.get("args")).collect();
    let found = match (word("entry"), word("language")) {
        (None, _) if is_ours && arguments.is_empty() => Calls::Yes,
        (None, _) if is_ours => hook_text::calls(&format!("factgate {}", arguments.join(" ")), Kind::Shell),
        (Some(entry), language) => {
            let found = hook_text::calls(&command(entry, &arguments), Kind::Shell);
            let runs = !matches!(language, Some("fail" | "pygrep"));
            if runs || found == Calls::No { found } else { Calls::InVain(NO_COMMAND) }
        }
        (None, _) => Calls::No,
    };
    let stages = hook.get("stages").or_else(|| configuration.get("default_stages"));
    let is_at_commit = texts(stages).next().is_none() || texts(stages).any(|at| matches!(at, "pre-commit" | "commit"));
    match found {
        Calls::No => found,
        _ if !is_at_commit => Calls::InVain(NOT_AT_COMMIT),
        // Our own hook says so itself.
        _ if hook.get("always_run").and_then(Value::as_bool).unwrap_or(is_ours) => found,
        _ => found.min(Calls::InPart(DELETIONS)),
    }
}

/// The framework starts a program without a shell; of `sh -c '…'` the text counts.
fn command(entry: &str, arguments: &[&str]) -> String {
    let whole = [&[entry], arguments].concat().join(" ");
    let inner = whole.split_once(" -c ").filter(|(shell, _)| shell.ends_with("sh")).map(|(_, text)| text.trim());
    inner.map_or(whole.clone(), |text| text.trim_matches(['"', '\'']).to_owned())
}

/// The address of factgate's own repository.
fn is_factgates(address: &str) -> bool {
    let address = address.trim_end_matches('/').trim_end_matches(".git");
    address.rsplit(['/', ':']).next() == Some("factgate")
}

/// A text, or a list of them.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    value.and_then(Value::as_str).into_iter().chain(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: Calls, tool: fn(Option<&Value>) -> Calls, texts: &[&str]) {
        for text in texts {
            assert_eq!(tool(parse(text, Path::new("a.yml")).as_ref()), expected, "{text}");
        }
    }

    fn lefthook_alone(configuration: Option<&Value>) -> Calls {
        lefthook(configuration, &|name| (name == "gate.sh").then(|| "#!/bin/sh\nfactgate check --staged\n".to_owned()))
    }

    #[test]
    fn lefthook_refuses_under_pre_commit() {
        const RUN: &str = "run: factgate check --staged";
        let job = |more: &str| format!("pre-commit:\n  commands:\n    gate:\n      {RUN}\n{more}");
        check(
            Calls::Yes,
            lefthook_alone,
            &[
                &job(""),
                &job("      skip: false\n"),
                &job("      skip:\n"),
                &format!("pre-commit:\n  jobs:\n    - {RUN}\n"),
                &format!("pre-commit:\n  jobs:\n    - name: all\n      group:\n        jobs:\n          - {RUN}\n"),
                "pre-commit:\n  jobs:\n    - script: gate.sh\n      runner: sh\n",
                "pre-commit:\n  scripts:\n    gate.sh:\n      runner: sh\n",
                "pre-commit:\n  commands:\n    gate:\n      run: |\n        npm test\n        pnpm exec factgate check --staged\n",
                &format!("pre-push:\n  jobs:\n    - {RUN}\n{}", job("")),
            ],
        );
        check(Calls::InVain(NOT_AT_COMMIT), lefthook_alone, &[&job("").replace("pre-commit", "pre-push")]);
        check(
            Calls::InVain(SKIPPED),
            lefthook_alone,
            &[
                &job("      skip: true\n"),
                &job("  skip: true\n"),
                &job("      only: false\n"),
                &job("      tags: [slow]\n  exclude_tags: [slow]\n"),
                &job("  exclude_tags: [gate]\n"),
            ],
        );
        check(
            Calls::InPart(SOMETIMES),
            lefthook_alone,
            &[&job("      skip: merge\n"), &job("      only:\n        - ref: main\n"), &job("  skip:\n    - rebase\n")],
        );
        check(
            Calls::InPart(FILTERED),
            lefthook_alone,
            &[&job("      glob: '*.ts'\n"), &format!("pre-commit:\n  jobs:\n    - {RUN} {{staged_files}}\n")],
        );
        check(Calls::No, lefthook_alone, &["", "pre-commit:\n  jobs:\n    - run: npm test\n", "pre-commit: 3\n"]);
        check(Calls::InVain(UNREADABLE), lefthook_alone, &["pre-commit: ["]);
    }

    #[test]
    fn a_local_file_goes_before() {
        let mut shared =
            parse("pre-commit: {jobs: [{run: factgate check --staged}]}", Path::new("a.yml")).expect("a file");
        merge(&mut shared, parse("pre-commit: {skip: true}", Path::new("a.yml")).expect("a file"));
        assert_eq!(lefthook_alone(Some(&shared)), Calls::InVain(SKIPPED));
    }

    #[test]
    fn the_framework_refuses_at_the_stage_of_a_commit() {
        let hook = |more: &str| format!("repos:\n- repo: local\n  hooks:\n  - id: g\n    language: system\n{more}");
        const ENTRY: &str = "    entry: factgate check --staged\n";
        const ALWAYS: &str = "    always_run: true\n";
        check(
            Calls::Yes,
            pre_commit,
            &[
                &hook(&format!("{ENTRY}{ALWAYS}")),
                &hook(&format!("{ENTRY}{ALWAYS}    stages: [commit, push]\n")),
                &hook(&format!("    entry: factgate\n    args: [check, --staged]\n{ALWAYS}")),
                &hook(&format!("    entry: bash -c 'factgate check --staged'\n{ALWAYS}")),
                &format!("default_stages: [pre-push]\n{}", hook(&format!("{ENTRY}{ALWAYS}    stages: [pre-commit]\n"))),
                "repos:\n- repo: https://example.invalid/factgate\n  rev: v1\n  hooks:\n  - id: factgate\n",
                "repos:\n- repo: git@example.invalid:us/factgate.git\n  hooks:\n    - id: \"factgate\"\n",
            ],
        );
        check(
            Calls::InVain(NOT_AT_COMMIT),
            pre_commit,
            &[
                &hook(&format!("{ENTRY}{ALWAYS}    stages: [pre-push]\n")),
                &hook(&format!("{ENTRY}{ALWAYS}    stages: [manual]\n")),
                &format!("default_stages: [pre-push]\n{}", hook(&format!("{ENTRY}{ALWAYS}"))),
                "repos:\n- repo: https://example.invalid/factgate\n  hooks:\n  - id: factgate\n    stages: [pre-push]\n",
            ],
        );
        check(Calls::InPart(DELETIONS), pre_commit, &[&hook(ENTRY), &hook(&format!("{ENTRY}    files: '\\.ts$'\n"))]);
        check(Calls::No, pre_commit, &["repos: []", &hook("    entry: npm test\n"), &hook(""), "3"]);
    }
}
