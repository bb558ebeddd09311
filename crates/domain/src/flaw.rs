//! Everything that is wrong with something large, told at once.
//!
//! A form with one wrong field is a [`Rejection::Invalid`]. What has many parts (a strategy, a rule tree, an activity)
//! is checked as a whole, and the answer lists every flaw, so that nobody mends and sends ten times. A flaw has the field
//! to blame, a stable code and a text in both languages. In a field `[3]` is a place in a list, from 0, and `.3` an id.

use crate::{Lang, Rejection};

/// Flaws that one answer lists; beyond it they are only counted.
pub const FLAWS_MAX: usize = 500;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// `prizes[3].odds`, or empty when the whole is to blame.
    pub field: String,
    /// The stable name.
    pub code: &'static str,
    english: String,
    chinese: String,
}

impl Flaw {
    pub fn new(
        field: impl Into<String>,
        code: &'static str,
        english: impl Into<String>,
        chinese: impl Into<String>,
    ) -> Self {
        Self { field: field.into(), code, english: english.into(), chinese: chinese.into() }
    }

    /// What to tell a person.
    pub fn text(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.english,
            Lang::Zh => &self.chinese,
        }
    }

    /// The field and what is wrong with it, in one line. The sentence of a single field begins with its name already.
    pub fn line(&self, lang: Lang) -> String {
        let text = self.text(lang);
        if self.field.is_empty() || text.starts_with(&self.field) {
            text.to_owned()
        } else {
            format!("{}: {text}", self.field)
        }
    }

    /// The same flaw of a part, named from the whole: `odds` within `prizes[3]` is `prizes[3].odds`.
    #[must_use]
    pub fn within(mut self, part: &str) -> Self {
        self.field = match self.field.as_str() {
            "" => part.to_owned(),
            field => format!("{part}.{field}"),
        };
        self
    }
}

/// A field that is wrong by itself keeps its sentence; its code is that of the field's problem.
impl From<Rejection> for Flaw {
    fn from(rejection: Rejection) -> Self {
        let [english, chinese] = Lang::ALL.map(|lang| rejection.text(lang));
        let field = rejection.field().unwrap_or_default();
        let code = match &rejection {
            Rejection::Invalid { problem, .. } => problem.code(),
            other => other.code(),
        };
        Self::new(field, code, english, chinese)
    }
}

/// At least one flaw: the first [`FLAWS_MAX`] of them, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaws {
    listed: Vec<Flaw>,
    found: usize,
}

impl From<Flaw> for Flaws {
    fn from(flaw: Flaw) -> Self {
        Self { listed: vec![flaw], found: 1 }
    }
}

impl Flaws {
    pub fn listed(&self) -> &[Flaw] {
        &self.listed
    }

    /// With those that are not listed.
    pub fn found(&self) -> usize {
        self.found
    }
}

impl Rejection {
    /// Nothing when there is no flaw; otherwise the refusal that lists them all.
    pub fn of_flaws(flaws: impl IntoIterator<Item = Flaw>) -> Result<(), Self> {
        let mut flaws = flaws.into_iter();
        let listed: Vec<Flaw> = flaws.by_ref().take(FLAWS_MAX).collect();
        let found = listed.len() + flaws.count();
        if listed.is_empty() { Ok(()) } else { Err(Self::Flawed { flaws: Flaws { listed, found } }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rejection::FieldProblem;

    #[test]
    fn a_line_names_its_field_once() {
        let odds = Flaw::new("odds", "odds_zero", "They are zero.", "为零。");
        for (flaw, line) in [
            (
                Rejection::invalid("zone", FieldProblem::TooLong { max: 40 }).into(),
                "zone: is too long (at most 40).",
            ),
            (odds.clone(), "odds: They are zero."),
            (odds.within("prizes[3]"), "prizes[3].odds: They are zero."),
            (Rejection::CodeDailyCap.into(), "Too many codes today. Try again tomorrow."),
        ] {
            assert_eq!(flaw.line(Lang::En), line);
        }
    }

    #[test]
    fn a_wrong_field_becomes_a_flaw_with_its_own_code() {
        for (rejection, field, code, text) in [
            (
                Rejection::invalid("name", FieldProblem::TooLong { max: 40 }),
                "name",
                "too_long",
                "name: is too long (at most 40).",
            ),
            (Rejection::CodeDailyCap, "", "code_daily_cap", "Too many codes today. Try again tomorrow."),
        ] {
            let flaw = Flaw::from(rejection);
            assert_eq!((flaw.field.as_str(), flaw.code, flaw.text(Lang::En)), (field, code, text));
            assert_ne!(flaw.text(Lang::Zh), text);
        }
    }

    #[test]
    fn a_part_is_named_from_the_whole() {
        for (field, part, expected) in [("odds", "prizes[3]", "prizes[3].odds"), ("", "tree", "tree")] {
            assert_eq!(Flaw::new(field, "x", "x", "x").within(part).field, expected);
        }
    }

    #[test]
    fn all_are_counted_and_the_first_are_listed() {
        for (given, listed) in [(1, 1), (FLAWS_MAX, FLAWS_MAX), (FLAWS_MAX + 7, FLAWS_MAX)] {
            let flaws = (0..given).map(|at| Flaw::new(format!("f[{at}]"), "x", "x", "x"));
            let Err(Rejection::Flawed { flaws }) = Rejection::of_flaws(flaws) else { panic!("refused") };
            assert_eq!((flaws.listed().len(), flaws.found()), (listed, given));
        }
        assert_eq!(Rejection::of_flaws([]), Ok(()));
    }
}
