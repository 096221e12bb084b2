//! Guards against an interpreter: none that reads TRUE is ever violated.

mod engine;
mod interpreter;
mod language;
mod print;
mod scenes;
mod store;
mod switches;
mod tape;

#[test]
fn no_guard_that_reads_true_is_violated() {
    let tally = engine::compare(20_261_129, 500);
    assert!(tally.wrong.is_empty(), "{} wrong, the first:\n{}", tally.wrong.len(), tally.wrong[0]);
    assert!(tally.read_true > 100, "too few guards hold to show anything: {tally:?}");
    let share = tally.false_alarms * 100 / tally.held.max(1);
    assert!(
        share < 10,
        "{share}% of the guards that hold read FALSE:\n{:?}\n{}",
        tally.causes,
        tally.samples.join("\n")
    );
}

#[test]
fn no_guard_of_a_scene_that_reads_true_is_violated() {
    let tally = engine::compare_scenes(20_261_130, 400);
    assert!(tally.wrong.is_empty(), "{} wrong, the first:\n{}", tally.wrong.len(), tally.wrong[0]);
    assert!(tally.read_true > 100, "too few guards hold to show anything: {tally:?}");
}
