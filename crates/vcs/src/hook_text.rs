//! Whether a hook, or the configuration of a tool that keeps hooks, really refuses a commit through factgate. A line that
//! merely names it does not, and a gate that only looks shut is worse than none.

/// What a text makes of factgate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// It runs `factgate check --staged`, and its exit code counts.
    Yes,
    /// It does not run factgate.
    No,
    /// It does, but a commit is not refused: why, and what to do.
    InVain(&'static str),
}

/// How a text is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By a shell: only the last exit code counts.
    Shell,
    /// By a shell with `-e`: every exit code counts.
    StrictShell,
    /// By a tool that reads commands out of a configuration.
    Configuration,
}

const WORKTREE: &str = "it judges the work tree, not what is committed: write `factgate check --staged`";
const IGNORED: &str = "its exit code does not count: write `factgate check --staged || exit $?`";

/// Reads a hook or a configuration.
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
    let hook = kind == Kind::Configuration && is_from_repository(&code);
    if found == Calls::No && hook { Calls::Yes } else { found }
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

/// The call that stands where a shell, or a configuration's key, has a command.
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

/// What may stand before a command: a shell's own words, a setting, a configuration's key.
fn leads(word: &&str) -> bool {
    const WORDS: [&str; 18] = [
        "exec", "command", "env", "time", "nice", "npx", "if", "then", "else", "do", "!", "-", "=", ":", "run", "run:",
        "entry", "entry:",
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

/// The pre-commit framework's `id: factgate` under the address of factgate's own repository.
fn is_from_repository(lines: &[&str]) -> bool {
    let value = |line: &str, key: &str| {
        let rest = line.trim_start_matches(['-', ' ']).strip_prefix(key)?.trim_start().strip_prefix(':')?;
        Some(rest.trim().trim_matches(['"', '\'']).to_owned())
    };
    let is_ours = |address: String| {
        let address = address.trim_end_matches('/').trim_end_matches(".git");
        address.rsplit(['/', ':']).next() == Some("factgate")
    };
    lines.iter().any(|line| value(line, "repo").is_some_and(is_ours))
        && lines.iter().any(|line| value(line, "id").is_some_and(|id| id == "factgate"))
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
    fn tools_call_by_their_configuration() {
        check(
            Kind::Configuration,
            Calls::Yes,
            &[
                "pre-commit:\n  commands:\n    factgate:\n      run: factgate check --staged\n",
                "run = \"factgate check --staged\"\n",
                "{ \"run\": \"factgate check --staged\" }",
                "  entry: 'factgate check --staged'\n",
                "      run: |\n        factgate check --staged\n",
                "repos:\n- repo: https://example.invalid/factgate\n  rev: v1\n  hooks:\n  - id: factgate\n",
                "- repo: git@example.invalid:us/factgate.git\n  hooks:\n    - id: \"factgate\"\n",
            ],
        );
        check(Kind::Configuration, Calls::InVain(WORKTREE), &["run: factgate check"]);
        check(
            Kind::Configuration,
            Calls::No,
            &["repos: []", "- repo: local\n  hooks:\n  - id: factgate\n", "name: factgate check"],
        );
        check(Kind::StrictShell, Calls::Yes, &["factgate check --staged\nnpm test\n"]);
    }
}
