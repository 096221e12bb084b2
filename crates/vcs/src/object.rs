//! Raw commits and trees, parsed here so that both ways of reading objects (library and program) share one history.

use crate::error::VcsError;
use crate::id::{CommitId, ObjectId};
use std::ops::Deref;
use std::sync::Arc;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// The modes of tree entries, as git canonicalizes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    File,
    Executable,
    Link,
    Folder,
    Gitlink,
}

impl Mode {
    /// From the bits of a tree or index entry (git's `canon_mode`).
    pub(crate) fn from_bits(bits: u32) -> Mode {
        match bits & 0o170_000 {
            0o100_000 if bits & 0o100 != 0 => Mode::Executable,
            0o100_000 => Mode::File,
            0o120_000 => Mode::Link,
            0o040_000 => Mode::Folder,
            _ => Mode::Gitlink,
        }
    }
}

/// The parents of a commit, in their order. Nearly every commit has one, and there are many commits: no memory of its own
/// is asked for then.
#[derive(Clone, Debug)]
pub(crate) enum Parents {
    Few(Option<CommitId>),
    Many(Arc<[CommitId]>),
}

impl From<&[CommitId]> for Parents {
    fn from(parents: &[CommitId]) -> Parents {
        match parents {
            [] => Parents::Few(None),
            [only] => Parents::Few(Some(*only)),
            several => Parents::Many(several.into()),
        }
    }
}

impl Deref for Parents {
    type Target = [CommitId];

    fn deref(&self) -> &[CommitId] {
        match self {
            Parents::Few(parent) => parent.as_slice(),
            Parents::Many(parents) => parents,
        }
    }
}

/// What history needs of a commit.
#[derive(Clone, Debug)]
pub(crate) struct Commit {
    pub(crate) tree: ObjectId,
    pub(crate) parents: Parents,
    /// The committer's time, in seconds since 1970.
    pub(crate) time: i64,
}

impl Commit {
    /// Parses a raw commit's header.
    pub(crate) fn parse(id: CommitId, raw: &[u8]) -> Result<Commit, VcsError> {
        let damaged = || VcsError::Git(format!("commit {id} is damaged: run `git fsck`"));
        let (mut tree, mut parents, mut time) = (None, Parents::Few(None), 0);
        let mut rest = raw;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n').filter(|end| *end > 0) {
            let line = &rest[..end];
            rest = &rest[end + 1..];
            if let Some(hex) = line.strip_prefix(b"tree ") {
                tree = Some(hex_id(hex).ok_or_else(damaged)?);
            } else if let Some(hex) = line.strip_prefix(b"parent ") {
                let parent = CommitId(hex_id(hex).ok_or_else(damaged)?);
                parents = match &*parents {
                    [] => Parents::Few(Some(parent)),
                    before => Parents::Many([before, &[parent]].concat().into()),
                };
            } else if let Some(person) = line.strip_prefix(b"committer ") {
                time = person_time(person);
                break;
            }
        }
        Ok(Commit { tree: tree.ok_or_else(damaged)?, parents, time })
    }
}

fn hex_id(hex: &[u8]) -> Option<ObjectId> {
    ObjectId::from_hex(std::str::from_utf8(hex).ok()?)
}

/// `Name <mail> SECONDS ZONE`; a time that cannot be read is 0, as in git.
fn person_time(person: &[u8]) -> i64 {
    let after = person.rsplit(|byte| *byte == b'>').next().unwrap_or_default();
    let text = if after.len() < person.len() { std::str::from_utf8(after).unwrap_or_default() } else { "" };
    text.split_whitespace().next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0)
}

/// A commit's subject as `git log --format=%s` gives it: the lines of its first paragraph, joined.
pub(crate) fn subject(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    let message = text.split_once("\n\n").map_or("", |(_, message)| message);
    let lines = message.lines().map(str::trim_end).skip_while(|line| line.is_empty());
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// An entry of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeEntry<'t> {
    pub(crate) name: &'t [u8],
    pub(crate) mode: Mode,
    pub(crate) id: ObjectId,
}

/// The entries of a raw tree whose object names have `width` bytes. A damaged tail yields `None`, once.
pub(crate) fn entries(raw: &[u8], width: usize) -> impl Iterator<Item = Option<TreeEntry<'_>>> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let entry = first_entry(rest, width);
        rest = entry.map_or(&[], |(_, after)| after);
        Some(entry.map(|(entry, _)| entry))
    })
}

