---- MODULE Fleet ----
\* Workers claim jobs under leases, publish results, and a sweeper removes what is over. Six guards of the code are constants.
EXTENDS Naturals, FiniteSets
CONSTANTS
  ClaimsOnlyFree,       \* a job that somebody holds is not claimed
  FinishesOnlyOwn,      \* a worker that lost its lease finishes nothing
  PublishesOnce,        \* a result that is there is not written again
  SweepsOnlyDone,       \* a job that is not done is not removed
  SweepLooksAgain,      \* nor one that was taken up since the sweeper looked
  RenewsOnlyHeld        \* a lease that ran out is not renewed
VARIABLES holder, phase, results, lease, sweeper, lost, wrote, late
vars == <<holder, phase, results, lease, sweeper, lost, wrote, late>>

Workers == {"w1", "w2", "w3"}
Jobs == {"a", "b", "c"}
MaxResults == 2
MaxLease == 2

TypeOK ==
  /\ holder \in [Jobs -> Workers \cup {"none"}]
  /\ phase \in [Jobs -> {"open", "running", "done", "gone"}]
  /\ results \in [Jobs -> 0..MaxResults]
  /\ lease \in [Jobs -> 0..MaxLease]
  /\ sweeper \in Jobs \cup {"idle"}
  /\ lost \subseteq Jobs
  /\ wrote \in [Jobs -> Workers \cup {"none"}]
  /\ late \subseteq Jobs

Init ==
  /\ holder = [j \in Jobs |-> "none"] /\ phase = [j \in Jobs |-> "open"]
  /\ results = [j \in Jobs |-> 0] /\ lease = [j \in Jobs |-> 0]
  /\ sweeper = "idle" /\ lost = {} /\ wrote = [j \in Jobs |-> "none"] /\ late = {}

Claim(w, j) ==
  /\ phase[j] \in {"open", "running", "done"}
  /\ ClaimsOnlyFree => lease[j] = 0
  /\ holder' = [holder EXCEPT ![j] = w] /\ lease' = [lease EXCEPT ![j] = MaxLease]
  /\ phase' = [phase EXCEPT ![j] = "running"]
  /\ lost' = IF lease[j] > 0 /\ holder[j] # w THEN lost \cup {j} ELSE lost
  /\ UNCHANGED <<results, sweeper, wrote, late>>

Renew(w, j) ==
  /\ holder[j] = w /\ phase[j] = "running"
  /\ RenewsOnlyHeld => lease[j] > 0
  /\ lease' = [lease EXCEPT ![j] = MaxLease]
  /\ late' = IF lease[j] = 0 THEN late \cup {j} ELSE late
  /\ UNCHANGED <<holder, phase, results, sweeper, lost, wrote>>

Tick(j) ==
  /\ lease[j] > 0
  /\ lease' = [lease EXCEPT ![j] = @ - 1]
  /\ UNCHANGED <<holder, phase, results, sweeper, lost, wrote, late>>

Publish(w, j) ==
  /\ phase[j] = "running" /\ (FinishesOnlyOwn => holder[j] = w /\ lease[j] > 0)
  /\ PublishesOnce => results[j] = 0
  /\ results[j] < MaxResults
  /\ results' = [results EXCEPT ![j] = @ + 1] /\ wrote' = [wrote EXCEPT ![j] = w]
  /\ UNCHANGED <<holder, phase, lease, sweeper, lost, late>>

Finish(w, j) ==
  /\ phase[j] = "running" /\ holder[j] = w /\ lease[j] > 0 /\ results[j] > 0
  /\ phase' = [phase EXCEPT ![j] = "done"] /\ lease' = [lease EXCEPT ![j] = 0]
  /\ UNCHANGED <<holder, results, sweeper, lost, wrote, late>>

SweepLooks(j) ==
  /\ sweeper = "idle" /\ phase[j] # "gone"
  /\ SweepsOnlyDone => phase[j] = "done"
  /\ sweeper' = j
  /\ UNCHANGED <<holder, phase, results, lease, lost, wrote, late>>

SweepRemoves ==
  /\ sweeper # "idle"
  /\ IF SweepLooksAgain => phase[sweeper] = "done"
     THEN /\ phase' = [phase EXCEPT ![sweeper] = "gone"]
          /\ lost' = IF phase[sweeper] # "done" THEN lost \cup {sweeper} ELSE lost
     ELSE UNCHANGED <<phase, lost>>
  /\ sweeper' = "idle"
  /\ UNCHANGED <<holder, results, lease, wrote, late>>

Next ==
  \/ \E w \in Workers, j \in Jobs : Claim(w, j) \/ Renew(w, j) \/ Publish(w, j) \/ Finish(w, j)
  \/ \E j \in Jobs : Tick(j) \/ SweepLooks(j)
  \/ SweepRemoves
Spec == Init /\ [][Next]_vars

NothingLost == lost = {}
OneResult == \A j \in Jobs : results[j] <= 1
OnlyHoldersWrite == [][\A j \in Jobs : results'[j] > results[j] => wrote'[j] = holder[j] /\ lease[j] > 0]_results
NoneRevived == late = {}
NeverSwept == \A j \in Jobs : phase[j] # "gone"
====
