//! What somebody looks for, and which documents answer it.
//!
//! All terms have to be there. What has the query for its whole title comes first, then what has all of it in its title, then
//! what has it anywhere; within each the newest first. A document is in one of the three tiers.

use std::collections::BTreeSet;

use super::document::{begins, in_title, is_beginning, pair, whole};
use super::units::units;
use crate::Rejection;
use crate::rejection::FieldProblem;

/// Characters of a query.
pub const QUERY_MAX: usize = 100;

/// How well a document answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchTier {
    /// Its title is the query.
    Exact,
    /// All of the query is in its title.
    Title,
    Text,
}

impl SearchTier {
    /// The best first.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Title, Self::Text];

    pub fn number(self) -> u8 {
        match self {
            Self::Exact => 0,
            Self::Title => 1,
            Self::Text => 2,
        }
    }

    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.number() == number)
    }
}

/// One word or ideographs that have to be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTerm {
    pub text: String,
    /// The word is still being typed: a title may have a longer one.
    pub is_beginning: bool,
}

/// A query as it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery {
    terms: Vec<SearchTerm>,
    whole: Option<String>,
}

/// Of each group in `all` one term has to be there; where `but_not` has groups, not of each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchCondition {
    pub all: Vec<Vec<String>>,
    pub but_not: Vec<Vec<String>>,
}

impl SearchCondition {
    pub fn holds(&self, terms: &BTreeSet<String>) -> bool {
        let has =
            |groups: &[Vec<String>]| groups.iter().all(|group| group.iter().any(|term| terms.contains(term)));
        has(&self.all) && (self.but_not.is_empty() || !has(&self.but_not))
    }
}

