//! What the index keeps of a thing: the terms of its titles and texts.
//!
//! A term is one word without blanks. Those that say more than "it is in there" begin with a mark that no letter has.

use std::collections::BTreeSet;

use super::units::{TextUnit, units};
use crate::fingerprint::Fingerprint;

/// Before a term of a title.
const IN_TITLE: char = '\u{E001}';
/// Before what a word of a title begins with.
const BEGINS: char = '\u{E002}';
/// Before a title as a whole.
const WHOLE: char = '\u{E003}';
/// Between the words of a whole title.
const GAP: char = '\u{E004}';
/// Characters of a beginning that is kept.
const BEGIN_MIN: usize = 2;
const BEGIN_MAX: usize = 12;
/// Bytes of a whole title that is kept.
const WHOLE_MAX: usize = 400;

/// Raised when the same text gets other terms: a rebuild then writes all of them anew.
pub const TERMS_VERSION: u32 = 1;

/// A thing that can be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchDocument {
    /// What it is called, once for each language.
    pub titles: Vec<String>,
    pub texts: Vec<String>,
}

impl SearchDocument {
    /// Each once, in an order that follows from them.
    pub fn terms(&self) -> BTreeSet<String> {
        let mut terms = BTreeSet::new();
        for title in &self.titles {
            let units = units(title);
            for term in all_terms(&units) {
                terms.insert(in_title(&term));
                terms.insert(term);
            }
            for word in units.iter().filter(|unit| !unit.is_ideograph) {
                let ends = word.text.char_indices().map(|(at, letter)| at + letter.len_utf8());
                let kept = ends.enumerate().skip(BEGIN_MIN - 1).take(BEGIN_MAX - BEGIN_MIN + 1);
                terms.extend(kept.map(|(_, end)| begins(&word.text[..end])));
            }
            terms.extend(whole(&units));
        }
        for text in &self.texts {
            terms.extend(all_terms(&units(text)));
        }
        terms
    }
}

/// The same for the same terms, and for no others.
pub fn terms_digest(terms: &BTreeSet<String>) -> Fingerprint {
    let version = TERMS_VERSION.to_be_bytes();
    let parts: Vec<&[u8]> = std::iter::once(&version[..]).chain(terms.iter().map(String::as_bytes)).collect();
    Fingerprint::of(&parts)
}

/// Each word, each ideograph and each pair of neighbours.
fn all_terms(units: &[TextUnit]) -> impl Iterator<Item = String> {
    let pairs = units.windows(2).filter_map(pair);
    units.iter().map(|unit| unit.text.clone()).chain(pairs)
}

pub(super) fn pair(two: &[TextUnit]) -> Option<String> {
    match two {
        [one, other] if other.is_joined => Some(format!("{}{}", one.text, other.text)),
        _ => None,
    }
}

pub(super) fn in_title(term: &str) -> String {
    format!("{IN_TITLE}{term}")
}

pub(super) fn begins(term: &str) -> String {
    format!("{BEGINS}{term}")
}

/// Whether a word that is still being typed can be looked for by its beginning.
pub(super) fn is_beginning(word: &str) -> bool {
    (BEGIN_MIN..=BEGIN_MAX).contains(&word.chars().count())
}

/// A title, or a query, as a whole.
pub(super) fn whole(units: &[TextUnit]) -> Option<String> {
    let mut whole = String::from(WHOLE);
    for (n, unit) in units.iter().enumerate() {
        if n > 0 && !unit.is_joined {
            whole.push(GAP);
        }
        whole.push_str(&unit.text);
    }
    (!units.is_empty() && whole.len() <= WHOLE_MAX).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_terms_of_titles_and_texts() {
        let document =
            SearchDocument { titles: vec!["抽奖 Day".to_owned()], texts: vec!["好运，day".to_owned()] };
        let terms = document.terms();
        let said: Vec<String> = terms
            .iter()
            .map(|term| {
                term.replace(IN_TITLE, "t:").replace(BEGINS, "b:").replace(WHOLE, "w:").replace(GAP, "_")
            })
            .collect();
        let expected = [
            "day",
            "奖",
            "好",
            "好运",
            "抽",
            "抽奖",
            "运",
            "t:day",
            "t:奖",
            "t:抽",
            "t:抽奖",
            "b:da",
            "b:day",
            "w:抽奖_day",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn no_term_has_a_blank() {
        let document = SearchDocument {
            titles: vec!["a b\u{3000}c\td".to_owned()],
            texts: vec!["x\u{a0}y\nz\u{2028}w".to_owned()],
        };
        for term in document.terms() {
            assert!(!term.is_empty() && !term.contains(char::is_whitespace), "{term:?}");
        }
    }
}
