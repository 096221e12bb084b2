//! Whether git ignores a file that somebody wants to commit, and by which rule: `git add` passes it over without a word.

use crate::error::VcsError;
use crate::repository::Repository;

/// A line of an ignore file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoreRule {
    /// The file that holds it: from the top of the work tree where it lies in it.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// What it says.
    pub pattern: String,
}

impl Repository {
    /// The rule by which git ignores a file of the work tree; `None` for one that it does not ignore, or tracks already.
    pub fn ignored_by(&self, path: &str) -> Result<Option<IgnoreRule>, VcsError> {
        let tracked = self.backend().index()?;
        if tracked.iter().any(|entry| entry.path == path) {
            return Ok(None);
        }
        self.backend().ignoring(path)
    }
}

/// Reads what `git check-ignore --verbose` says of one path: `FILE:LINE:PATTERN<TAB>PATH`. A pattern that begins with `!`
/// is why the path is not ignored.
pub(crate) fn parse(said: &[u8]) -> Option<IgnoreRule> {
    let text = String::from_utf8_lossy(said);
    let (rule, _) = text.trim_end_matches('\n').rsplit_once('\t')?;
    // A file's name may hold a colon, and so may a pattern: the first number between two is the line.
    let line = |at: usize| rule[at + 1..].split_once(':').and_then(|(line, rest)| Some((line.parse().ok()?, rest)));
    let (at, (line, pattern)) = rule.match_indices(':').find_map(|(at, _)| Some((at, line(at)?)))?;
    (!pattern.starts_with('!')).then(|| IgnoreRule { file: rule[..at].to_owned(), line, pattern: pattern.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(said: &str, rule: Option<(&str, u32, &str)>) {
        let rule = rule.map(|(file, line, pattern)| IgnoreRule { file: file.into(), line, pattern: pattern.into() });
        assert_eq!(parse(said.as_bytes()), rule, "{said:?}");
    }

    #[test]
    fn the_rule_is_read_with_its_file_and_line() {
        check(".gitignore:1:coverage/\tcoverage/a.json\n", Some((".gitignore", 1, "coverage/")));
        check("a:b/.gitignore:12:*:3\ta:b/c.json\n", Some(("a:b/.gitignore", 12, "*:3")));
        check(".gitignore:2:!coverage/a.json\tcoverage/a.json\n", None);
        check("", None);
    }
}
