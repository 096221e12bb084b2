//! `factgate schema`, `completions` and `man`: what the program says about itself.

use crate::args::{Arguments, CompletionsArguments, ManArguments, SchemaArguments, SchemaOf};
use crate::commands::Ended;
use crate::complete;
use crate::config::fact_tables::PatternFile;
use crate::config::nearest;
use crate::config::tables::ConfigFile;
use crate::finding::{Code, Finding};
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

/// Completions for a shell: it asks this program while somebody types.
pub fn completions(arguments: &CompletionsArguments) -> Ended {
    Ended::text(complete::registration(&arguments.shell.to_string()).unwrap_or_default())
}

/// The page of one command, or the whole manual.
pub fn man(arguments: &ManArguments) -> Ended {
    let mut command = Arguments::command();
    command.build();
    let mut bytes = Vec::new();
    let all = || std::iter::once(&command).chain(command.get_subcommands());
    let asked = |page: &&clap::Command| match arguments.command.as_deref() {
        None => true,
        Some("factgate") => page.get_name() == "factgate",
        Some(name) => page.get_name() == name || page.get_name() == format!("factgate-{name}"),
    };
    let pages: Vec<&clap::Command> = all().filter(asked).collect();
    if pages.is_empty() {
        let name = arguments.command.as_deref().unwrap_or_default();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let finding = Finding::new(Code::Usage, format!("`{name}` is no command"));
        let near = nearest(name, &names).map(|near| format!("did you mean `{near}`?"));
        return Ended::errors(&[finding.help(near.unwrap_or_else(|| format!("there are {}", names.join(", "))))]);
    }
    for page in pages {
        // Writing into memory cannot fail.
        let _ = clap_mangen::Man::new(page.clone()).render(&mut bytes);
    }
    Ended::text(String::from_utf8_lossy(&bytes).into_owned())
}
