//! Whether a hook really refuses a commit through factgate. A line that merely names it does not, and a gate that only
//! looks shut is worse than none.

/// What a text makes of factgate.
///
/// The larger, the more commits are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Calls {
    /// It does not run factgate.
    No,
    /// It does, but no commit is refused: why, and what to do.
    InVain(&'static str),
    /// It does, and some commits are let through all the same: which.
    InPart(&'static str),
    /// It runs `factgate check --staged`, and its exit code counts.
    Yes,
}

/// How a text is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By a shell: only the last exit code counts.
    Shell,
    /// By a shell with `-e`: every exit code counts.
    StrictShell,
}

const WORKTREE: &str = "it judges the work tree, not what is committed: write `factgate check --staged`";
const IGNORED: &str = "its exit code does not count: write `factgate check --staged || exit $?`";

/// Reads a hook.
pub(crate) fn calls(text: &str, kind: Kind) -> Calls {
    let joined = text.replace("\\\n", " ");
    let lines: Vec<&str> = joined.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let strict = kind != Kind::Shell || lines.iter().any(|line| is_strict(line));
    let code: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with('#')).collect();
    let mut found = Calls::No;
    for (number, line) in code.iter().enumerate() {
        let here = call(line).map(|call| judge(&call, strict || number + 1 == code.len()));
        match here {
            Some(Calls::Yes) => return Calls::Yes,
            Some(other) => found = other,
            None => {}
        }
    }
    found
}

/// `set -e`, or `#!/bin/sh -e`.
fn is_strict(line: &str) -> bool {
    let options = |rest: &str| rest.split_whitespace().any(|word| word.starts_with('-') && word.contains('e'));
    line.strip_prefix("set ").or_else(|| line.strip_prefix("#!")).is_some_and(options)
}

/// A call of factgate in a line.
struct Call<'l> {
    /// The words before it in the same command.
    before: Vec<&'l str>,
    /// Its arguments.
    arguments: Vec<&'l str>,
    /// What follows in the line.
    after: &'l str,
}

/// The call that stands where a shell has a command.
fn call(line: &str) -> Option<Call<'_>> {
    let mut start = 0;
    loop {
        let end = line[start..].find([';', '|', '&', '(', '{']).map_or(line.len(), |at| start + at);
        let quote = |letter: char| letter.is_whitespace() || "'\"`,)}".contains(letter);
        let words: Vec<&str> = line[start..end].split(quote).filter(|word| !word.is_empty()).collect();
        let is_program = |word: &&str| word.rsplit('/').next() == Some("factgate");
        if let Some(at) = words.iter().position(is_program).filter(|at| words[..*at].iter().all(leads)) {
            let (before, arguments) = (words[..at].to_vec(), words[at + 1..].to_vec());
            if arguments.iter().any(|word| matches!(*word, "check" | "verify")) {
                return Some(Call { before, arguments, after: &line[end..] });
            }
        }
        if end == line.len() {
            return None;
        }
        start = end + line[end..].chars().next().map_or(1, char::len_utf8);
    }
}

/// What may stand before a command: a shell's own words, a setting.
fn leads(word: &&str) -> bool {
    const WORDS: [&str; 17] = [
        "exec", "command", "env", "time", "nice", "npx", "pnpm", "yarn", "bun", "bunx", "dlx", "--", "if", "then",
        "else", "do", "!",
    ];
    WORDS.contains(word) || word.split_once('=').is_some_and(|(name, _)| !name.starts_with('-'))
}

fn judge(call: &Call<'_>, counts: bool) -> Calls {
    if !call.arguments.contains(&"--staged") {
        return Calls::InVain(WORKTREE);
    }
    let tested = call.before.iter().any(|word| matches!(*word, "exec" | "if" | "!"));
    let after = call.after.trim_start();
    let refuses = match after.strip_prefix("||") {
        Some(otherwise) => ["exit", "return", "false"].iter().any(|word| otherwise.contains(word)),
        None => tested || after.starts_with("&&") || counts,
    };
    if refuses { Calls::Yes } else { Calls::InVain(IGNORED) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: Kind, expected: Calls, texts: &[&str]) {
        for text in texts {
            assert_eq!(calls(text, kind), expected, "{kind:?}: {text}");
        }
    }

    #[test]
    fn a_shell_hook_calls_when_a_commit_is_refused() {
        check(
            Kind::Shell,
            Calls::Yes,
            &[
                "#!/bin/sh\nfactgate check --staged\n",
                "#!/bin/sh\nfactgate check --staged || exit $?\nnpm test\n",
                "\"$HOME/bin/factgate\" check --staged || { echo no; exit 1; }\nnpm test",
                "set -eu\nfactgate check --staged\nnpm test",
                "#!/bin/bash -e\nfactgate check --staged\nnpm test",
                "exec factgate -C . check --staged --format github\n",
                "if ! factgate check --staged; then\n  exit 1\nfi\n",
                "npm test && factgate check --staged",
                "FORCE=1 factgate check \\\n  --staged || exit 1\ntrue",
                "factgate verify --staged",
            ],
        );
        check(
            Kind::Shell,
            Calls::InVain(IGNORED),
            &["factgate check --staged || true", "factgate check --staged\nnpm test", "factgate check --staged || :\n"],
        );
        check(Kind::Shell, Calls::InVain(WORKTREE), &["factgate check || exit $?", "factgate verify"]);
        check(
            Kind::Shell,
            Calls::No,
            &["", "npm test", "# factgate check --staged", "echo run factgate check --staged", "factgate --version"],
        );
    }

    #[test]
    fn every_line_counts_in_a_strict_shell() {
        check(Kind::StrictShell, Calls::Yes, &["factgate check --staged\nnpm test\n"]);
    }
}
