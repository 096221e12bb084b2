//! What Zig's own library and builtins do: data, nothing else.

/// Functions of the standard library whose return type is `noreturn`.
pub(super) const NEVER: [&str; 10] = [
    "std.process.exit",
    "std.process.abort",
    "std.process.fatal",
    "std.posix.exit",
    "std.posix.abort",
    "std.os.exit",
    "std.os.abort",
    "std.os.linux.exit",
    "std.os.linux.exit_group",
    "std.debug.panic",
];

/// Builtins behind which the program does not go on.
pub(super) const NEVER_BUILTINS: [&str; 3] = ["@panic", "@trap", "@compileError"];

/// Builtins whose operands are not evaluated: they ask about types.
pub(super) const NOT_EVALUATED: [&str; 13] = [
    "@TypeOf",
    "@sizeOf",
    "@alignOf",
    "@bitSizeOf",
    "@offsetOf",
    "@bitOffsetOf",
    "@hasField",
    "@hasDecl",
    "@typeInfo",
    "@typeName",
    "@Type",
    "@cImport",
    "@compileLog",
];

/// Builtins that give the value of their last argument, as another type.
pub(super) const CASTS: [&str; 14] = [
    "@as",
    "@ptrCast",
    "@alignCast",
    "@constCast",
    "@volatileCast",
    "@addrSpaceCast",
    "@intCast",
    "@floatCast",
    "@truncate",
    "@bitCast",
    "@enumFromInt",
    "@intFromEnum",
    "@intFromBool",
    "@errorCast",
];

/// Builtins that only compute.
pub(super) const PURE: [&str; 40] = [
    "@min",
    "@max",
    "@abs",
    "@mod",
    "@rem",
    "@divExact",
    "@divFloor",
    "@divTrunc",
    "@mulAdd",
    "@sqrt",
    "@sin",
    "@cos",
    "@tan",
    "@exp",
    "@exp2",
    "@log",
    "@log2",
    "@log10",
    "@floor",
    "@ceil",
    "@round",
    "@clz",
    "@ctz",
    "@popCount",
    "@byteSwap",
    "@bitReverse",
    "@shlExact",
    "@shrExact",
    "@intFromPtr",
    "@ptrFromInt",
    "@intFromFloat",
    "@floatFromInt",
    "@intFromError",
    "@errorFromInt",
    "@errorName",
    "@tagName",
    "@embedFile",
    "@import",
    "@src",
    "@returnAddress",
];

/// Builtins and functions of `std.mem` that write through a pointer or slice, and which argument that is.
pub(super) const WRITES: [(&str, &[usize]); 15] = [
    ("@memset", &[0]),
    ("@memcpy", &[0]),
    ("@memmove", &[0]),
    ("@atomicStore", &[1]),
    ("@atomicRmw", &[1]),
    ("@cmpxchgStrong", &[1]),
    ("@cmpxchgWeak", &[1]),
    ("mem.swap", &[1, 2]),
    ("mem.copyForwards", &[1]),
    ("mem.copyBackwards", &[1]),
    ("mem.reverse", &[1]),
    ("mem.rotate", &[1]),
    ("mem.sort", &[1]),
    ("mem.sortUnstable", &[1]),
    ("mem.writeInt", &[1]),
];

/// Builtins that write through a pointer to the thing itself, and not to the elements of what it points to.
pub(super) const ATOMICS: [&str; 4] = ["@atomicStore", "@atomicRmw", "@cmpxchgStrong", "@cmpxchgWeak"];

/// Methods of `std.atomic.Value` that write.
pub(super) const ATOMIC_METHODS: [&str; 12] = [
    "store",
    "swap",
    "rmw",
    "fetchAdd",
    "fetchSub",
    "fetchAnd",
    "fetchOr",
    "fetchXor",
    "fetchMin",
    "fetchMax",
    "cmpxchgStrong",
    "cmpxchgWeak",
];

/// The orders of memory that the last argument of such a method is one of.
pub(super) const ORDERS: [&str; 6] = ["seq_cst", "acq_rel", "release", "acquire", "monotonic", "unordered"];

/// Whether a name is spelled as types are: `Queue`, `[]const u8`'s `u8` is none.
pub(super) fn is_type_name(name: &str) -> bool {
    name.strip_prefix("@\"").unwrap_or(name).starts_with(|first: char| first.is_ascii_uppercase())
}

/// Whether a name is a type of the language that has no parts.
pub(super) fn is_plain_type(name: &str) -> bool {
    let sized = name
        .strip_prefix(['i', 'u', 'f'])
        .is_some_and(|rest| rest == "size" || !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
    sized || matches!(name, "bool" | "void" | "type" | "anyerror" | "noreturn" | "comptime_int" | "comptime_float")
}
