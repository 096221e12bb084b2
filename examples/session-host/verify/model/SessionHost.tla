---------------------------- MODULE SessionHost ----------------------------
(* One name of a session over time. A host runs a session and writes its   *)
(* end; when the host dies first, reconciliation writes the end instead;   *)
(* the garbage collector removes the folder of an ended session; and the   *)
(* same name may be used again at any moment.                              *)
(* The four boolean constants are guards of the code, the sets its table.  *)
EXTENDS Naturals

CONSTANTS
  Terminal, Collectable,
  ReconcileSkipsTerminal, ReconcileSkipsLiveHost,
  GcSkipsNonCollectable, GcLooksAgain

VARIABLES
  manifest,      \* the status on disk; "absent" without a folder
  ended,         \* the status that the host wrote as the end; "none" before
  alive,         \* does the host's process run
  gc,            \* what the collector is about to do

  removedLive,   \* a folder was removed under a running session
  starts         \* how often the name was used, to bound the model

vars == <<manifest, ended, alive, gc, removedLive, starts>>

MaxStarts == 2
Status == {"starting", "running", "stopping", "exited", "failed", "destroyed"}

TypeOK ==
  /\ manifest \in Status \cup {"absent"}
  /\ ended \in Status \cup {"none"}
  /\ alive \in BOOLEAN
  /\ gc \in {"idle", "measuring", "removing"}
  /\ removedLive \in BOOLEAN
  /\ starts \in 0..MaxStarts

Init ==
  /\ manifest = "absent" /\ ended = "none" /\ alive = FALSE
  /\ gc = "idle" /\ removedLive = FALSE /\ starts = 0

HostStarts ==
  /\ ~alive /\ starts < MaxStarts
  /\ manifest = "absent" \/ manifest \in Terminal
  /\ manifest' = "running" /\ alive' = TRUE /\ ended' = "none" /\ starts' = starts + 1
  /\ UNCHANGED <<gc, removedLive>>

HostEnds ==
  /\ alive /\ manifest = "running"
  /\ manifest' = "exited" /\ ended' = "exited" /\ alive' = FALSE
  /\ UNCHANGED <<gc, removedLive, starts>>

HostDies ==
  /\ alive /\ alive' = FALSE
  /\ UNCHANGED <<manifest, ended, gc, removedLive, starts>>

(* The reconciler reads, looks at the guards, and writes without a pause:  *)
(* a host that starts between is the business of the lock, not of these.   *)
Reconcile ==
  /\ manifest # "absent"
  /\ ReconcileSkipsTerminal => manifest \notin Terminal
  /\ ReconcileSkipsLiveHost => ~alive
  /\ manifest' = "failed"
  /\ UNCHANGED <<ended, alive, gc, removedLive, starts>>

GcReads ==
  /\ gc = "idle" /\ manifest # "absent"
  /\ GcSkipsNonCollectable => manifest \in Collectable
  /\ gc' = "measuring"
  /\ UNCHANGED <<manifest, ended, alive, removedLive, starts>>

GcMeasured ==
  /\ gc = "measuring"
  /\ gc' = IF GcLooksAgain => manifest \in Collectable THEN "removing" ELSE "idle"
  /\ IF GcLooksAgain => manifest \in Collectable
     THEN /\ removedLive' = (removedLive \/ alive)
          /\ manifest' = "absent"
     ELSE UNCHANGED <<removedLive, manifest>>
  /\ UNCHANGED <<ended, alive, starts>>

GcDone ==
  /\ gc = "removing" /\ gc' = "idle"
  /\ UNCHANGED <<manifest, ended, alive, removedLive, starts>>

Stutter == UNCHANGED vars

Next == HostStarts \/ HostEnds \/ HostDies \/ Reconcile \/ GcReads \/ GcMeasured \/ GcDone \/ Stutter

Spec == Init /\ [][Next]_vars

NoLiveSessionRemoved == ~removedLive
NoEndForgotten == (ended # "none" /\ manifest # "absent") => manifest = ended
NeverCollected == gc # "removing"
=============================================================================
