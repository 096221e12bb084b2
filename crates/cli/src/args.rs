//! The command line. One variant a command; what several commands share is a group of its own.

use crate::complete;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::ArgValueCompleter;
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
    /// Break each guard in memory, and see it turn FALSE.
    Prove(ProveArguments),
    /// Show each STALE item as it was confirmed and as it is now.
    Diff(DiffArguments),
    /// Confirm: write the record.
    Sync(SyncArguments),
    /// Say what a code means: a reason, a kind of STALE, a class of change, an error.
    Explain(ExplainArguments),
    /// Say which models, items, facts and call rules look at a place.
    Covers(CoversArguments),
    /// Try a pattern: show what it matches, what it binds, and what comes close.
    Match(MatchArguments),
    /// Follow code that moved: rename it in configurations and records.
    Mv(MvArguments),
    /// Check the model: run the model checker, and hold every outcome against what was expected.
    Verify(VerifyArguments),
    /// Check a recorded run of the real program against a specification.
    Trace(TraceArguments),
    /// Print which code each action of the specification stands for, with today's lines.
    Actions(ActionsArguments),
    /// List every name that can be selected in a file.
    Items(ItemsArguments),
    /// The git hook that checks what is about to be committed.
    Hook(HookArguments),
    /// Print the JSON Schema of a configuration file.
    Schema(SchemaArguments),
    /// Print completions for a shell.
    Completions(CompletionsArguments),
    /// Print the manual: the page of one command, or all.
    Man(ManArguments),
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
    #[arg(value_name = "MODEL", add = ArgValueCompleter::new(complete::models))]
    pub models: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[command(flatten)]
    pub output: VerdictArguments,
}

/// How a verdict is printed.
#[derive(Clone, Debug, Args)]
pub struct VerdictArguments {
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: CheckFormat,
    /// Print nothing of what is in sync, and one line of any other model.
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print what is in sync as well: each item, fact and call rule.
    #[arg(long, short)]
    pub verbose: bool,
    /// Append the verdict to FILE besides, as `markdown`: GitHub's $GITHUB_STEP_SUMMARY.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
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
    /// A page for the summary of a job or a comment: less than 4 kB.
    Markdown,
}

/// Arguments of `facts`.
#[derive(Debug, Args)]
pub struct FactsArguments {
    /// Names of facts, or of models with all of theirs; default: all.
    #[arg(value_name = "NAME", add = ArgValueCompleter::new(complete::facts))]
    pub names: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: FactsFormat,
    /// Show the source that decides each fact.
    #[arg(long)]
    pub explain: bool,
    /// Cut one function into its indivisible steps instead.
    #[arg(long, value_name = "SELECTOR", conflicts_with = "explain", add = ArgValueCompleter::new(complete::selectors))]
    pub steps: Option<String>,
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

/// Arguments of `prove`.
#[derive(Debug, Args)]
pub struct ProveArguments {
    /// Names of models; default: all.
    #[arg(value_name = "MODEL", add = ArgValueCompleter::new(complete::models))]
    pub models: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
}

/// Formats of commands that print text or data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlainFormat {
    /// For people.
    Text,
    /// One object.
    Json,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArguments {
    /// Names of models; default: all.
    #[arg(value_name = "MODEL", add = ArgValueCompleter::new(complete::models))]
    pub models: Vec<String>,
    /// Only these runs.
    #[arg(long = "run", value_name = "NAME")]
    pub runs: Vec<String>,
    /// How many runs at once; default: as many as cores and memory allow.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Run everything, also what is known.
    #[arg(long)]
    pub fresh: bool,
    /// Print the matrix, and run nothing.
    #[arg(long, conflicts_with_all = ["print_cfg", "actions"])]
    pub list: bool,
    /// Print what the model checker is given for a run, and run nothing.
    #[arg(long, value_name = "RUN")]
    pub print_cfg: Option<String>,
    /// Print the actions of a run's counterexample, one a line.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["print_cfg", "format"])]
    pub actions: Option<String>,
    /// Only the K-th of N parts of the matrix.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Write every verdict into a folder besides, for `--merge` on another machine.
    #[arg(long, value_name = "FOLDER")]
    pub verdicts: Option<PathBuf>,
    /// Run nothing: join the verdicts that other machines wrote.
    #[arg(long, value_name = "FOLDER", num_args = 1.., conflicts_with_all = ["shard", "fresh", "verdicts"])]
    pub merge: Vec<PathBuf>,
    /// TLC's distributed mode, which is refused.
    #[arg(long, hide = true)]
    pub distributed: bool,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// Leave each run in FOLDER as a plain folder that TLC or an editor can open.
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
    /// How to print.
    #[command(flatten)]
    pub output: VerdictArguments,
}

/// A part of a matrix: `K/N`, K from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part.
    pub part: usize,
    /// Of how many.
    pub parts: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || format!("`{text}` is no part: write `2/3` for the second of three");
        let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
        let (part, parts) = (part.parse().map_err(|_| wrong())?, parts.parse().map_err(|_| wrong())?);
        if part == 0 || part > parts { Err(wrong()) } else { Ok(Shard { part, parts }) }
    }
}

