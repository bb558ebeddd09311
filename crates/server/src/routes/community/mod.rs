//! The community: posts, people, what they hear of and write to each other, and what moderators do.

pub mod appeals;
pub mod check_ins;
pub mod comments;
pub mod invites;
pub mod live;
pub mod messages;
pub mod moderation;
pub mod notifications;
pub mod people;
pub mod posts;
pub mod reports;
pub mod tasks;
pub mod wire;
pub mod words;
