//! Classes of change.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "locals",
        means: "Local variables are renamed consistently, and nothing else differs.",
        causes: "A rename in the editor.",
        example: "const next = queue.shift();  ->  const job = queue.shift();",
        then: "Nothing: by default this is a note. `sync` confirms it without asking.",
    },
    Entry {
        code: "literals",
        means: "Only literal text differs, and names of locals at most.",
        causes: "Another message, another number.",
        example: "queue.size < 3  ->  queue.size < 4",
        then: "Look whether the model has the number.",
    },
    Entry {
        code: "names",
        means: "Functions and members are renamed consistently, and the old names are gone from the model's files.",
        causes: "A rename across files.",
        example: "queue.add(job)  ->  queue.push(job)",
        then: "Rename in the patterns and in the model, then `factgate sync`.",
    },
    Entry {
        code: "detail",
        means: "The skeleton is the same: conditions, loops, callees, suspensions, writes and ways out; arguments, messages or values beside it differ.",
        causes: "Another argument.",
        example: "log('full')  ->  log('full', queue.id)",
        then: "Usually the model is not concerned: `factgate diff`, then `factgate sync`.",
    },
    Entry {
        code: "structure",
        means: "Anything more: the skeleton differs.",
        causes: "A new branch, call, `await`, write or way out.",
        example: "a new `await` between a check and a write",
        then: "Read `factgate diff`: a model's action may have become two.",
    },
];
