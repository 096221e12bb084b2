//! Call sites in every view, and as they are explained.

use crate::scratch::Scratch;

const CONFIG: &str = "[model]\nname  = \"queue\"\ncover = [\"src/queue.ts#drain\"]\n\n\
    [[calls]]\nof = \"src/queue.ts#drain\"\nin = [\"src/**/*.ts\"]\n\n\
    [[calls]]\nname  = \"recursive rm\"\nmatch = [\"rm($$$, { $$$, recursive: true, $$$ })\"]\nin    = [\"src/**/*.ts\"]\n";

const QUEUE: &str = "export function drain(limit: number) { return limit; }\n";

fn scratch() -> Scratch {
    let uses = "import { drain } from '@/queue';\nexport function one() { return drain(1); }\n";
    let paths = "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./src/*\"] } } }\n";
    Scratch::confirmed(&[
        ("factgate.toml", CONFIG),
        ("src/queue.ts", QUEUE),
        ("src/uses.ts", uses),
        ("tsconfig.json", paths),
    ])
}

fn calls(scratch: &Scratch, view: &[&str]) -> String {
    let arguments: Vec<&str> = ["check", "--format", "json"].iter().chain(view).copied().collect();
    scratch.json(&arguments)["models"][0]["calls"]["drain"]["calls"].to_string()
}

#[test]
fn every_view_is_resolved_from_itself() {
    let scratch = scratch();
    let one = "{\"src/uses.ts#one\":1}";
    assert_eq!(calls(&scratch, &["--rev", "HEAD"]), one);
    // The index has a new site, and a configuration that leads to it; the worktree then loses the configuration.
    scratch.write("src/more.ts", "import { drain } from '#q';\nexport function two() { return drain(2); }\n");
    scratch.write("package.json", "{ \"imports\": { \"#q\": \"./src/queue.ts\" } }\n");
    scratch.git(&["add", "-A"]);
    scratch.git(&["rm", "-q", "--cached", "tsconfig.json"]);
    std::fs::remove_file(scratch.path("package.json")).unwrap();
    assert_eq!(calls(&scratch, &["--rev", "HEAD"]), one);
    assert_eq!(calls(&scratch, &["--staged"]), "{\"src/more.ts#two\":1}");
    assert_eq!(calls(&scratch, &[]), one);
}

