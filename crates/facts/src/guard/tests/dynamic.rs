//! What JavaScript can do beyond plain assignments and calls: `eval`, `with`, `arguments`, a variable `undefined`; and
//! where a function can be left at an error of the effect itself or at a `yield`.

use super::{check, check_file};

const ONLY: &str = "effect = go($$$)\nonly_if = m.ok";
const THEN: &str = "effect = eff($$$)\nthen = close()";

#[track_caller]
fn javascript(body: &str, text: &str, expected: &str) {
    check_file("a.js", &format!("function f(m, n, k) {{ {body} }}"), text, expected);
}

#[test]
fn eval_and_with_may_assign_anything() {
    javascript("if (!m.ok) return; eval('m = n'); go();", ONLY, "reassigned");
    javascript("if (!m.ok) return; eval(n); go();", "effect = go()\nonly_if = live(m)\nonly_if = m.ok", "reassigned");
    javascript("let d = m.ok; eval('d = 1'); if (d) go();", ONLY, "reassigned");
    javascript("const h = () => eval(n); if (!m.ok) return; h(); go();", ONLY, "reassigned");
    javascript("k(() => eval(n)); if (!m.ok) return; k(); go();", ONLY, "reassigned");
    javascript("if (!m.ok) return; with (n) { m = k; } go();", ONLY, "reassigned");
    javascript("if (!m.ok) return; with (n) { go(); }", ONLY, "reassigned");
    javascript("with (n) { if (!m.ok) return; } go();", ONLY, "reassigned");
    javascript("eval(n); if (!m.ok) return; go();", ONLY, "TRUE");
    javascript("const eval = k; if (!m.ok) return; eval('m = n'); go();", ONLY, "TRUE");
    javascript("if (!m.ok) return; n.eval('m = n'); go();", ONLY, "TRUE");
    javascript("with (n) { k(); } if (!m.ok) return; go();", ONLY, "TRUE");
}

#[test]
fn arguments_are_the_parameters() {
    javascript("if (!m.ok) return; arguments[0] = n; go();", ONLY, "reassigned");
    javascript("if (!m.ok) return; arguments[k] = n; go();", ONLY, "reassigned");
    javascript("if (!m.ok) return; const h = () => { arguments[0] = n; }; h(); go();", ONLY, "reassigned");
    javascript("if (!m.ok) return; arguments[0]++; go();", ONLY, "reassigned");
    javascript("if (!m.ok) return; k(function (x) { arguments[0] = n; }); go();", ONLY, "TRUE");
    javascript("arguments[0] = n; if (!m.ok) return; go();", ONLY, "TRUE");
    javascript("if (!m.ok) return; k(arguments[0]); go();", ONLY, "TRUE");
}

#[test]
fn a_parameter_of_the_name_undefined_is_none() {
    let skip = "effect = go()\nskip_if = x === undefined";
    let js = |parameters: &str, body: &str, expected: &str| {
        check_file("a.js", &format!("function f({parameters}) {{ {body} }}"), skip, expected);
    };
    js("x, undefined", "if (x === undefined) return; go();", "unguarded");
    js("x, undefined", "if (x !== undefined) go();", "unguarded");
    js("x, undefined", "if (x === void 0) return; go();", "TRUE");
    js("x, undefined", "k(() => { if (x === undefined) return; go(); });", "unguarded");
    js("x", "if (x === undefined) return; go();", "TRUE");
    js("x", "if (x === null) go();", "TRUE");
    js("x", "k(function (undefined) {}); if (x === null) go();", "TRUE");
}

#[test]
fn an_error_of_the_effect_itself() {
    let raised = &format!("{THEN}\nthen_on_throw = true");
    for (body, expected) in [
        ("try { eff(); } catch (e) { throw e; } close();", "TRUE"),
        ("try { eff(); } catch (e) { return; } close();", "TRUE"),
        ("try { eff(); } finally { log; } close();", "TRUE"),
        ("try { eff(); } catch {} close();", "TRUE"),
        ("try { eff(); } finally { close(); }", "TRUE"),
        ("try { eff(); } catch (e) { close(); throw e; } close();", "TRUE"),
        ("try { await eff(); } finally { close(); }", "TRUE"),
        ("eff(); close();", "TRUE"),
        ("eff(); try { log(); } finally { close(); }", "TRUE"),
        ("const x = eff(); close();", "TRUE"),
    ] {
        check(body, raised, expected);
        let awaited = "effect = await eff($$$)\nthen = close()\nthen_on_throw = true";
        if body.contains("await eff") {
            check(body, awaited, expected);
            check(body, "effect = await eff($$$)\nthen = close()", "TRUE");
        }
    }
    // Waiting for it is what its caller does afterwards, unless the pattern says so.
    check("await eff(); close();", raised, "not-followed");
    check("await eff(); close();", "effect = await eff($$$)\nthen = close()\nthen_on_throw = true", "TRUE");
    check("try { eff(); } catch (e) { return; } close();", THEN, "TRUE");
}

#[test]
fn a_generator_may_end_at_a_yield() {
    let generator = |body: &str, expected: &str| {
        check_file("a.ts", &format!("function* f(m, n, k) {{ {body} }}"), THEN, expected);
        check_file("a.ts", &format!("async function* f(m, n, k) {{ {body} }}"), THEN, expected);
    };
    generator("eff(); yield 1; close();", "not-followed");
    generator("eff(); yield* n; close();", "not-followed");
    generator("eff(); for (const x of n) yield x; close();", "not-followed");
    generator("try { eff(); yield 1; } catch { } close();", "not-followed");
    generator("eff(); close(); yield 1;", "TRUE");
    generator("yield 1; eff(); close();", "TRUE");
    generator("try { eff(); yield 1; } finally { close(); }", "TRUE");
    generator("eff(); k(function* () { yield 1; }); close();", "TRUE");
    check_file("a.ts", "function* f(m) { if (!m.ok) return; yield 1; go(); }", ONLY, "TRUE");
    check_file("a.ts", "function* f(m) { pre(); yield 1; go(); }", "effect = go()\nafter = pre()", "TRUE");
}
