//! A text as words and ideographs, folded so that one spelling finds the other: full-width and half-width, capitals, ligatures.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Characters of a word that count; what follows is not looked at.
pub const WORD_MAX: usize = 40;

/// A word, or one character of a script without blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextUnit {
    /// Folded.
    pub text: String,
    /// Where it is, in bytes.
    pub range: Range<usize>,
    pub is_ideograph: bool,
    /// It follows the unit before it directly, and both are ideographs.
    pub is_joined: bool,
}

/// The units of a text in their order. What is neither letter nor digit ends a unit and is none.
pub fn units(text: &str) -> Vec<TextUnit> {
    let mut units: Vec<TextUnit> = Vec::new();
    // Whether the next letter can continue what is before it.
    let mut is_open = false;
    for (at, letter) in text.char_indices() {
        let range = at..at + letter.len_utf8();
        for folded in fold(letter) {
            if is_combining_mark(folded) {
                // An accent that is written apart belongs to its letter and changes nothing.
                if let Some(last) = units.last_mut().filter(|_| is_open) {
                    last.range.end = range.end;
                }
            } else if is_ideograph(folded) {
                let is_joined = is_open && units.last().is_some_and(|last| last.is_ideograph);
                units.push(TextUnit {
                    text: folded.into(),
                    range: range.clone(),
                    is_ideograph: true,
                    is_joined,
                });
                is_open = true;
            } else if folded.is_alphanumeric() {
                match units.last_mut().filter(|last| is_open && !last.is_ideograph) {
                    Some(word) => {
                        word.range.end = range.end;
                        if word.text.chars().count() < WORD_MAX {
                            word.text.push(folded);
                        }
                    }
                    None => units.push(TextUnit {
                        text: folded.into(),
                        range: range.clone(),
                        is_ideograph: false,
                        is_joined: false,
                    }),
                }
                is_open = true;
            } else {
                is_open = false;
            }
        }
    }
    units
}

/// Each character by itself, so that where it was stays known.
fn fold(letter: char) -> impl Iterator<Item = char> {
    let sigma = |folded| if folded == 'ς' { 'σ' } else { folded };
    letter.nfkc().flat_map(char::to_lowercase).map(sigma)
}

/// Scripts that are written without blanks between words, and syllables that are words.
fn is_ideograph(letter: char) -> bool {
    matches!(letter,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{312F}' | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
        && letter.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        let mut said = String::new();
        for unit in units(text) {
            said.push_str(if unit.is_joined { "+" } else { " " });
            said.push_str(&unit.text);
        }
        said.trim_start().to_owned()
    }

    #[test]
    fn texts_become_units() {
        for (text, expected) in [
            ("", ""),
            ("?!…🎉", ""),
            ("Hello, World", "hello world"),
            ("抽奖活动", "抽+奖+活+动"),
            ("抽奖，活动", "抽+奖 活+动"),
            ("抽 奖", "抽 奖"),
            ("iPhone15手机", "iphone15 手+机"),
            ("Ｗｉｎｄｆａｌｌ　２０２６", "windfall 2026"),
            ("ﬁve", "five"),
            ("①号", "1 号"),
            ("ÉTÉ e\u{301}té", "été eté"),
            ("snake_case-word", "snake case word"),
            ("ΟΔΟΣ οδός", "οδοσ οδόσ"),
            ("カメラ ｶﾒﾗ", "カ+メ+ラ カ+メ+ラ"),
            ("한국어", "한+국+어"),
            ("㍿", "株+式+会+社"),
            ("𠮷野家", "𠮷+野+家"),
            ("a\u{0}b", "a b"),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_word_is_cut_and_its_place_is_not() {
        let text = "x".repeat(500);
        let units = units(&text);
        assert_eq!((units.len(), units[0].text.len(), units[0].range.clone()), (1, WORD_MAX, 0..500));
    }
}
