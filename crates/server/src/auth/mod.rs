//! Who is asking, and the extractors that say in a handler's signature who may.
//!
//! `identify` runs once per API request: it resolves the key or the session, refuses state-changing requests
//! that a browser sent from another site, and counts the request against the caller's allowance.

mod allowance;
mod extract;
mod identify;
mod identity;

pub(crate) use allowance::count_page;
pub use extract::{
    ActingFor, Admin, AdminInPerson, AtGate, Author, Console, FactSetter, Fulfiller, FulfilmentReader,
    Moderator, Operator, Player, Reader, Reviewer, Spectator, StockKeeper, StockReader, UserKeeper, Viewer,
};
pub(crate) use identify::identify;
pub use identity::{ACTING_USER, Identity, Person};
pub(crate) use identity::{acting_in_memory, key_holder};
