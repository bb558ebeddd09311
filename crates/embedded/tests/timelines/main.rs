//! Timelines in memory: the contract of their port, and pages over them beside a naive reading of the rows.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

// By the name that the workspace knows it under.
mod holes;
mod random;
mod stage;

use windfall_embedded::MemoryTimelines;

#[tokio::test]
async fn timelines_in_memory_keep_the_contract() {
    testkit::timelines::check(async || MemoryTimelines::new(100_000)).await;
}
