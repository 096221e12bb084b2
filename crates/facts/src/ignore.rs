//! Calls that do not count for fingerprints: the language's own logging, and what the user's `ignore` adds to it.
//!
//! Only a call whose result nobody uses, and in which nothing is done but what is ignored itself: no other call (but of a
//! function of the file that only gives a value), no wait, no assignment. Guards and call sites never ask here.

use crate::idle;
use crate::pattern::{Env, Pattern, PatternError, PatternText};
use crate::program::Scope;
use factgate_syntax::languages::does_nothing;
use factgate_syntax::{Item, ItemKind, LANGUAGES, Language, NodeId};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// The patterns of a model, each for every language that it is code of.
#[derive(Clone, Debug, Default)]
pub struct Ignore {
    patterns: Vec<Pattern>,
    texts: Vec<String>,
}

/// The languages' own logging.
fn logging() -> &'static [Pattern] {
    static LOGGING: OnceLock<Vec<Pattern>> = OnceLock::new();
    LOGGING.get_or_init(|| {
        let own = |language: &'static Language| {
            let read = |code: &&str| Pattern::parse(language, &PatternText::Code((*code).to_owned())).ok();
            language.logging.iter().filter_map(read).collect::<Vec<_>>()
        };
        LANGUAGES.iter().flat_map(own).collect()
    })
}

impl Ignore {
    /// Reads patterns; with the place of the first that is none, or no call.
    pub fn of(texts: &[String]) -> Result<Ignore, (usize, PatternError)> {
        let mut patterns = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let code = PatternText::Code(text.clone());
            let read: Vec<_> = LANGUAGES.iter().map(|language| Pattern::parse(language, &code)).collect();
            let mut calls = read.iter().flatten().filter(|pattern| is_call(pattern)).peekable();
            if calls.peek().is_none() {
                let no_call =
                    PatternError { offset: 0, message: "only calls can be ignored: `log.$_($$$)`".to_owned() };
                let wrong = if read.iter().any(Result::is_ok) { None } else { read.into_iter().find_map(Result::err) };
                return Err((index, wrong.unwrap_or(no_call)));
            }
            patterns.extend(calls.cloned());
        }
        Ok(Ignore { patterns, texts: texts.to_vec() })
    }

    /// The user's patterns as they were written.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The statements of a scope that are as good as not there.
    pub fn gone(&self, scope: &Scope) -> BTreeSet<NodeId> {
        let (tree, language) = (&scope.tree, scope.source.language());
        let kinds = language.rules().kinds();
        let mut calls: BTreeSet<NodeId> = BTreeSet::new();
        for (pattern, is_own) in
            logging().iter().map(|own| (own, true)).chain(self.patterns.iter().map(|it| (it, false)))
        {
            if !std::ptr::eq(pattern.language(), language) {
                continue;
            }
            let found = pattern.find_all(tree, NodeId::ROOT, &Env::default()).into_iter().map(|found| found.node);
            // What a local variable of that name holds is not the language's own.
            calls.extend(found.filter(|&node| !is_own || !kinds.starts_with_a_local(tree, &scope.scopes, node)));
        }
        calls.extend(logged(scope));
        let is_ignored = |node: NodeId| calls.contains(&node) || idle::only_gives_a_value(scope, node);
        let is_idle = |call: NodeId| tree.children(call).all(|part| does_nothing(language, tree, part, &is_ignored));
        let idle = calls.iter().filter(|&&call| kinds.is_statement(tree, call) && is_idle(call));
        let mut gone: BTreeSet<NodeId> = idle.map(|&call| kinds.statement_of(tree, call)).collect();
        // An `if` that is there for them alone goes with them, as long as asking does nothing.
        let mut due: Vec<NodeId> = gone.iter().copied().collect();
        while let Some(statement) = due.pop() {
            let is_gone =
                |node: NodeId| gone.contains(&node) || tree.ancestors(node).any(|above| gone.contains(&above));
            if let Some(branch) = kinds.hollow_branch(language, tree, statement, &is_gone)
                && gone.insert(branch)
            {
                due.push(branch);
            }
        }
        gone
    }
}

/// The calls of members of a logger: a constant of the file whose value is made by the language's own logging.
fn logged(scope: &Scope) -> Vec<NodeId> {
    let (tree, language) = (&scope.tree, scope.source.language());
    let kinds = language.rules().kinds();
    let makers = language.loggers.iter();
    let makers: Vec<Pattern> =
        makers.filter_map(|code| Pattern::parse(language, &PatternText::Code((*code).to_owned())).ok()).collect();
    if makers.is_empty() {
        return Vec::new();
    }
    let is_logger = |item: &&Item| {
        let made = || Arc::new(scope.source.normal(item));
        item.kind == ItemKind::Value
            && makers.iter().any(|maker| maker.is_found(&made(), NodeId::ROOT, &Env::default()))
    };
    let loggers: BTreeSet<&str> =
        scope.source.items().iter().filter(is_logger).map(|item| item.name.as_str()).collect();
    let calls_one = |node: &NodeId| {
        let Some(callee) = kinds.callee(tree, *node).filter(|callee| !tree.is_leaf(*callee)) else { return false };
        let first = tree.subtree(callee).find(|&leaf| tree.is_leaf(leaf));
        first.is_some_and(|first| loggers.contains(tree.text(first)))
            && !kinds.starts_with_a_local(tree, &scope.scopes, callee)
    };
    if loggers.is_empty() { Vec::new() } else { tree.subtree(NodeId::ROOT).filter(calls_one).collect() }
}

/// Whether a pattern is one call, and says what is called.
fn is_call(pattern: &Pattern) -> bool {
    let Some(root) = pattern.root() else { return false };
    let kinds = pattern.language().rules().kinds();
    kinds.callee(pattern.tree(), root).is_some_and(|callee| !pattern.is_placeholder(callee))
}
