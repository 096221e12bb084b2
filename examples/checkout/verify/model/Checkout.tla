---- MODULE Checkout ----
\* An order is charged over a network that loses answers. The gateway charges each key once.
EXTENDS Naturals, FiniteSets
CONSTANTS
  MaxAttempts,  \* read from the code
  Stable,       \* whether every attempt has the same key
  Reliable      \* whether answers arrive
VARIABLES attempts, waiting, charged, paid
vars == <<attempts, waiting, charged, paid>>

Keys == 1..MaxAttempts
None == 0
KeyOf(attempt) == IF Stable THEN 1 ELSE attempt

Init == attempts = 0 /\ waiting = None /\ charged = {} /\ paid = FALSE

Send ==
  /\ ~paid /\ waiting = None /\ attempts < MaxAttempts
  /\ attempts' = attempts + 1
  /\ waiting' = KeyOf(attempts')
  /\ UNCHANGED <<charged, paid>>

Charge(key) ==
  /\ waiting = key /\ key \notin charged
  /\ charged' = charged \cup {key}
  /\ UNCHANGED <<attempts, waiting, paid>>

Answer == waiting \in charged /\ paid' = TRUE /\ waiting' = None /\ UNCHANGED <<attempts, charged>>
Lose == ~Reliable /\ waiting # None /\ waiting' = None /\ UNCHANGED <<attempts, charged, paid>>

Next == Send \/ (\E key \in Keys : Charge(key)) \/ Answer \/ Lose
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(Send) /\ WF_vars(Answer) /\ WF_vars(\E key \in Keys : Charge(key))

TypeOK == attempts \in 0..MaxAttempts /\ waiting \in Keys \cup {None} /\ charged \subseteq Keys /\ paid \in BOOLEAN
ChargedOnce == Cardinality(charged) <= 1
PaidWasCharged == paid => charged # {}
NeverPaid == ~paid
Paid == <>paid
====
