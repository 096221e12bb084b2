//! Module resolution, as seen by a call: configuration files, packages, CommonJS, and what leads nowhere.

use super::{check, with_queue};

const USER: &str = "import { drain } from";

#[test]
fn configurations_are_extended_and_never_stop_relative_imports() {
    let user = "--- src/a.ts\nimport { drain } from '../q'; drain(1);";
    let found = ["call src/a.ts 1"];
    with_queue(&format!("--- tsconfig.json\n{{ \"extends\": \"@tsconfig/node20/tsconfig.json\" }}\n{user}"), &found);
    with_queue(&format!("--- tsconfig.json\n{{ \"extends\": \"./gone.json\" }}\n{user}"), &found);
    with_queue(&format!("--- tsconfig.json\n{{ not json\n{user}"), &found);
    with_queue(&format!("--- tsconfig.json\n{{ \"references\": [{{ \"path\": \"./gone\" }}] }}\n{user}"), &found);
}

#[test]
fn paths_come_from_the_nearest_configuration() {
    let found = ["call src/a.ts 1"];
    let user = format!("--- src/a.ts\n{USER} '@/q'; drain(1);");
    let paths = "\"paths\": { \"@/*\": [\"./*\"] }";
    with_queue(&format!("--- tsconfig.json\n{{ \"compilerOptions\": {{ {paths} }} }}\n{user}"), &found);
    with_queue(
        &format!(
            "--- tsconfig.json\n{{ // why\n \"compilerOptions\": {{ \"baseUrl\": \".\", \"paths\": {{ \"@/*\": [\"*\"], }} }}, }}\n{user}"
        ),
        &found,
    );
    with_queue(
        &format!(
            "--- tsconfig.json\n{{ \"extends\": [\"./base\"] }}\n--- base.json\n{{ \"compilerOptions\": {{ {paths} }} }}\n{user}"
        ),
        &found,
    );
    with_queue(
        &format!(
            "--- tsconfig.json\n{{ \"compilerOptions\": {{ \"paths\": {{ \"@/*\": [\"${{configDir}}/*\"] }} }} }}\n{user}"
        ),
        &found,
    );
    with_queue(
        &format!(
            "--- tsconfig.json\n{{ \"files\": [], \"references\": [{{ \"path\": \"./tsconfig.app.json\" }}] }}\n--- tsconfig.app.json\n{{ \"include\": [\"src\"], \"compilerOptions\": {{ {paths} }} }}\n{user}"
        ),
        &found,
    );
    with_queue(
        &format!(
            "--- tsconfig.json\n{{ \"extends\": \"@x/config/base.json\" }}\n--- config/package.json\n{{ \"name\": \"@x/config\" }}\n--- config/base.json\n{{ \"compilerOptions\": {{ \"paths\": {{ \"@/*\": [\"../*\"] }} }} }}\n{user}"
        ),
        &found,
    );
    with_queue(
        &format!(
            "--- tsconfig.json\n{{ \"extends\": \"@tsconfig/node20/tsconfig.json\", \"compilerOptions\": {{ {paths} }} }}\n{user}"
        ),
        &found,
    );
    with_queue(
        &format!(
            "--- tsconfig.json\n{{ \"compilerOptions\": {{ \"baseUrl\": \".\" }} }}\n--- src/a.ts\n{USER} 'q'; drain(1);"
        ),
        &found,
    );
}

#[test]
fn packages_resolve_by_imports_exports_and_workspaces() {
    let found = ["call src/a.ts 1"];
    with_queue(
        &format!(
            "--- package.json\n{{ \"imports\": {{ \"#q\": \"./q.ts\", \"#lib/*\": \"./*.js\" }} }}\n--- src/a.ts\n{USER} '#q'; drain(1);"
        ),
        &found,
    );
    with_queue(
        &format!(
            "--- package.json\n{{ \"imports\": {{ \"#lib/*\": \"./*.js\" }} }}\n--- src/a.ts\n{USER} '#lib/q'; drain(1);"
        ),
        &found,
    );
    with_queue(
        &format!(
            "--- package.json\n{{ \"name\": \"own\", \"exports\": {{ \"./queue\": \"./q.ts\" }} }}\n--- src/a.ts\n{USER} 'own/queue'; drain(1);"
        ),
        &found,
    );
    let package = |exports: &str| {
        format!(
            "--- packages/q/package.json\n{{ \"name\": \"@x/q\", {exports} }}\n--- packages/q/src/index.ts\nexport function drain() {{}}\n--- app/a.ts\n{USER} '@x/q'; drain();\n"
        )
    };
    for exports in [
        "\"exports\": { \".\": { \"types\": \"./dist/index.d.ts\", \"import\": \"./dist/index.js\" } }",
        "\"exports\": { \".\": { \"source\": \"./src/index.ts\" } }",
        "\"exports\": \"./src/index.ts\"",
        "\"main\": \"./dist/index.cjs\", \"types\": \"dist/index.d.ts\"",
        "\"version\": \"1.0.0\"",
    ] {
        check("packages/q/src/index.ts#drain", &package(exports), &["call app/a.ts 1"]);
    }
    let deep = "--- packages/q/package.json\n{ \"name\": \"@x/q\", \"exports\": { \"./*\": \"./dist/*.js\" } }\n--- packages/q/src/lib/w.ts\nexport function drain() {}\n--- app/a.ts\nimport { drain } from '@x/q/lib/w'; drain();\n";
    check("packages/q/src/lib/w.ts#drain", deep, &["call app/a.ts 1"]);
}

