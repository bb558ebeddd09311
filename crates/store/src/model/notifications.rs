//! Notifications: what people hear about.

use domain::community::{FeedKey, MuteSubject, NotificationKind, NotificationSubject, PostState};
use domain::ids::UserId;
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::{FeedRequest, LaneFence, Message, PersonCard, ThreadId};

/// The lane, and the kind, of messages that become notifications.
pub const NOTIFICATIONS: &str = "notifications";

/// What a message of the lane says. Its recipient is the message's user. Fields are only ever added, with a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationMessage {
    pub kind: NotificationKind,
    /// 0 is the site itself.
    pub actor: i64,
    pub object: i64,
    pub about: NotificationSubject,
    pub about_id: i64,
    /// The post in whose thread it was said.
    #[serde(default)]
    pub post: Option<i64>,
}

/// Messages that become notifications, in one transaction with their end.
#[derive(Clone, Debug)]
pub struct NotificationsWrite {
    pub fence: LaneFence,
    pub messages: Vec<(Message, NotificationMessage)>,
    /// As many as messages.
    pub ids: Vec<i64>,
    pub now: Timestamp,
}

/// A group of notifications: everything of one kind about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationRow {
    /// That of the newest in it.
    pub key: FeedKey,
    pub kind: NotificationKind,
    pub about: NotificationSubject,
    pub about_id: i64,
    /// The object of the newest.
    pub object: i64,
    /// The newest people that its reader may see, [`NOTIFICATION_PEOPLE_MAX`] at most.
    pub people: Vec<PersonCard>,
    pub people_count: i64,
    pub times: i64,
    pub unread: i64,
    pub context: NotificationContext,
}

/// People who are named in a group.
pub const NOTIFICATION_PEOPLE_MAX: u32 = 3;

/// What is shown of the thing that a group is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotificationContext {
    /// What the thing is called, or how it begins.
    pub title: Option<String>,
    /// The same for readers of English, where it differs.
    pub title_en: Option<String>,
    /// The beginning of what was said.
    pub text: Option<String>,
    /// Where to read it.
    pub thread: Option<ThreadId>,
    pub state: Option<PostState>,
}

#[derive(Clone, Copy, Debug)]
pub struct NotificationsFind {
    pub user: UserId,
    pub page: FeedRequest,
    pub now: Timestamp,
}

/// Asks for what came after a key, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct NotificationsSince {
    pub user: UserId,
    pub after: FeedKey,
    pub limit: u32,
    pub now: Timestamp,
}

/// Everything up to a key was seen.
#[derive(Clone, Copy, Debug)]
pub struct NotificationsRead {
    pub user: UserId,
    pub until: FeedKey,
}

/// Somebody or something muted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mute {
    pub muted: MuteSubject,
    pub id: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct MuteSet {
    pub user: UserId,
    pub mute: Mute,
    /// Muted, or heard again.
    pub on: bool,
    pub now: Timestamp,
}

#[derive(Clone, Debug)]
pub struct NotificationSwitchesSet {
    pub user: UserId,
    /// Kinds that are switched off; all others are on.
    pub off: Vec<NotificationKind>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotificationSettings {
    pub off: Vec<NotificationKind>,
    /// The newest first.
    pub mutes: Vec<Mute>,
}
