//! What a change did to the steps of a function, in one sentence: a new `await` and what stands around it, a call that comes
//! after another now, what is no longer called.

use super::{Happening, HappeningKind, Step};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// How many things one sentence tells.
const TOLD: usize = 3;

/// The difference between the steps that were confirmed and those of now; nothing where the steps are the same.
pub fn change(recorded: &[Step], current: &[Step]) -> Option<String> {
    let (old, new) = (flat(recorded), flat(current));
    let ops = capture_diff_slices(Algorithm::Patience, &keys(&old), &keys(&new));
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for op in ops {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, .. } => gone.extend(old_index..old_index + old_len),
            DiffOp::Insert { new_index, new_len, .. } => come.extend(new_index..new_index + new_len),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                gone.extend(old_index..old_index + old_len);
                come.extend(new_index..new_index + new_len);
            }
        }
    }
    let (mut moved, mut told) = (Vec::new(), Vec::new());
    come.retain(|&at| {
        let same = gone.iter().position(|&other| key(old[other]) == key(new[at]));
        if let Some(index) = same {
            moved.push((gone.remove(index), at));
        }
        same.is_none()
    });
    // Another value of the same variable is for the lines to tell.
    let is_write = |happening: &Happening| happening.kind == HappeningKind::Write;
    come.retain(|&at| {
        let same = |&other: &usize| is_write(old[other]) && target(old[other]) == target(new[at]);
        let found = gone.iter().position(same).filter(|_| is_write(new[at]));
        found.map(|index| gone.remove(index)).is_none()
    });
    told.extend(come.iter().filter(|&&at| new[at].kind == HappeningKind::Suspend).map(|&at| waits(&new, at)));
    told.extend(moved.iter().filter_map(|&(before, after)| order(&old, &new, before, after)));
    let awaited: Vec<&str> =
        come.iter().filter(|&&at| new[at].kind == HappeningKind::Suspend).map(|&at| bare(new[at])).collect();
    come.retain(|&at| !awaited.iter().any(|wait| wait.contains(bare(new[at]))));
    told.extend(come.iter().filter_map(|&at| words(new[at], "now", "new")));
    told.extend(gone.iter().filter_map(|&at| words(old[at], "no longer", "gone")));
    told.dedup();
    let more = told.len().saturating_sub(TOLD);
    told.truncate(TOLD);
    if more > 0 {
        told.push(format!("{more} more"));
    }
    (!told.is_empty()).then(|| told.join("; "))
}

fn flat(steps: &[Step]) -> Vec<&Happening> {
    steps.iter().flat_map(|step| &step.does).collect()
}

/// What is compared: layout is none of it.
fn key(happening: &Happening) -> (HappeningKind, String) {
    (happening.kind, happening.text.split_whitespace().collect())
}

fn keys(all: &[&Happening]) -> Vec<(HappeningKind, String)> {
    all.iter().map(|one| key(one)).collect()
}

/// What can be told of: what a function does, not how it branches.
fn is_deed(happening: &Happening) -> bool {
    matches!(happening.kind, HappeningKind::Call | HappeningKind::Write | HappeningKind::When)
}

/// Its code without the marks around it.
fn bare(happening: &Happening) -> &str {
    let text = happening.text.strip_prefix('`').unwrap_or(&happening.text);
    text.strip_suffix('`').unwrap_or(text)
}

/// What a write gives a value.
fn target(happening: &Happening) -> &str {
    bare(happening).split(" = ").next().unwrap_or_default()
}

fn quoted(happening: &Happening) -> String {
    let text = bare(happening);
    let callee = || text.split('(').next().filter(|callee| !callee.is_empty()).unwrap_or(text);
    match happening.kind {
        HappeningKind::Call => format!("`{}`", callee()),
        HappeningKind::Write => format!("`{}`", target(happening)),
        _ => format!("`{text}`"),
    }
}

