//! Grants by rule: somebody does something, a rule says what that is worth, and a grant is made of it.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `behaviour` | what somebody did: its kind, what it was done to, the id that makes it safe to report again |
//! | `own_behaviour` | the kinds that Windfall sees itself, and which acts towards others count |
//! | `rule` | what a kind of behaviour is worth, how often, in which window, and up to how much |
//! | `second_person` | how much more than before a rule can give: beyond what one person may allow it needs a second |
//! | `decide` | whether a rule gives for a behaviour, in which place of which period, or why not |
//!
//! What always holds:
//! - A place is taken once: (rule, user, period, n) with n up to the rule's times. It stays taken when the grant is
//!   reversed, so that doing and undoing something earns nothing.
//! - What a rule has given in all, and to one user, never passes its caps. What is reversed does not come back to them.
//!
//! Deliberately absent: the calendar. Which day it is in the rule's zone comes in as a number, yyyymmdd.

mod behaviour;
mod decide;
mod own_behaviour;
mod rule;
mod second_person;
#[cfg(test)]
mod tests;

pub use behaviour::{BEHAVIOUR_AGE_MS_MAX, BEHAVIOUR_AHEAD_MS_MAX, Behaviour, BehaviourKind};
pub use decide::{GrantCounts, GrantRefusal, decide};
pub use own_behaviour::{OwnBehaviour, counts};
pub use rule::{
    CAP_MAX, GRANT_CHANCES_MAX, GrantKind, Period, RULE_NAME_MAX, RuleChange, RuleDraft, RuleTerms, TIMES_MAX,
};
pub use second_person::AddedGiving;
