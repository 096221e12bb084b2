//! What a package manager renames: `old` is the repository's own `core` by an alias, a catalog or an override.

use super::check;

/// What calling `drain` of `old` comes to, from `packages/app/u.ts`.
#[derive(Clone, Copy)]
enum Comes {
    /// To a call of the repository's own.
    Followed,
    /// To an import that may hide one.
    Unresolved,
    /// To nothing: it comes from elsewhere.
    Outside,
}

/// With `files` in the form `path text`, one a line, beside the packages `core` and `app`.
#[track_caller]
fn renamed(comes: Comes, app: &str, files: &[&str]) {
    let mut program = format!(
        "--- packages/core/package.json\n{{ \"name\": \"core\", \"main\": \"q.ts\" }}\n--- packages/core/q.ts\nexport function drain() {{}}\n\
         --- packages/app/package.json\n{{ \"name\": \"app\", {app} }}\n--- packages/app/u.ts\nimport {{ drain }} from 'old';\ndrain();\n"
    );
    for file in files {
        let (path, text) = file.split_once(' ').unwrap();
        program += &format!("--- {path}\n{text}\n");
    }
    let expected = match comes {
        Comes::Followed => &["call packages/app/u.ts 1"][..],
        Comes::Unresolved => &["unresolved packages/app/u.ts: old"],
        Comes::Outside => &[],
    };
    check("packages/core/q.ts#drain", &program, expected);
}

const RANGE: &str = "\"dependencies\": { \"old\": \"^1.0.0\" }";

#[test]
fn dependencies_by_another_name() {
    for version in [
        "workspace:core@*",
        "workspace:^",
        "npm:core@^1",
        "file:../core",
        "link:../core",
        "patch:core@workspace%3A*#./a.patch",
    ] {
        let app = format!("\"devDependencies\": {{ \"old\": \"{version}\" }}");
        let comes = if version == "workspace:^" { Comes::Unresolved } else { Comes::Followed };
        renamed(comes, &app, &[]);
    }
    for version in ["^1.0.0", "latest", "npm:other@1", "git+https://example.invalid/old.git", "user/old"] {
        renamed(Comes::Outside, &format!("\"dependencies\": {{ \"old\": \"{version}\" }}"), &[]);
    }
    for version in ["file:../gone", "file:../core.tgz", "exec:./make.js", "catalog:gone"] {
        renamed(Comes::Unresolved, &format!("\"dependencies\": {{ \"old\": \"{version}\" }}"), &[]);
    }
    renamed(Comes::Unresolved, "\"private\": true", &[]);
    // Another package's dependency lies in a folder that all see.
    renamed(
        Comes::Followed,
        "\"private\": true",
        &["packages/b/package.json { \"dependencies\": { \"old\": \"link:../core\" } }"],
    );
    // The nearest one counts, and another manager may take the other.
    let root = "package.json { \"dependencies\": { \"old\": \"file:packages/core\" } }";
    renamed(Comes::Unresolved, RANGE, &[root]);
}

#[test]
fn catalogs() {
    let app = |says: &str| format!("\"dependencies\": {{ \"old\": \"{says}\" }}");
    let pnpm = "pnpm-workspace.yaml catalog:\n  old: workspace:core@*\ncatalogs:\n  named:\n    old: 'npm:core@1'\n  other:\n    old: ^1.0.0";
    let yarn = ".yarnrc.yml catalog:\n  old: \"workspace:core@*\"\ncatalogs:\n  named:\n    old: \"npm:core@1\"";
    let table = "\"catalog\": { \"old\": \"workspace:core@*\" }, \"catalogs\": { \"named\": { \"old\": \"file:packages/core\" } }";
    let bun = format!("package.json {{ \"workspaces\": {{ {table} }} }}");
    let bun_above = format!("package.json {{ {table} }}");
    for manifest in [pnpm, yarn, &bun, &bun_above] {
        for says in ["catalog:", "catalog:default", "catalog:named"] {
            renamed(Comes::Followed, &app(says), &[manifest]);
        }
    }
    renamed(Comes::Outside, &app("catalog:other"), &[pnpm]);
    renamed(Comes::Unresolved, &app("catalog:gone"), &[pnpm]);
    renamed(Comes::Unresolved, &app("catalog:"), &["pnpm-workspace.yaml catalog: ["]);
}

#[test]
fn overrides() {
    let followed = |file: &str| renamed(Comes::Followed, RANGE, &[file]);
    followed("package.json { \"overrides\": { \"old\": \"file:packages/core\" } }");
    followed("package.json { \"overrides\": { \"app\": { \"old\": \"npm:core@1\" } } }");
    followed("package.json { \"overrides\": { \"old\": { \".\": \"npm:core@1\", \"x\": \"1\" } } }");
    followed("package.json { \"overrides\": { \"old\": \"$mine\" }, \"dependencies\": { \"mine\": \"npm:core@1\" } }");
    followed("package.json { \"pnpm\": { \"overrides\": { \"app>old\": \"link:packages/core\" } } }");
    followed("pnpm-workspace.yaml overrides:\n  old: 'workspace:core@*'");
    for key in ["old", "**/old", "app/old", "app/**/old"] {
        followed(&format!("package.json {{ \"resolutions\": {{ \"{key}\": \"portal:./packages/core\" }} }}"));
    }
    // Whom these reach is a question of versions, or of another package.
    for key in ["old@^1.0.0", "b>old", "old@2"] {
        renamed(Comes::Unresolved, RANGE, &[&format!("pnpm-workspace.yaml overrides:\n  '{key}': link:packages/core")]);
    }
    renamed(Comes::Outside, RANGE, &["package.json { \"overrides\": { \"old\": \"^2\", \"core\": \"^1\" } }"]);
    renamed(Comes::Outside, RANGE, &["pnpm-workspace.yaml overrides:\n  old: 'npm:other@1'"]);
    renamed(
        Comes::Followed,
        "\"private\": true",
        &["pnpm-workspace.yaml packageExtensions:\n  app@*:\n    dependencies:\n      old: link:../core"],
    );
}

#[test]
fn subpath_imports() {
    let app =
        |to: &str| format!("\"imports\": {{ \"#q\": {to} }}, \"dependencies\": {{ \"old\": \"workspace:core@*\" }}");
    let program = |to: &str| {
        format!(
            "--- packages/core/package.json\n{{ \"name\": \"core\", \"main\": \"q.ts\" }}\n--- packages/core/q.ts\nexport function drain() {{}}\n\
             --- packages/app/package.json\n{{ \"name\": \"app\", {} }}\n--- packages/app/u.ts\nimport {{ drain }} from '#q';\ndrain();\n",
            app(to)
        )
    };
    let check = |to: &str, expected: &[&str]| check("packages/core/q.ts#drain", &program(to), expected);
    check("\"core\"", &["call packages/app/u.ts 1"]);
    check("\"old\"", &["call packages/app/u.ts 1"]);
    check("{ \"node\": \"old\", \"default\": \"./browser.js\" }", &["call packages/app/u.ts 1"]);
}
