//! Grants by rule: rules, what people did, and what came of it.

mod columns;
mod methods;
mod queries;
mod record;
mod reverse;
mod rules;

pub(super) use rules::{activate, switch_off};
