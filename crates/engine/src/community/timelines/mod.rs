//! Timelines: kept for those who read lately, rebuilt for those who return, and checked against the rows on every page.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`pages`] | a page, from what is kept, what is merged at read, and the database |
//! | [`parts`] | what all of it works on |
//! | [`rebuild`] | filling a timeline that is not kept, once for everybody who waits for it |
//! | [`fan_out`] | bringing a post into the timelines that are alive |
//! | [`fan_out_relay`] | the messages that ask for it |
//! | [`revise`] | what follows, blocks and deletions do to timelines that are kept |

pub mod fan_out;
pub(crate) mod fan_out_relay;
pub mod pages;
pub mod parts;
pub mod rebuild;
pub mod revise;

pub use parts::TimelineParts;
