//! The community: posts, people, and what moderators do.

pub mod comments;
pub mod moderation;
pub mod people;
pub mod posts;
pub mod wire;
