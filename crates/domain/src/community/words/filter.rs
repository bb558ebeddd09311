//! What becomes of a text by a list of words.

use super::automaton::Automaton;
use super::fold::{FoldedChar, Gap, Script, fold};
use crate::Rejection;
use crate::account::name::short_text;
use crate::rejection::FieldProblem;

/// Characters of a word.
pub const WORD_CHARS_MAX: usize = 40;
/// Words of the list.
pub const FILTER_WORDS_MAX: u32 = 10_000;
/// Words that one change sets or takes out.
pub const FILTER_CHANGES_MAX: usize = 500;
/// What is told of a text at most: different words.
const FINDINGS_MAX: usize = 20;
/// Characters of a passage that is told.
const PASSAGE_MAX: usize = 40;
/// Wide, so that Markdown does not take it for emphasis.
const STAR: char = '＊';

crate::names! {
    /// What becomes of a text with a word, the mildest first.
    pub enum WordAction {
        /// The word is written in stars.
        Mask = "mask",
        /// A moderator looks at the text before anybody else sees it.
        Hold = "hold",
        /// It is not accepted.
        Reject = "reject",
    }
}

/// A word as texts are compared with it: what makes two entries of a list the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FoldedWord(String);

impl FoldedWord {
    pub fn parse(word: &str) -> Result<(String, Self), Rejection> {
        let word = short_text("word", word, 1, WORD_CHARS_MAX)?;
        let folded: String = fold(&word).iter().map(|folded| folded.c).collect();
        // Compatible forms can be much longer than they look.
        if folded.chars().count() > WORD_CHARS_MAX {
            return Err(Rejection::invalid("word", FieldProblem::TooLong { max: WORD_CHARS_MAX as u64 }));
        }
        if folded.is_empty() {
            let letters = FieldProblem::Expected {
                en: "a word with letters or digits",
                zh: "含有文字或数字的词",
            };
            return Err(Rejection::invalid("word", letters));
        }
        Ok((word, Self(folded)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterWord {
    /// As it was entered.
    pub word: String,
    pub action: WordAction,
}

/// A word that is in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordFinding {
    pub word: String,
    pub action: WordAction,
    /// How the text writes it, cut after 40 characters.
    pub passage: String,
}

/// What becomes of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordVerdict {
    /// The strictest of what was found; nothing where nothing was.
    pub action: Option<WordAction>,
    /// Each word once, 20 at most, the strictest first.
    pub found: Vec<WordFinding>,
    /// The text with the words in stars that are to be masked.
    pub masked: String,
}

#[derive(Clone, Debug)]
struct Entry {
    word: FilterWord,
    letters: Vec<FoldedChar>,
}

/// A list, ready to judge texts.
#[derive(Clone, Debug)]
pub struct WordFilter {
    version: i64,
    entries: Vec<Entry>,
    automaton: Automaton,
}

impl WordFilter {
    /// Of the list of that version. What folds to nothing is left out.
    pub fn build(version: i64, words: Vec<FilterWord>) -> Self {
        let entries: Vec<Entry> = words
            .into_iter()
            .take(FILTER_WORDS_MAX as usize)
            .map(|word| Entry { letters: fold(&word.word), word })
            .filter(|entry| !entry.letters.is_empty())
            .collect();
        let spelled: Vec<Vec<char>> =
            entries.iter().map(|entry| entry.letters.iter().map(|letter| letter.c).collect()).collect();
        let automaton = Automaton::build(spelled.iter().map(Vec::as_slice));
        Self { version, entries, automaton }
    }

    pub fn version(&self) -> i64 {
        self.version
    }

    pub fn judge(&self, text: &str) -> WordVerdict {
        let folded = fold(text);
        let mut verdict = WordVerdict { action: None, found: Vec::new(), masked: String::new() };
        let mut known = vec![false; self.entries.len()];
        let mut stars = vec![false; folded.len()];
        self.automaton.scan(folded.iter().map(|folded| folded.c), |word, last| {
            let Some(entry) = self.entries.get(word as usize) else { return };
            let first = last + 1 - entry.letters.len();
            if !is_word(&folded, first, last, &entry.letters) {
                return;
            }
            if entry.word.action == WordAction::Mask {
                stars[first..=last].fill(true);
            }
            verdict.action = verdict.action.max(Some(entry.word.action));
            if !std::mem::replace(&mut known[word as usize], true) {
                let FilterWord { word, action } = entry.word.clone();
                let passage = text[folded[first].start..].char_indices();
                let until = folded[last].start - folded[first].start;
                let passage = passage.take_while(|(at, _)| *at <= until).take(PASSAGE_MAX);
                let passage = passage.map(|(_, c)| c).collect();
                verdict.found.push(WordFinding { word, action, passage });
            }
        });
        verdict.found.sort_by_key(|found| std::cmp::Reverse(found.action));
        verdict.found.truncate(FINDINGS_MAX);
        verdict.masked = mask(text, &folded, &stars);
        verdict
    }
}

/// Whether letters that follow each other are the word, and not parts of others.
fn is_word(text: &[FoldedChar], first: usize, last: usize, word: &[FoldedChar]) -> bool {
    let is_letter = |at: usize| text[at].script == Script::Alphabet;
    let joins = |at: usize| text[at].gap == Gap::Nothing && is_letter(at) && is_letter(at - 1);
    if first > 0 && joins(first) || last + 1 < text.len() && joins(last + 1) {
        return false;
    }
    let between_letters = || (first + 1..=last).filter(|at| is_letter(*at) && is_letter(*at - 1));
    // "p e n" is one word, "pen is" are two.
    let is_spaced = || between_letters().all(|at| text[at].gap != Gap::Nothing);
    let fits = |at: usize| text[at].gap != Gap::Blank || word[at - first].gap != Gap::Nothing;
    between_letters().all(fits) || is_spaced()
}

/// Every letter of a word becomes a star; what is between them stays.
fn mask(text: &str, folded: &[FoldedChar], stars: &[bool]) -> String {
    let mut starred = folded.iter().zip(stars).filter(|(_, star)| **star).map(|(letter, _)| letter.start);
    let mut next = starred.next();
    let star = |(at, c): (usize, char)| {
        if next != Some(at) {
            return c;
        }
        while next == Some(at) {
            next = starred.next();
        }
        STAR
    };
    text.char_indices().map(star).collect()
}
