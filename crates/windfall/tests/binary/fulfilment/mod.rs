//! From a win to the hand of its winner, over the API and across crashes.

pub mod fixtures;
mod journeys;
mod kill;
mod relay;
mod winners;
