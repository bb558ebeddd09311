//! The community over HTTP: posts, likes, votes, people, moderators.

mod appeals;
mod check_ins;
mod comments;
pub mod fixtures;
mod hot;
mod invites;
mod kill;
mod live;
mod messages;
mod notifications;
mod own_behaviours;
mod people;
mod posts;
mod reports;
mod search;
mod word_filter;
