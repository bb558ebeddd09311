//! The community over HTTP: posts, likes, votes, people, moderators.

pub mod fixtures;
mod hot;
mod people;
mod posts;
