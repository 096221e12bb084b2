//! Reads commits straight out of pack files, for the thread that runs ahead of a long walk. Two threads that go through
//! libgit2 hold each other up at its locks, twice for every object; one that does not leaves the other alone.
//!
//! Only what is simple is read here: whole commits in packs with an index of version 2 (git's `gitformat-pack`). For
//! anything else the answer is nothing, and the library is asked.

use crate::id::CommitId;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The packs of one repository.
pub(crate) struct Packs {
    packs: Vec<Pack>,
    inflate: Box<DecompressorOxide>,
    content: Vec<u8>,
}

struct Pack {
    /// The index, whole.
    index: Vec<u8>,
    /// How many objects it names.
    count: usize,
    file: File,
    /// Where `window` begins in the file.
    start: u64,
    window: Vec<u8>,
}

/// Indexes of more bytes are left to the library, which maps them.
const LARGEST_INDEX: u64 = 64 << 20;
const LARGEST_COMMIT: usize = 1 << 16;
const WINDOW: u64 = 1 << 18;
/// A commit's compressed bytes fit into so many.
const LEAST: u64 = 1 << 15;

const HEADER: usize = 8;
const NAMES: usize = HEADER + 256 * 4;
const NAME: usize = 20;

impl Packs {
    /// Opens the packs below the folder that all worktrees share. Those that cannot be read are left out.
    pub(crate) fn open(common: &Path) -> Packs {
        let folder = fs::read_dir(common.join("objects/pack"));
        let files = folder.into_iter().flatten().flatten().map(|entry| entry.path());
        let mut indexes: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "idx")).collect();
        indexes.sort();
        let mut left = LARGEST_INDEX;
        let mut packs = Vec::new();
        for path in indexes {
            let size = fs::metadata(&path).map_or(u64::MAX, |found| found.len());
            if size <= left {
                left -= size;
                packs.extend(Pack::open(&path));
            }
        }
        Packs { packs, inflate: Box::default(), content: Vec::new() }
    }

    /// The raw bytes of a commit; `None` when the library has to be asked.
    pub(crate) fn commit(&mut self, id: CommitId) -> Option<&[u8]> {
        let name = id.0.as_bytes();
        let (pack, at) = self.packs.iter_mut().find_map(|pack| pack.find(name).map(|at| (pack, at)))?;
        let (size, data) = pack.commit_at(at)?;
        self.content.resize(size, 0);
        self.inflate.init();
        let flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, _, written) = decompress(&mut self.inflate, data, &mut self.content, 0, flags);
        (status == TINFLStatus::Done && written == size).then_some(&self.content)
    }
}

impl Pack {
    fn open(path: &Path) -> Option<Pack> {
        let index = fs::read(path).ok()?;
        let file = File::open(path.with_extension("pack")).ok()?;
        let version_2 = index.starts_with(b"\xfftOc\0\0\0\x02");
        let count = usize::try_from(number(&index, NAMES - 4)?).ok()?;
        // Names, checksums and offsets.
        let whole = index.len() >= NAMES + count * (NAME + 8);
        (version_2 && whole).then_some(Pack { index, count, file, start: 0, window: Vec::new() })
    }

    /// Where an object begins. Names are spread evenly, so the first guess is near.
    fn find(&self, name: &[u8]) -> Option<u64> {
        let first = usize::from(*name.first()?);
        let fan = |byte: usize| number(&self.index, HEADER + byte * 4).and_then(|count| usize::try_from(count).ok());
        let (mut low, mut high) = (if first == 0 { 0 } else { fan(first - 1)? }, fan(first)?.min(self.count));
        let share = u64::from(u32::from_be_bytes(name.get(1..5)?.try_into().ok()?));
        let mut guess = low + usize::try_from((high.saturating_sub(low) as u64 * share) >> 32).ok()?;
        let mut step = 4;
        while low < high {
            let at = guess.clamp(low, high - 1);
            let found = self.index.get(NAMES + at * NAME..NAMES + (at + 1) * NAME)?;
            match found.cmp(name) {
                std::cmp::Ordering::Equal => return self.offset(at),
                std::cmp::Ordering::Less => (low, guess) = (at + 1, at + step),
                std::cmp::Ordering::Greater => (high, guess) = (at, at.saturating_sub(step)),
            }
            step *= 4;
            if step > 64 {
                guess = low + (high - low) / 2;
            }
        }
        None
    }

    fn offset(&self, at: usize) -> Option<u64> {
        let offsets = NAMES + self.count * (NAME + 4);
        let small = number(&self.index, offsets + at * 4)?;
        // Offsets beyond 2 GiB stand in a table of their own.
        (small & 0x8000_0000 == 0).then_some(u64::from(small))
    }

    /// The size of the commit that begins there, and its compressed bytes with what follows them.
    fn commit_at(&mut self, at: u64) -> Option<(usize, &[u8])> {
        self.look(at)?;
        let bytes = self.window.get(usize::try_from(at - self.start).ok()?..)?;
        const WHOLE_COMMIT: u8 = 1;
        let first = *bytes.first()?;
        if first >> 4 & 7 != WHOLE_COMMIT {
            return None;
        }
        let mut size = usize::from(first & 15);
        let (mut used, mut shift, mut last) = (1, 4, first);
        while last & 0x80 != 0 {
            last = *bytes.get(used)?;
            size |= usize::from(last & 0x7f).checked_shl(shift)?;
            used += 1;
            shift += 7;
        }
        (size <= LARGEST_COMMIT).then_some((size, &bytes[used..]))
    }

    /// Brings the bytes around a place into the window: a walk goes on in either direction.
    fn look(&mut self, at: u64) -> Option<()> {
        let end = self.start + self.window.len() as u64;
        if at >= self.start && at + LEAST <= end {
            return Some(());
        }
        self.start = at.saturating_sub(WINDOW / 2);
        self.window.resize(usize::try_from(WINDOW).ok()?, 0);
        let mut read = 0;
        while read < self.window.len() {
            match self.file.read_at(&mut self.window[read..], self.start + read as u64).ok()? {
                0 => break,
                more => read += more,
            }
        }
        self.window.truncate(read);
        Some(())
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
