//! `factgate items`, from any folder, and of files that cannot be read.

use crate::scratch::{CONFIG, QUEUE, Scratch};

#[test]
fn names_are_listed_from_any_folder() {
    let scratch = Scratch::new(&[("factgate.toml", CONFIG), ("src/queue.ts", QUEUE)]);
    let expected = "src/queue.ts#hasRoom\nsrc/queue.ts#push\n";
    assert_eq!(scratch.run(&["items", "src/queue.ts"]).stdout, expected);
    assert_eq!(scratch.run_in("src", &["items", "queue.ts"]).stdout, expected);
    assert_eq!(scratch.run_in("src", &["items", "../src/queue.ts"]).stdout, expected);
    let folder = scratch.root().to_str().unwrap().to_owned();
    assert_eq!(scratch.run_in("/", &["-C", &folder, "items", "src/queue.ts"]).stdout, expected);
    let json = scratch.json(&["items", "src/queue.ts", "--format", "json"]);
    assert_eq!(json["items"][1]["name"], "push");
    assert_eq!(json["items"][1]["at"]["line"], 2);
}

/// A file that gives no items: the code of the error, and a word of it.
fn check(path: &str, bytes: &[u8], code: &str, word: &str) {
    let scratch = Scratch::new(&[("factgate.toml", CONFIG)]);
    scratch.write(path, "");
    std::fs::write(scratch.path(path), bytes).unwrap();
    let json = scratch.json(&["items", path, "--format", "json"]);
    assert_eq!(json["exit"], 2, "{json}");
    assert_eq!(json["errors"][0]["code"], code, "{json}");
    let message = json["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains(path) && message.contains(word), "{message}");
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_path() {
    check("a.ts", b"let a = '\xff\xfe';", "parse-error", "UTF-8");
    check("a.txt", b"", "selector", "no language");
    check("a.ts", &vec![b' '; (4 << 20) + 1], "limit", "limit");
    let deep = ["(".repeat(100_000), ")".repeat(100_000)].join("1");
    check("a.ts", format!("let a = {deep};").as_bytes(), "limit", "deep");
}

#[test]
fn missing_files_and_links_out_are_errors() {
    let scratch = Scratch::new(&[("factgate.toml", CONFIG)]);
    let said = scratch.run(&["items", "src/none.ts"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("src/none.ts"), "{}", said.stderr);
    assert_eq!(scratch.run(&["items", "/etc/passwd"]).exit, 2);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", scratch.path("link.ts")).unwrap();
        let said = scratch.run(&["items", "link.ts"]);
        assert_eq!(said.exit, 2);
        assert!(said.stderr.contains("link.ts"), "{}", said.stderr);
    }
}

/// Each name that `items` lists for a file can be covered as it is printed.
fn every_name_can_be_covered(path: &str, code: &str) {
    let scratch = Scratch::new(&[(path, code)]);
    let listed = scratch.run(&["items", path]).stdout;
    assert!(!listed.is_empty());
    let cover: Vec<String> = listed.lines().map(|name| format!("'{name}'")).collect();
    scratch.write("factgate.toml", &format!("[model]\nname = \"m\"\ncover = [{}]\n", cover.join(", ")));
    let said = scratch.run(&["sync"]);
    assert_eq!(said.exit, 0, "{listed}{}", said.stderr);
    assert_eq!(scratch.run(&["check"]).exit, 0, "{listed}");
}

#[test]
fn names_with_slashes_and_paths_with_number_signs_can_be_selected() {
    let routes = "export const routes = { '/home': () => 1, '/a/b': { c() {} } };\n\
        export const counts = { '/homes/live': 2, 'a b': 3, 'x#y': 4 };\n";
    every_name_can_be_covered("src/routes.ts", routes);
    every_name_can_be_covered("src/c#/routes.ts", routes);
    every_name_can_be_covered("src/a#b.ts", "export function f() {}\nclass A { #g() {} }\n");
    every_name_can_be_covered("src/a.zig", "test \"a/b\" {}\npub fn @\"c/d\"() void {}\n");
}

#[test]
fn an_item_with_a_slash_in_its_name_is_watched_and_removed_like_any_other() {
    let config = "[model]\nname = \"m\"\ncover = [\"a.ts#routes./home\"]\n";
    let scratch = Scratch::confirmed(&[
        ("factgate.toml", config),
        ("a.ts", "export const routes = { '/home': () => 1, '/away': () => 2 };\n"),
    ]);
    scratch.edit("a.ts", "=> 1", "=> 3");
    assert_eq!(scratch.json(&["check", "--format", "json"])["models"][0]["stale"][0]["kind"], "changed");
    scratch.edit("a.ts", "'/home': () => 3, ", "");
    assert_eq!(scratch.json(&["check", "--format", "json"])["models"][0]["stale"][0]["kind"], "removed");
}

/// What `items` prints is one line a name, and selects it where it is put into `cover` or on a command line.
#[test]
fn hidden_letters_in_names_are_printed_so_that_they_can_be_selected() {
    let source = "export class Queue {\n  'a\\u0001b'() { return 1; }\n  'c\\nd'() { return 2; }\n  '\\u202e'() { return 3; }\n  ''() { return 4; }\n  'e \"f'() { return 5; }\n}\n";
    let scratch =
        Scratch::new(&[("factgate.toml", "[model]\nname = \"q\"\ncover = [\"src/q.ts\"]\n"), ("src/q.ts", source)]);
    let listed = scratch.run(&["items", "src/q.ts"]).stdout;
    let names: Vec<&str> = listed.lines().collect();
    assert_eq!(names.len(), 6, "{listed}");
    assert_eq!(names[1], "src/q.ts#Queue.\"a\\u{1}b\"");
    for name in &names {
        let cover = serde_json::to_string(name).expect("a text");
        scratch.write("factgate.toml", &format!("[model]\nname = \"q\"\ncover = [{cover}]\n"));
        let items = scratch.json(&["facts", "--format", "json"])["models"][0]["items"].clone();
        assert_eq!(
            items.as_object().map(|items| items.keys().cloned().collect::<Vec<_>>()),
            Some(vec![(*name).to_owned()])
        );
    }
}

#[test]
fn an_item_is_listed_with_what_is_inside_it() {
    let code = "export function outer() {\n  function inner() {}\n  return inner;\n}\nexport function outermost() {}\n";
    let model = "[model]\nname = \"q\"\nroot = \"..\"\ncover = [\"src/q.ts#outer\"]\n";
    let scratch = Scratch::new(&[("verify/factgate.toml", model), ("src/q.ts", code)]);
    let inside = "src/q.ts#outer\nsrc/q.ts#outer.inner\n";
    for arguments in [&["items", "outer"][..], &["items", "src/q.ts#outer"]] {
        assert_eq!(scratch.run(arguments).stdout, inside, "{arguments:?}");
    }
    assert_eq!(scratch.run_in("src", &["items", "q.ts#outermost"]).stdout, "src/q.ts#outermost\n");
    for (asked, told) in
        [("ouetr", "did you mean `outer`?"), ("src/q.ts#outre", "did you mean `outer`?"), ("zzz", "PATH#NAME")]
    {
        let said = scratch.run(&["items", asked]);
        assert!(said.exit == 2 && said.stderr.contains(told), "{asked}: {}", said.stderr);
    }
}
