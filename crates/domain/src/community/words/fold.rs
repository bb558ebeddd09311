//! Folding: a text as words are compared with it, and where each of its characters came from.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use super::simplified::simplify;

/// What a folded character belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// An alphabet or a digit: blanks end a word.
    Alphabet,
    /// Chinese, Japanese, Korean, Thai: nothing ends a word.
    Signs,
}

/// What was left out before a folded character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    Nothing,
    /// Punctuation, symbols, pictures.
    Marks,
    /// A blank or an end of line, with or without marks.
    Blank,
}

/// A letter, a digit or a sign of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoldedChar {
    pub c: char,
    pub script: Script,
    pub gap: Gap,
    /// The byte of the text where the character begins that it came from.
    pub start: usize,
}

/// Compatible forms and accents are taken apart and the accents dropped, then case, look-alikes and traditional forms are
/// folded. What is neither letter nor digit is left out.
pub(super) fn fold(text: &str) -> Vec<FoldedChar> {
    let mut folded: Vec<FoldedChar> = Vec::with_capacity(text.len() / 2);
    let mut gap = Gap::Nothing;
    for (start, c) in text.char_indices() {
        let mut fold_one = |d: char| {
            if is_invisible(d) || is_combining_mark(d) {
                return;
            }
            for lower in d.to_lowercase() {
                let c = simplify(plain_letter(lower));
                if c.is_alphanumeric() {
                    folded.push(FoldedChar { c, script: script_of(c), gap, start });
                    gap = Gap::Nothing;
                } else {
                    gap = gap.max(if c.is_whitespace() { Gap::Blank } else { Gap::Marks });
                }
            }
        };
        // Syllables taken apart would be found inside others.
        if is_hangul(c) { fold_one(c) } else { decompose_compatible(c, fold_one) }
    }
    folded
}

const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// What takes no place in a line.
const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

const fn script_of(c: char) -> Script {
    match c {
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Script::Signs,
        _ => Script::Alphabet,
    }
}

/// Cyrillic and Greek letters that look like Latin ones.
const fn plain_letter(c: char) -> char {
    match c {
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' => 'e',
        'һ' | 'н' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'η' => 'n',
        'о' | 'ο' | 'σ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' => 'u',
        'ν' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        _ => c,
    }
}