#[test]
fn endings_stand_for_their_sources() {
    for (written, file) in [
        ("./m.mjs", "m.mts"),
        ("./m.cjs", "m.cts"),
        ("./m.js", "m.tsx"),
        ("./m.jsx", "m.tsx"),
        ("./m", "m.mjs"),
        ("./m", "m/index.tsx"),
        (".", "index.ts"),
        ("./", "index.ts"),
        ("./m.ts", "m.ts"),
    ] {
        let program = format!(
            "--- {file}\nexport function drain() {{}}\n--- a.ts\nimport {{ drain }} from '{written}'; drain();"
        );
        check(&format!("{file}#drain"), &program, &["call a.ts 1"]);
    }
    let declared = "--- m.d.ts\nexport declare function drain(): void;\n--- m.js\nexport function drain() {}\n";
    check("m.js#drain", &format!("{declared}--- a.ts\nimport {{ drain }} from './m'; drain();"), &["call a.ts 1"]);
}

#[test]
fn common_modules_are_followed() {
    let cases = [
        "--- b.cjs\nmodule.exports = { ...require('./q') };\n--- a.cjs\nrequire('./b').drain(1);",
        "--- b.cjs\nObject.assign(exports, require('./q'));\n--- a.cjs\nrequire('./b').drain(1);",
        "--- b.cjs\nmodule.exports = require('./q');\n--- a.cjs\nconst b = require('./b'); b.drain(1);",
        "--- b.cjs\nexports.empty = require('./q').drain;\n--- a.cjs\nrequire('./b').empty(1);",
        "--- b.cjs\nconst { drain } = require('./q'); module.exports = { empty: drain };\n--- a.cjs\nrequire('./b').empty(1);",
        "--- b.cjs\nexports.drain = require('./q').drain;\n--- a.cjs\nimport b from './b.cjs'; b.drain(1);",
        "--- b.ts\nimport { drain } from './q'; export = drain;\n--- a.cjs\nimport go = require('./b'); go(1);",
        "--- a.cjs\nconst q = await import(`./q`); q.drain(1);",
        "--- b.ts\nimport * as q from './q'; import e = q.drain; export { e as empty };\n--- a.cjs\nimport { empty } from './b'; empty(1);",
    ];
    for text in cases {
        with_queue(&text.replace("a.cjs", "a.ts"), &["call a.ts 1"]);
    }
    for text in [
        "z = { ...q, x: 1 };\n--- a.ts\nimport { z } from './b'; z.drain(1);",
        "z = { q };\n--- a.ts\nimport { z } from './b'; z.q.drain(1);",
    ] {
        let text = format!("--- b.ts\nimport * as q from './q'; export const {text}");
        with_queue(&text, &["call a.ts 1", "value b.ts 1"]);
    }
}

#[test]
fn only_what_could_hide_a_site_is_listed_as_unresolved() {
    let program = |rest: &str| format!("--- q.ts\nexport default function drain() {{}}\n{rest}");
    for text in [
        "import styles from './a.module.css'; import x from './gone.json'; import './gone.scss';",
        "import icon from './icon.svg?raw';",
        "import fs from 'fs'; import p from 'node:path';",
        "import { type drain } from './gone';",
        "export type { drain } from './gone';",
    ] {
        check("q.ts#drain", &program(&format!("--- a.ts\n{text}")), &[]);
    }
    let package =
        "--- package.json\n{ \"dependencies\": { \"react\": \"^18\" } }\n--- a.ts\nimport React from 'react';";
    check("q.ts#drain", &program(package), &[]);
    for text in ["const { drain } = await import(name); drain();", "const q = require(where()); q.drain();"] {
        let listed = if text.contains("name") { "import(name)" } else { "import(where())" };
        with_queue(&format!("--- a.ts\n{text}"), &[&format!("unresolved a.ts: {listed}")]);
    }
    with_queue("--- a.ts\nimport { drain } from './gone'; drain(1);", &["unresolved a.ts: ./gone"]);
}