/// Arguments of `trace`.
#[derive(Debug, Args)]
pub struct TraceArguments {
    /// The specification, from the current folder.
    #[arg(value_name = "SPEC")]
    pub spec: String,
    /// The recorded run: one JSON object a line; `-` is stdin.
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Take cfg, constants and behaviour from this run; default: the specification's first run that must pass.
    #[arg(long, value_name = "NAME")]
    pub run: Option<String>,
    /// An action that may happen between two lines without being recorded.
    #[arg(long = "silent", value_name = "ACTION")]
    pub silent: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct DiffArguments {
    /// Selectors of STALE items; default: all.
    #[arg(value_name = "ITEM", add = ArgValueCompleter::new(complete::items))]
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
    /// What to confirm: selectors of items (with the facts read in them), facts, call keys, runs, model files; default: all.
    #[arg(value_name = "ITEM", add = ArgValueCompleter::new(complete::items))]
    pub items: Vec<String>,
    /// Why the model still describes an item that changed.
    #[arg(long, value_name = "REASON")]
    pub because: Option<String>,
    /// Walk what is STALE one by one on a terminal: all of it, or the ITEMs.
    #[arg(long)]
    pub review: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// The codes, as every format prints them: `unguarded`, `call-added`, `structure`, `parse-error`; default: a list of all.
    #[arg(value_name = "CODE")]
    pub codes: Vec<String>,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ExplainFormat,
}

/// Formats of what codes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// For people.
    Text,
    /// One object.
    Json,
    /// The page of the documentation.
    Markdown,
}

/// Arguments of `covers`.
#[derive(Debug, Args)]
pub struct CoversArguments {
    /// A file from the current folder, or one line in it.
    #[arg(value_name = "PATH[:LINE]", required = true)]
    pub places: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
}

/// Arguments of `match`.
#[derive(Debug, Args)]
pub struct MatchArguments {
    /// The pattern as code (`-` is stdin), then files and folders to search; default: all code of the view.
    #[arg(value_names = ["PATTERN", "PATH"])]
    pub words: Vec<String>,
    /// Read the pattern from a file: every argument is a path then.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Search only in this item: a selector, or the bare name of a covered one.
    #[arg(long = "in", value_name = "SELECTOR", add = ArgValueCompleter::new(complete::selectors))]
    pub within: Vec<String>,
    /// Only code of this language, by its name or a file's ending.
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: Option<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
}

/// Arguments of `mv`.
#[derive(Debug, Args)]
pub struct MvArguments {
    /// What moved: a file, a folder, or an item as PATH#NAME.
    #[arg(value_name = "OLD")]
    pub old: String,
    /// Where it stands now.
    #[arg(value_name = "NEW")]
    pub new: String,
}

/// Arguments of `actions`.
#[derive(Debug, Args)]
pub struct ActionsArguments {
    /// Names of models; default: all.
    #[arg(value_name = "MODEL", add = ArgValueCompleter::new(complete::models))]
    pub models: Vec<String>,
    /// The view.
    #[command(flatten)]
    pub view: ViewArguments,
    /// How to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
}

/// Arguments of `items`.
#[derive(Debug, Args)]
pub struct ItemsArguments {
    /// A file, from the current folder, or an item: a selector, or the bare name of a covered one.
    #[arg(value_name = "PATH", required = true, add = ArgValueCompleter::new(complete::selectors))]
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

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// A command; default: the program and all of its commands.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
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
