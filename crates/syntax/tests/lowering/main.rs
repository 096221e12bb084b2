//! The lowering of TypeScript against Node.js, on a few random programs. The large count is run by hand: see
//! `examples/lowering`.

#[path = "../../examples/lowering/oracle/mod.rs"]
mod oracle;

#[test]
fn programs_do_in_the_core_what_they_do_in_node() {
    if !oracle::node::is_there() {
        eprintln!("not run: there is no `node`");
        return;
    }
    let tally = oracle::run(1_000_000, 150, 1).expect("node runs the programs");
    assert!(tally.differing.is_empty(), "{} differ, the first:\n{}", tally.differing.len(), tally.differing[0].1);
    assert!(tally.whole > 120 && tally.events > 1500, "too little runs to show anything: {tally:?}");
}
