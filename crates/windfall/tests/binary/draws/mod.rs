//! Playing: activities that run, draws that are told once, and what survives.

pub mod campaign;
mod checking;
mod clicks;
pub mod crowd;
mod every_rule;
mod kill;
mod playing;
mod reading;
mod report;
mod rules;
mod streams;
