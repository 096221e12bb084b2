//! What makes a record weaker is never confirmed in silence: each way of asking less of a model needs a reason, or is drift
//! that only the model checker settles.

use crate::scratch::Scratch;
use std::path::Path;

const SPEC: &str = "---- MODULE Lease ----\nEXTENDS Naturals\nCONSTANTS Guarded, Holders\nVARIABLES owner, granted\n\
    MaxGrants == 3\nInit == owner = \"none\" /\\ granted = 0\n\
    Grant(h) ==\n  /\\ Guarded => owner = \"none\"\n  /\\ granted < MaxGrants\n  /\\ owner' = h\n  /\\ granted' = granted + 1\n\
    Free == owner # \"none\" /\\ owner' = \"none\" /\\ UNCHANGED granted\n\
    Next == (\\E h \\in Holders : Grant(h)) \\/ Free\n\
    Spec == Init /\\ [][Next]_<<owner, granted>> /\\ WF_<<owner, granted>>(Free)\n\
    TypeOK == owner \\in Holders \\cup {\"none\"} /\\ granted \\in 0..MaxGrants\n\
    NotTaken == [][owner # \"none\" => owner' \\in {owner, \"none\"}]_owner\n\
    Freed == (owner # \"none\") ~> (owner = \"none\")\n\
    Few == granted <= 3\n\
    NeverFull == granted < 3\n====\n";

const CONFIG: &str = "[model]\nname = \"lease\"\ncover = [\"src/lease.ts#grant\"]\nfiles = [\"model/*.tla\", \"model/*.cfg\"]\n\
    [engine]\nkind = \"tlc\"\n\
    [defaults]\nspec = \"model/Lease.tla\"\ncfg = \"model/base.cfg\"\ncheck_deadlock = false\ntype_invariants = [\"TypeOK\"]\n\
    [run.current]\ninvariants = [\"Few\"]\nproperties = [\"NotTaken\", \"Freed\"]\nmutants = \"auto\"\n\
    mutant_outcomes = { Guarded = \"violated NotTaken\" }\n\
    [run.witness-full]\ninvariants = [\"NeverFull\"]\nexpect = \"violated NeverFull\"\n";

const CODE: &str = "export function grant(lease: Lease, self: string) {\n  if (lease.owner !== null) return;\n  lease.owner = self;\n}\n";

const GUARD: &str =
    "[guard.Guarded]\nin = \"src/lease.ts#grant\"\neffect = \"$L.owner = self\"\nonly_if = \"$L.owner === null\"\n";

/// Whether there is a model checker; without one these tests say so and pass.
pub(crate) fn engine_is_there() -> bool {
    let is_there = std::env::var_os("TLA2TOOLS_JAR").is_some_and(|jar| Path::new(&jar).is_file());
    if !is_there {
        eprintln!("no TLA2TOOLS_JAR: nothing is checked here");
    }
    is_there
}

/// A model whose runs are verified and confirmed, where the engine is there.
fn leased() -> Option<Scratch> {
    if !engine_is_there() {
        return None;
    }
    let scratch = Scratch::new(&[
        ("factgate.toml", CONFIG),
        ("model/Lease.tla", SPEC),
        ("model/base.cfg", "CONSTANT Holders = {\"a\", \"b\", \"c\"}\n"),
        ("src/lease.ts", CODE),
        ("patterns/lease.toml", GUARD),
    ]);
    scratch.commit("base");
    let said = scratch.run(&["verify"]);
    assert_eq!(scratch.run(&["sync"]).exit, 0, "{said:?}");
    scratch.commit("confirmed");
    assert_eq!(scratch.run(&["check"]).exit, 0);
    Some(scratch)
}

/// Edits a file, verifies, and confirms: `wanted` are words of the refusal, none when it goes through. The files are as before
/// afterwards.
#[track_caller]
fn check(scratch: &Scratch, path: &str, from: &str, to: &str, wanted: &[&str]) {
    scratch.edit(path, from, to);
    assert_ne!(scratch.run(&["check"]).exit, 0, "{from} -> {to} is in sync");
    scratch.run(&["verify"]);
    let said = scratch.run(&["sync"]);
    assert_eq!(said.exit, if wanted.is_empty() { 0 } else { 2 }, "{from} -> {to}: {said:?}");
    for word in wanted {
        assert!(said.stderr.contains(word), "{from} -> {to} does not say `{word}`: {said:?}");
    }
    if !wanted.is_empty() {
        assert_eq!(scratch.run(&["sync", "--because", "it is right"]).exit, 0, "{from} -> {to}");
        assert!(scratch.read("coverage/lease.json").contains("it is right"), "{from} -> {to}");
    }
    scratch.git(&["checkout", "-q", "HEAD", "--", "."]);
}

#[test]
fn a_specification_that_says_less_asks_for_a_reason() {
    let Some(scratch) = leased() else { return };
    let spec = "model/Lease.tla";
    let smaller = ["gate bound MaxGrants in model/Lease.tla: no longer 3; newly 2"];
    check(&scratch, spec, "MaxGrants == 3", "MaxGrants == 2", &smaller);
    // However it comes about: the run looks at less.
    let one = "\\E h \\in Holders \\ {\"c\"}";
    check(&scratch, spec, "\\E h \\in Holders", one, &["run current: it explores fewer states: 13 -> 10"]);
    check(&scratch, spec, "MaxGrants == 3", "MaxGrants == 4", &[]);
    check(&scratch, spec, "Few == granted <= 3", "Few == granted <= 300", &["checked Few in model/Lease.tla"]);
    check(&scratch, spec, "Few == granted <= 3", "Few == TRUE", &["constant: nothing -> Few"]);
    check(&scratch, spec, "Few == granted <= 3", "Few == granted <= 3 /\\ granted >= 0", &[]);
    check(&scratch, spec, "granted \\in 0..MaxGrants", "granted \\in 0..9", &[]);
    check(&scratch, spec, "/\\ WF_<<owner, granted>>(Free)", "/\\ SF_<<owner, granted>>(Free)", &["behaviour Spec"]);
    // A guard that the model does not read any more guards nothing.
    check(
        &scratch,
        spec,
        "/\\ Guarded => owner = \"none\"",
        "/\\ owner = \"none\"",
        &["facts of model/Lease.tla: no longer Guarded"],
    );
}
