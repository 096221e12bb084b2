//! Names that the engine's own modules define: a cfg may replace one of them without the specification defining it.

/// What the engine's own modules define, as far as a cfg replaces it.
pub(super) const STANDARD: [(&str, &[&str]); 12] = [
    ("Naturals", &["Nat"]),
    ("Integers", &["Nat", "Int"]),
    ("Reals", &["Nat", "Int", "Real", "Infinity"]),
    ("Sequences", &["Seq", "Len", "Append", "Head", "Tail", "SubSeq", "SelectSeq"]),
    ("FiniteSets", &["IsFiniteSet", "Cardinality"]),
    (
        "Bags",
        &["IsABag", "BagToSet", "SetToBag", "BagIn", "EmptyBag", "CopiesIn", "SubBag", "BagOfAll", "BagCardinality"],
    ),
    (
        "TLC",
        &[
            "Print",
            "PrintT",
            "Assert",
            "JavaTime",
            "TLCGet",
            "TLCSet",
            "Permutations",
            "SortSeq",
            "RandomElement",
            "ToString",
            "TLCEval",
            "Any",
        ],
    ),
    ("RealTime", &["RTBound", "RTnow", "now", "Real"]),
    ("Randomization", &["RandomSubset", "RandomSetOfSubsets", "TestRandomSetOfSubsets"]),
    ("Toolbox", &["_TETrace", "_TEPosition"]),
    ("TLCExt", &["AssertEq", "AssertError", "Trace", "TLCModelValue", "PickSuccessor"]),
    (
        "Json",
        &[
            "ToJson",
            "ToJsonArray",
            "ToJsonObject",
            "JsonSerialize",
            "JsonDeserialize",
            "ndJsonSerialize",
            "ndJsonDeserialize",
        ],
    ),
];
