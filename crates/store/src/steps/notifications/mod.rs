//! Notifications: put into the outbox with the row they speak of, written by the relay, read in groups.

mod context;
mod lists;
mod methods;
mod notify;
mod settings;
mod write;

pub(crate) use notify::{NewNotification, notify};

/// What belongs to a person and goes with the account.
pub(crate) const BELONGINGS: [&str; 6] = [
    "DELETE FROM notifications WHERE user_id = $1",
    "DELETE FROM notifications WHERE actor_id = $1",
    "DELETE FROM notification_groups WHERE user_id = $1",
    "DELETE FROM notification_switches WHERE user_id = $1",
    "DELETE FROM notification_mutes WHERE user_id = $1",
    "DELETE FROM mentions WHERE mentioned_id = $1",
];
