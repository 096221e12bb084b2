--------------------------- MODULE WriteAheadLog ---------------------------
(* A log of records that survives crashes. A record is written, synced and *)
(* acknowledged; a crash keeps what was synced and any part of the rest,   *)
(* the last record perhaps torn. The two constants are guards of the code. *)
EXTENDS Naturals

CONSTANTS SyncedBeforeAcknowledged, TailIsCutBeforeOpen

VARIABLES
  written,        \* whole records in the file, durable or not
  durable,        \* records that a crash cannot take
  acknowledged,   \* records that a caller was told of
  torn,           \* does half a record stand at the end
  buried,         \* was a record ever written behind a torn one
  open            \* does a process hold the log

vars == <<written, durable, acknowledged, torn, buried, open>>

MaxRecords == 3

TypeOK ==
  /\ written \in 0..MaxRecords /\ durable \in 0..MaxRecords /\ acknowledged \in 0..MaxRecords
  /\ torn \in BOOLEAN /\ buried \in BOOLEAN /\ open \in BOOLEAN

Init ==
  /\ written = 0 /\ durable = 0 /\ acknowledged = 0
  /\ torn = FALSE /\ buried = FALSE /\ open = TRUE

Write ==
  /\ open /\ written < MaxRecords /\ written = acknowledged
  /\ written' = written + 1 /\ buried' = (buried \/ torn)
  /\ UNCHANGED <<durable, acknowledged, torn, open>>

Sync ==
  /\ open /\ durable < written
  /\ durable' = written
  /\ UNCHANGED <<written, acknowledged, torn, buried, open>>

Acknowledge ==
  /\ open /\ acknowledged < written
  /\ SyncedBeforeAcknowledged => durable = written
  /\ acknowledged' = written
  /\ UNCHANGED <<written, durable, torn, buried, open>>

Crash ==
  /\ open /\ open' = FALSE
  /\ written' \in durable..written
  /\ torn' = (torn \/ written' < written)
  /\ UNCHANGED <<durable, acknowledged, buried>>

Recover ==
  /\ ~open /\ open' = TRUE
  /\ IF TailIsCutBeforeOpen THEN torn' = FALSE ELSE UNCHANGED torn
  /\ durable' = written /\ acknowledged' = written
  /\ UNCHANGED <<written, buried>>

Next == Write \/ Sync \/ Acknowledge \/ Crash \/ Recover \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

AcknowledgedIsDurable == acknowledged <= durable
NothingBehindATornTail == ~buried
NeverTorn == ~torn
=============================================================================
