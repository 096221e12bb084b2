//! What a configuration asks beside items, facts and runs, as the record keeps it: so that nothing of it can be given up
//! in silence.

use crate::config::tables::PatternText;
use crate::config::{At, Model, WatchedBy};
use factgate_record::{Gate, RepoPath};
use std::collections::BTreeSet;

/// The aspects, each as a list of words.
pub fn of(model: &Model) -> Gate {
    let mut gate = Gate::new();
    let mut add = |aspect: String, words: BTreeSet<String>| {
        if !words.is_empty() {
            gate.insert(aspect, words);
        }
    };
    add("drift".to_owned(), model.drift.iter().map(|change| change.code().to_owned()).collect());
    add("files".to_owned(), model.written_files.iter().cloned().collect());
    // The default is said as well: another root is another program.
    let root = if model.root == RepoPath::default() { ".".to_owned() } else { model.root.to_string() };
    add("root".to_owned(), BTreeSet::from([root]));
    let digest = model.engine.as_ref().and_then(|engine| engine.sha256.as_ref());
    add("engine".to_owned(), digest.into_iter().map(|digest| digest.to_ascii_lowercase()).collect());
    for (key, watched) in &model.calls {
        let (aspect, words) = match &watched.by {
            WatchedBy::Definition(of) => ("of", BTreeSet::from([of.text.clone()])),
            WatchedBy::Outside(of) => ("of", BTreeSet::from([of.value.written().to_owned()])),
            WatchedBy::Shape(shapes) => ("match", shapes.iter().map(|shape| text(&shape.value)).collect()),
        };
        add(format!("calls {key} {aspect}"), words);
        add(format!("calls {key} in"), watched.written.iter().map(|glob| glob.value.clone()).collect());
        let matching = watched.matching.iter().map(|(name, regex)| format!("{name} = {}", regex.value));
        add(format!("calls {key} matching"), matching.collect());
    }
    for (name, action) in &model.actions {
        add(format!("action {name}"), action.code.iter().map(|code| code.text.clone()).collect());
    }
    gate
}

/// Takes globs out of what a record asks that name no file of the view any more: what they named has moved, or is gone.
pub fn settle(model: &Model, listed: &[RepoPath], gate: &mut Gate) {
    for (key, watched) in &model.calls {
        let names_nothing = |glob: &str| {
            let set = watched.set(&[At { value: glob.to_owned(), span: watched.origin.span.clone() }]);
            let mut below = listed.iter().filter_map(|path| path.below(&model.root));
            set.is_some_and(|set| !below.any(|path| set.is_match(path)))
        };
        let is_written = |word: &String| watched.written.iter().any(|glob| glob.value == *word);
        if let Some(words) = gate.get_mut(&format!("calls {key} in")) {
            words.retain(|word| is_written(word) || !names_nothing(word));
        }
    }
}

fn text(pattern: &PatternText) -> String {
    match pattern {
        PatternText::Code(code) => code.trim().to_owned(),
        PatternText::Inside { context, select } => format!("{select} in {}", context.trim()),
    }
}

/// A record's aspects where a configuration says new names for what is as recorded. What the record has all of is as the
/// configuration says it.
pub fn renamed(recorded: &Gate, before: &Gate, after: &Gate) -> Gate {
    let mut gate = recorded.clone();
    gate.retain(|aspect, words| before.get(aspect) != Some(words));
    let is_settled = |(aspect, words): &(&String, &BTreeSet<String>)| {
        let known = recorded.get(*aspect);
        before.get(*aspect) == known || known.is_some_and(|known| known.is_subset(words))
    };
    gate.extend(after.iter().filter(is_settled).map(|(aspect, words)| (aspect.clone(), words.clone())));
    gate
}
