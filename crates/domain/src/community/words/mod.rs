//! The word filter: words that a text is refused, held for a moderator or masked for.
//!
//! | module | decides |
//! | --- | --- |
//! | [`fold`] | which spellings are one: width, case, accents, traditional forms, invisible characters, look-alikes |
//! | [`automaton`] | finding all words of a list in one pass |
//! | [`filter`] | what becomes of a text, and what a list may hold |
//! | [`ruling`] | what becomes of everything that is written at once |
//!
//! A word of an alphabet is found as a whole word, so that a short one is not found inside longer ones; its letters may stand
//! apart or have signs between them. Signs of scripts without blanks are found wherever they follow each other, whatever other
//! signs are between them.

mod automaton;
mod filter;
mod fold;
mod ruling;
mod simplified;
#[cfg(test)]
mod tests;

pub use filter::{
    FILTER_CHANGES_MAX, FILTER_WORDS_MAX, FilterWord, FoldedWord, WORD_CHARS_MAX, WordAction, WordFilter,
    WordFinding, WordVerdict,
};
pub use ruling::WordRuling;
