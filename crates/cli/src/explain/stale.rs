//! Kinds of STALE.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "changed",
        means: "The fingerprint of a covered item differs from the record.",
        causes: "Somebody changed the function; comments, layout and types do not count.",
        example: "changed       src/queue.ts#push   structure   src/queue.ts:2:1",
        then: "Read it with `factgate diff`, bring the model in line, then `factgate sync`. `factgate explain structure` tells of the classes.",
    },
    Entry {
        code: "calls",
        means: "A note: a covered function newly calls a function of the covered files that nothing covers.",
        causes: "A helper was split off.",
        example: "note          src/queue.ts#push   calls grab, which nothing covers   src/queue.ts:5:3",
        then: "Put the helper into `cover` if the model describes what it does.",
    },
    Entry {
        code: "removed",
        means: "A covered item, or a watched definition, is in the record and no longer in the code.",
        causes: "It was deleted or renamed.",
        example: "removed       src/queue.ts#push   …",
        then: "Renamed: `factgate mv OLD NEW`. Deleted: take it out of `cover` and of the model, then `factgate sync --because …`.",
    },
    Entry {
        code: "moved",
        means: "It stands elsewhere now, in another file or under another name.",
        causes: "`git mv`, a split of a file.",
        example: "moved         src/queue.ts -> src/core/queue.ts   2 of the model's names",
        then: "Run the `factgate mv OLD NEW` that stands below the verdict. A move without a change asks no reason.",
    },
    Entry {
        code: "uncovered",
        means: "The record has the item, and `cover` no longer names it.",
        causes: "A line of `cover` was deleted.",
        example: "uncovered     src/queue.ts#hasRoom   …",
        then: "Put it back into `cover`, or confirm that it is no longer watched: `factgate sync --because …`.",
    },
    Entry {
        code: "unrecorded",
        means: "`cover` names the item, and the record does not have it.",
        causes: "A line of `cover` is new.",
        example: "unrecorded    src/queue.ts#hasRoom   …",
        then: "`factgate sync` confirms it; or take it out of `cover`.",
    },
    Entry {
        code: "call-added",
        means: "A site calls a watched function that did not, or calls it once more.",
        causes: "A new caller, which the model may not know.",
        example: "call added    store in src/queue.ts#push   1 -> 2 times   src/queue.ts:5:3",
        then: "Look whether the model allows this caller; then `factgate sync`.",
    },
    Entry {
        code: "call-removed",
        means: "A site no longer calls a watched function, or calls it once less.",
        causes: "A caller was deleted or calls something else.",
        example: "call removed  store in src/queue.ts#push   2 -> 1 times",
        then: "Look whether the model still has this step; then `factgate sync`.",
    },
    Entry {
        code: "fact",
        means: "A fact has another value or definition than recorded, is new, gone or unknown.",
        causes: "A guard was lost, an entry of a set is new, a pattern was edited.",
        example: "fact          OnlyRoom TRUE -> FALSE   unguarded: …",
        then: "`factgate facts --explain NAME` shows why. Mend the code; or change the model and `factgate sync`. What was TRUE and is not asks `--because`.",
    },
    Entry {
        code: "file",
        means: "One of the model's own files differs, is new or is gone.",
        causes: "The specification was edited.",
        example: "file          model/Queue.tla   …",
        then: "`factgate verify` where there are runs; then `factgate sync`.",
    },
    Entry {
        code: "gate",
        means: "The configuration asks something else than recorded: classes of `drift`, globs of `files` or of a call rule's `in`, its `match`, places of an action, the engine's digest, the root.",
        causes: "A line of `factgate.toml` was edited.",
        example: "gate          drift   locals, structure -> structure   factgate.toml:1:1",
        then: "Put the line back, or confirm it: `factgate sync`; what asks less than before asks `--because`.",
    },
    Entry {
        code: "run",
        means: "A run is new, is gone, or expects, checks, sets or bounds something else than recorded.",
        causes: "A `[run.NAME]` was edited.",
        example: "run           current   checks: OneAtATime, TypeOK -> TypeOK",
        then: "`factgate verify`, then `factgate sync`; a run that checks less asks `--because`.",
    },
    Entry {
        code: "unverified",
        means: "A verdict of the model checker in the record no longer applies.",
        causes: "A fact, the specification, a constant or the engine is another one.",
        example: "unverified    current   …",
        then: "`factgate verify`, then `factgate sync`.",
    },
];
