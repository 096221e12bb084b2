//! `factgate match`: a pattern, tried on code.

use crate::scratch::Scratch;

const GC: &str = "import { writeManifest } from './m';\n\nexport function gc(manifest: Manifest) {\n  writeManifest(manifest, { atomic: true });\n  \
    const other = 1;\n  if (other) {\n  fs.writeManifest(manifest);\n  }\n}\nexport const keep = (m: Manifest) => writeManifest(m);\n";

fn scratch() -> Scratch {
    let model = "[model]\nname = \"gc\"\ncover = [\"src/gc.ts#gc\"]\n";
    Scratch::new(&[("factgate.toml", model), ("src/gc.ts", GC), ("src/a.zig", "fn f() void { writeManifest(m); }\n")])
}

#[test]
fn the_example_of_the_documentation() {
    let docs = include_str!("../docs/cli.md");
    let section = docs.split("## factgate match").nth(1).expect("the section");
    let example = section.split("\n\n").find(|part| part.contains("$ factgate match")).expect("an example");
    let shown: Vec<&str> = example.lines().skip(1).map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    let scratch = scratch();
    scratch.edit("src/gc.ts", "export const keep = (m: Manifest) => writeManifest(m);\n", "");
    let said = scratch.run(&["match", "writeManifest($M, $$$)", "src/gc.ts"]);
    assert_eq!(said.stdout.lines().collect::<Vec<_>>(), shown, "{}", said.stderr);
}

#[test]
fn where_it_is_tried() {
    let scratch = scratch();
    let count = |arguments: &[&str]| {
        let said = scratch.json(&[&["match", "writeManifest($M)", "--format", "json"], arguments].concat());
        said["matches"].as_array().map(|all| all.iter().map(|one| one["at"]["file"].to_string()).collect::<Vec<_>>())
    };
    assert_eq!(count(&[]), Some(vec!["\"src/a.zig\"".to_owned(), "\"src/gc.ts\"".to_owned()]));
    assert_eq!(count(&["src/gc.ts"]), Some(vec!["\"src/gc.ts\"".to_owned()]));
    assert_eq!(count(&["--lang", "zig"]), Some(vec!["\"src/a.zig\"".to_owned()]));
    assert_eq!(count(&["--in", "gc"]), Some(vec![]));
    assert_eq!(count(&["--in", "src/gc.ts#keep"]), Some(vec!["\"src/gc.ts\"".to_owned()]));
    let found = scratch.json(&["match", "writeManifest($M)", "--format", "json", "--in", "src/gc.ts#keep"]);
    assert_eq!(found["matches"][0]["bindings"]["M"], "m");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let scratch = scratch();
    for (arguments, message) in [
        (&["match"][..], "there is no pattern"),
        (&["match", "rm($M"], "a parse error at `rm($M`"),
        (&["match", "rm()", "docs"], "docs holds no code of a language that is read"),
        (&["match", "rm()", "--lang", "cobol"], "`cobol` is no language"),
        (&["match", "rm()", "src/gc.ts", "--lang", "zig"], "nothing that is searched is code of `zig`"),
        (&["match", "rm()", "--in", "gcc"], "did you mean `gc`?"),
        (&["match", "--file", "gone.txt"], "gone.txt cannot be read"),
    ] {
        let said = scratch.run(arguments);
        assert_eq!(said.exit, 2, "{arguments:?}");
        assert!(said.stderr.contains(message), "{arguments:?}: {}", said.stderr);
    }
    scratch.write("pattern.txt", "writeManifest($M, $$$)\n");
    assert!(scratch.run(&["match", "--file", "pattern.txt", "src/gc.ts"]).stdout.contains("2 matches"));
}
