//! The command line. One variant a command; what several commands share is a group of its own.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Keeps a formal model true to the code it describes.
#[derive(Debug, Parser)]
#[command(name = "factgate", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 in sync, 1 an unexpected result, 2 could not decide, 3 drift (something is STALE)."
)]
pub struct Arguments {
    /// Run as if started in DIR.
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,
    /// When to colour.
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare the code with the record: what is STALE?
    Check(CheckArguments),
    /// Read the facts of the code.
    Facts(FactsArguments),
    /// Show each STALE item as it was confirmed and as it is now.
    Diff(DiffArguments),
    /// Confirm: write the record.
    Sync(SyncArguments),
    /// List every name that can be selected in a file.
    Items(ItemsArguments),
    /// The git hook that checks what is about to be committed.
    Hook(HookArguments),
    /// Print the JSON Schema of a configuration file.
    Schema(SchemaArguments),
    /// Print completions for a shell.
    Completions(CompletionsArguments),
    /// Print the manual page.
    Man,
}

/// Where the code is read from.
#[derive(Clone, Debug, Default, Args)]
pub struct ViewArguments {
    /// Read the index: what the next commit would hold.
    #[arg(long, conflicts_with = "rev")]
    pub staged: bool,
    /// Read a commit.
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Names of models; default: all.
    #[arg(value_name = "MODEL")]
    pub models: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: CheckFormat,
}

/// Formats of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people.
    Text,
    /// One object.
    Json,
    /// Workflow annotations of GitHub.
    Github,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit's XML.
    Junit,
}

/// Arguments of `facts`.
#[derive(Debug, Args)]
pub struct FactsArguments {
    /// Names of models; default: all.
    #[arg(value_name = "MODEL")]
    pub models: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: FactsFormat,
    /// Show the source that decides each fact.
    #[arg(long)]
    pub explain: bool,
}

/// Formats of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FactsFormat {
    /// One line a fact.
    Text,
    /// One object.
    Json,
    /// TLC's CONSTANTS.
    Cfg,
    /// A TLA+ module with one definition a fact.
    Tla,
}

/// Formats of commands that print text or data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlainFormat {
    /// For people.
    Text,
    /// One object.
    Json,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct DiffArguments {
    /// Selectors of STALE items; default: all.
    #[arg(value_name = "ITEM")]
    pub items: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
}

/// Arguments of `sync`.
#[derive(Debug, Args)]
pub struct SyncArguments {
    /// What to confirm: selectors of items (with the facts read in them), facts, call keys, model files; default: all.
    #[arg(value_name = "ITEM")]
    pub items: Vec<String>,
    /// Why the model still describes an item that changed.
    #[arg(long, value_name = "REASON")]
    pub because: Option<String>,
    /// Walk the STALE items one by one.
    #[arg(long, conflicts_with = "items")]
    pub review: bool,
}

/// Arguments of `items`.
#[derive(Debug, Args)]
pub struct ItemsArguments {
    /// The file, from the current folder.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
}

/// Arguments of `hook`.
#[derive(Debug, Args)]
pub struct HookArguments {
    /// What to do with it.
    #[command(subcommand)]
    pub action: HookAction,
}

/// What to do with the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum HookAction {
    /// Put it in.
    Install,
    /// Take it out.
    Uninstall,
    /// Say whether it is there.
    Status,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArguments {
    /// Which file's.
    #[arg(value_name = "FILE", default_value = "config")]
    pub of: SchemaOf,
}

/// Files with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// `factgate.toml`.
    Config,
    /// A pattern file.
    Patterns,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// Which shell.
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

impl ViewArguments {
    /// The contract's word for the view.
    pub fn word(&self) -> &'static str {
        match (&self.rev, self.staged) {
            (Some(_), _) => "commit",
            (None, true) => "index",
            (None, false) => "worktree",
        }
    }
}
