//! The community: posts, likes and votes, who follows and blocks whom.
//!
//! Locks are taken in one order: people by rising id, then posts, then the clock of posts.

mod comment_likes;
mod comment_lists;
mod comments;
mod edges;
mod gate;
mod leaving;
mod likes;
mod lists;
mod methods;
mod moderate;
mod people;
mod posts;
mod votes;

pub(crate) use leaving::leave;
