//! The shop: points for chances, codes and goods, never twice and never more than there are.

pub mod fixtures;
mod journeys;
mod steps;
