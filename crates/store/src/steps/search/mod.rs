//! Search: an index of words beside the rows.
//!
//! A step that changes what something can be found by calls [`mark`] after it wrote the row. The message is handled in one
//! transaction that locks the row, reads it as it is, writes its terms and ends the message: so messages that come twice or in
//! another order come to the same, and a change that commits meanwhile has a message of its own. Whatever the index says, a page
//! shows only what its reader may see by the rows.

mod conditions;
mod find;
mod index;
mod methods;
mod sources;
mod tables;

pub(crate) use index::{forget, mark};
