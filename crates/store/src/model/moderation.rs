//! The word filter, texts that wait for a moderator, decisions and appeals.

use domain::community::{
    AppealState, AppealText, DecisionSubject, FeedKey, FilterWord, FoldedWord, WordAction,
};
use domain::ids::UserId;
use domain::time::Timestamp;

use super::{AuditStamp, FeedRequest, PersonCard, ThreadId};

/// Sets words and takes others out; what is so already is not changed.
#[derive(Clone, Debug)]
pub struct WordsChange {
    /// Each with the id that it gets should it be new.
    pub set: Vec<(i64, FoldedWord, FilterWord)>,
    pub remove: Vec<FoldedWord>,
    pub signed: AuditStamp,
}

/// Which words of the list.
#[derive(Clone, Debug, Default)]
pub struct WordsFind {
    /// Those that have this in them, as texts are compared.
    pub part: Option<FoldedWord>,
    pub action: Option<WordAction>,
}

/// A word of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterWordRow {
    pub id: i64,
    pub word: FilterWord,
}

/// A list as it is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordList {
    pub version: i64,
    pub words: Vec<FilterWord>,
}

/// Changes that are shown.
pub const WORD_CHANGES_SHOWN_MAX: u32 = 200;

/// What a version changed of one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordChangeRow {
    pub version: i64,
    pub word: String,
    pub before: Option<WordAction>,
    pub after: Option<WordAction>,
    pub changed: Timestamp,
    /// Nobody: the machine's own console, or an account that was deleted.
    pub moderator: Option<PersonCard>,
}

/// A text that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldRow {
    pub subject: DecisionSubject,
    pub id: i64,
    pub author: PersonCard,
    /// For which it is held.
    pub words: Vec<String>,
    pub held: Timestamp,
    pub excerpt: String,
    /// Where to read it.
    pub thread: ThreadId,
}

impl HeldRow {
    pub fn key(&self) -> FeedKey {
        FeedKey { time: self.held, id: self.id }
    }
}

/// Decisions that are shown to whom they concern.
pub const DECISIONS_SHOWN_MAX: u32 = 50;

/// What a moderator decided about a text, as its author sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRow {
    pub id: i64,
    pub subject: DecisionSubject,
    pub subject_id: i64,
    pub thread: ThreadId,
    pub excerpt: String,
    pub reason: String,
    pub decided: Timestamp,
    /// Since when it is not in effect any more.
    pub over: Option<Timestamp>,
    pub appeal: Option<AppealRow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppealRow {
    pub text: String,
    pub state: AppealState,
    pub made: Timestamp,
    /// What the moderator said who decided it.
    pub answer: String,
    pub closed: Option<Timestamp>,
}

#[derive(Clone, Debug)]
pub struct AppealCreate {
    pub user: UserId,
    pub decision: i64,
    pub text: AppealText,
    pub now: Timestamp,
}

#[derive(Clone, Copy, Debug)]
pub struct AppealsFind {
    pub state: AppealState,
    pub page: FeedRequest,
}

/// An appeal as moderators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppealCaseRow {
    pub decision: DecisionRow,
    pub appeal: AppealRow,
    pub author: PersonCard,
    /// Who removed the text.
    pub moderator: Option<PersonCard>,
}

impl AppealCaseRow {
    pub fn key(&self) -> FeedKey {
        FeedKey { time: self.appeal.made, id: self.decision.id }
    }
}

#[derive(Clone, Debug)]
pub struct AppealDecide {
    pub decision: i64,
    pub granted: bool,
    pub signed: AuditStamp,
    /// For the text that comes back: the line of the audit log that says so.
    pub restored: AuditStamp,
    pub terms: ReleaseTerms,
}

/// What it takes to show a text to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReleaseTerms {
    /// Of this act of a moderator; its author hears of each once.
    pub decision: i64,
    /// From so many followers on, posts are merged at read.
    pub merged_from: u32,
    /// The day in the site's zone.
    pub day: i64,
}
