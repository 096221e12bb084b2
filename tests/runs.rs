//! The four styles of harness under `fixtures/runs`, each carried out as a user would. Without Java and a jar they say so
//! and pass: continuous integration has both.

use crate::scratch::Scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A scratch repository with one of the fixtures, confirmed.
struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    fn new(fixture: &str) -> Repository {
        let repository = Repository { folder: tempfile::tempdir().unwrap() };
        copy(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/runs").join(fixture),
            repository.folder.path(),
        );
        repository.git(&["init", "-q", "."]);
        repository.commit();
        repository.check(&["sync"], 0, &[]);
        repository.commit();
        repository
    }

    fn git(&self, arguments: &[&str]) {
        let status = Command::new("git").args(arguments).current_dir(self.folder.path()).status().unwrap();
        assert!(status.success());
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["-c", "user.name=test", "-c", "user.email=test@example.invalid", "commit", "-qm", "test"]);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn record(&self, model: &str) -> String {
        std::fs::read_to_string(self.path(&format!("coverage/{model}.json"))).unwrap()
    }

    /// Runs factgate; its exit code and what stdout holds must be these.
    #[track_caller]
    fn check(&self, arguments: &[&str], exit: i32, words: &[&str]) -> String {
        self.check_with(&[], arguments, exit, words)
    }

    /// Runs factgate, which must refuse; what it says then.
    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        let command =
            Command::new(env!("CARGO_BIN_EXE_factgate")).args(arguments).current_dir(self.folder.path()).output();
        let Output { status, stderr, .. } = command.unwrap();
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        assert_eq!(status.code(), Some(2), "{arguments:?}\n{stderr}");
        stderr
    }

    /// The same with other variables.
    #[track_caller]
    fn check_with(&self, variables: &[(&str, &str)], arguments: &[&str], exit: i32, words: &[&str]) -> String {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_factgate"))
            .args(arguments)
            .envs(variables.iter().copied())
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert_eq!(status.code(), Some(exit), "{arguments:?}\n{stdout}{stderr}");
        for word in words {
            assert!(stdout.contains(word), "{arguments:?} does not say `{word}`\n{stdout}{stderr}");
        }
        stdout.into_owned()
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        // Under its own name a fixture's configuration would be a model of this repository.
        let name = entry.file_name();
        let target = if name == "model.toml" { to.join("factgate.toml") } else { to.join(name) };
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn engine_is_there() -> bool {
    let there = std::env::var_os("TLA2TOOLS_JAR").is_some_and(|jar| Path::new(&jar).is_file());
    if !there {
        eprintln!("not run against TLC: $TLA2TOOLS_JAR names no jar");
    }
    there
}

#[test]
fn guards_and_mutants() {
    if !engine_is_there() {
        return;
    }
    let repository = Repository::new("guards");
    repository.check(&["verify"], 0, &["current.mutant-ClosesOnlyClear", "violated NeverOnACar", "witness-full"]);
    // What is known is not computed again, and `sync` puts it into the record.
    repository.check(&["verify"], 0, &["(known)"]);
    repository.check(&["sync"], 0, &[]);
    repository.commit();
    let record = repository.record("parking");
    assert!(record.contains("violated NeverOverfull"), "{record}");
    repository.check(&["check"], 0, &["in sync"]);
    // A model that changed is unverified, without Java.
    let spec = repository.path("model/Parking.tla");
    let text = std::fs::read_to_string(&spec).unwrap();
    std::fs::write(&spec, text.replace("Places == 2", "Places == 1")).unwrap();
    repository.check(&["check"], 3, &["unverified", "witness-full"]);
    // A guard that the code lost breaks what it protected.
    std::fs::write(&spec, text).unwrap();
    let source = repository.path("src/gate.ts");
    let code = std::fs::read_to_string(&source).unwrap();
    std::fs::write(&source, code.replace("if (gate.blocked) return;", "")).unwrap();
    repository.check(&["verify"], 1, &["unexpected", "violated NeverOnACar", "Close "]);
}

#[test]
fn expected_actions_and_variants() {
    if !engine_is_there() {
        return;
    }
    let repository = Repository::new("variants");
    repository.check(&["verify"], 0, &["ChargedOnce__forgetful", "violated AlwaysPaid"]);
    let actions = repository.check(&["verify", "--actions", "ChargedOnce__forgetful"], 0, &[]);
    assert_eq!(actions, "Send\nLose\nSend\n");
    repository.check(&["verify", "--run", "no-such-run"], 2, &[]);
    repository.check(&["verify", "--list"], 0, &["known: violated AlwaysPaid"]);
    repository.check(&["verify", "--print-cfg", "ChargedOnce__stable"], 0, &["Retries <- factgate_const_Retries"]);
}

#[test]
fn planted_faults_and_recorded_runs() {
    if !engine_is_there() {
        return;
    }
    let repository = Repository::new("zig-log");
    repository.check(&["verify"], 0, &["planted-early-acknowledge", "violated OnlyTailTorn"]);
    repository.check(&["trace", "model/Journal.tla", "accepted.ndjson"], 0, &["ACCEPTED"]);
    repository.check(&["trace", "model/Journal.tla", "rejected.ndjson"], 1, &["REJECTED at step 2", "Sync"]);
    repository.check(&["trace", "model/Other.tla", "rejected.ndjson"], 2, &[]);
}

#[test]
fn traces_in_the_matrix() {
    if !engine_is_there() {
        return;
    }
    let repository = Repository::new("zig-log");
    let toml = std::fs::read_to_string(repository.path("factgate.toml")).unwrap();
    let with = |tables: &str| std::fs::write(repository.path("factgate.toml"), format!("{toml}\n{tables}")).unwrap();
    let good = "[trace.good]\nrun = \"current\"\nfiles = [\"acc*.ndjson\"]\n";
    let bad = "[trace.bad]\nrun = \"current\"\nfiles = [\"rejected.ndjson\"]\nexpect = \"rejected\"\n";
    // Configuration, exit, what is said.
    let refused: [(&str, &str); 6] = [
        ("[trace.a]\nrun = \"current\"\nfiles = [\"none*.ndjson\"]\n", "names no file"),
        ("[trace.a]\nrun = \"current\"\nfiles = []\n", "is empty"),
        ("[trace.a]\nrun = \"curent\"\nfiles = [\"accepted.ndjson\"]\n", "no run is named `curent`"),
        ("[trace.a]\nfiles = [\"accepted.ndjson\"]\n", "run"),
        ("[trace.a]\nrun = \"current\"\nexpect = \"pass\"\nfiles = [\"accepted.ndjson\"]\n", "accepted"),
        ("[run.\"trace.a\"]\nspec = \"model/Journal.tla\"\n", "is the name of a `[trace.NAME]`"),
    ];
    for (tables, words) in refused {
        with(tables);
        let said = repository.refused(&["verify"]);
        assert!(said.contains(words), "{tables}: {said}");
    }
    with("");
    repository.check(&["verify"], 0, &[]);
    repository.check(&["sync"], 0, &[]);
    with(&format!("{good}{bad}"));
    repository.check(&["verify"], 3, &["trace.good", "accepted", "trace.bad", "rejected", "took Acknowledge 1"]);
    repository.check(&["sync", "--because", "recorded runs"], 0, &["trace.good"]);
    repository.commit();
    repository.check(&["check"], 0, &["in sync"]);
    assert!(repository.record("journal").contains("\"rejected\": {\"rejected.ndjson\": 2}"));

    // A recorded run that is rejected earlier is rejected for another reason.
    let faulty = std::fs::read_to_string(repository.path("rejected.ndjson")).unwrap();
    let earlier = "rejected.ndjson is rejected at step 1, and was at step 2";
    std::fs::write(repository.path("rejected.ndjson"), faulty.replace("[\"whole\"]", "[\"torn\"]")).unwrap();
    let json = repository.check(&["verify", "--format", "json"], 3, &["\"rejected_at\"", earlier]);
    assert!(json.contains("\"rejected.ndjson\": 1"), "{json}");
    assert!(repository.refused(&["sync"]).contains(earlier));
    std::fs::write(repository.path("rejected.ndjson"), &faulty).unwrap();

    // What weakens them: tables, exit of `check`, exit of `sync` without a reason, what it says.
    let file = repository.path("accepted.ndjson");
    let lines = std::fs::read_to_string(&file).unwrap();
    let weaker: [(&str, &str); 3] = [
        (good, "run trace.bad is no longer there"),
        (&format!("{bad}{}", good.replace("acc*", "rejected")), "lines accepted.ndjson: "),
        (&format!("{bad}{good}expect = \"rejected\"\n"), "expect: accepted -> rejected"),
    ];
    for (tables, words) in weaker {
        with(tables);
        repository.check(&["check"], 3, &["trace."]);
        let said = repository.refused(&["sync"]);
        assert!(said.contains(words), "{tables}: {said}");
    }
    with(&format!("{good}{bad}"));
    std::fs::write(&file, lines.lines().next().unwrap()).unwrap();
    repository.check(&["check"], 3, &["lines accepted.ndjson"]);
    std::fs::write(&file, lines.replace("\"durable\": 1", "\"durable\": 0")).unwrap();
    repository.check(&["check"], 3, &["unverified", "trace.good"]);

    // An invariant of the run breaks along a trace that the specification allows.
    std::fs::write(&file, &lines).unwrap();
    let never = "[run.never]\nspec = \"model/Journal.tla\"\ninvariants = [\"NeverPut\"]\nexpect = \"violated\"\n";
    let spec = std::fs::read_to_string(repository.path("model/Journal.tla")).unwrap();
    let end = spec.rfind("====").unwrap();
    std::fs::write(
        repository.path("model/Journal.tla"),
        format!("{}NeverPut == log = <<>>\n{}", &spec[..end], &spec[end..]),
    )
    .unwrap();
    with(&format!("{never}{}", good.replace("current", "never")));
    repository.check(&["verify", "--run", "trace.*"], 1, &["violated NeverPut", "BROKEN at step 1"]);
    repository.check(
        &["trace", "model/Journal.tla", "accepted.ndjson", "--run", "never"],
        1,
        &["BROKEN at step 1   NeverPut"],
    );
    repository.check(&["trace", "model/Journal.tla", "accepted.ndjson"], 0, &["ACCEPTED"]);
}

#[test]
fn liveness_with_its_own_cfg_files() {
    if !engine_is_there() {
        return;
    }
    let repository = Repository::new("liveness");
    repository.check(&["verify"], 0, &["violated EveryCallIsServed", "violated StaysAtTheTop"]);
}

#[test]
fn undecided_runs_are_errors_in_every_report() {
    let repository = Repository::new("variants");
    let without = [("TLA2TOOLS_JAR", ""), ("JAVA", "/nowhere/java")];
    let junit = repository.check_with(&without, &["verify", "--format", "junit"], 2, &["errors=\"", "<error"]);
    for run in ["ChargedOnce__stable", "Paid__gives-up"] {
        assert!(junit.contains(&format!("name=\"{run}\">")), "{run} is no empty, that is passed, case: {junit}");
    }
    // What is wrong with one run stands at its table.
    let config = std::fs::read_to_string(repository.path("factgate.toml")).unwrap();
    let line = config.lines().position(|line| line == "[run.ChargedOnce__stable]").unwrap() + 1;
    let wrong = config.replacen("Retries = 1, Forgetful = false", "Retries = 1", 1);
    std::fs::write(repository.path("factgate.toml"), wrong).unwrap();
    let json = repository.check_with(&without, &["verify", "--format", "json"], 2, &["`Forgetful`"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let errors = json["errors"].as_array().unwrap();
    let of_run = errors.iter().find(|error| error["message"].as_str().unwrap().contains("`Forgetful`")).unwrap();
    assert_eq!(of_run["at"]["line"], line, "{of_run}");
    repository.check_with(&without, &["verify", "--list", "--format", "json"], 2, &["\"usage\""]);
    repository.check_with(&without, &["verify", "--list"], 0, &["to be run"]);
}

#[test]
fn what_failed_is_kept_for_each_model() {
    if !engine_is_there() {
        return;
    }
    let repository = Repository::new("variants");
    let config = std::fs::read_to_string(repository.path("factgate.toml")).unwrap();
    let wrong = config.replace("Retries = 1, Forgetful = true", "Retries = 0, Forgetful = true");
    std::fs::write(repository.path("factgate.toml"), &wrong).unwrap();
    std::fs::create_dir(repository.path("other")).unwrap();
    let other = wrong.replace("\"checkout\"", "\"other\"").replace("model/", "../model/");
    std::fs::write(repository.path("other/factgate.toml"), other).unwrap();
    repository.check(&["sync", "--because", "a bound of the test"], 0, &[]);
    let run = ["verify", "--run", "ChargedOnce__forgetful"];
    let text = repository.check(&run, 1, &["failed/checkout/ChargedOnce__forgetful", "failed/other/ChargedOnce"]);
    let folders =
        text.lines().filter_map(|line| line.trim().strip_prefix("its modules and configuration are kept in "));
    for folder in folders {
        assert!(Path::new(folder).join("Checkout.tla").is_file(), "{folder}");
    }
}

#[test]
fn parts_of_a_matrix_are_joined() {
    if !engine_is_there() {
        return;
    }
    let repository = Repository::new("variants");
    let folder = tempfile::tempdir().unwrap();
    let parts = ["1/2", "2/2"].map(|part| {
        let folder = folder.path().join(part.replace('/', "-of-")).to_str().unwrap().to_owned();
        repository.check(&["verify", "--fresh", "--shard", part, "--verdicts", &folder], 0, &["as expected"]);
        folder
    });
    repository.check(&["verify", "--merge", &parts[0], &parts[1]], 0, &["Paid__gives-up", "ChargedOnce__stable"]);
    // A part that is missing is no verdict.
    repository.check(&["verify", "--merge", &parts[0]], 2, &["undecided"]);
    // Two machines that disagree have no verdict.
    let forged = folder.path().join("forged");
    parts.iter().for_each(|part| copy(Path::new(part), &forged));
    for entry in std::fs::read_dir(&forged).unwrap() {
        let file = entry.unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("\"outcome\": \"pass\"", "\"outcome\": \"deadlock\"")).unwrap();
    }
    repository.check(&["verify", "--merge", &parts[0], &parts[1], forged.to_str().unwrap()], 2, &["undecided"]);
    // What was joined is known from then on, also where there is no engine: `sync` puts it into the record.
    let joining = Repository::new("variants");
    let without = |arguments: &[&str], exit, words: &[&str]| {
        joining.check_with(&[("TLA2TOOLS_JAR", ""), ("JAVA", "/nowhere/java")], arguments, exit, words)
    };
    without(&["sync"], 0, &[]);
    assert!(!joining.record("checkout").contains("\"outcome\""), "nothing is known yet");
    without(&["verify", "--merge", &parts[0]], 2, &["undecided"]);
    without(&["sync"], 0, &[]);
    assert!(!joining.record("checkout").contains("\"outcome\""), "half of it is known");
    without(&["verify", "--merge", &parts[0], &parts[1]], 0, &["as expected"]);
    without(&["verify", "--list"], 0, &["known: violated AlwaysPaid"]);
    without(&["sync"], 0, &[]);
    assert!(joining.record("checkout").contains("\"outcome\": \"violated AlwaysPaid\""));
    without(&["check"], 0, &["in sync"]);
    // With the engine they are the same verdicts.
    joining.check(&["verify"], 0, &["(known)"]);
    joining.check(&["check"], 0, &["in sync"]);
}

const CLAIM: &str = "---- MODULE Claim ----\nEXTENDS Naturals\nCONSTANT Guarded\nVARIABLES owner, done\n\
    TypeOK == owner \\in {\"m1\", \"m2\", \"none\"} /\\ done \\in 0..2\n\
    Init == owner = \"none\" /\\ done = 0\n\
    Claim(m) == (owner = \"none\" \\/ ~Guarded) /\\ owner' = m /\\ UNCHANGED done\n\
    Finish(m) == owner = m /\\ done < 2 /\\ done' = done + 1 /\\ owner' = \"none\"\n\
    Next == \\E m \\in {\"m1\", \"m2\"} : Claim(m) \\/ Finish(m)\n\
    Spec == Init /\\ [][Next]_<<owner, done>>\n\
    NeverFinished == done = 0\nNeverTwo == owner # \"m2\"\n\
    OneAtATime == [][owner # \"none\" => owner' \\in {owner, \"none\"}]_owner\n====\n";

const CLAIM_CODE: &str =
    "export function claim(step: Step, self: string) {\n  if (step.owner !== null) return;\n  step.owner = self;\n}\n";

const CLAIM_GUARD: &str =
    "[guard.Guarded]\nin = \"src/claim.ts#claim\"\neffect = \"$S.owner = self\"\nonly_if = \"$S.owner === null\"\n";

const CLAIM_RUNS: &str = "[model]\nname = \"claim\"\ncover = [\"src/claim.ts#claim\"]\nfiles = [\"model/*.tla\"]\n\
    [engine]\nkind = \"tlc\"\n\
    [defaults]\nspec = \"model/Claim.tla\"\ncheck_deadlock = false\ntype_invariants = [\"TypeOK\"]\n\
    [run.current]\nproperties = [\"OneAtATime\"]\nmutants = \"auto\"\nmutant_outcomes = { Guarded = \"violated OneAtATime\" }\n\
    [run.witness-finished]\ninvariants = [\"NeverFinished\"]\nexpect = \"violated\"\n\
    [run.witness-two]\ninvariants = [\"NeverTwo\"]\nproperties = [\"OneAtATime\"]\nexpect = \"violated NeverTwo\"\n";

/// A model whose runs are verified and confirmed.
fn claimed() -> Scratch {
    let scratch = Scratch::new(&[
        ("factgate.toml", CLAIM_RUNS),
        ("model/Claim.tla", CLAIM),
        ("src/claim.ts", CLAIM_CODE),
        ("patterns/claim.toml", CLAIM_GUARD),
    ]);
    scratch.commit("base");
    let said = scratch.run(&["verify"]);
    assert!(said.stdout.contains("4 runs, "), "{said:?}");
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    scratch.commit("confirmed");
    assert_eq!(scratch.run(&["check"]).exit, 0);
    scratch
}

#[test]
fn one_cause_is_told_once() {
    if !engine_is_there() {
        return;
    }
    let scratch = claimed();
    scratch.edit("src/claim.ts", "  if (step.owner !== null) return;\n", "");
    let said = scratch.run(&["verify"]);
    assert_eq!(said.exit, 1, "{said:?}");
    // The base run first, once with its steps; what the guards keep is not said.
    assert_eq!(said.stdout.matches("start  ").count(), 1, "{}", said.stdout);
    assert!(!said.stdout.contains("what the guards"), "{}", said.stdout);
    let github = scratch.run(&["verify", "--format", "github"]).stdout;
    let first = github.lines().next().unwrap();
    assert!(first.starts_with("::error file=src/claim.ts") && first.contains("1  Claim%0A"), "{github}");
    // A specification that does not parse is one error.
    scratch.edit("model/Claim.tla", "NeverTwo ==", "NeverTwo == (");
    let said = scratch.run(&["verify"]);
    assert_eq!(said.exit, 2);
    assert_eq!(said.stderr.matches("error[engine]").count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains("3 runs (current, witness-finished, witness-two)"), "{}", said.stderr);
}

#[test]
fn defaults_types_globs_and_comments() {
    if !engine_is_there() {
        return;
    }
    let scratch = claimed();
    let run = |arguments: &[&str]| scratch.run(&[&["verify", "--run"], arguments].concat());
    let json: serde_json::Value =
        serde_json::from_str(&run(&["witness-*", "--fresh", "--format", "json"]).stdout).unwrap();
    let model = &json["models"][0];
    assert_eq!(model["total"]["runs"], 2);
    assert!(model["runs"][0]["seconds"].as_f64().unwrap() > 0.0);
    assert!(run(&["witness-*", "--fresh", "--format", "junit"]).stdout.contains("name=\"witness-two\" time=\""));
    assert_eq!(run(&["wit-*"]).exit, 2);
    // A comment changes neither verdict nor record; a definition does.
    scratch.edit("model/Claim.tla", "Init ==", "\\* where it starts\nInit ==");
    assert_eq!(scratch.run(&["check"]).exit, 0);
    assert!(run(&["current"]).stdout.contains("(known)"));
    scratch.edit("model/Claim.tla", "done \\in 0..2", "done \\in 0..0");
    // A type invariant that breaks says nothing about a run, whatever was expected of it.
    let said = run(&["witness-finished", "--run", "current.*"]);
    assert_eq!(said.exit, 2, "{said:?}");
    assert!(said.stderr.contains("`TypeOK` breaks: the model is wrong"), "{said:?}");
    // An empty list takes away what is given to all.
    scratch.edit("factgate.toml", "[run.witness-two]", "[run.witness-two]\ntype_invariants = []");
    let said = scratch.run(&["verify", "--print-cfg", "witness-two"]);
    assert!(!said.stdout.contains("    TypeOK") && said.stdout.contains("    NeverTwo"), "{said:?}");
    scratch.edit("factgate.toml", "[run.witness-two]", "[run.witness-two]\nmodel_values = []");
    assert!(scratch.run(&["check"]).stderr.contains("`model_values` is empty"));
}
