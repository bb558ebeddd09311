//! The ledger once more, as simply as it can be said, and random sequences of commands to compare the two.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`ledger`] | the reference: lists of everything that ever happened, every counter added up anew at every question (`directives`, `pools`, `holds`, `play`, `tickets`, `draws`) |
//! | [`said`] | an answer in the form both can give |
//! | [`step`] | one row of a sequence: a command by its short names, a clock that jumps, a restart, forgetting |
//! | [`decks`] | small strategies to draw from |
//! | [`play_step`] | the same for activities, chances and tickets |
//! | [`random`], `play_random` | how rows are drawn, and how they shrink |
//!
//! The reference is written from the contract. It has no index, no filter, no slots and no memory to save: it is slow,
//! and there is little in it to get wrong. Where the contract leaves a choice (which of the holds that are over is
//! expired first, within 64 milliseconds) the reference is told what was chosen and judges whether it may be.

pub mod decks;
mod directives;
mod draws;
mod holds;
pub mod ledger;
mod play;
mod play_random;
pub mod play_step;
mod pools;
pub mod random;
pub mod said;
pub mod step;
mod tickets;

pub use ledger::Model;
pub use random::{Rows, Shape, rows};
pub use said::Said;
pub use step::{LIMITS, Step};
