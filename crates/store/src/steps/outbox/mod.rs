//! The outbox: messages in lanes, what came of them, and those that nobody could deliver.
//!
//! [`put`], [`put_once`] and [`finish`] run inside other steps' transactions, so that a message and what it speaks of are there, or
//! gone, together.

mod dead_letters;
mod due;
mod finish;
mod lanes;
mod methods;
mod put;

pub(crate) use dead_letters::forget;
pub(crate) use due::{find_from, list_from, page_from};
pub(crate) use finish::{discard, finish, finish_given};
pub(crate) use put::{put, put_once};
