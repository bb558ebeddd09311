//! The community: posts, likes, votes, edges.

mod comments;
mod edges;
mod fixtures;
mod leaving;
mod likes;
mod moderation;
mod posts;