#[test]
fn a_module_that_is_handed_on_is_unresolved_by_the_place_or_name_of_its_file_whatever_else_is_said() {
    let index = "--- lib/index.ts\nexport { drain } from '../q';\n";
    for (rest, from, is_listed) in [
        ("", "./q.mjs", true),
        ("", "./gone/q", false),
        ("", "./q/index", false),
        ("", "@/q", true),
        ("", "@/q/index", false),
        (index, "@/lib", true),
        (index, "@/lib/index", true),
        (index, "@/index.js", true),
        (index, "@/other/index.js", false),
        (index, "./lib.mjs", true),
        (index, "./other/lib", false),
    ] {
        for word in ["", "// drain\n", "log.drain;\n"] {
            let listed = [format!("unresolved a.ts: {from}")];
            let listed: Vec<&str> = listed.iter().filter(|_| is_listed).map(String::as_str).collect();
            with_queue(&format!("{rest}--- a.ts\n{word}f(require('{from}'));"), &listed);
        }
    }
}

#[test]
fn names_that_change_outside_of_the_globs_are_followed() {
    with_queue(
        "--- lib/b.ts\nexport { drain as empty } from '../q';\n--- a.ts\nimport { empty } from './lib/b'; empty(1);",
        &["call a.ts 1"],
    );
}

#[test]
fn a_target_under_another_condition_is_unresolved() {
    let files = "--- p/re.ts\nexport { drain } from '../q';\n--- p/own.ts\nexport function drain() {}\n";
    let user = "--- a.ts\nimport { drain } from 'p/b'; drain(1);";
    for entry in [
        r#"{ "browser": "./re.ts", "default": "./own.ts" }"#,
        r#"{ "node": "./own.ts", "default": "./re.ts" }"#,
        r#"{ "import": { "production": "./re.ts", "default": "./own.ts" } }"#,
        r#"["./own.ts", "./re.ts"]"#,
    ] {
        let package = format!("--- p/package.json\n{{ \"name\": \"p\", \"exports\": {{ \"./b\": {entry} }} }}\n");
        with_queue(&format!("{files}{package}{user}"), &["unresolved a.ts: p/b"]);
        let pattern = package.replace("./b", "./*");
        with_queue(&format!("{files}{pattern}{user}"), &["unresolved a.ts: p/b"]);
        let own = format!("--- package.json\n{{ \"imports\": {{ \"#b\": {} }} }}\n", entry.replace("./", "./p/"));
        with_queue(&format!("{files}{own}{}", user.replace("p/b", "#b")), &["unresolved a.ts: #b"]);
    }
    for (entry, expected) in [
        (r#"{ "browser": "./own.ts", "default": "./re.ts" }"#, "call a.ts 1"),
        (r#"{ "types": "./re.ts", "default": "./re.ts" }"#, "call a.ts 1"),
    ] {
        let package = format!("--- p/package.json\n{{ \"name\": \"p\", \"exports\": {{ \"./b\": {entry} }} }}\n");
        with_queue(&format!("{files}{package}{user}"), &[expected]);
    }
}

#[test]
fn a_dependency_with_a_path_is_followed() {
    let core = "--- core/package.json\n{ \"name\": \"@x/core\", \"main\": \"./s.ts\" }\n--- core/s.ts\nexport { drain } from '../q';\n--- core/deep.ts\nexport { drain } from '../q';\n";
    for version in ["../core", "file:../core", "link:../core", "portal:../core", "workspace:../core"] {
        let app = format!("--- app/package.json\n{{ \"dependencies\": {{ \"c9\": \"{version}\" }} }}\n");
        for from in ["c9", "c9/deep", "c9/deep.js"] {
            let user = format!("--- app/a.ts\nimport {{ drain }} from '{from}'; drain(1);");
            with_queue(&format!("{core}{app}{user}"), &["call app/a.ts 1"]);
        }
        let renamed =
            "--- core/s.ts\nexport { drain as default } from '../q';\n--- app/a.ts\nimport d from 'c9'; d(1);";
        with_queue(&format!("{core}{app}{renamed}"), &["call app/a.ts 1"]);
    }
}

#[test]
fn a_link_is_the_file_that_it_leads_to() {
    let linked = "--- lib/one.ts -> q.ts\n--- lib/two.ts -> lib/one.ts\n";
    for from in ["./lib/one", "./lib/one.js", "./lib/two"] {
        let user = format!("{linked}--- a.ts\nimport {{ drain }} from '{from}'; drain(1);");
        with_queue(&user, &["call a.ts 1"]);
        super::check("lib/one.ts#drain", &format!("{}{user}", super::QUEUE), &["call a.ts 1"]);
    }
}
