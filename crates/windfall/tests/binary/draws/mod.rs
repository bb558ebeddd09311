//! Playing: activities that run, draws that are told once, and what survives.

mod clicks;
mod kill;
pub mod campaign;
mod playing;
