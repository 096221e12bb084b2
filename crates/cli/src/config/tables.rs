//! The tables of a `factgate.toml`, as they are written. The JSON Schema comes from these types.

use crate::config::run_tables::{EngineTable, RunTable, TraceTable};
use crate::config::spanned::{At, OneOrMany};
use factgate_record::Change;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// One model and the code it describes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "factgate.toml")]
pub struct ConfigFile {
    /// The model: its name, its files, what it covers.
    pub model: ModelTable,
    /// Watched functions and call shapes.
    #[serde(default)]
    pub calls: Vec<At<CallsTable>>,
    /// Calls that make their condition known, and calls that never return.
    #[serde(default)]
    pub assertions: AssertionsTable,
    /// How much source is read before giving up.
    #[serde(default)]
    pub limits: LimitsTable,
    /// The model checker.
    pub engine: Option<At<EngineTable>>,
    /// What the runs take where they do not say otherwise. `set` is merged key by key; an empty list in a run takes away
    /// what is given here.
    pub defaults: Option<At<RunTable>>,
    /// The code that each action of the specification stands for, by the action's name.
    #[serde(default)]
    pub action: BTreeMap<String, At<ActionTable>>,
    /// Executions of the model checker, each with an expected outcome, by name.
    #[serde(default)]
    pub run: BTreeMap<String, At<RunTable>>,
    /// Recorded runs of the real program that the specification must allow, or refuse, by name.
    #[serde(default)]
    pub trace: BTreeMap<String, At<TraceTable>>,
}

/// The code that an action of the specification stands for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionTable {
    /// Selectors of the places: `PATH#NAME`, or `PATH#NAME/PATTERN` for the one node in it that a pattern matches.
    #[schemars(length(min = 1))]
    pub code: Vec<At<String>>,
}

/// The model: its name, its files, what it covers.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelTable {
    /// The model's name, unique in the repository.
    pub name: At<String>,
    /// Where source paths start, relative to this file; default: the repository's root.
    pub root: Option<At<String>>,
    /// Globs of the model's own files, relative to this file. Each is confirmed whole.
    #[schemars(length(min = 1))]
    pub files: Option<Vec<At<String>>>,
    /// Globs of pattern files, relative to this file; default: `patterns/*.toml`.
    #[schemars(length(min = 1))]
    pub patterns: Option<Vec<At<String>>>,
    /// The record, relative to this file; default: `coverage/NAME.json`.
    pub record: Option<At<String>>,
    /// Selectors of the covered items: `PATH#NAME`, or `PATH` for a whole file of any ending. May be left out where there
    /// are runs.
    #[serde(default)]
    pub cover: Vec<At<String>>,
    /// The classes of change that are drift; a change of another class is a note. Default: all but `locals`.
    #[schemars(length(min = 1))]
    pub drift: Option<Vec<ChangeClass>>,
    /// Patterns of calls that do not count where nobody uses their result and their arguments do nothing, beside the
    /// language's own logging.
    #[schemars(length(min = 1))]
    pub ignore: Option<Vec<At<String>>>,
}

/// In which way an item changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeClass {
    /// Local variables are renamed.
    Locals,
    /// Literal text differs.
    Literals,
    /// Functions and members are renamed.
    Names,
    /// Arguments, messages and values beside the skeleton differ.
    Detail,
    /// Anything more.
    Structure,
}

impl From<ChangeClass> for Change {
    fn from(class: ChangeClass) -> Change {
        match class {
            ChangeClass::Locals => Change::Locals,
            ChangeClass::Literals => Change::Literals,
            ChangeClass::Names => Change::Names,
            ChangeClass::Detail => Change::Detail,
            ChangeClass::Structure => Change::Structure,
        }
    }
}

/// One watched function (`of`), or a shape of call (`match`).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallsTable {
    /// The selector of the function whose calls are followed.
    pub of: Option<At<String>>,
    /// Patterns of the calls that count.
    #[serde(rename = "match")]
    pub shape: Option<OneOrMany<PatternText>>,
    /// The key in the record and in JSON; default: the name behind the `#` of `of`.
    pub name: Option<At<String>>,
    /// Globs of the files that are searched, from the model's root.
    #[serde(rename = "in")]
    #[schemars(length(min = 1))]
    pub within: Vec<At<String>>,
    /// What a metavariable of `match` may bind: a regular expression over its whole text.
    #[serde(default)]
    pub matching: BTreeMap<String, At<String>>,
}

/// Calls that make their condition known, and calls that never return.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssertionsTable {
    /// Patterns of assertions: after one, `$C` is known to be true.
    pub calls: Option<OneOrMany<PatternText>>,
    /// Patterns of calls that never return.
    pub never_returns: Option<OneOrMany<PatternText>>,
}

/// How much source is read before giving up.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsTable {
    /// The largest source file, in bytes; default: 4194304.
    #[schemars(range(min = 1))]
    pub file_bytes: Option<At<u32>>,
    /// The deepest nesting of a source file, in syntax nodes; default: 2000.
    #[schemars(range(min = 1, max = 100_000))]
    pub depth: Option<At<u32>>,
}

/// A piece of code with metavariables, or such a piece inside a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternText {
    /// An expression or statement.
    Code(String),
    /// A node of some kind inside a larger piece of code.
    Inside {
        /// The larger piece.
        context: String,
        /// The kind of the node that counts.
        select: String,
    },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a pattern, or a table with `context` and `select`")]
#[schemars(rename = "Pattern")]
enum PatternSpelling {
    /// An expression or statement.
    Code(String),
    /// A node inside a larger piece of code.
    Inside(ContextTable),
}

/// A node inside a larger piece of code.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContextTable {
    /// The larger piece of code.
    context: String,
    /// The kind of the node in it that is the pattern.
    select: String,
}

impl<'de> Deserialize<'de> for PatternText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match PatternSpelling::deserialize(deserializer)? {
            PatternSpelling::Code(code) => PatternText::Code(code),
            PatternSpelling::Inside(ContextTable { context, select }) => PatternText::Inside { context, select },
        })
    }
}

impl JsonSchema for PatternText {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        PatternSpelling::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        PatternSpelling::json_schema(generator)
    }
}