/// The entries of two trees without those that stand in both at the beginning and at the end: of two neighbours in
/// history few are left. `None` when one is damaged there.
pub(crate) fn differing<'t>(
    one: &'t [u8],
    other: &'t [u8],
    width: usize,
) -> Option<(Vec<TreeEntry<'t>>, Vec<TreeEntry<'t>>)> {
    let start = boundary(one, common(one.iter(), other.iter()), width);
    let (one, other) = (&one[start..], &other[start..]);
    let tail = common(one.iter().rev(), other.iter().rev());
    let (first, first_left) = until(one, tail, width)?;
    let (second, second_left) = until(other, tail, width)?;
    if first_left == second_left {
        return Some((first, second));
    }
    // The common bytes begin in the midst of an entry of one of them.
    let all = |raw: &'t [u8]| entries(raw, width).collect::<Option<Vec<_>>>();
    Some((all(one)?, all(other)?))
}

fn common<'b>(one: impl Iterator<Item = &'b u8>, other: impl Iterator<Item = &'b u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// The last place at or before `most` where an entry begins.
fn boundary(raw: &[u8], most: usize, width: usize) -> usize {
    let mut at = 0;
    while let Some(end) = raw[at..].iter().position(|byte| *byte == 0) {
        let next = at + end + 1 + width;
        if next > most {
            break;
        }
        at = next;
    }
    at
}

/// The entries before the last `tail` bytes, and how many bytes are behind them.
fn until(raw: &[u8], tail: usize, width: usize) -> Option<(Vec<TreeEntry<'_>>, usize)> {
    let mut found = Vec::new();
    let mut rest = raw;
    while rest.len() > tail {
        let (entry, after) = first_entry(rest, width)?;
        found.push(entry);
        rest = after;
    }
    Some((found, rest.len()))
}

fn first_entry(raw: &[u8], width: usize) -> Option<(TreeEntry<'_>, &[u8])> {
    let space = raw.iter().position(|byte| *byte == b' ')?;
    let bits = raw[..space].iter().try_fold(0_u32, |bits, digit| Some(bits << 3 | char::from(*digit).to_digit(8)?))?;
    let named = &raw[space + 1..];
    let end = named.iter().position(|byte| *byte == 0)?;
    let id = ObjectId::from_bytes(named.get(end + 1..end + 1 + width)?)?;
    Some((TreeEntry { name: &named[..end], mode: Mode::from_bits(bits), id }, &named[end + 1 + width..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const WIDTH: usize = 20;

    /// A tree whose entries have names of one or two letters and object names full of letters, spaces and zeros.
    fn tree(mut dice: u64) -> Vec<u8> {
        let mut raw = Vec::new();
        for name in [&b"a"[..], b"aa", b"b", b"ba", b"c"] {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let roll = dice >> 33;
            if !roll.is_multiple_of(4) {
                let fill = *b"\0a 1".get((roll >> 3) as usize % 4).unwrap_or(&0);
                raw.extend_from_slice(b"100644 ");
                raw.extend_from_slice(name);
                raw.push(0);
                raw.extend_from_slice(&[fill; WIDTH]);
            }
        }
        raw
    }

    type Named = BTreeSet<(Vec<u8>, ObjectId)>;

    fn named<'t>(entries: impl IntoIterator<Item = TreeEntry<'t>>) -> Named {
        entries.into_iter().map(|entry| (entry.name.to_vec(), entry.id)).collect()
    }

    #[test]
    fn what_differs_is_what_differs() {
        let only = |one: &Named, other: &Named| one.difference(other).cloned().collect::<Named>();
        for round in 0..20_000 {
            let (one, other) = (tree(round), tree(round * 31 + 7));
            let (news, olds) = differing(&one, &other, WIDTH).expect("whole trees");
            let (news, olds) = (named(news), named(olds));
            let (all_news, all_olds) = (named(entries(&one, WIDTH).flatten()), named(entries(&other, WIDTH).flatten()));
            assert_eq!(only(&news, &olds), only(&all_news, &all_olds), "round {round}");
            assert_eq!(only(&olds, &news), only(&all_olds, &all_news), "round {round}");
        }
    }
}