/// A new wait, between what is done before and behind it.
fn waits(all: &[&Happening], at: usize) -> String {
    let own = bare(all[at]);
    // What is awaited is called before.
    let before = all[..at].iter().rev().find(|one| is_deed(one) && !own.contains(bare(one)));
    let after = all[at + 1..].iter().find(|one| is_deed(one));
    let noun = |one: &&&Happening| match one.kind {
        HappeningKind::When => format!("the check at {}", one.at.line),
        HappeningKind::Write => format!("the write at {}", one.at.line),
        _ => format!("{} at {}", quoted(one), one.at.line),
    };
    let where_ = match (before.as_ref().map(noun), after.as_ref().map(noun)) {
        (Some(before), Some(after)) => format!(" between {before} and {after}"),
        (Some(before), None) => format!(" behind {before}"),
        (None, Some(after)) => format!(" before {after}"),
        (None, None) => String::new(),
    };
    format!("one new `{own}` at {}{where_}", all[at].at.line)
}

/// What a moved call or write comes before or after now, and did not.
fn order(old: &[&Happening], new: &[&Happening], before: usize, after: usize) -> Option<String> {
    if !matches!(new[after].kind, HappeningKind::Call | HappeningKind::Write) {
        return None;
    }
    let old_place = |one: &Happening| old.iter().position(|other| key(other) == key(one));
    let passed = new[..after].iter().rev().filter(|one| is_deed(one));
    let verb = if new[after].kind == HappeningKind::Call { "is called" } else { "is written" };
    let own = quoted(new[after]);
    if let Some(one) = passed.clone().find(|one| old_place(one).is_some_and(|place| place > before)) {
        return Some(format!("{own} {verb} after {} now", quoted(one)));
    }
    let behind = new[after + 1..].iter().filter(|one| is_deed(one));
    let mut behind = behind.filter(|one| old_place(one).is_some_and(|place| place < before));
    behind.next().map(|one| format!("{own} {verb} before {} now", quoted(one)))
}

/// What is done now and was not, or the other way round.
fn words(happening: &Happening, adverb: &str, adjective: &str) -> Option<String> {
    let text = quoted(happening);
    let is_new = adjective == "new";
    match happening.kind {
        HappeningKind::Call if is_new => Some(format!("{text} is called {adverb}")),
        HappeningKind::Call => Some(format!("{text} is {adverb} called")),
        HappeningKind::Write if is_new => Some(format!("{text} is written {adverb}")),
        HappeningKind::Write => Some(format!("{text} is {adverb} written")),
        HappeningKind::When if is_new => Some(format!("the check {text} is new")),
        HappeningKind::When => Some(format!("the check {text} is gone")),
        HappeningKind::Suspend if !is_new => Some(format!("{text} is gone")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::tests::Memory;
    use crate::program::Program;
    use factgate_record::RepoPath;
    use factgate_syntax::{Limits, Selector};

    fn steps(body: &str) -> Vec<Step> {
        let code = format!("async function f(m) {{\n{body}\n}}");
        let files = Memory::new(&[("a.ts", &code)]);
        let program = Program::new(&files, RepoPath::default(), Limits::default());
        super::super::steps(&program.scope(&Selector::parse("a.ts#f").unwrap()).unwrap())
    }

    #[track_caller]
    fn check(before: &str, after: &str, expected: Option<&str>) {
        assert_eq!(change(&steps(before), &steps(after)).as_deref(), expected, "{before}\n{after}");
    }

    #[test]
    fn one_sentence_tells_what_a_change_did() {
        check(
            "if (m.ok) {\nm.x = 1;\n}",
            "if (m.ok) {\nawait pause();\nm.x = 1;\n}",
            Some("one new `await pause()` at 3 between the check at 2 and the write at 4"),
        );
        check(
            "close(m);\nflush(m);\nlog();",
            "flush(m);\nclose(m);\nlog();",
            Some("`flush` is called before `close` now"),
        );
        check("if (m.ok)\nrm(m);", "rm(m);", Some("the check `m.ok` is gone"));
        check("a();", "a();\nb();", Some("`b` is called now"));
        check("a();\nb();", "b();", Some("`a` is no longer called"));
        check("await a();", "a();", Some("`await a()` is gone"));
        check("a();", "a( );", None);
        check("return 1;", "return 2;", None);
        check("const t = `a`;\nm.x = 1;", "const t = `b`;\nm.x = 2;", None);
        check("a();", "a();\nm.x = 1;", Some("`m.x` is written now"));
    }
}
