//! Random ignore files over random trees: what is listed is what `git ls-files --others --exclude-standard` lists.
//! `IGNORE_TREES=2000 cargo test -p factgate-vcs random_ignore_trees` draws more of them.

use crate::random::Dice;
use crate::scratch::Scratch;
use factgate_vcs::ViewKind;
use std::fs;

const NAMES: [&str; 10] = ["bin", "Bin", "lib", "a", "b", "obj.d", "x y", "[a]", "a.ts", "k.gen.ts"];

/// A part of a rule: names, wildcards, brackets, escapes, and what only looks like one of them.
const PARTS: [&str; 30] = [
    "bin",
    "[Bb]in",
    "lib",
    "l?b",
    "*",
    "**",
    "a",
    "b",
    "*.ts",
    "k.*",
    "?",
    "[a-c]",
    "[!a]",
    "[^b]*",
    "[[:alpha:]]",
    "[]a]",
    "\\a",
    "\\[a\\]",
    "x y",
    "x\\ y",
    "obj.*",
    "*n",
    "a*",
    "**a",
    "[",
    "[a",
    "[a-",
    "\\",
    "*.gen.ts",
    "[[:nothing:]]b",
];

fn rule(dice: &mut Dice) -> String {
    let part = |dice: &mut Dice| *dice.pick(&PARTS);
    let mut rule = String::new();
    match dice.roll(12) {
        0..4 => rule.push('!'),
        4 => rule.push_str("\\!"),
        5 => rule.push('#'),
        _ => {}
    }
    if dice.roll(3) == 0 {
        rule.push('/');
    }
    rule.push_str(part(dice));
    for _ in 0..dice.roll(3) {
        rule.push('/');
        rule.push_str(part(dice));
    }
    rule.push_str(["", "", "/", "/", " ", "\\ ", "/**", "\t", "\r"][dice.roll(9) as usize]);
    rule
}

fn rules(dice: &mut Dice) -> String {
    let end = ["\n", "\n", "\r\n"][dice.roll(3) as usize];
    let lines: Vec<String> = (0..=dice.roll(5)).map(|_| rule(dice)).collect();
    let bom = if dice.roll(12) == 0 { "\u{feff}" } else { "" };
    format!("{bom}{}{}", lines.join(end), ["", end][dice.roll(2) as usize])
}

/// Files up to four folders deep; some folders hold rules of their own.
fn grow(scratch: &Scratch, dice: &mut Dice) {
    let mut folders = vec![String::new()];
    for _ in 0..12 {
        let around = dice.pick(&folders).clone();
        let path = format!("{around}{}", dice.pick(&NAMES));
        if around.matches('/').count() < 4 && fs::create_dir(scratch.root().join(&path)).is_ok() {
            folders.push(format!("{path}/"));
        }
    }
    for _ in 0..16 {
        let path = scratch.root().join(format!("{}{}", dice.pick(&folders), dice.pick(&NAMES)));
        if !path.exists() {
            fs::write(path, "").expect("a file");
        }
    }
    for folder in &folders {
        if folder.is_empty() || dice.roll(4) == 0 {
            fs::write(scratch.root().join(folder).join(".gitignore"), rules(dice)).expect("a file");
        }
    }
    if dice.roll(3) == 0 {
        fs::write(scratch.root().join(".git/info/exclude"), rules(dice)).expect("a file");
    }
    if dice.roll(3) == 0 {
        scratch.write("../home/.config/git/ignore", &rules(dice));
    }
}

/// What one of the two lists alone, and the rules by which git decided.
fn differences(scratch: &Scratch, seed: u64, ours: &[String], gits: &[&str]) -> String {
    let only_ours = ours.iter().map(String::as_str).filter(|path| !gits.contains(path));
    let paths: Vec<&str> =
        only_ours.chain(gits.iter().copied().filter(|path| !ours.iter().any(|own| own == path))).collect();
    let mut command = scratch.command("git", &scratch.root());
    let said =
        command.args(["check-ignore", "--verbose", "--non-matching", "--no-index"]).args(&paths).output().expect("git");
    format!("seed {seed}: {paths:?}\n{}", String::from_utf8_lossy(&said.stdout))
}

#[test]
fn random_ignore_trees() {
    let trees: u64 = std::env::var("IGNORE_TREES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut listed, mut differ) = (0, Vec::new());
    for seed in 1..=trees {
        let mut dice = Dice::new(seed);
        let scratch = Scratch::new();
        grow(&scratch, &mut dice);
        let list = scratch.git(&["ls-files", "-z", "--others", "--exclude-standard"]);
        let mut expected: Vec<&str> = list.split('\0').filter(|path| !path.is_empty()).collect();
        expected.sort_unstable();
        listed += expected.len();
        let view = scratch.view(ViewKind::Worktree);
        if view.list().expect("a list") != expected {
            differ.push(differences(&scratch, seed, view.list().expect("a list"), &expected));
        }
    }
    assert!(listed > 0);
    assert!(differ.is_empty(), "{} of {trees} trees\n{}", differ.len(), differ.join("\n"));
}
