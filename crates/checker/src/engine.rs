//! The engine: TLC's jar and the Java that runs it, both found on the machine and never downloaded.
//!
//! The jar comes from `[engine] jar` or `$TLA2TOOLS_JAR`, Java from `$JAVA`, `$JAVA_HOME` or `PATH`. The jar's SHA-256
//! is part of every verdict's key, and a jar that is not the configured one is refused.

use std::path::PathBuf;

/// What the `[engine]` table says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// `jar = "…"`: a path of the file system, already resolved against the configuration's folder.
    pub jar: Option<PathBuf>,
    /// `sha256 = "…"`: 64 hexadecimal digits.
    pub sha256: Option<String>,
}
