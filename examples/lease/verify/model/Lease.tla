---- MODULE Lease ----
\* Workers take a lease, may die with it, and give it back; one that nobody renews runs out.
EXTENDS Naturals
CONSTANTS Workers, Nobody
VARIABLES holder, alive, waiting
vars == <<holder, alive, waiting>>

Init == holder = Nobody /\ alive = Workers /\ waiting = {}

Want(w) == w \in alive /\ w \notin waiting /\ holder # w /\ waiting' = waiting \cup {w} /\ UNCHANGED <<holder, alive>>
Take(w) == w \in waiting \cap alive /\ holder = Nobody /\ holder' = w /\ waiting' = waiting \ {w} /\ UNCHANGED alive
GiveBack(w) == holder = w /\ w \in alive /\ holder' = Nobody /\ UNCHANGED <<alive, waiting>>
Die(w) == alive \ {w} # {} /\ w \in alive /\ alive' = alive \ {w} /\ waiting' = waiting \ {w} /\ UNCHANGED holder
RunOut == holder \notin alive \cup {Nobody} /\ holder' = Nobody /\ UNCHANGED <<alive, waiting>>

Next == RunOut \/ \E w \in Workers : Want(w) \/ Take(w) \/ GiveBack(w) \/ Die(w)
Spec == Init /\ [][Next]_vars
Fair == Spec /\ WF_vars(RunOut) /\ \A w \in Workers : WF_vars(GiveBack(w)) /\ SF_vars(Take(w))
Forgetful == Spec /\ \A w \in Workers : WF_vars(GiveBack(w)) /\ SF_vars(Take(w))

TypeOK == holder \in Workers \cup {Nobody} /\ alive \subseteq Workers /\ waiting \subseteq alive
FreedInTheEnd == (holder # Nobody) ~> (holder = Nobody)
ServedOrDead == \A w \in Workers : (w \in waiting) ~> (holder = w \/ w \notin alive)
NeverRunsOut == [][(holder = Nobody) \/ (holder \in alive)]_holder
====
