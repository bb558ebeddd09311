//! What becomes of everything that is written at once: title, link and text of a post, a comment, a message, a name.

use super::filter::{WordAction, WordFilter, WordVerdict};
use crate::Rejection;

/// Words that are told of a text that is held.
const HELD_FOR_MAX: usize = 20;

/// What was found so far. Steps carry it, so that a request that comes again gets its first answer, whatever the list says by
/// then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordRuling {
    /// What it is refused for, as it was written.
    pub refused: Option<String>,
    /// Words of the list for which a moderator looks at it first.
    pub held_for: Vec<String>,
}

impl WordRuling {
    /// Passes what is not refused.
    pub fn check(&self) -> Result<(), Rejection> {
        match &self.refused {
            Some(found) => Err(Rejection::WordsRefused { found: found.clone() }),
            None => Ok(()),
        }
    }

    pub fn is_held(&self) -> bool {
        !self.held_for.is_empty()
    }

    /// Reads a text that can be held; answers it with its masked words in stars.
    pub fn read(&mut self, filter: &WordFilter, text: &str) -> String {
        let verdict = filter.judge(text);
        let masked = verdict.masked.clone();
        self.note(verdict, |action| action);
        masked
    }

    /// Reads a text that nobody but its recipient may read: what would be held is refused.
    pub fn read_sealed(&mut self, filter: &WordFilter, text: &str) -> String {
        let verdict = filter.judge(text);
        let masked = verdict.masked.clone();
        self.note(verdict, |action| if action == WordAction::Hold { WordAction::Reject } else { action });
        masked
    }

    /// Reads a name or an address, which cannot be held and makes no sense with stars in it.
    pub fn read_strictly(&mut self, filter: &WordFilter, text: &str) {
        self.note(filter.judge(text), |_| WordAction::Reject);
    }

    /// Reads the words of a text whose markup was rendered. What should have been in stars and is still there was hidden in
    /// the markup: a moderator looks at it.
    pub fn read_rendered(&mut self, filter: &WordFilter, words: &str) {
        self.note(filter.judge(words), |action| action.max(WordAction::Hold));
    }

    fn note(&mut self, verdict: WordVerdict, rule: impl Fn(WordAction) -> WordAction) {
        for found in verdict.found {
            match rule(found.action) {
                WordAction::Reject => {
                    self.refused.get_or_insert(found.passage);
                }
                WordAction::Hold => {
                    if self.held_for.len() < HELD_FOR_MAX && !self.held_for.contains(&found.word) {
                        self.held_for.push(found.word);
                    }
                }
                WordAction::Mask => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::community::words::FilterWord;

    #[test]
    fn what_a_place_makes_of_an_action() {
        let word = |word: &str, action| FilterWord { word: word.to_owned(), action };
        let list = vec![
            word("mild", WordAction::Mask),
            word("medium", WordAction::Hold),
            word("hot", WordAction::Reject),
        ];
        let filter = WordFilter::build(1, list);
        type Read = fn(&mut WordRuling, &WordFilter, &str);
        let public: Read = |ruling, filter, text| drop(ruling.read(filter, text));
        let sealed: Read = |ruling, filter, text| drop(ruling.read_sealed(filter, text));
        let strict: Read = WordRuling::read_strictly;
        let rendered: Read = WordRuling::read_rendered;
        for (what, read, text, refused, held_for) in [
            ("public", public, "plain", None, vec![]),
            ("public", public, "mild", None, vec![]),
            ("public", public, "medium medium", None, vec!["medium"]),
            ("public", public, "mild medium Hot", Some("Hot"), vec!["medium"]),
            ("sealed", sealed, "mild", None, vec![]),
            ("sealed", sealed, "medium", Some("medium"), vec![]),
            ("strict", strict, "plain", None, vec![]),
            ("strict", strict, "mild", Some("mild"), vec![]),
            ("rendered", rendered, "plain", None, vec![]),
            ("rendered", rendered, "mild", None, vec!["mild"]),
            ("rendered", rendered, "hot", Some("hot"), vec![]),
        ] {
            let mut ruling = WordRuling::default();
            read(&mut ruling, &filter, text);
            let held: Vec<&str> = ruling.held_for.iter().map(String::as_str).collect();
            assert_eq!((ruling.refused.as_deref(), held), (refused, held_for), "{what} {text}");
            assert_eq!(ruling.check().is_ok(), refused.is_none(), "{what} {text}");
        }
    }
}
