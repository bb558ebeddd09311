//! Who may do what: roles of people, scopes of API keys, and the rule of the second person.

mod approval;
mod daily_allowance;
mod four_eyes;
mod in_person;
mod own_account;
mod role;
mod scope;

pub use approval::{ApprovalState, Decision};
pub use daily_allowance::{DailyAllowance, Handout, KeyCaps};
pub use four_eyes::{Decider, second_person};
pub use in_person::staff_in_person;
pub use own_account::own_account;
pub use role::{Role, Roles};
pub use scope::{Scope, Scopes};
