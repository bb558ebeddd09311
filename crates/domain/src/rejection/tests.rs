//! The catalogue: every rejection has a row and speaks both languages.

use super::table::shown;
use super::{FieldProblem, Lang, Rejection};

#[test]
fn every_rejection_has_a_row_and_two_texts() {
    let rows = shown();
    let codes: Vec<_> = rows.iter().map(|(rejection, _)| rejection.code()).collect();
    assert_eq!(codes, Rejection::CODES, "the rows follow the table");
    for (rejection, english) in rows {
        assert_eq!(rejection.text(Lang::En), english);
        let chinese = rejection.text(Lang::Zh);
        assert!(chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{chinese}");
    }
}

#[test]
fn codes_are_distinct() {
    let mut codes = Rejection::CODES.to_vec();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), Rejection::CODES.len());
}

#[test]
fn every_field_problem_speaks_both_languages() {
    use FieldProblem::*;
    for problem in [
        Missing,
        Unknown,
        Malformed,
        TooShort { min: 1 },
        TooLong { max: 2 },
        OutOfRange { min: 1, max: 2 },
        NotOneOf { allowed: "a, b" },
        Duplicate,
    ] {
        let rejection = Rejection::invalid("f", problem);
        assert_ne!(rejection.text(Lang::En), rejection.text(Lang::Zh));
    }
}
