//! The community: posts, likes and votes, who follows and blocks whom.
//!
//! Locks are taken in one order: people by rising id, then posts, then the clock of posts.

mod acts;
mod appeals;
mod check_ins;
mod comment_likes;
mod comment_lists;
mod comment_news;
mod comments;
mod edges;
mod fan_outs;
mod gate;
mod held;
mod invites;
mod leaving;
mod likes;
mod lists;
mod mentions;
mod methods;
mod moderate;
mod moderation_methods;
mod people;
mod posts;
mod timelines;
mod votes;
mod words;

pub(crate) use edges::{lock_both, relation};
pub(crate) use gate::lock_writer;
pub(crate) use leaving::leave;
pub(crate) use lists::{NOBODY, find_listed_post};
