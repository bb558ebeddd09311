//! The community over HTTP: posts, likes, votes, people, moderators.

mod comments;
pub mod fixtures;
mod hot;
mod kill;
mod people;
mod posts;
