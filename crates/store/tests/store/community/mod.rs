//! The community: posts, likes, votes, edges.

mod appeals;
mod check_ins;
mod comments;
mod edges;
pub mod fixtures;
mod held;
mod invites;
mod leaving;
mod likes;
mod messages;
mod moderation;
mod notifications;
mod own_behaviours;
mod posts;
mod reports;
mod words;
