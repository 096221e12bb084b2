//! Every way of asking less that a configuration, a cfg file, a pattern or a recorded run offers: `check` never calls it in
//! sync, and `sync` needs a reason for it.

use crate::scratch::Scratch;
use crate::weaker::engine_is_there;

/// A model that uses every key that says what is asked.
const FILES: [(&str, &str); 11] = [
    (
        "factgate.toml",
        "[model]\nroot = \".\"\nname = \"lease\"\ncover = [\"src/lease.ts#grant\"]\nfiles = [\"model/*.tla\", \"model/*.cfg\"]\nignore = [\"log($$$)\"]\ndrift = [\"structure\", \"detail\", \"names\", \"literals\"]\n\n[assertions]\ncalls = [\"invariant($C, $$$)\"]\nnever_returns = [\"fail($$$)\"]\n\n[[calls]]\nof = \"src/lease.ts#grant\"\nin = [\"src/**/*.ts\", \"lib/**/*.ts\"]\n\n[[calls]]\nname = \"rm\"\nmatch = [\"rm($$$)\", \"unlink($$$)\"]\nin = [\"src/**/*.ts\"]\n\n[action.Grant]\ncode = [\"src/lease.ts#grant\"]\n\n[engine]\nkind = \"tlc\"\nsha256 = \"58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a\"\n[defaults]\nspec = \"model/Lease.tla\"\ncfg = \"model/base.cfg\"\ncheck_deadlock = false\ntype_invariants = [\"TypeOK\"]\n[run.current]\ninvariants = [\"Few\"]\nproperties = [\"NotTaken\", \"Freed\"]\nmutants = \"auto\"\nmutant_outcomes = { Guarded = \"violated NotTaken\" }\n[run.cfged]\ncfg = \"model/checked.cfg\"\nstates = 13\n\n[run.planted]\nedit = [{ file = \"model/Lease.tla\", find = \"Guarded => owner\", replace = \"FALSE => owner\" }]\nproperties = [\"NotTaken\"]\nexpect = \"violated NotTaken\"\n\n[run.steps]\ninvariants = [\"NeverFull\"]\nexpect = \"violated NeverFull\"\nactions = [\"Grant\", \"Free\", \"Grant\", \"Free\", \"Grant\"]\n\n[run.dead]\ncheck_deadlock = true\ninvariants = [\"Few\"]\nexpect = \"deadlock\"\n\n[run.small]\nset = { Holders = [\"a\", \"b\"] }\ninvariants = [\"Few\"]\n\n[trace.good]\nrun = \"current\"\nfiles = [\"traces/good*.ndjson\"]\n\n[trace.bad]\nrun = \"current\"\nfiles = [\"traces/bad.ndjson\"]\nexpect = \"rejected\"\n\n[run.witness-full]\ninvariants = [\"NeverFull\"]\nexpect = \"violated NeverFull\"\n",
    ),
    (
        "model/Lease.tla",
        "---- MODULE Lease ----\nEXTENDS Naturals\nCONSTANTS Guarded, Holders\nVARIABLES owner, granted\nMaxGrants == 3\nInit == owner = \"none\" /\\ granted = 0\nGrant(h) ==\n  /\\ Guarded => owner = \"none\"\n  /\\ granted < MaxGrants\n  /\\ owner' = h\n  /\\ granted' = granted + 1\nFree == owner # \"none\" /\\ owner' = \"none\" /\\ UNCHANGED granted\nNext == (\\E h \\in Holders : Grant(h)) \\/ Free\nSpec == Init /\\ [][Next]_<<owner, granted>> /\\ WF_<<owner, granted>>(Free)\nTypeOK == owner \\in Holders \\cup {\"none\"} /\\ granted \\in 0..MaxGrants\nNotTaken == [][owner # \"none\" => owner' \\in {owner, \"none\"}]_owner\nFreed == (owner # \"none\") ~> (owner = \"none\")\nFew == granted <= 3\nCfgInv == granted <= 3\nNeverFull == granted < 3\nSmall == granted < 2\nSeen == owner\nSym == {}\n====\n",
    ),
    ("model/base.cfg", "CONSTANT Holders = {\"a\", \"b\", \"c\"}\n"),
    ("model/checked.cfg", "CONSTANT Holders = {\"a\", \"b\", \"c\"}\nINVARIANT CfgInv\nCHECK_DEADLOCK FALSE\n"),
    (
        "src/lease.ts",
        "export function grant(lease: Lease, self: string) {\n  if (lease.owner !== null) return;\n  lease.owner = self;\n}\n\nexport function other(lease: Lease) { invariant(lease.ok); lease.go(); }\nexport function third(lease: Lease) { if (!lease.ok) fail(\"x\"); lease.go(); }\n",
    ),
    ("src/kinds.ts", "export const KINDS = { a: { live: true }, b: { live: false }, c: { live: true } };\n"),
    ("lib/use.ts", "import { grant } from '../src/lease';\nexport function use(l: Lease) { grant(l, 'me'); }\n"),
    (
        "patterns/lease.toml",
        "[guard.Guarded]\nin = \"src/lease.ts#grant\"\neffect = \"$L.owner = self\"\nonly_if = \"$L.owner === null\"\n\n[guard.Asserted]\nin = \"src/lease.ts#other\"\neffect = \"$L.go()\"\nonly_if = \"$L.ok\"\n\n[guard.Third]\nin = \"src/lease.ts#third\"\neffect = \"$L.go()\"\nonly_if = \"$L.ok\"\n\n[set.Kinds]\nfrom = \"src/kinds.ts#KINDS\"\nwhere = \"live: true\"\n",
    ),
    (
        "traces/good1.ndjson",
        "{\"state\": {\"owner\": \"none\", \"granted\": 0}}\n{\"action\": \"Grant\", \"state\": {\"owner\": \"a\", \"granted\": 1}}\n{\"action\": \"Free\", \"state\": {\"owner\": \"none\"}}\n",
    ),
    (
        "traces/good2.ndjson",
        "{\"state\": {\"owner\": \"none\", \"granted\": 0}}\n{\"action\": \"Grant\", \"state\": {\"owner\": \"b\", \"granted\": 1}}\n",
    ),
    (
        "traces/bad.ndjson",
        "{\"state\": {\"owner\": \"none\", \"granted\": 0}}\n{\"action\": \"Grant\", \"state\": {\"owner\": \"a\", \"granted\": 1}}\n{\"action\": \"Grant\", \"state\": {\"owner\": \"b\", \"granted\": 2}}\n",
    ),
];

