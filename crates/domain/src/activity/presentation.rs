//! What players are shown of an activity beside its name and description: the same in English, who runs it, its rules,
//! whom to ask, and which game they play. Nothing is decided by it, and no published hash contains it.
//!
//! A text has two fields. The first is shown to everybody; the one that ends in `_en` is shown to readers of English
//! instead, unless it is empty.

use super::game::Game;
use super::validate::{DESCRIPTION_MAX, NAME_MAX};
use crate::Rejection;
use crate::account::name::short_text;

/// Characters of an organiser's name.
pub const ORGANISER_MAX: usize = 120;
/// Characters of the rules.
pub const RULES_MAX: usize = 8_000;
/// Characters of a contact.
pub const CONTACT_MAX: usize = 200;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presentation {
    pub name_en: String,
    pub description_en: String,
    pub organiser: String,
    pub organiser_en: String,
    pub rules: String,
    pub rules_en: String,
    /// A phone number, an address of mail or of a page.
    pub contact: String,
    /// Which game players see first; the page chooses one that fits where nothing is said. Draws at once only.
    pub game: Option<Game>,
}

impl Presentation {
    /// The texts as they are kept, or everything that is wrong.
    pub(super) fn check(&self) -> Result<Self, Vec<Rejection>> {
        let mut wrong = Vec::new();
        let mut line = |field: &str, text: &str, max| {
            short_text(field, text, 0, max).map_err(|rejection| wrong.push(rejection)).unwrap_or_default()
        };
        let (name_en, contact) =
            (line("name_en", &self.name_en, NAME_MAX), line("contact", &self.contact, CONTACT_MAX));
        let organiser = line("organiser", &self.organiser, ORGANISER_MAX);
        let organiser_en = line("organiser_en", &self.organiser_en, ORGANISER_MAX);
        let mut lines = |field: &str, text: &str, max| {
            lines_text(field, text, max).map_err(|rejection| wrong.push(rejection)).unwrap_or_default()
        };
        let description_en = lines("description_en", &self.description_en, DESCRIPTION_MAX);
        let (rules, rules_en) =
            (lines("rules", &self.rules, RULES_MAX), lines("rules_en", &self.rules_en, RULES_MAX));
        if wrong.is_empty() {
            let game = self.game;
            Ok(Self { name_en, description_en, organiser, organiser_en, rules, rules_en, contact, game })
        } else {
            Err(wrong)
        }
    }

    /// Every field in words, for the diff between two versions. Taken apart whole, so that none is forgotten.
    pub(super) fn fields(&self) -> Vec<(String, Option<String>)> {
        let Self { name_en, description_en, organiser, organiser_en, rules, rules_en, contact, game } = self;
        let fields = [
            ("name_en", name_en),
            ("description_en", description_en),
            ("organiser", organiser),
            ("organiser_en", organiser_en),
            ("rules", rules),
            ("rules_en", rules_en),
            ("contact", contact),
        ];
        let texts = fields.into_iter().map(|(name, text)| (name.to_owned(), filled(text)));
        texts.chain([("game".to_owned(), game.map(|game| game.name().to_owned()))]).collect()
    }
}

/// A text that may have lines, as it is kept.
pub(crate) fn lines_text(field: &str, text: &str, max: usize) -> Result<String, Rejection> {
    let text = text.trim().replace("\r\n", "\n");
    short_text(field, &text.replace('\n', " "), 0, max).map(|_| text)
}

/// What is not said is not a field.
pub(super) fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod rows {
    use super::*;

    fn check(expected: &[&str], change: impl FnOnce(&mut Presentation)) {
        let mut texts = Presentation::default();
        change(&mut texts);
        let wrong = texts.check().err().unwrap_or_default();
        let fields: Vec<&str> = wrong.iter().filter_map(Rejection::field).collect();
        assert_eq!(fields, expected);
    }

    #[test]
    fn every_text_has_an_end() {
        let text = |length: usize| "x".repeat(length);
        check(&[], |_| {});
        check(&[], |texts| texts.name_en = text(NAME_MAX));
        check(&["name_en"], |texts| texts.name_en = text(NAME_MAX + 1));
        check(&["name_en"], |texts| texts.name_en = "two\nlines".to_owned());
        check(&["description_en"], |texts| texts.description_en = text(DESCRIPTION_MAX + 1));
        check(&["organiser"], |texts| texts.organiser = text(ORGANISER_MAX + 1));
        check(&["organiser_en"], |texts| texts.organiser_en = text(ORGANISER_MAX + 1));
        check(&["contact"], |texts| texts.contact = text(CONTACT_MAX + 1));
        check(&[], |texts| texts.rules = "one\ntwo".to_owned());
        check(&["rules", "rules_en"], |texts| {
            (texts.rules, texts.rules_en) = (text(RULES_MAX + 1), text(RULES_MAX + 1));
        });
    }

    #[test]
    fn spaces_around_a_text_are_not_kept() {
        let texts = Presentation {
            rules: " a\r\nb ".to_owned(),
            name_en: " Wheel ".to_owned(),
            ..Presentation::default()
        };
        let kept = texts.check().unwrap();
        assert_eq!((kept.rules.as_str(), kept.name_en.as_str()), ("a\nb", "Wheel"));
    }
}
