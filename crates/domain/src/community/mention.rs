//! Mentions: `@name` in a post or a comment.
//!
//! A name ends at a blank or at a sign that is neither a letter nor a digit, `_` or `-`; names with others in them cannot be
//! mentioned. An `@` within a word, as in an address for mail, mentions nobody.

use std::ops::Range;

use crate::account::{Name, fold_name};
use crate::ids::UserId;

/// People named in one text; further ones are plain words.
pub const MENTIONS_MAX: usize = 10;

/// A name where it stands in a text, with its `@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionPlace {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Folded as names are compared.
    pub name: String,
}

const fn is_in_name(c: char, is_letter: bool) -> bool {
    is_letter || matches!(c, '_' | '-')
}

/// Every place at which somebody may be named, in order.
pub fn find_mentions(text: &str) -> Vec<MentionPlace> {
    let (mut places, mut before) = (Vec::new(), None::<char>);
    for (at, c) in text.char_indices() {
        let begins = c == '@' && !before.is_some_and(|c| c.is_alphanumeric() && c.is_ascii() || c == '@');
        before = Some(c);
        if !begins {
            continue;
        }
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !is_in_name(c, c.is_alphanumeric())).unwrap_or(rest.len());
        let name = &rest[..end];
        if !name.is_empty() && name.chars().take(Name::MAX + 1).count() <= Name::MAX {
            places.push(MentionPlace { range: at..at + 1 + end, name: fold_name(name) });
        }
    }
    places
}

/// The names in a text, each once, the first [`MENTIONS_MAX`] of them.
pub fn mentioned_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for place in find_mentions(text) {
        if names.len() < MENTIONS_MAX && !names.contains(&place.name) {
            names.push(place.name);
        }
    }
    names
}

/// Somebody who has a name that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MentionCandidate {
    pub user: UserId,
    /// Whoever wrote the name follows them.
    pub followed: bool,
}

/// Whom a name means. Names are not unique: of several people it means the one whom its writer follows, and nobody where that
/// leaves more than one.
pub fn resolve_mention(candidates: &[MentionCandidate]) -> Option<UserId> {
    let mut followed = candidates.iter().filter(|one| one.followed);
    match (candidates, followed.next(), followed.next()) {
        ([only], _, _) => Some(only.user),
        (_, Some(one), None) => Some(one.user),
        (_, None | Some(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_where_its_letters_end() {
        for (text, expected) in [
            ("@ann", vec!["ann"]),
            ("Hello @Ann, and @bob!", vec!["ann", "bob"]),
            ("（@王小明）", vec!["王小明"]),
            ("谢谢@小明 的分享", vec!["小明"]),
            ("a_b-c: @a_b-c.", vec!["a_b-c"]),
            ("mail me at ann@example.org", vec![]),
            ("@@ann", vec![]),
            ("@ ann", vec![]),
            ("@", vec![]),
            ("@ann @ANN", vec!["ann"]),
        ] {
            assert_eq!(mentioned_names(text), expected, "{text}");
        }
    }

    #[test]
    fn no_more_than_ten_and_none_longer_than_a_name() {
        let many: String = (0..30).map(|n| format!("@n{n} ")).collect();
        assert_eq!(mentioned_names(&many).len(), MENTIONS_MAX);
        assert_eq!(mentioned_names(&format!("@{}", "a".repeat(Name::MAX))).len(), 1);
        assert_eq!(mentioned_names(&format!("@{}", "a".repeat(Name::MAX + 1))).len(), 0);
    }

    #[test]
    fn a_name_of_several_people_means_the_one_who_is_followed() {
        let one = |id, followed| MentionCandidate { user: UserId(id), followed };
        for (candidates, expected) in [
            (vec![], None),
            (vec![one(1, false)], Some(1)),
            (vec![one(1, true)], Some(1)),
            (vec![one(1, false), one(2, true)], Some(2)),
            (vec![one(1, false), one(2, false)], None),
            (vec![one(1, true), one(2, true)], None),
        ] {
            assert_eq!(resolve_mention(&candidates), expected.map(UserId), "{candidates:?}");
        }
    }

    #[test]
    fn a_place_is_the_name_with_its_sign() {
        let text = "谢谢@小明！";
        let place = &find_mentions(text)[0];
        assert_eq!(&text[place.range.clone()], "@小明");
    }
}
