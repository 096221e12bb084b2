//! The documentation knows every command, option, reason, code and exit code; the schemas are the generated ones.

use clap::CommandFactory;
use factgate::args::Arguments;

fn docs(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn every_command_and_option_is_documented() {
    let text = docs("cli.md");
    for command in Arguments::command().get_subcommands() {
        assert!(text.contains(&format!("factgate {}", command.get_name())), "{}", command.get_name());
        for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(text.contains(&format!("--{option}")), "{} --{option}", command.get_name());
        }
    }
}

#[test]
fn the_page_of_codes_is_the_generated_one() {
    let scratch = crate::scratch::Scratch::new(&[]);
    let generated = scratch.run(&["explain", "--format", "markdown"]).stdout;
    assert_eq!(generated, docs("reasons.md"), "renew it: factgate explain --format markdown > docs/reasons.md");
}

/// Every key of a schema is explained in the configuration's page.
#[test]
fn every_key_is_documented() {
    let text = docs("configuration.md");
    for name in ["factgate.schema.json", "patterns.schema.json"] {
        let schema: serde_json::Value = serde_json::from_str(&docs(name)).unwrap();
        let mut keys = Vec::new();
        collect(&schema, &mut keys);
        for key in keys {
            assert!(text.contains(&format!("`{key}`")) || text.contains(&format!("[{key}")), "{name}: {key}");
        }
    }
}

fn collect(schema: &serde_json::Value, keys: &mut Vec<String>) {
    for (word, value) in schema.as_object().into_iter().flatten() {
        match (word.as_str(), value.as_object()) {
            ("properties", Some(properties)) => {
                keys.extend(properties.keys().cloned());
                properties.values().for_each(|value| collect(value, keys));
            }
            _ => collect(value, keys),
        }
    }
    if let Some(items) = schema.as_array() {
        items.iter().for_each(|value| collect(value, keys));
    }
}

#[test]
fn committed_schemas_are_the_generated_ones() {
    let scratch = crate::scratch::Scratch::new(&[]);
    for (of, name) in [("config", "factgate.schema.json"), ("patterns", "patterns.schema.json")] {
        let generated = scratch.run(&["schema", of]).stdout;
        assert_eq!(generated, docs(name), "renew it: factgate schema {of} > docs/{name}");
    }
}