#[test]
fn sites_are_explained_with_their_form() {
    let scratch = scratch();
    scratch.write(
        "src/forms.ts",
        "import { drain } from './queue';\nexport const all = () => [drain.apply(null, [1]), xs.map(drain)];\n",
    );
    let text = scratch.run(&["facts", "--explain"]).stdout;
    for line in [
        "calls of drain",
        "  .apply   src/forms.ts#all   src/forms.ts:2: ",
        "  value   src/forms.ts#all   src/forms.ts:2: ",
        "  call   src/uses.ts#one   src/uses.ts:2: export function one() { return drain(1); }",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn constant_objects_count_as_written_out() {
    let scratch = scratch();
    scratch.write(
        "src/rm.ts",
        "const OPTIONS = { force: true, recursive: true } as const;\nconst FLAT = { recursive: false };\n\
         export function a(d: string) { rm(d, OPTIONS); }\nexport function b(d: string) { rm(d, FLAT); }\n\
         export function c(d: string, OPTIONS: any) { rm(d, OPTIONS); }\n\
         export function d(d: string) { const o = { recursive: true }; rm(d, o); }\n",
    );
    let json = scratch.json(&["check", "--format", "json"]);
    let calls = json["models"][0]["calls"]["recursive rm"]["calls"].to_string();
    assert_eq!(calls, "{\"src/rm.ts#a\":1,\"src/rm.ts#d\":1}");
}

#[test]
fn options_that_are_put_together_count_as_written_out() {
    let scratch = scratch();
    let found = [
        "rm(d, { ...OPTIONS, force: true });",
        "rm(d, { force: true, ...OPTIONS } as any);",
        "const o: any = { force: true }; o.recursive = true; rm(d, o);",
        "const o: any = {}; o['recursive'] = true; rm(d, o);",
        "let o = { recursive: true }; rm(d, o);",
        "let o: any = {}; if (d) o = { recursive: true }; rm(d, o);",
        "const o = d ? { recursive: true } : {}; rm(d, o);",
        "rm(d, d ? OPTIONS : {});",
        "rm(d, Object.assign({}, OPTIONS, { force: true }));",
        "const o = Object.freeze({ ...OPTIONS }); rm(d, o);",
        "const recursive = true; rm(d, { recursive });",
        "rm(d, { recursive: YES });",
        "const base = OPTIONS; const o = { ...base }; rm(d, o);",
        "rm(d, { force: true, recursive: true, retries: 1 });",
        "const o: any = {}; Object.assign(o, { recursive: true }); rm(d, o);",
        "const o: any = {}; rm(d, o); Object.assign(o, OPTIONS);",
        "const all = { o: { recursive: true } }; rm(d, all.o);",
        "const o: any = {}; o.recursive ||= true; rm(d, o);",
        "rm(d, { ['recursive']: true });",
        "rm(d, { recursive: true as boolean });",
        "r\\u006d(d, { recursive: true });",
    ];
    let others = [
        "rm(d, { ...FLAT });",
        "const o: any = {}; o.recursive = false; rm(d, o);",
        "const o: any = {}; { const o: any = { recursive: true }; } rm(d, o);",
        "const recursive = false; rm(d, { recursive });",
        "const o = { ...o }; rm(d, o);",
        "unlink(d, OPTIONS);",
    ];
    let mut text =
        "const OPTIONS = { recursive: true };\nconst FLAT = { recursive: false };\nconst YES = true;\n".to_owned();
    for (number, body) in found.iter().chain(&others).enumerate() {
        text.push_str(&format!("export function f{number}(d: any) {{ {body} }}\n"));
    }
    scratch.write("src/rm.ts", &text);
    let json = scratch.json(&["check", "--format", "json"]);
    let calls = json["models"][0]["calls"]["recursive rm"]["calls"].as_object().cloned().unwrap_or_default();
    for (number, body) in found.iter().chain(&others).enumerate() {
        let count = calls.get(&format!("src/rm.ts#f{number}")).and_then(serde_json::Value::as_u64);
        assert_eq!(count, (number < found.len()).then_some(1), "{body}");
    }
}

#[test]
fn calls_alone_are_enough_for_facts() {
    let scratch = scratch();
    let run = scratch.run(&["facts"]);
    assert_eq!((run.exit, run.stderr.as_str()), (0, ""), "{}", run.stdout);
}

#[test]
fn a_link_to_the_watched_file_is_that_file_in_every_view() {
    let scratch = scratch();
    std::os::unix::fs::symlink("queue.ts", scratch.path("src/short.ts")).unwrap();
    scratch.write("src/more.ts", "import { drain } from './short';\nexport function two() { return drain(2); }\n");
    let both = "{\"src/more.ts#two\":1,\"src/uses.ts#one\":1}";
    assert_eq!(calls(&scratch, &[]), both);
    scratch.git(&["add", "-A"]);
    assert_eq!(calls(&scratch, &["--staged"]), both);
    scratch.git(&["commit", "-qm", "link"]);
    assert_eq!(calls(&scratch, &["--rev", "HEAD"]), both);
}

#[test]
fn what_hides_a_site_says_where() {
    let scratch = scratch();
    for (text, line, code) in [
        ("import { drain } from './queue';\ndrain(;\n", "src/more.ts:2:7", "parse-error"),
        (
            "import { drain } from './queue';\n<<<<<<< ours\ndrain(1);\n=======\n>>>>>>> theirs\n",
            "src/more.ts:2:1",
            "merge-conflict",
        ),
    ] {
        scratch.write("src/more.ts", text);
        let run = scratch.run(&["check"]);
        assert_eq!(run.exit, 2);
        for part in [line, code] {
            assert!(run.stderr.contains(part) || run.stdout.contains(part), "{part}\n{}{}", run.stdout, run.stderr);
        }
    }
}

#[test]
fn code_in_another_encoding_hides_no_site() {
    let scratch = scratch();
    for (text, exit) in [
        ("import { drain } from './queue'; drain(1);", 2),
        ("import * as q from './queue'; hand(q);", 2),
        ("rm('a', { recursive: true });", 2),
        ("export const size = 1;", 0),
    ] {
        let bytes: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        std::fs::write(scratch.path("src/more.ts"), bytes).unwrap();
        let run = scratch.run(&["check"]);
        assert_eq!(run.exit, exit, "{text}\n{}{}", run.stdout, run.stderr);
        assert_eq!(run.stderr.contains("src/more.ts is not UTF-8"), exit == 2, "{text}\n{}", run.stderr);
    }
}

#[test]
fn globs_of_files_that_are_not_read_are_said() {
    let scratch = scratch();
    scratch.write("src/view.astro", "---\nimport { drain } from './queue'; drain(1)\n---\n");
    let says = |within: &str| {
        scratch.write("factgate.toml", &CONFIG.replacen("[\"src/**/*.ts\"]", within, 1));
        let run = scratch.run(&["check"]);
        (run.exit, format!("{}{}", run.stdout, run.stderr))
    };
    let message = "`src/*.astro` names no file of a language that is read";
    let (code, text) = says("[\"src/*.astro\"]");
    assert!(code == 2 && text.contains(&format!("error[config]: {message}")), "{text}");
    let (code, text) = says("[\"src/**/*.ts\", \"src/*.astro\"]");
    assert!(code == 0 && text.contains(&format!("warning[config]: {message}")), "{text}");
}

#[test]
fn constants_count_as_the_literals_that_they_are() {
    let scratch = scratch();
    let found = [
        "kill(p, 'SIGKILL');",
        "kill(p, `SIGKILL`);",
        "const s = 'SIGKILL'; kill(p, s);",
        "kill(p, p ? 'SIGKILL' : 'SIGTERM');",
        "kill(p, Signal.Kill);",
        "kill(p, SIGNALS.hard);",
        "kill(p, SIGNALS['hard']);",
        "kill(p, p || 'SIGKILL');",
        "let s; s = 'SIGKILL'; kill(p, s);",
    ];
    let others = [
        "kill(p, 'SIGTERM');",
        "let s = 'SIGTERM'; s = p; kill(p, s);",
        "const s = 'SIGKILL'; { const s = p; kill(p, s); }",
        "kill(p, Signal.Term);",
        "kill(p, `${p}SIGKILL`);",
    ];
    let mut text =
        "enum Signal { Kill = 'SIGKILL', Term = 'SIGTERM' }\nconst SIGNALS = { hard: 'SIGKILL' };\n".to_owned();
    for (number, body) in found.iter().chain(&others).enumerate() {
        text.push_str(&format!("export function f{number}(p: any) {{ {body} }}\n"));
    }
    scratch.write("src/kill.ts", &text);
    scratch.write("factgate.toml", &CONFIG.replace("rm($$$, { $$$, recursive: true, $$$ })", "kill($P, 'SIGKILL')"));
    let json = scratch.json(&["check", "--format", "json"]);
    let calls = json["models"][0]["calls"]["recursive rm"]["calls"].as_object().cloned().unwrap_or_default();
    for (number, body) in found.iter().chain(&others).enumerate() {
        let count = calls.get(&format!("src/kill.ts#f{number}")).and_then(serde_json::Value::as_u64);
        assert_eq!(count, (number < found.len()).then_some(1), "{body}");
    }
}

#[test]
fn shapes_are_found_at_the_top_level_of_zig_files() {
    let scratch = scratch();
    let config = CONFIG.replace("rm($$$, { $$$, recursive: true, $$$ })", "$A.sync()").replace("src/**/*.ts", "src/**");
    scratch.write("factgate.toml", &config);
    let texts = [
        "const x = a.sync();",
        "test { a.sync(); }",
        "comptime { a.sync(); }",
        "const T = struct { x: u8 = a.sync() };",
    ];
    for (number, text) in texts.iter().enumerate() {
        scratch.write(&format!("src/v{number}.zig"), text);
    }
    let json = scratch.json(&["check", "--format", "json"]);
    let calls = json["models"][0]["calls"]["recursive rm"]["calls"].as_object().cloned().unwrap_or_default();
    assert_eq!(calls.values().filter_map(serde_json::Value::as_u64).sum::<u64>(), texts.len() as u64, "{calls:?}");
}

/// The examples of docs/call-sites.md: by any name, in every language.
#[test]
fn functions_of_the_platform_are_watched_by_module_and_name() {
    let docs = include_str!("../docs/call-sites.md");
    let section = docs.split("## Functions of the platform").nth(1).expect("the section");
    let tables = section.split("```").nth(1).expect("an example").trim_start_matches("toml");
    let model = "[model]\nname = \"out\"\ncover = [\"src/a.ts#clean\"]\n";
    let scratch = Scratch::new(&[
        ("factgate.toml", &format!("{model}{tables}")),
        ("package.json", "{ \"dependencies\": { \"pg\": \"^8\" } }"),
        ("src/a.ts", "import fs from 'fs';\nexport const clean = (p: string) => fs.promises.rm(p);\nfs.rm('x');\n"),
        ("src/b.ts", "import { Pool } from 'pg';\nexport const ask = () => new Pool().query('x');\n"),
        ("src/c.zig", "const posix = @import(\"std\").posix;\nfn end() void { posix.kill(1, 2) catch {}; }\n"),
    ]);
    let calls = scratch.json(&["facts", "--format", "json"])["models"][0]["calls"].clone();
    assert_eq!(calls["rm"]["calls"], serde_json::json!({ "src/a.ts#clean": 1 }));
    assert_eq!(calls["Pool.query"]["calls"], serde_json::json!({ "src/b.ts#ask": 1 }));
    assert_eq!(calls["std.posix.kill"]["calls"], serde_json::json!({ "src/c.zig#end": 1 }));
    scratch.run(&["sync"]);
    scratch.write("src/d.ts", "import { rm as gone } from 'node:fs/promises';\nexport const all = [gone];\n");
    let check = scratch.run(&["check"]);
    assert_eq!(check.exit, 3);
    assert!(check.stdout.contains("rm in src/d.ts"), "{}", check.stdout);
    scratch.edit("factgate.toml", "node:fs/promises", "node:fs/promise");
    let wrong = scratch.run(&["check"]);
    assert_eq!(wrong.exit, 2);
    assert!(wrong.stderr.contains("did you mean `fs/promises`?"), "{}", wrong.stderr);
}

/// Scripts of Vue and Svelte are read; markup, and files that nobody reads, are told where they say the name.
#[test]
fn components_are_read_in_their_scripts() {
    let scratch = scratch();
    scratch.edit("factgate.toml", "in = [\"src/**/*.ts\"]", "in = [\"src/**/*\"]");
    scratch.run(&["sync", "--because", "components as well"]);
    let script =
        "<script setup lang=\"ts\">\nimport { drain } from './queue';\nconst go = () => drain(1);\n</script>\n";
    for (file, text, exit, site, warning) in [
        ("a.vue", script.to_owned(), 3, Some("src/a.vue#go"), Some("only the scripts of src/a.vue are read")),
        ("b.svelte", format!("{script}{{drain(2)}}\n"), 3, Some("src/b.svelte#go"), Some("the markup of src/b.svelte")),
        (
            "c.vue",
            "<template><b @click=\"drain(1)\"/></template>\n".to_owned(),
            0,
            None,
            Some("the markup of src/c.vue"),
        ),
        (
            "d.astro",
            "---\nimport { drain } from './queue';\n---\n".to_owned(),
            0,
            None,
            Some("src/d.astro is not read"),
        ),
        ("e.vue", "<script>const drained = 1;</script>\n<style>.drain {}</style>\n".to_owned(), 0, None, None),
        ("f.svg", "<svg><text>drain</text></svg>".to_owned(), 0, None, None),
    ] {
        let path = format!("src/{file}");
        scratch.write(&path, &text);
        let run = scratch.run(&["check"]);
        assert_eq!(run.exit, exit, "{file}: {}{}", run.stdout, run.stderr);
        assert_eq!(site.is_some_and(|site| run.stdout.contains(site)), site.is_some(), "{file}: {}", run.stdout);
        match warning {
            Some(warning) => assert!(run.stderr.contains(warning), "{file}: {}", run.stderr),
            None => assert_eq!(run.stderr, "", "{file}"),
        }
        std::fs::remove_file(scratch.path(&path)).expect("a file");
    }
}
