//! How a specification applies its actions: with which arguments, bound by which quantifiers. A recorded action is held
//! against every application that the next-state relation has, and where it names arguments they must be these.

use crate::definitions::{Definition, Definitions, instance, matching, names, text};
use crate::scan::{Token, tokens};
use std::collections::BTreeSet;

/// One application: the quantifiers around it, outermost first, and its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Application<'a> {
    quantifiers: Vec<Vec<Token<'a>>>,
    arguments: Vec<Vec<Token<'a>>>,
}

/// Why an action cannot be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoCall {
    /// The specification has no such action.
    Unknown,
    /// It is applied to something that has no name outside of the place where that stands, or nowhere at all.
    Arguments,
    /// It takes another number of arguments.
    Count(usize),
}

/// One way in which the relation applies an action, as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Called {
    /// What binds the arguments, outermost first: `n \in Drops`.
    quantifiers: Vec<String>,
    /// The arguments.
    pub(crate) arguments: Vec<String>,
    /// The action with them.
    call: String,
}

impl Called {
    /// The application as a formula.
    fn formula(&self) -> String {
        self.bound(self.call.clone())
    }

    /// The application between two other formulas, which may name what binds its arguments.
    pub(crate) fn between(&self, before: &str, after: &str) -> String {
        self.bound(format!("({before}) /\\ {} /\\ {after}", self.call))
    }

    fn bound(&self, inner: String) -> String {
        self.quantifiers.iter().rev().fold(inner, |inner, quantifier| format!("\\E {quantifier} : {inner}"))
    }

    /// The application with these arguments. Single values of different kinds are told apart by their texts: the engine
    /// refuses to compare them.
    fn with(&self, values: &[String]) -> String {
        let equal = |(argument, value): (&String, &String)| {
            let single = !value.contains(['{', '<', '[', '@', '.']);
            if single { format!("ToString({argument}) = ToString({value})") } else { format!("({argument}) = {value}") }
        };
        let equal: Vec<String> = self.arguments.iter().zip(values).map(equal).collect();
        self.bound(format!("{} /\\ {}", equal.join(" /\\ "), self.call))
    }
}

/// The actions of one next-state relation.
pub(crate) struct Applications<'d, 'a> {
    definitions: &'d Definitions<'a>,
    /// Names of definitions that the relation reaches: a fairness condition applies actions too, and takes no step.
    callers: BTreeSet<&'a str>,
}

impl<'d, 'a> Applications<'d, 'a> {
    /// Those that a next-state relation reaches.
    pub(crate) fn new(definitions: &'d Definitions<'a>, next: &str) -> Applications<'d, 'a> {
        let mut callers = BTreeSet::new();
        let mut pending: Vec<String> = words(next);
        while let Some(name) = pending.pop() {
            let Some((name, definition)) = definitions.visible().find(|(known, _)| *known == name) else { continue };
            if callers.insert(name) {
                pending.extend(names(&definition.body).into_iter().map(str::to_owned));
            }
        }
        Applications { definitions, callers }
    }

    /// A recorded action as a formula: `Fill` is `Fill`, `Fill(n)` is `\E n \in Drops : Fill(n)` where the specification
    /// says so. `Inc` may stand for `I!Inc`, as the engine prints it. `values` are the arguments that it must take.
    pub(crate) fn call(&self, action: &str, values: Option<&[String]>) -> Result<String, NoCall> {
        let found = self.called(action)?;
        let fits = |one: &&Called| values.is_none_or(|values| values.len() == one.arguments.len());
        let fitting: Vec<&Called> = found.iter().filter(fits).collect();
        let formula = |one: &&Called| values.map_or_else(|| one.formula(), |values| one.with(values));
        let formulas: Vec<String> = fitting.iter().map(formula).collect();
        match formulas.as_slice() {
            [] => Err(found.first().map_or(NoCall::Arguments, |one| NoCall::Count(one.arguments.len()))),
            [only] => Ok(only.clone()),
            several => Ok(several.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(" \\/ ")),
        }
    }

