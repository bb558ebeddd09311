//! The community: posts, likes, votes, edges.

mod edges;
mod fixtures;
mod leaving;
mod likes;
mod moderation;
mod posts;