impl SearchQuery {
    /// A query of signs alone is one, and nothing answers it.
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        if text.trim().is_empty() {
            return Err(Rejection::invalid("q", FieldProblem::TooShort { min: 1 }));
        }
        if text.chars().take(QUERY_MAX + 1).count() > QUERY_MAX {
            return Err(Rejection::invalid("q", FieldProblem::TooLong { max: QUERY_MAX as u64 }));
        }
        let units = units(text);
        let mut terms: Vec<SearchTerm> = Vec::new();
        let mut add = |text: String, is_beginning| match terms.iter_mut().find(|term| term.text == text) {
            Some(term) => term.is_beginning |= is_beginning,
            None => terms.push(SearchTerm { text, is_beginning }),
        };
        for (n, unit) in units.iter().enumerate() {
            let next = units.get(n + 1);
            if let Some(pair) = next.and_then(|_| pair(&units[n..n + 2])) {
                add(pair, false);
            } else if !unit.is_joined {
                let is_last = next.is_none() && unit.range.end == text.len();
                add(unit.text.clone(), is_last && !unit.is_ideograph && is_beginning(&unit.text));
            }
        }
        Ok(Self { terms, whole: whole(&units) })
    }

    pub fn terms(&self) -> &[SearchTerm] {
        &self.terms
    }

    /// What a document of this tier has; nothing where none can be.
    pub fn condition(&self, tier: SearchTier) -> Option<SearchCondition> {
        if self.terms.is_empty() {
            return None;
        }
        let whole: Vec<Vec<String>> = self.whole.iter().map(|whole| vec![whole.clone()]).collect();
        let title = |term: &SearchTerm| match term.is_beginning {
            true => vec![begins(&term.text)],
            false => vec![in_title(&term.text)],
        };
        let anywhere = |term: &SearchTerm| {
            let begins = term.is_beginning.then(|| begins(&term.text));
            std::iter::once(term.text.clone()).chain(begins).collect()
        };
        let titles = self.terms.iter().map(title).collect();
        match tier {
            SearchTier::Exact if whole.is_empty() => None,
            SearchTier::Exact => Some(SearchCondition { all: whole, but_not: Vec::new() }),
            SearchTier::Title => Some(SearchCondition { all: titles, but_not: whole }),
            SearchTier::Text => {
                Some(SearchCondition { all: self.terms.iter().map(anywhere).collect(), but_not: titles })
            }
        }
    }

    /// How well a document with these terms answers, if it does. Searching an index comes to the same.
    pub fn tier(&self, terms: &BTreeSet<String>) -> Option<SearchTier> {
        let holds = |tier: &SearchTier| self.condition(*tier).is_some_and(|asked| asked.holds(terms));
        SearchTier::ALL.into_iter().find(holds)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::SearchDocument;

    fn document(title: &str, text: &str) -> BTreeSet<String> {
        SearchDocument { titles: vec![title.to_owned()], texts: vec![text.to_owned()] }.terms()
    }

    #[test]
    fn what_answers_what() {
        let (exact, title, text) = (Some(SearchTier::Exact), Some(SearchTier::Title), Some(SearchTier::Text));
        for (query, (of_title, of_text), expected) in [
            ("抽奖", ("抽奖", ""), exact),
            ("抽奖", ("双十一抽奖活动", ""), title),
            ("抽奖", ("活动", "大家来抽奖吧"), text),
            ("抽奖", ("抽大奖", "奖抽"), None),
            ("奖", ("抽大奖", ""), title),
            ("奖", ("活动", "抽大奖"), text),
            ("抽奖 活动", ("活动：抽奖", ""), title),
            ("抽奖活动", ("抽奖", "活动"), None),
            ("抽奖 day", ("抽奖", "a day"), text),
            ("Lucky Draw", ("lucky draw!", ""), exact),
            ("draw lucky", ("lucky draw!", ""), title),
            ("luc", ("Lucky draw", ""), title),
            ("luc ", ("Lucky draw", ""), None),
            ("luc", ("draw", "lucky"), None),
            ("lucky", ("draw", "LUCKY you"), text),
            ("draw luc", ("lucky", "draw"), text),
            ("l", ("lucky", ""), None),
            ("ｌｕｃｋｙ", ("Lucky", ""), exact),
            ("!!", ("!!", "!!"), None),
        ] {
            let got = SearchQuery::parse(query).unwrap().tier(&document(of_title, of_text));
            assert_eq!(got, expected, "{query} in {of_title} / {of_text}");
        }
    }

    #[test]
    fn a_query_has_a_length() {
        for (query, expected) in
            [("", false), (" \n", false), ("a", true), (&"字".repeat(100), true), (&"字".repeat(101), false)]
        {
            assert_eq!(SearchQuery::parse(query).is_ok(), expected, "{query}");
        }
    }

    fn texts() -> impl Strategy<Value = String> {
        let letters = prop::sample::select(vec![
            '抽', '奖', '活', '动', '中', 'a', 'b', 'A', 'Ａ', '1', ' ', '，', '-', 'é', '\u{301}', 'カ',
            '한', '𠮷',
        ]);
        prop::collection::vec(letters, 0..24).prop_map(String::from_iter)
    }

    proptest! {
        /// A document is in one tier: whatever one finds in one, one does not find again in another.
        #[test]
        fn tiers_do_not_overlap(title in texts(), text in texts(), query in texts()) {
            let Ok(query) = SearchQuery::parse(&query) else { return Ok(()) };
            let terms = document(&title, &text);
            let tiers = SearchTier::ALL.into_iter().filter(|tier| {
                query.condition(*tier).is_some_and(|condition| condition.holds(&terms))
            });
            prop_assert!(tiers.count() <= 1);
        }

        /// Whatever was written is found by a part of it.
        #[test]
        fn a_part_of_a_text_finds_it(
            before in texts(), part in texts(), after in texts(), title in texts(), blank in prop::bool::ANY,
        ) {
            // A part of a word is no word: blanks keep it whole.
            let text = if blank { format!("{before} {part} {after}") } else { part.clone() };
            let query = SearchQuery::parse(&part);
            let Ok(query) = query else { return Ok(()) };
            if query.terms().is_empty() || part.starts_with('\u{301}') {
                return Ok(());
            }
            prop_assert!(query.tier(&document(&title, &text)).is_some());
            prop_assert!(query.tier(&document(&text, "")).is_some_and(|tier| tier <= SearchTier::Title));
            prop_assert_eq!(query.tier(&document(&part, "")), Some(SearchTier::Exact));
        }

        /// Capitals and width make no difference.
        #[test]
        fn folding_once_is_enough(text in texts()) {
            let folded: String = crate::search::units::units(&text)
                .into_iter()
                .map(|unit| format!("{}{}", if unit.is_joined { "" } else { " " }, unit.text))
                .collect();
            prop_assert_eq!(document(&text, ""), document(&folded, ""));
        }
    }
}