    /// Every way in which the relation applies an action.
    pub(crate) fn called(&self, action: &str) -> Result<Vec<Called>, NoCall> {
        let (prefix, name) = action.rsplit_once('!').map_or((None, action), |(prefix, name)| (Some(prefix), name));
        if !self.definitions.is_action(name) {
            return Err(NoCall::Unknown);
        }
        let instances = match prefix {
            Some(prefix) => vec![Some(prefix.to_owned())],
            None if self.definitions.is_visible(name) => vec![None],
            None => self.instances_of(name),
        };
        let mut found = Vec::new();
        for prefix in instances {
            found.extend(self.through(prefix.as_deref(), name)?);
        }
        found.sort();
        found.dedup();
        if found.is_empty() { Err(NoCall::Arguments) } else { Ok(found) }
    }

    fn through(&self, prefix: Option<&str>, name: &str) -> Result<Vec<Called>, NoCall> {
        let definition = self.definitions.get(name).ok_or(NoCall::Unknown)?;
        let called = prefix.map_or_else(|| name.to_owned(), |prefix| format!("{prefix}!{name}"));
        if definition.parameters.is_empty() {
            return Ok(vec![Called { quantifiers: Vec::new(), arguments: Vec::new(), call: called }]);
        }
        let found = self.of(prefix, name, &mut BTreeSet::new()).ok_or(NoCall::Arguments)?;
        let one = |one: &Application<'a>| {
            let arguments: Vec<String> = one.arguments.iter().map(|argument| text(argument)).collect();
            let call = format!("{called}({})", arguments.join(", "));
            Called { quantifiers: one.quantifiers.iter().map(|tokens| text(tokens)).collect(), arguments, call }
        };
        Ok(found.iter().map(one).collect())
    }

    /// The instances through which the relation reaches an action.
    fn instances_of(&self, name: &str) -> Vec<Option<String>> {
        let mut found = BTreeSet::new();
        for (_, caller) in self.callers() {
            for at in (0..caller.body.len()).filter(|at| caller.body[*at] == Token::Name(name)) {
                found.extend(instance(&caller.body, at).map(str::to_owned));
            }
        }
        found.into_iter().map(Some).collect()
    }

    fn callers(&self) -> impl Iterator<Item = (&'a str, &Definition<'a>)> {
        self.definitions.visible().filter(|(name, _)| self.callers.contains(name))
    }

    /// Every application of an action. `None` when the arguments of one cannot be told.
    fn of(&self, prefix: Option<&str>, name: &str, within: &mut BTreeSet<String>) -> Option<Vec<Application<'a>>> {
        if !within.insert(name.to_owned()) {
            return None;
        }
        let mut found = Vec::new();
        for (caller_name, caller) in self.callers() {
            let body = &caller.body;
            let is_call = |at: &usize| {
                body[*at] == Token::Name(name)
                    && body.get(at + 1) == Some(&Token::Symbol("("))
                    && instance(body, *at) == prefix
            };
            for at in (0..body.len()).filter(is_call) {
                let one = self.application(caller, at)?;
                let mentioned: BTreeSet<&str> = one.mentioned();
                if !caller.parameters.iter().any(|parameter| mentioned.contains(parameter)) {
                    found.push(one);
                    continue;
                }
                // The caller hands its own parameters on.
                for outer in self.of(None, caller_name, within)? {
                    found.push(one.within(&outer, &caller.parameters)?);
                }
            }
        }
        within.remove(name);
        Some(found)
    }

    /// The application at a place of a body, with the quantifiers around it that bind what it mentions.
    fn application(&self, caller: &Definition<'a>, at: usize) -> Option<Application<'a>> {
        let body = &caller.body;
        let close = matching(body, at + 1)?;
        let mut one = Application { quantifiers: Vec::new(), arguments: split(&body[at + 2..close]) };
        let mut needed: BTreeSet<&str> = one.mentioned();
        for start in (0..at).rev().filter(|start| body[*start] == Token::Symbol("\\E")) {
            let colon = start + body[start..at].iter().position(|token| *token == Token::Symbol(":"))?;
            let quantifier = &body[start + 1..colon];
            let variables = variables(quantifier);
            if variables.iter().any(|variable| needed.contains(variable)) {
                needed.extend(names(quantifier));
                needed.retain(|name| !variables.contains(name));
                one.quantifiers.insert(0, quantifier.to_vec());
            }
        }
        // What a LET, a `\A` or a function binds has no name elsewhere.
        let local = |name: &&str| {
            let binds =
                |pair: &[Token<'_>]| pair[0] == Token::Name(name) && matches!(pair[1], Token::Symbol("\\in" | "=="));
            !self.definitions.is_visible(name) && !caller.parameters.contains(name) && body.windows(2).any(binds)
        };
        (!needed.iter().any(local)).then_some(one)
    }
}

impl<'a> Application<'a> {
    fn mentioned(&self) -> BTreeSet<&'a str> {
        self.quantifiers.iter().chain(&self.arguments).flat_map(|tokens| names(tokens)).collect()
    }

    /// With what an outer application hands over in the place of parameters. `None` when a name would be bound twice.
    fn within(&self, outer: &Application<'a>, parameters: &[&'a str]) -> Option<Application<'a>> {
        let bound = |one: &Application<'a>| -> BTreeSet<&'a str> {
            one.quantifiers.iter().flat_map(|quantifier| variables(quantifier)).collect()
        };
        if parameters.len() != outer.arguments.len() || !bound(self).is_disjoint(&bound(outer)) {
            return None;
        }
        let replaced = |tokens: &Vec<Token<'a>>| -> Vec<Token<'a>> {
            let one = |token: &Token<'a>| match token {
                Token::Name(name) => match parameters.iter().position(|parameter| parameter == name) {
                    Some(at) => [&[Token::Symbol("(")], outer.arguments[at].as_slice(), &[Token::Symbol(")")]].concat(),
                    None => vec![*token],
                },
                _ => vec![*token],
            };
            tokens.iter().flat_map(one).collect()
        };
        let own = self.quantifiers.iter().map(replaced);
        Some(Application {
            quantifiers: outer.quantifiers.iter().cloned().chain(own).collect(),
            arguments: self.arguments.iter().map(replaced).collect(),
        })
    }
}

