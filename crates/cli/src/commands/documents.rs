//! `factgate schema`, `completions` and `man`: what the program says about itself.

use crate::args::{Arguments, CompletionsArguments, SchemaArguments, SchemaOf};
use crate::commands::Ended;
use crate::config::fact_tables::PatternFile;
use crate::config::tables::ConfigFile;
use crate::output::json;
use clap::CommandFactory;

/// The JSON Schema of a configuration file.
pub fn schema(arguments: &SchemaArguments) -> Ended {
    let schema = match arguments.of {
        SchemaOf::Config => schemars::schema_for!(ConfigFile),
        SchemaOf::Patterns => schemars::schema_for!(PatternFile),
    };
    Ended::text(json::line(&schema))
}

/// Completions for a shell.
pub fn completions(arguments: &CompletionsArguments) -> Ended {
    let mut bytes = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "factgate", &mut bytes);
    Ended::text(String::from_utf8_lossy(&bytes).into_owned())
}

/// The manual page, every command in it.
pub fn man() -> Ended {
    let mut command = Arguments::command();
    command.build();
    let mut bytes = Vec::new();
    let pages = std::iter::once(&command).chain(command.get_subcommands());
    for page in pages {
        // Writing into memory cannot fail.
        let _ = clap_mangen::Man::new(page.clone()).render(&mut bytes);
    }
    Ended::text(String::from_utf8_lossy(&bytes).into_owned())
}
