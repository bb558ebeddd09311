//! What is shown of a text that was found: its parts, and which of them matched. Parts are text and never markup, so nothing
//! that somebody wrote can become an element of a page.

use std::ops::Range;

use super::query::SearchQuery;
use super::units::{TextUnit, units};

/// Characters of a text that are shown.
pub const SNIPPET_MAX: usize = 120;
/// Characters before the first match.
const LEAD: usize = 24;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    pub text: String,
    pub is_match: bool,
}

/// A whole text in parts.
pub fn highlight(query: &SearchQuery, text: &str) -> Vec<TextPart> {
    cut(text, &matches(query, text), 0..text.len())
}

/// The part of a text around its first match, or its beginning where nothing matches, with what matched in it.
pub fn snippet(query: &SearchQuery, text: &str) -> Vec<TextPart> {
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let found = matches(query, &text);
    let first = found.first().map_or(0, |range| range.start);
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let begin = starts.partition_point(|at| *at < first).saturating_sub(LEAD);
    // A text that fits is shown from its beginning.
    let begin = begin.min(starts.len().saturating_sub(SNIPPET_MAX));
    let place = |n: usize| starts.get(n).copied().unwrap_or(text.len());
    let shown = place(begin)..place(begin + SNIPPET_MAX);
    let mut parts = cut(&text, &found, shown.clone());
    let dots = || TextPart { text: "…".to_owned(), is_match: false };
    if shown.start > 0 {
        parts.insert(0, dots());
    }
    if shown.end < text.len() {
        parts.push(dots());
    }
    parts
}

/// Where a text matches, in its order, neighbours joined.
fn matches(query: &SearchQuery, text: &str) -> Vec<Range<usize>> {
    let units = units(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    for (n, unit) in units.iter().enumerate() {
        let before = n.checked_sub(1).and_then(|n| units.get(n)).filter(|_| unit.is_joined);
        let after = units.get(n + 1).filter(|after| after.is_joined);
        if is_match(query, before, unit, after) {
            match found.last_mut().filter(|last| last.end >= unit.range.start) {
                Some(last) => last.end = last.end.max(unit.range.end),
                None => found.push(unit.range.clone()),
            }
        }
    }
    found
}

fn is_match(
    query: &SearchQuery,
    before: Option<&TextUnit>,
    unit: &TextUnit,
    after: Option<&TextUnit>,
) -> bool {
    let is_pair = |term: &str, one: &TextUnit, other: &TextUnit| {
        term.strip_prefix(one.text.as_str()) == Some(other.text.as_str())
    };
    query.terms().iter().any(|term| {
        term.text == unit.text
            || (term.is_beginning && !unit.is_ideograph && unit.text.starts_with(&term.text))
            || before.is_some_and(|before| is_pair(&term.text, before, unit))
            || after.is_some_and(|after| is_pair(&term.text, unit, after))
    })
}

fn cut(text: &str, found: &[Range<usize>], shown: Range<usize>) -> Vec<TextPart> {
    let mut parts = Vec::new();
    let mut add = |range: Range<usize>, is_match| {
        let within = range.start.max(shown.start)..range.end.min(shown.end);
        if within.start < within.end {
            parts.push(TextPart { text: text[within].to_owned(), is_match });
        }
    };
    let mut at = shown.start;
    for range in found {
        add(at..range.start, false);
        add(range.clone(), true);
        at = at.max(range.end);
    }
    add(at..shown.end, false);
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(parts: &[TextPart]) -> String {
        parts
            .iter()
            .map(|part| if part.is_match { format!("[{}]", part.text) } else { part.text.clone() })
            .collect()
    }

    #[test]
    fn what_matches_is_marked() {
        for (query, text, expected) in [
            ("抽奖", "双十一抽奖活动，抽奖", "双十一[抽奖]活动，[抽奖]"),
            ("抽奖活动", "抽奖活动开始", "[抽奖活动]开始"),
            ("奖", "抽奖奖品", "抽[奖奖]品"),
            ("luc", "Lucky and LUC", "[Lucky] and [LUC]"),
            ("ｌｕｃｋｙ", "Ｌｕｃｋｙ <b>you</b>", "[Ｌｕｃｋｙ] <b>you</b>"),
            ("e", "cafe\u{301} e\u{301}", "cafe\u{301} [e\u{301}]"),
            ("nothing", "抽奖", "抽奖"),
            ("a", "", ""),
        ] {
            assert_eq!(said(&highlight(&SearchQuery::parse(query).unwrap(), text)), expected, "{query}");
        }
    }

    #[test]
    fn a_snippet_is_around_the_first_match() {
        let text = format!("{}抽奖\n{}", "字".repeat(100), "好".repeat(300));
        let parts = snippet(&SearchQuery::parse("抽奖").unwrap(), &text);
        let expected = format!("…{}[抽奖] {}…", "字".repeat(LEAD), "好".repeat(SNIPPET_MAX - LEAD - 3));
        assert_eq!(said(&parts), expected);
        assert_eq!(said(&snippet(&SearchQuery::parse("x").unwrap(), "短")), "短");
        let long = snippet(&SearchQuery::parse("x").unwrap(), &text);
        assert!(said(&long).starts_with("字字") && said(&long).ends_with('…'));
    }

    proptest! {
        /// The parts are the text, cut and not changed.
        #[test]
        fn parts_are_the_text(text in "\\PC{0,200}", query in "\\PC{1,20}") {
            let Ok(query) = SearchQuery::parse(&query) else { return Ok(()) };
            let whole: String = highlight(&query, &text).into_iter().map(|part| part.text).collect();
            prop_assert_eq!(&whole, &text);
            let shown: String = snippet(&query, &text).into_iter().map(|part| part.text).collect();
            prop_assert!(shown.chars().count() <= SNIPPET_MAX + 2);
        }
    }
}
