//! Errors and warnings.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "usage",
        means: "The arguments cannot be meant.",
        causes: "A misspelt option, model, fact or item.",
        example: "factgate facts OnlyRom",
        then: "The message has the nearest name; `factgate COMMAND --help` the options.",
    },
    Entry {
        code: "config",
        means: "`factgate.toml` or a pattern file is not right.",
        causes: "A misspelt key, a doubled name, an empty list.",
        example: r#"[guard.OnlyRoom]
onlyif = "hasRoom($Q)""#,
        then: "Mend the line that is underlined. `factgate schema` prints what a file can hold.",
    },
    Entry {
        code: "pattern",
        means: "A pattern is no code, or something of the form `$NAME` is no metavariable.",
        causes: "`$name` in lower case, half a statement.",
        example: r#"effect = "$queue.push(""#,
        then: r#"Write `$NAME` in capitals, or `\$name` for an identifier; see docs/patterns.md."#,
    },
    Entry {
        code: "selector",
        means: "A selector selects nothing.",
        causes: "A misspelt name or path; a definition that is gone.",
        example: r#"cover = ["src/queue.ts#psuh"]"#,
        then: "`factgate items PATH` lists the names of a file.",
    },
    Entry {
        code: "ambiguous",
        means: "A selector fits several things.",
        causes: "A getter and a setter, a static member and one of the instance, a doubled name.",
        example: r#"cover = ["src/queue.ts#Queue.phase"]"#,
        then: "Take one of the names that the message lists: `Queue.get phase`.",
    },
    Entry {
        code: "parse-error",
        means: "Code could not be read.",
        causes: "A file in the middle of an edit, or syntax that the grammar lacks.",
        example: "export function push( {",
        then: "Mend the place. What does not parse is neither STALE nor fresh.",
    },
    Entry {
        code: "record",
        means: "A record is missing, is none, or asks for a reason.",
        causes: "The first `sync` was never made; git ignores the record; the gate becomes weaker.",
        example: "error[record]: queue: there is no record at coverage/queue.json",
        then: "`factgate sync`, with `--because` where it asks; then commit the record.",
    },
    Entry {
        code: "merge-conflict",
        means: "Conflict markers, or paths that git calls unmerged.",
        causes: "A merge in progress.",
        example: "<<<<<<< HEAD",
        then: "Resolve the conflict. For a record: take either side, then `factgate sync`.",
    },
    Entry {
        code: "git",
        means: "The repository could not be asked.",
        causes: "No repository, an unknown revision, a shallow clone.",
        example: "factgate check --rev nowhere",
        then: "Read the message; `git fetch --unshallow` where history is missing.",
    },
    Entry {
        code: "io",
        means: "A file cannot be read or written.",
        causes: "It is missing, or permissions forbid it.",
        example: "factgate items src/nothing.ts",
        then: "Look at the path and its permissions.",
    },
    Entry {
        code: "engine",
        means: "Java or the model checker gave no verdict.",
        causes: "No Java, no jar, another digest than `sha256`, an error in the specification.",
        example: "error[engine]: run `current`: …",
        then: "Read the checker's own words; see docs/runs.md.",
    },
    Entry {
        code: "timeout",
        means: "A run did not end within its time limit.",
        causes: "The state space is too large.",
        example: r#"timeout = "10m""#,
        then: "Make the constants smaller, or raise `timeout`. No verdict is not a violation.",
    },
    Entry {
        code: "limit",
        means: "Something is larger or deeper than is read.",
        causes: "A generated file.",
        example: "limits",
        then: "Cover a smaller item, or raise the limit under `[model]`.",
    },
];