/// Text that is replaced in a file: the file, what stands there, what takes its place.
type Edit = (&'static str, &'static str, &'static str);

/// Edits, and what `sync` says of them.
const CASES: [(&[Edit], &str); 56] = [
    (
        &[(
            "factgate.toml",
            "[run.witness-full]\ninvariants = [\"NeverFull\"]\nexpect = \"violated NeverFull\"\n",
            "[run.witness-full]\ninvariants = [\"Few\"]\n",
        )],
        "expect: violated NeverFull -> pass",
    ),
    (
        &[(
            "factgate.toml",
            "[run.witness-full]\ninvariants = [\"NeverFull\"]\nexpect = \"violated NeverFull\"",
            "[run.witness-full]\ninvariants = [\"NeverFull\"]\nexpect = \"violated\"",
        )],
        "expect: violated NeverFull -> violated",
    ),
    (&[("factgate.toml", "[run.witness-full]", "[run.witness-fuller]")], "run witness-full is no longer there"),
    (&[("factgate.toml", "\"FALSE => owner\"", "\"~Guarded => owner\"")], "edit model/Lease.tla"),
    (&[("factgate.toml", "type_invariants = [\"TypeOK\"]\n", "")], "types: TypeOK -> nothing"),
    (
        &[(
            "factgate.toml",
            "check_deadlock = true\ninvariants = [\"Few\"]\nexpect = \"deadlock\"",
            "invariants = [\"Few\"]",
        )],
        "deadlock: checked -> ignored",
    ),
    (
        &[("factgate.toml", "files = [\"model/*.tla\", \"model/*.cfg\"]", "files = [\"model/*.tla\"]")],
        "gate files: no longer model/*.cfg",
    ),
    (&[("factgate.toml", "files = [\"model/*.tla\", \"model/*.cfg\"]\n", "")], "gate files: no longer"),
    (
        &[("factgate.toml", "cfg = \"model/checked.cfg\"", "cfg = \"model/base.cfg\"\ninvariants = [\"Few\"]")],
        "checks: CfgInv, TypeOK -> Few, TypeOK",
    ),
    (
        &[
            ("model/checked.cfg", "INVARIANT CfgInv", "\\* INVARIANT CfgInv"),
            ("factgate.toml", "states = 13\n", "states = 13\ninvariants = [\"Few\"]\n"),
        ],
        "checks: CfgInv, TypeOK -> Few, TypeOK",
    ),
    (&[("model/checked.cfg", "CHECK_DEADLOCK", "SYMMETRY Sym\nCHECK_DEADLOCK")], "bound SYMMETRY Sym: nothing"),
    (
        &[
            ("model/checked.cfg", "CHECK_DEADLOCK", "CONSTRAINT Small\nCHECK_DEADLOCK"),
            ("factgate.toml", "states = 13\n", "states = { min = 1 }\n"),
        ],
        "bound CONSTRAINT Small: nothing",
    ),
    (
        &[("model/checked.cfg", "CHECK_DEADLOCK", "VIEW Seen\nCHECK_DEADLOCK"), ("factgate.toml", "states = 13\n", "")],
        "bound VIEW Seen: nothing",
    ),
    (&[("model/checked.cfg", "CHECK_DEADLOCK", "ALIAS Seen\nCHECK_DEADLOCK")], "bound ALIAS Seen: nothing"),
    (
        &[
            ("model/checked.cfg", "CHECK_DEADLOCK", "ACTION_CONSTRAINT Small\nCHECK_DEADLOCK"),
            ("factgate.toml", "states = 13\n", ""),
        ],
        "bound ACTION_CONSTRAINT Small: nothing",
    ),
    (&[("factgate.toml", "states = 13\n", "")], "states: 13 -> nothing"),
    (&[("factgate.toml", "states = 13\n", "states = { min = 2, max = 99 }\n")], "states: 13 -> 2 to 99"),
    (&[("model/base.cfg", ", \"c\"", "")], "set Holders:"),
    (
        &[("factgate.toml", "set = { Holders = [\"a\", \"b\"] }", "set = { Holders = [\"a\"] }")],
        "set Holders: {\"a\", \"b\"} -> {\"a\"}",
    ),
    (
        &[(
            "factgate.toml",
            "[run.small]\nset = { Holders = [\"a\", \"b\"] }",
            "[run.small]\nset = { Holders = [\"a\", \"b\"], Guarded = true }",
        )],
        "set Guarded: nothing -> TRUE",
    ),
    (
        &[("factgate.toml", "actions = [\"Grant\", \"Free\", \"Grant\", \"Free\", \"Grant\"]\n", "")],
        "actions: [Grant, Free, Grant, Free, Grant] -> nothing",
    ),
    (&[("factgate.toml", "\"Free\", \"Grant\"]\n", "\"Free\", \"Grant(a)\"]\n")], "actions: ["),
    (
        &[("factgate.toml", "mutants = \"auto\"\nmutant_outcomes = { Guarded = \"violated NotTaken\" }\n", "")],
        "mutants: auto -> nothing",
    ),
    (
        &[("factgate.toml", "properties = [\"NotTaken\", \"Freed\"]", "properties = [\"NotTaken\"]")],
        "checks: Few, Freed, NotTaken, TypeOK -> Few, NotTaken, TypeOK",
    ),
    (
        &[("factgate.toml", "[run.small]", "[run.small]\ninit = \"Init\"\nnext = \"Free\"")],
        "behaviour: Spec -> Init, Free",
    ),
    (
        &[("traces/good1.ndjson", "{\"action\": \"Free\", \"state\": {\"owner\": \"none\"}}\n", "")],
        "lines traces/good1.ndjson: 3 -> 2",
    ),
    (&[("traces/good1.ndjson", "\"action\": \"Free\", ", "")], "named traces/good1.ndjson: action 2"),
    (
        &[(
            "traces/good1.ndjson",
            "{\"action\": \"Free\", \"state\": {\"owner\": \"none\"}}",
            "{\"state\": {\"owner\": \"none\", \"granted\": 1}}",
        )],
        "granted 3, owner 3",
    ),
    (&[("factgate.toml", "good*.ndjson", "good1.ndjson")], "lines traces/good2.ndjson: 2 -> nothing"),
    (
        &[(
            "factgate.toml",
            "files = [\"traces/bad.ndjson\"]\nexpect = \"rejected\"",
            "files = [\"traces/good1.ndjson\"]",
        )],
        "expect: rejected -> accepted",
    ),
    (&[("factgate.toml", "[trace.good]\nrun = \"current\"", "[trace.good]\nrun = \"small\"")], "run: current -> small"),
    (
        &[(
            "factgate.toml",
            "files = [\"traces/good*.ndjson\"]",
            "files = [\"traces/good*.ndjson\"]\nsilent = [\"Free\"]",
        )],
        "silent: nothing -> Free",
    ),
    (&[("factgate.toml", "[action.Grant]\ncode = [\"src/lease.ts#grant\"]\n", "")], "gate action Grant: no longer"),
    (
        &[(
            "factgate.toml",
            "[action.Grant]\ncode = [\"src/lease.ts#grant\"]\n",
            "[action.Grant]\ncode = [\"src/lease.ts#other\"]\n",
        )],
        "gate action Grant: no longer",
    ),
    (
        &[("factgate.toml", "sha256 = \"58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a\"\n", "")],
        "gate engine: no longer",
    ),
    (
        &[("factgate.toml", "ignore = [\"log($$$)\"]", "ignore = [\"log($$$)\", \"$_.push($$$)\"]")],
        "gate ignore: newly $_.push($$$)",
    ),
    (
        &[("factgate.toml", "drift = [\"structure\", \"detail\", \"names\", \"literals\"]", "drift = [\"structure\"]")],
        "gate drift: no longer detail",
    ),
    (
        &[("factgate.toml", "calls = [\"invariant($C, $$$)\"]", "calls = [\"invariant($C, $$$)\", \"go($C)\"]")],
        "definition changed",
    ),
    (
        &[("factgate.toml", "never_returns = [\"fail($$$)\"]", "never_returns = [\"fail($$$)\", \"go($$$)\"]")],
        "definition changed",
    ),
    (
        &[("factgate.toml", "in = [\"src/**/*.ts\", \"lib/**/*.ts\"]", "in = [\"src/**/*.ts\"]")],
        "calls grant in: no longer lib",
    ),
    (
        &[("factgate.toml", "match = [\"rm($$$)\", \"unlink($$$)\"]", "match = [\"rm($$$)\"]")],
        "calls rm match: no longer unlink",
    ),
    (
        &[(
            "factgate.toml",
            "match = [\"rm($$$)\", \"unlink($$$)\"]",
            "match = [\"rm($X, $$$)\", \"unlink($$$)\"]\nmatching = { X = \"^a$\" }",
        )],
        "calls rm",
    ),
    (
        &[("factgate.toml", "of = \"src/lease.ts#grant\"", "of = \"src/lease.ts#other\"")],
        "calls grant is no longer there",
    ),
    (
        &[(
            "factgate.toml",
            "[[calls]]\nname = \"rm\"\nmatch = [\"rm($$$)\", \"unlink($$$)\"]\nin = [\"src/**/*.ts\"]\n",
            "",
        )],
        "calls rm is no longer there",
    ),
    (&[("factgate.toml", "name = \"rm\"", "name = \"rms\"")], "calls rm is no longer there"),
    (
        &[("patterns/lease.toml", "effect = \"$L.owner = self\"", "effect = \"$L.owner = $X\"")],
        "fact Guarded: its definition changed",
    ),
    (
        &[("patterns/lease.toml", "only_if = \"$L.owner === null\"", "only_if = [\"$L.owner === null\", \"$L.x\"]")],
        "fact Guarded: its definition changed",
    ),
    (
        &[("patterns/lease.toml", "in = \"src/lease.ts#third\"", "in = \"src/lease.ts#other\"")],
        "fact Third: its definition changed",
    ),
    (
        &[("patterns/lease.toml", "effect = \"$L.owner = self\"", "through = true\neffect = \"$L.owner = self\"")],
        "fact Guarded: its definition changed",
    ),
    (&[("patterns/lease.toml", "where = \"live: true\"\n", "")], "fact Kinds: its definition changed"),
    (
        &[("patterns/lease.toml", "where = \"live: true\"", "where = \"live: false\"")],
        "fact Kinds: its definition changed",
    ),
    (
        &[("factgate.toml", "cover = [\"src/lease.ts#grant\"]", "cover = [\"src/lease.ts#other\"]")],
        "item src/lease.ts#grant is no longer there",
    ),
    (
        &[("factgate.toml", "cover = [\"src/lease.ts#grant\"]", "cover = []")],
        "item src/lease.ts#grant is no longer there",
    ),
    (&[("factgate.toml", "name = \"lease\"", "name = \"lea\"")], "would forget it"),
    (&[("factgate.toml", "[model]\n", "[model]\nrecord = \"cov.json\"\n")], "would forget it"),
    (
        &[("model/Lease.tla", "owner' \\in {owner, \"none\"}]_owner", "owner' \\in {owner, \"none\", \"b\"}]_owner")],
        "checked NotTaken",
    ),
];

#[test]
fn every_way_of_asking_less_needs_a_reason() {
    if !engine_is_there() {
        return;
    }
    let scratch = Scratch::new(&FILES);
    scratch.commit("base");
    let said = scratch.run(&["verify"]);
    assert_eq!(scratch.run(&["sync"]).exit, 0, "{said:?}");
    scratch.commit("confirmed");
    assert_eq!(scratch.run(&["check"]).exit, 0, "{said:?}");
    let mut quiet = Vec::new();
    for (edits, words) in CASES {
        for (path, from, to) in edits {
            assert_eq!(scratch.read(path).matches(from).count(), 1, "{path}: {from}");
            scratch.edit(path, from, to);
        }
        // A longer `ignore` waits for the next `sync`: until then the record is compared by the old one, which is said.
        let said = scratch.run(&["check"]);
        assert!(said.exit != 0 || said.stderr.contains("until the next `factgate sync`"), "{edits:?}: {said:?}");
        let said = scratch.run(&["sync"]);
        if said.exit != 2 || !said.stderr.contains(words) {
            quiet.push(format!("{edits:?} does not say `{words}`: {said:?}"));
        }
        scratch.git(&["checkout", "-q", "HEAD", "--", "."]);
        scratch.git(&["clean", "-fdq"]);
    }
    assert!(quiet.is_empty(), "{}", quiet.join("\n"));
}

#[test]
fn a_record_that_was_edited_by_hand_is_held_against_the_newest_commit() {
    if !engine_is_there() {
        return;
    }
    let scratch = Scratch::confirmed(&FILES);
    let record = scratch.read("coverage/lease.json");
    let of = record.find(", \"of\": \"").unwrap();
    let end = of + record[of..].find("\", \"value\"").unwrap() + 1;
    // What each removes from the record, and from the configuration.
    let aspect = "    \"drift\": [\"detail\", \"literals\", \"names\", \"structure\"],\n";
    let cases: [(&str, Edit, &str); 2] = [
        (aspect, ("factgate.toml", "\"structure\", \"detail\", ", "\"structure\", "), "gate drift: no longer detail"),
        (
            &record[of..end],
            ("patterns/lease.toml", "only_if = \"$L.ok\"", "only_if = [\"$L.ok\", \"$L.x\"]"),
            "definition changed",
        ),
    ];
    for (removed, (path, from, to), words) in cases {
        scratch.edit("coverage/lease.json", removed, "");
        scratch.edit(path, from, to);
        let said = scratch.run(&["sync"]);
        assert!(said.exit == 2 && said.stderr.contains(words), "{removed} does not say `{words}`: {said:?}");
        scratch.git(&["checkout", "-q", "HEAD", "--", "."]);
    }
    // A record that takes another one's place, with a reason or under its history.
    scratch.edit("factgate.toml", "name = \"lease\"", "name = \"leases\"");
    assert_eq!(scratch.run(&["sync", "--because", "renamed"]).exit, 0);
    assert!(scratch.read("coverage/leases.json").contains("\"record coverage/lease.json\": \"renamed\""));
    std::fs::remove_file(scratch.path("coverage/leases.json")).unwrap();
    scratch.git(&["mv", "coverage/lease.json", "coverage/leases.json"]);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
}
