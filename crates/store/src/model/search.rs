//! Search: what the index is told, and what is found.

use domain::activity::Life;
use domain::ids::UserId;
use domain::search::{FoundPlace, IndexedKind, SearchQuery};
use domain::time::Timestamp;

use super::{Fence, LaneFence, Message, OfferRow, PersonCard, PostRow, VersionRow};

/// The lane, and the kind, of messages of what may be found by other words now: their subject is its id, their body its kind.
pub const SEARCH: &str = "search";

/// A thing that can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexedThing {
    pub kind: IndexedKind,
    pub id: i64,
}

/// Brings the index up to the rows that messages are about, with the end of those messages.
#[derive(Clone, Debug)]
pub struct SearchIndexWrite {
    pub fence: LaneFence,
    pub messages: Vec<(Message, IndexedKind)>,
    pub now: Timestamp,
}

/// Brings the index up to the next rows of a kind.
#[derive(Clone, Debug)]
pub struct SearchIndexCheck {
    pub fence: Fence,
    pub kind: IndexedKind,
    /// Above this id.
    pub after: i64,
    pub limit: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchIndexChecked {
    /// Entries of the index that were wrong or missing.
    pub changed: u64,
    /// Where to go on, if there is more of this kind.
    pub next: Option<i64>,
}

/// Asks for what answers a query, as somebody sees it.
#[derive(Clone, Debug)]
pub struct SearchFind {
    pub kind: IndexedKind,
    pub query: SearchQuery,
    pub after: Option<FoundPlace>,
    pub limit: u32,
    pub reader: Option<UserId>,
    pub now: Timestamp,
}

/// Something that was found, as its own list shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum FoundRow {
    /// With its text.
    Post(PostRow, String),
    Person(PersonCard),
    /// An activity or a sale, by the version in place.
    Activity(Life, Box<VersionRow>),
    Offer(OfferRow),
}
