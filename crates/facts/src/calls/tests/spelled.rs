//! Imports that say nothing of the watched name, by specifiers that configurations give to its file.

use super::check;

/// How a module is used without a name of what it exports: each is a site of one kind.
fn uses(from: &str) -> [(String, &'static str); 4] {
    [
        (format!("import z from '{from}'; z();"), "call"),
        (format!("import * as n from '{from}'; g(n);"), "value"),
        (format!("g(require(\"{from}\"));"), "value"),
        (format!("const {{ default: z }} = await import(`{from}`); z();"), "call"),
    ]
}

/// Whether all uses of a module by a specifier are found; with `kind` they are all of that kind.
fn found(files: &str, of: &str, from: &str, importer: &str, kind: Option<&str>) {
    let home = of.split('#').next().unwrap_or_default();
    for (text, own) in uses(from) {
        let program = format!("{files}--- {home}\nexport default function run() {{}}\n--- {importer}\n{text}");
        let expected = match kind {
            Some("unresolved") => format!("unresolved {importer}: {from}"),
            _ => format!("{own} {importer} 1"),
        };
        check(of, &program, &[&expected]);
    }
}

#[test]
fn patterns_of_paths_lead_to_files_whose_names_they_do_not_end_with() {
    let paths = |key: &str, target: &str| {
        format!("--- tsconfig.json\n{{ \"compilerOptions\": {{ \"paths\": {{ \"{key}\": [\"{target}\"] }} }} }}\n")
    };
    for (key, target, home, from) in [
        ("@s/*", "./packages/*/src", "packages/foo/src/index.ts", "@s/foo"),
        ("@s/*", "./packages/*/src/index", "packages/foo/src/index.ts", "@s/foo"),
        ("@s/*", "./packages/*/src/index.ts", "packages/foo/src/index.ts", "@s/foo"),
        ("@/*", "./src/*/q", "src/a/q.ts", "@/a"),
        ("*/x", "./src/*", "src/q.ts", "q/x"),
        ("n:*", "./src/q*", "src/qa.ts", "n:a"),
        ("n/*", "./src/*.svc.ts", "src/a.svc.ts", "n/a"),
        ("lo/*", "./src/q.ts", "src/q.ts", "lo/anything"),
        ("@/*", "./src/*", "src/deep/q.ts", "@/deep/q"),
        ("\\u0078y", "./src/q.ts", "src/q.ts", "xy"),
    ] {
        found(&paths(key, target), &format!("{home}#run"), from, "u.ts", None);
    }
    for options in ["\"checkJs\": true, ", "\"allowJs\": true, ", ""] {
        let config = paths("zeta", "./src/q.ts").replace("\"paths\"", &format!("{options}\"paths\""));
        found(&config, "src/q.ts#run", "zeta", "u.js", None);
    }
}

#[test]
fn patterns_of_packages_lead_to_files_whose_names_they_do_not_end_with() {
    let package = |fields: &str| format!("--- package.json\n{{ \"name\": \"core\", {fields} }}\n");
    for (fields, home, from) in [
        ("\"imports\": { \"#*\": \"./src/q*.ts\" }", "src/qa.ts", "#a"),
        ("\"imports\": { \"#*\": \"./src/*.svc.ts\" }", "src/a.svc.ts", "#a"),
        ("\"imports\": { \"#x/*\": \"./src/*/idx.ts\" }", "src/a/idx.ts", "#x/a"),
        ("\"imports\": { \"#lo/*\": { \"node\": \"./src/q.ts\" } }", "src/q.ts", "#lo/a"),
        ("\"exports\": { \"./*\": \"./src/*/idx.ts\" }", "src/a/idx.ts", "core/a"),
        ("\"exports\": { \"./*\": \"./q.ts\" }", "q.ts", "core/any"),
    ] {
        found(&package(fields), &format!("{home}#run"), from, "u.ts", None);
    }
}

#[test]
fn what_only_another_target_or_a_build_leads_to_is_unresolved() {
    let package = |fields: &str| {
        format!(
            "--- package.json\n{{ \"workspaces\": [\"pk\"] }}\n--- pk/package.json\n{{ \"name\": \"core\", {fields} }}\n"
        )
    };
    for fields in [
        "\"exports\": { \".\": { \"types\": \"./src/a.ts\", \"default\": \"./dist/a.js\" } }",
        "\"exports\": { \".\": { \"browser\": \"./src/a.ts\", \"default\": \"./dist/a.js\" } }",
        "\"exports\": { \".\": { \"@s/source\": \"./src/a.ts\", \"default\": \"./dist/a.js\" } }",
        "\"types\": \"src/a.ts\", \"main\": \"dist/z.js\"",
        "\"types\": \"src/a.ts\"",
        "\"main\": \"dist/a.js\"",
    ] {
        found(&package(fields), "pk/src/a.ts#run", "core", "t/u.ts", Some("unresolved"));
    }
    let declared = package("\"exports\": { \".\": { \"types\": \"./a.d.ts\", \"default\": \"./src/a.ts\" } }");
    found(&declared, "pk/src/a.ts#run", "core", "t/u.ts", None);
}

#[test]
fn other_names_of_a_package_lead_to_it() {
    let core = "--- pk/package.json\n{ \"name\": \"core\", \"exports\": \"./src/a.ts\" }\n";
    let root = |fields: &str| format!("--- package.json\n{{ {fields} }}\n{core}");
    found(&root("\"dependencies\": { \"al\": \"workspace:core@*\" }"), "pk/src/a.ts#run", "al", "u.ts", None);
    found(&root("\"imports\": { \"#x\": \"core\" }"), "pk/src/a.ts#run", "#x", "u.ts", None);
}

#[test]
fn specifiers_may_be_spelled_in_many_ways() {
    for (home, from) in [
        ("src/q/index.ts", "./src/q/."),
        ("src/q.ts", "./src/q#x"),
        ("src/a.js.ts", "./src/a.js"),
        ("src/d/index.ts", "./src/d/"),
    ] {
        found("", &format!("{home}#run"), from, "u.ts", None);
    }
}

#[test]
fn a_module_in_a_type_is_found_by_any_spelling() {
    for from in ["./it's/q", ".\\u{2f}it's/q", "./it's/q.js"] {
        let program = format!(
            "--- it's/q.ts\nexport default function run() {{}}\n--- u.ts\nfunction main(m: typeof import(\"{from}\")) {{ m.default(); }}"
        );
        check("it's/q.ts#run", &program, &["call u.ts#main 1"]);
    }
}
