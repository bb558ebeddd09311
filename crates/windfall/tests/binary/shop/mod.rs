//! The shop: points for chances, codes and goods, never twice and never more than there are.

pub mod given;
mod journeys;
mod steps;
