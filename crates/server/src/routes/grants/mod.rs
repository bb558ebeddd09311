//! Grants by rule: the rules, what people did, what they were given for it.

pub mod behaviours;
pub mod given;
pub mod rules;
