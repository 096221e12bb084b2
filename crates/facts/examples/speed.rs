//! How long the guard analysis of one function of about 1,000 lines takes: `cargo run --release --example speed`.
//! The source is parsed beforehand; normal form, flow, graph and fixpoint are in the figure.

use factgate_facts::guard::{Assertions, GuardSpec, Keys, decide};
use factgate_facts::pattern::{Pattern, PatternText};
use factgate_facts::program::Program;
use factgate_facts::{FileError, Files};
use factgate_record::RepoPath;
use factgate_syntax::{Limits, Selector, language_for_path};
use std::sync::Arc;
use std::time::Instant;

struct One(RepoPath, Arc<[u8]>);

impl Files for One {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok((*path == self.0).then(|| self.1.clone()))
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(std::slice::from_ref(&self.0))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let part = "if (store.full(m.id)) {\n  await store.wait(m.id);\n} else {\n  n = store.next(n);\n}\n\
                for (const x of n.items) {\n  if (x.old) continue;\n  store.add(x, m);\n}\nm.count += 1;\n";
    let body = part.repeat(100);
    let source =
        format!("async function f(m, n, store) {{\nif (bad(m.status)) return;\n{body}await store.write(m);\n}}\n");
    let language = language_for_path("a.ts").ok_or("no language")?;
    let pattern =
        |code: &str| Pattern::parse(language, &PatternText::Code(code.to_owned())).map(|pattern| vec![pattern]);
    let keys = Keys { skip_if: pattern("bad($M.status)")?, ..Keys::default() };
    let spec = GuardSpec {
        scopes: vec![Selector::parse("a.ts#f")?],
        effect: pattern("store.write($$$)")?,
        keys,
        ..GuardSpec::default()
    };
    let files = One(RepoPath::from_git("a.ts"), source.as_bytes().into());
    let program = Program::new(&files, RepoPath::default(), Limits::default());
    decide(&program, &spec, &Assertions::default());
    let mut times: Vec<_> = (0..20)
        .map(|_| {
            let start = Instant::now();
            let fact = decide(&program, &spec, &Assertions::default());
            (start.elapsed(), fact.value)
        })
        .collect();
    times.sort_by_key(|(time, _)| *time);
    let lines = source.lines().count();
    println!("{lines} lines: {:?} at best, {:?} in the median, reads {:?}", times[0].0, times[10].0, times[0].1);
    Ok(())
}
