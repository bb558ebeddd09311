//! Who may do what: roles of people, scopes of API keys, and the rule of the second person.

mod approval;
mod four_eyes;
mod role;
mod scope;

pub use approval::{ApprovalState, Decision};
pub use four_eyes::{Decider, second_person};
pub use role::{Role, Roles};
pub use scope::{Scope, Scopes};
