//! SPDX licence expressions, evaluated against a list of allowed licences: `MIT OR (ISC AND Zlib)`.
//!
//! `WITH` binds closest, then `AND`, then `OR`. A `/` is the old way to write `OR`.

/// Whether one who accepts the licences in `allowed` may use what is under `expression`.
///
/// An exception is part of the licence's name: `Apache-2.0 WITH LLVM-exception` is allowed only as such.
pub(crate) fn satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Result<bool, String> {
    let tokens = tokens(expression);
    let mut parser = Parser { tokens: &tokens, allowed };
    let outcome = parser.any()?;
    match parser.tokens {
        [] => Ok(outcome),
        [token, ..] => Err(format!("unexpected `{token}` in `{expression}`")),
    }
}

struct Parser<'a> {
    tokens: &'a [String],
    allowed: &'a dyn Fn(&str) -> bool,
}

impl Parser<'_> {
    fn any(&mut self) -> Result<bool, String> {
        let mut outcome = self.all()?;
        while self.take("OR") || self.take("/") {
            outcome |= self.all()?;
        }
        Ok(outcome)
    }

    fn all(&mut self) -> Result<bool, String> {
        let mut outcome = self.one()?;
        while self.take("AND") {
            outcome &= self.one()?;
        }
        Ok(outcome)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.take("(") {
            let outcome = self.any()?;
            return if self.take(")") { Ok(outcome) } else { Err("a `(` is not closed".into()) };
        }
        let mut licence = self.name()?;
        if self.take("WITH") {
            licence = format!("{licence} WITH {}", self.name()?);
        }
        Ok((self.allowed)(&licence))
    }

    fn name(&mut self) -> Result<String, String> {
        match self.tokens {
            [token, rest @ ..] if !["AND", "OR", "WITH", "(", ")", "/"].contains(&token.as_str()) => {
                self.tokens = rest;
                Ok(token.clone())
            }
            [token, ..] => Err(format!("`{token}` where a licence should be")),
            [] => Err("it ends where a licence should be".into()),
        }
    }

    fn take(&mut self, wanted: &str) -> bool {
        match self.tokens {
            [token, rest @ ..] if token == wanted => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }
}

fn tokens(expression: &str) -> Vec<String> {
    let spaced = ["(", ")", "/"]
        .iter()
        .fold(expression.to_owned(), |text, mark| text.replace(mark, &format!(" {mark} ")));
    spaced.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn expressions_are_evaluated() {
    let allowed = |licence: &str| ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
    for (expression, expected) in [
        ("MIT", Ok(true)),
        ("GPL-3.0-only", Ok(false)),
        ("GPL-3.0-only OR MIT", Ok(true)),
        ("GPL-3.0-only/MIT", Ok(true)),
        ("GPL-3.0-only / MIT", Ok(true)),
        ("GPL-3.0-only AND MIT", Ok(false)),
        ("MIT AND ISC", Ok(true)),
        ("GPL-3.0-only OR MIT AND ISC", Ok(true)),
        ("MIT OR ISC AND GPL-3.0-only", Ok(true)),
        ("(MIT OR ISC) AND GPL-3.0-only", Ok(false)),
        ("((MIT))", Ok(true)),
        ("Apache-2.0", Ok(false)),
        ("Apache-2.0 WITH LLVM-exception", Ok(true)),
        ("MIT WITH LLVM-exception", Ok(false)),
        ("Apache-2.0 WITH LLVM-exception OR GPL-3.0-only", Ok(true)),
        ("", Err("it ends where")),
        ("MIT OR", Err("it ends where")),
        ("MIT WITH", Err("it ends where")),
        ("(MIT", Err("a `(` is not closed")),
        ("MIT)", Err("unexpected `)`")),
        ("MIT ISC", Err("unexpected `ISC`")),
        ("AND MIT", Err("`AND` where a licence")),
    ] {
        let found = satisfied(expression, &allowed);
        match (&found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(*found, expected, "{expression}"),
            (Err(found), Err(expected)) => assert!(found.starts_with(expected), "{expression}: {found}"),
            _ => panic!("{expression}: {found:?}, expected {expected:?}"),
        }
    }
}
