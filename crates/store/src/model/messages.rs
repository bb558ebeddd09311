//! Private messages between two people. A conversation is named by the other one of the two: nobody can name one that they
//! have no part in.

use domain::community::{FeedKey, WordRuling};
use domain::ids::UserId;
use domain::time::Timestamp;

use super::{CommunityDay, FeedRequest, Once, PersonCard};

#[derive(Clone, Debug)]
pub struct MessageSend {
    /// Of the conversation, should it begin.
    pub conversation: i64,
    pub sender: UserId,
    pub recipient: UserId,
    /// The text, encrypted.
    pub sealed: Vec<u8>,
    pub has_links: bool,
    /// What the word filter says of it.
    pub ruling: WordRuling,
    pub day: CommunityDay,
    pub once: Option<Once>,
}

/// A message as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateMessageRow {
    /// Its number in the conversation.
    pub n: i64,
    pub sender: UserId,
    /// Nothing once its sender deleted the account.
    pub sealed: Option<Vec<u8>>,
    pub sent: Timestamp,
}

/// Which messages of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessagesPlace {
    Newest,
    /// Those before a number, the newest first.
    Before(i64),
    /// Those after a number, the oldest first.
    After(i64),
}

#[derive(Clone, Copy, Debug)]
pub struct MessagesFind {
    pub user: UserId,
    pub other: UserId,
    pub place: MessagesPlace,
    pub limit: u32,
}

/// A page of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessagesPage {
    /// In the order that was asked for.
    pub items: Vec<PrivateMessageRow>,
    /// There are more in that direction.
    pub more: bool,
    /// Up to where the other one has read.
    pub read_by_other: i64,
}

/// Everything up to a number was read.
#[derive(Clone, Copy, Debug)]
pub struct MessagesRead {
    pub user: UserId,
    pub other: UserId,
    pub until: i64,
}

/// A conversation in its list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationRow {
    pub id: i64,
    pub other_id: UserId,
    /// Nobody, once the account was deleted.
    pub other: Option<PersonCard>,
    pub unread: i64,
    pub newest: PrivateMessageRow,
}

impl ConversationRow {
    pub fn key(&self) -> FeedKey {
        FeedKey { time: self.newest.sent, id: self.id }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ConversationsFind {
    pub user: UserId,
    pub page: FeedRequest,
    pub now: Timestamp,
}
