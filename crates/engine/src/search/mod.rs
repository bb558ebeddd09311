//! Search over posts, people, activities and items.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`look`] | what answers a query, as its reader sees it, with what is shown of it |
//! | [`index_relay`] | how the index follows the rows |
//! | [`index_job`] | how it is made, and checked, from the rows |

pub mod index_job;
pub(crate) mod index_relay;
pub mod look;

pub use look::{FoundItem, SearchRequest, Searcher, Shown, search};
