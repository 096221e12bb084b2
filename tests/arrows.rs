//! The arrows between the crates, read from their manifests: who may use whom, and the only users of tree-sitter, git2
//! and processes.

use std::collections::{BTreeMap, BTreeSet};

const CRATES: [(&str, &[&str]); 7] = [
    ("ir", &[]),
    ("syntax", &["factgate-ir"]),
    ("record", &[]),
    ("vcs", &[]),
    ("checker", &[]),
    ("facts", &["factgate-ir", "factgate-record", "factgate-syntax"]),
    ("cli", &["factgate-checker", "factgate-facts", "factgate-record", "factgate-syntax", "factgate-vcs"]),
];

fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest = format!("{}/../../crates/{name}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
    let table: toml::Table = std::fs::read_to_string(manifest).unwrap().parse().unwrap();
    table["dependencies"].as_table().unwrap().keys().cloned().collect()
}

fn only_user(what: &str, crates: &BTreeMap<&str, BTreeSet<String>>) -> Vec<String> {
    let uses = |names: &BTreeSet<String>| names.iter().any(|name| name.starts_with(what));
    crates.iter().filter(|(_, names)| uses(names)).map(|(name, _)| (*name).to_owned()).collect()
}

#[test]
fn arrows_point_one_way() {
    for (name, allowed) in CRATES {
        let own: Vec<String> = dependencies(name).into_iter().filter(|name| name.starts_with("factgate")).collect();
        assert_eq!(own, allowed, "crates/{name}");
    }
}

#[test]
fn each_outside_world_has_one_user() {
    let crates: BTreeMap<&str, BTreeSet<String>> = CRATES.iter().map(|(name, _)| (*name, dependencies(name))).collect();
    assert_eq!(only_user("tree-sitter", &crates), ["syntax"]);
    assert_eq!(only_user("git2", &crates), ["vcs"]);
    assert_eq!(only_user("process-wrap", &crates), ["checker"]);
    assert_eq!(only_user("clap", &crates), ["cli"]);
}

#[test]
fn only_checker_and_the_git_program_start_processes() {
    let root = format!("{}/../../crates", env!("CARGO_MANIFEST_DIR"));
    let mut users = BTreeSet::new();
    let mut folders = vec![std::path::PathBuf::from(root)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                let is_test = path.iter().any(|part| part == "tests" || part == "examples");
                if !is_test && code.contains("process::") && code.contains("Command") {
                    users.insert(path.components().nth_back(2).unwrap().as_os_str().to_string_lossy().into_owned());
                }
            }
        }
    }
    let allowed: BTreeSet<String> = ["checker", "vcs"].map(str::to_owned).into();
    assert!(users.is_subset(&allowed), "{users:?}");
}