fn words(formula: &str) -> Vec<String> {
    names(&tokens(formula)).into_iter().map(str::to_owned).collect()
}

/// The parts of a list, at its own commas.
pub(crate) fn split<'a>(list: &[Token<'a>]) -> Vec<Vec<Token<'a>>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0usize;
    for (at, token) in list.iter().enumerate() {
        let double = |sign: &str| list.get(at + 1) == Some(&Token::Symbol(sign)) && *token == Token::Symbol(sign);
        match token {
            Token::Symbol("(" | "[" | "{") => depth += 1,
            Token::Symbol(")" | "]" | "}") => depth = depth.saturating_sub(1),
            // `<<` and `>>` come as single signs.
            _ if double("<") => depth += 1,
            _ if double(">") => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            _ if *token == Token::Symbol(",") && depth == 0 => parts.push(Vec::new()),
            Some(part) => part.push(*token),
            None => {}
        }
    }
    parts
}

/// What a quantifier binds: the names before each `\in`.
fn variables<'a>(quantifier: &[Token<'a>]) -> Vec<&'a str> {
    let mut found = Vec::new();
    for part in split(quantifier) {
        let end = part.iter().position(|token| *token == Token::Symbol("\\in")).unwrap_or(part.len());
        found.extend(names(&part[..end]));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, action: &str, expected: Result<&str, NoCall>) {
        let text = format!(
            "---- MODULE A ----\nVARIABLE x\nUp(n, m) == x' = x + n + m\nReset == UNCHANGED x\nSmall == x < 9\n\
             Move(r) == x' = r\nI == INSTANCE C\n{body}\nSpec == 0 /\\ [][Next]_x\n====\n"
        );
        let inner = "---- MODULE C ----\nVARIABLE y\nDown(k) == y' = k\nZero == y' = 0\n====\n";
        let modules = [("A".to_owned(), text), ("C".to_owned(), inner.to_owned())].into_iter().collect();
        let definitions = Definitions::read("A", &modules);
        let found = Applications::new(&definitions, "Next").call(action, None);
        assert_eq!(found.as_deref().map_err(|error| *error), expected, "{body}: {action}");
    }

    #[test]
    fn arguments_are_bound_as_the_relation_binds_them() {
        let next = "Next == \\/ \\E n \\in 1..3, m \\in {n} : Up(n, m)\n \\/ Reset";
        check(next, "Up", Ok("\\E n \\in 1 .. 3 , m \\in { n } : Up(n, m)"));
        check(next, "Reset", Ok("Reset"));
        check(next, "Small", Err(NoCall::Unknown));
        check(next, "Move", Err(NoCall::Arguments));
        // The same name twice; constants as arguments; several places.
        check("Next == (\\E n \\in S : Move(n)) \\/ \\E n \\in T : Up(n, 1)", "Up", Ok("\\E n \\in T : Up(n, 1)"));
        check("Next == Move(1) \\/ Move(<<1, 2>>)", "Move", Ok("(Move(1)) \\/ (Move(<< 1 , 2 >>))"));
        check(
            "Next == \\E a, b \\in S : \\E <<c, d>> \\in a : Up(b, c)",
            "Up",
            Ok("\\E a , b \\in S : \\E << c , d >> \\in a : Up(b, c)"),
        );
        // A fairness condition takes no step.
        check(
            "Next == \\E n \\in S : Move(n)\nFair == \\A q \\in S : WF_x(Move(q))",
            "Move",
            Ok("\\E n \\in S : Move(n)"),
        );
    }

    #[test]
    fn arguments_that_are_named_are_taken() {
        let text = "---- MODULE A ----\nVARIABLE x\nUp(n, m) == x' = n + m\nZero == x' = 0\n\
            Next == Zero \\/ (\\E n \\in S : Up(n, {n})) \\/ Up(1, 2)\n====\n";
        let modules = [("A".to_owned(), text.to_owned())].into_iter().collect();
        let definitions = Definitions::read("A", &modules);
        let applications = Applications::new(&definitions, "Next");
        let call = |name: &str, values: &[&str]| {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            applications.call(name, Some(&values))
        };
        let first = "\\E n \\in S : ToString(n) = ToString((1)) /\\ ({ n }) = ({ 2 }) /\\ Up(n, { n })";
        let second = "ToString(1) = ToString((1)) /\\ (2) = ({ 2 }) /\\ Up(1, 2)";
        assert_eq!(call("Up", &["(1)", "({ 2 })"]), Ok(format!("({second}) \\/ ({first})")));
        assert_eq!(call("Up", &["(1)"]), Err(NoCall::Count(2)));
        assert_eq!(call("Zero", &["(1)"]), Err(NoCall::Count(0)));
    }

    #[test]
    fn parameters_are_handed_on() {
        let next = "Step(w) == \\E m \\in S : Up(w, m)\nNext == \\E v \\in W : Step(v + 1)";
        check(next, "Up", Ok("\\E v \\in W : \\E m \\in S : Up(( v + 1 ), m)"));
        check("Step(w) == \\E v \\in S : Up(w, v)\nNext == \\E v \\in W : Step(v)", "Up", Err(NoCall::Arguments));
        check("Step(w) == Up(w, 1) \\/ Step(w)\nNext == Step(1)", "Up", Err(NoCall::Arguments));
        check("Next == \\E v \\in W : LET k == v + 1 IN Move(k)", "Move", Err(NoCall::Arguments));
        check("Next == \\A v \\in W : Move(v)", "Move", Err(NoCall::Arguments));
    }

    #[test]
    fn actions_of_an_instance_are_named_through_it() {
        let next = "Next == I!Zero \\/ \\E n \\in S : I!Down(n)";
        check(next, "I!Zero", Ok("I!Zero"));
        check(next, "Zero", Ok("I!Zero"));
        check(next, "Down", Ok("\\E n \\in S : I!Down(n)"));
        check(next, "I!Down", Ok("\\E n \\in S : I!Down(n)"));
    }
}
