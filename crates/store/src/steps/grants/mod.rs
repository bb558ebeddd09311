//! Grants by rule: rules, what people did, and what came of it.

mod columns;
mod look;
mod methods;
mod record;
mod reverse;
mod rules;

pub(super) use rules::{activate, switch_off};
