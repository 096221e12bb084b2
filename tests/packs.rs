//! The packs under `patterns/`: each guard of them has one fixture in which it holds and one in which it does not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder, sorted; a folder that is not there has none.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The guards of a pack, each with the selector that it names.
fn guards(pack: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(pack).unwrap_or_else(|error| panic!("{}: {error}", pack.display()));
    let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", pack.display()));
    let scope = |guard: &toml::Value| guard.get("in").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
    let all = table.get("guard").and_then(toml::Value::as_table);
    all.into_iter().flatten().map(|(name, guard)| (name.clone(), scope(guard))).collect()
}

/// What a guard of a pack reads in a repository that holds one fixture.
fn reads(pack: &Path, guard: &str, scope: &str, fixture: &Path) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let at = |path: &str| folder.path().join(path);
    let write = |path: &str, bytes: &[u8]| {
        let target = at(path);
        target.parent().map(std::fs::create_dir_all);
        std::fs::write(&target, bytes).unwrap_or_else(|error| panic!("{}: {error}", target.display()));
    };
    let bytes = |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = scope.split('#').next().unwrap_or_default();
    write(source, &bytes(fixture));
    write("patterns/pack.toml", &bytes(pack));
    write("factgate.toml", format!("[model]\nname = \"pack\"\ncover = [\"{scope}\"]\n").as_bytes());
    let git = Command::new("git").arg("init").arg("-q").current_dir(folder.path()).status();
    assert!(git.is_ok_and(|status| status.success()), "git init");
    let mut command = Command::new(env!("CARGO_BIN_EXE_factgate"));
    let output = command.args(["facts", "--format", "json"]).current_dir(folder.path()).output();
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    json["models"][0]["facts"][guard]["value"].clone()
}

#[test]
fn each_guard_of_a_pack_has_a_fixture_that_holds_and_one_that_does_not() {
    let packs = files(&root().join("patterns"));
    let packs: Vec<_> = packs.iter().filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    assert!(packs.len() >= 3, "{packs:?}");
    for pack in packs {
        let fixtures = files(&root().join("fixtures/patterns").join(stem(pack)));
        let guards = guards(pack);
        assert!(!guards.is_empty(), "{} has no guard", pack.display());
        for (guard, scope) in &guards {
            for (outcome, expected) in [("holds", true), ("fails", false)] {
                let named = format!("{guard}.{outcome}");
                let fixture = fixtures.iter().find(|path| stem(path) == named);
                let fixture = fixture.unwrap_or_else(|| panic!("{} wants a fixture {named}", pack.display()));
                assert_eq!(reads(pack, guard, scope, fixture), expected, "{}", fixture.display());
            }
        }
        assert_eq!(fixtures.len(), guards.len() * 2, "{} has a fixture of no guard", pack.display());
    }
}
