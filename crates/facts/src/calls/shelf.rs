//! The shelf: the texts of a view's code. What was read stays here for the next round of the search and for the reader of
//! links: every file in the views that have to unpack it, in the work tree the many small ones, as long as there is room.

use super::join::lock;
use crate::files::{FileError, Files};
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// How many bytes are kept; what is beyond is read again whenever it is asked for.
const ROOM: usize = 256 << 20;

/// The texts of a view.
pub(super) struct Shelf<'f> {
    files: &'f dyn Files,
    /// The files of a language that is read, sorted; not declarations, which hold no calls.
    code: Vec<&'f RepoPath>,
    /// By the same numbers: what was read, or that there is nothing.
    texts: Vec<OnceLock<Option<Box<[u8]>>>>,
    taken: AtomicUsize,
    largest: usize,
    /// Buffers for what does not stay here, as many as were in use at once: to fill new memory takes longer than to read.
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl<'f> Shelf<'f> {
    pub(super) fn new(files: &'f dyn Files) -> Result<Shelf<'f>, FileError> {
        let code: Vec<&RepoPath> = files.list()?.iter().filter(|path| is_code(path)).collect();
        let texts = code.iter().map(|_| OnceLock::new()).collect();
        Ok(Shelf {
            files,
            code,
            texts,
            taken: AtomicUsize::new(0),
            largest: files.largest_kept(),
            buffers: Mutex::default(),
        })
    }

    /// The files with code, sorted.
    pub(super) fn code(&self) -> &[&'f RepoPath] {
        &self.code
    }

    /// The text of a file; `None` when the view has none of this name.
    pub(super) fn text(&self, path: &RepoPath) -> Result<Option<Cow<'_, [u8]>>, FileError> {
        let mut buffer = Vec::new();
        let Ok(number) = self.code.binary_search(&path) else {
            return Ok(self.files.read_into(path, &mut buffer)?.then_some(Cow::Owned(buffer)));
        };
        match self.get(number, &mut buffer)? {
            None => Ok(None),
            Some(On::Shelf(text)) => Ok(Some(Cow::Borrowed(text))),
            Some(On::Desk) => Ok(Some(Cow::Owned(buffer))),
        }
    }

    /// The file that a symbolic link leads to.
    pub(super) fn end_of_link(&self, path: &RepoPath) -> Option<RepoPath> {
        self.files.end_of_link(path)
    }

    /// Looks into the text of the file of a number.
    pub(super) fn look<T>(&self, number: usize, into: impl FnOnce(&[u8]) -> T) -> Result<Option<T>, FileError> {
        let mut buffer = lock(&self.buffers).pop().unwrap_or_default();
        let looked = self.get(number, &mut buffer).map(|text| match text {
            None => None,
            Some(On::Shelf(text)) => Some(into(text)),
            Some(On::Desk) => Some(into(&buffer)),
        });
        lock(&self.buffers).push(buffer);
        looked
    }

    fn get(&self, number: usize, buffer: &mut Vec<u8>) -> Result<Option<On<'_>>, FileError> {
        let place = &self.texts[number];
        if let Some(known) = place.get() {
            return Ok(known.as_deref().map(On::Shelf));
        }
        if !self.files.read_into(self.code[number], buffer)? {
            return Ok(place.get_or_init(|| None).as_deref().map(On::Shelf));
        }
        let size = buffer.len();
        if size > self.largest || self.taken.fetch_add(size, Ordering::Relaxed) + size > ROOM {
            return Ok(Some(On::Desk));
        }
        Ok(place.get_or_init(|| Some(Box::from(&buffer[..]))).as_deref().map(On::Shelf))
    }
}

/// Where a text is.
enum On<'s> {
    Shelf(&'s [u8]),
    /// In the buffer of whoever asked.
    Desk,
}

fn is_code(path: &RepoPath) -> bool {
    let path = path.as_str();
    language_for_path(path).is_some() && !is_declaration(path)
}

/// Whether a file holds declarations, and so no calls.
pub(super) fn is_declaration(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// A text as it is, or in UTF-8 where it is in UTF-16, which compilers read and the readers here do not.
pub(super) fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    let from: fn([u8; 2]) -> u16 = match text {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(text),
    };
    let units = text[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]]));
    let letters = char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER));
    Cow::Owned(letters.collect::<String>().into_bytes())
}
