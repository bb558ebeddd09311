//! Appeals: somebody whose text was removed asks for another look, once for each decision. Another moderator than the one who
//! decided takes it.

use super::post::long_text;
use crate::Rejection;
use crate::ids::UserId;

/// What somebody may say for themselves, in characters.
pub const APPEAL_CHARS_MAX: usize = 1_000;

crate::names! {
    /// What was decided about.
    pub enum DecisionSubject {
        Post = "post",
        Comment = "comment",
    }
}

crate::names! {
    /// Where an appeal stands.
    pub enum AppealState {
        Open = "open",
        /// The decision was taken back.
        Granted = "granted",
        /// The decision stays.
        Denied = "denied",
    }
}

/// What somebody says for themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppealText(String);

impl AppealText {
    pub fn parse(text: &str) -> Result<Self, Rejection> {
        long_text("text", text, APPEAL_CHARS_MAX).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An appeal before its decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppealFacts {
    /// Whose text it is.
    pub author: UserId,
    /// Who removed it; nobody in particular, where the machine's own console did.
    pub decided_by: Option<UserId>,
    pub state: AppealState,
}

/// Passes a moderator who may decide an appeal: neither whose text it is nor who removed it.
pub fn may_judge_appeal(facts: &AppealFacts, moderator: Option<UserId>) -> Result<(), Rejection> {
    if moderator == Some(facts.author) || moderator.is_some() && moderator == facts.decided_by {
        return Err(Rejection::OwnWork);
    }
    match facts.state {
        AppealState::Open => Ok(()),
        AppealState::Granted | AppealState::Denied => Err(Rejection::AppealClosed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_moderator_takes_an_appeal() {
        let open = AppealFacts { author: UserId(1), decided_by: Some(UserId(2)), state: AppealState::Open };
        for (facts, moderator, expected) in [
            (open, Some(UserId(3)), "ok"),
            (open, None, "ok"),
            (open, Some(UserId(1)), "own_work"),
            (open, Some(UserId(2)), "own_work"),
            (AppealFacts { decided_by: None, ..open }, Some(UserId(2)), "ok"),
            (AppealFacts { decided_by: None, ..open }, None, "ok"),
            (AppealFacts { state: AppealState::Granted, ..open }, Some(UserId(3)), "appeal_closed"),
            (AppealFacts { state: AppealState::Denied, ..open }, Some(UserId(3)), "appeal_closed"),
        ] {
            let got = may_judge_appeal(&facts, moderator).map_or_else(|no| no.code(), |()| "ok");
            assert_eq!(got, expected, "{facts:?} {moderator:?}");
        }
    }

    #[test]
    fn an_appeal_has_words_and_an_end() {
        assert!(AppealText::parse(&"a".repeat(APPEAL_CHARS_MAX)).is_ok());
        for text in ["", " \n", &"a".repeat(APPEAL_CHARS_MAX + 1), "a\u{7}"] {
            assert_eq!(AppealText::parse(text).unwrap_err().code(), "invalid_field", "{text:?}");
        }
    }
}
