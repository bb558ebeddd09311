//! Search: how a text becomes terms, what a query asks for, and what is marked in the answer.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`units`] | words, and Chinese character by character, folded so that one spelling finds the other |
//! | [`document`] | what the index keeps of a text |
//! | [`query`] | what somebody looks for, and which documents answer it in which order |
//! | [`mod@highlight`] | the part of a text that is shown, with what matched in it |
//! | [`plain`] | the words of a Markdown text |
//! | [`found`] | pages of what was found, and pages of several lists as one |
//!
//! Index and query go through the same [`units`], so what is written can be found. Chinese has no blanks between words: each
//! character and each pair of neighbours is a term. A query of several characters asks for its pairs, a query of one for the
//! character.

pub mod document;
pub mod found;
pub mod highlight;
pub mod plain;
pub mod query;
pub mod units;

pub use document::SearchDocument;
pub use found::{FoundPage, FoundPlace};
pub use highlight::{TextPart, highlight, snippet};
pub use plain::plain_words;
pub use query::{SearchCondition, SearchQuery, SearchTier};

crate::names! {
    /// What is looked for.
    pub enum SearchKind {
        Post = "post",
        Person = "person",
        /// Draws and raffles.
        Activity = "activity",
        /// What sales and the shop sell.
        Item = "item",
    }
}

crate::names! {
    /// What the index keeps, each with ids of its own.
    pub enum IndexedKind {
        Post = "post",
        Person = "person",
        Activity = "activity",
        Sale = "sale",
        Offer = "offer",
    }
}

impl SearchKind {
    /// Where it is looked for.
    pub const fn indexed(self) -> &'static [IndexedKind] {
        match self {
            Self::Post => &[IndexedKind::Post],
            Self::Person => &[IndexedKind::Person],
            Self::Activity => &[IndexedKind::Activity],
            Self::Item => &[IndexedKind::Sale, IndexedKind::Offer],
        }
    }
}

impl IndexedKind {
    /// Whether there is more of it than a title.
    pub const fn has_text(self) -> bool {
        match self {
            Self::Person => false,
            Self::Post | Self::Activity | Self::Sale | Self::Offer => true,
        }
    }
}

/// Pages of one search.
pub const PAGES_MAX: u32 = 50;
/// Entries that are looked at for one page; those that their reader may not see are among them.
pub const SCANNED_MAX: usize = 400;
