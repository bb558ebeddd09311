//! Grants by rule: rules, what people did, and what came of it.

mod columns;
mod methods;
pub(crate) mod own;
mod queries;
mod record;
mod reverse;
mod rules;
mod tasks;

pub(super) use rules::{activate, switch_off};
