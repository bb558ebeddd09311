//! Reports: what people bring before the moderators. One per reporter and thing; reports of one thing are one case.

use super::post::long_text;
use crate::Rejection;
use crate::ids::UserId;

/// What a reporter may add, in characters.
pub const REPORT_CHARS_MAX: usize = 500;
/// Reports that one person makes in 24 hours.
pub const REPORTS_DAILY_MAX: u32 = 50;

crate::names! {
    /// What can be reported.
    pub enum ReportSubject {
        Post = "post",
        Comment = "comment",
        Person = "person",
        /// A private message, by one of its two people.
        Message = "message",
    }
}

crate::names! {
    /// Why.
    pub enum ReportReason {
        Spam = "spam",
        Fraud = "fraud",
        Abuse = "abuse",
        Sexual = "sexual",
        Illegal = "illegal",
        Private = "private",
        Other = "other",
    }
}

crate::names! {
    /// Where a case stands.
    pub enum ReportState {
        Open = "open",
        /// A moderator agreed with the reporters.
        Upheld = "upheld",
        /// A moderator found nothing wrong.
        Dismissed = "dismissed",
    }
}

/// What a reporter adds; nothing for most reasons, some words for `other`.
pub fn parse_report_text(reason: ReportReason, text: &str) -> Result<String, Rejection> {
    if text.trim().is_empty() && reason != ReportReason::Other {
        return Ok(String::new());
    }
    long_text("text", text, REPORT_CHARS_MAX)
}

/// A case before its decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportCase {
    /// Whose the thing is.
    pub author: UserId,
    /// The moderator reported it too.
    pub is_reported_by_moderator: bool,
    pub state: ReportState,
}

/// Passes a moderator who may decide a case. Nobody judges what is theirs, or what they reported themselves.
pub fn may_judge(case: &ReportCase, moderator: Option<UserId>) -> Result<(), Rejection> {
    if moderator == Some(case.author) || case.is_reported_by_moderator {
        return Err(Rejection::OwnWork);
    }
    match case.state {
        ReportState::Open => Ok(()),
        ReportState::Upheld | ReportState::Dismissed => Err(Rejection::ReportClosed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_judges_what_is_theirs_or_what_they_reported() {
        let open =
            ReportCase { author: UserId(1), is_reported_by_moderator: false, state: ReportState::Open };
        for (case, moderator, expected) in [
            (open, Some(UserId(2)), "ok"),
            (open, None, "ok"),
            (open, Some(UserId(1)), "own_work"),
            (ReportCase { is_reported_by_moderator: true, ..open }, Some(UserId(2)), "own_work"),
            (ReportCase { state: ReportState::Upheld, ..open }, Some(UserId(2)), "report_closed"),
            (ReportCase { state: ReportState::Dismissed, ..open }, Some(UserId(2)), "report_closed"),
        ] {
            let got = may_judge(&case, moderator).map_or_else(|no| no.code(), |()| "ok");
            assert_eq!(got, expected, "{case:?} {moderator:?}");
        }
    }

    #[test]
    fn another_reason_is_said_in_words() {
        assert_eq!(parse_report_text(ReportReason::Spam, " ").unwrap(), "");
        assert_eq!(parse_report_text(ReportReason::Spam, "ten times").unwrap(), "ten times");
        assert!(parse_report_text(ReportReason::Other, " ").is_err());
        assert!(parse_report_text(ReportReason::Other, &"a".repeat(REPORT_CHARS_MAX + 1)).is_err());
    }
}
