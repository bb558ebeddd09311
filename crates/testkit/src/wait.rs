//! Waiting for a condition, with a deadline. Tests do not sleep for a fixed time: that is either too short
//! on a busy machine or too long on every other.

use std::time::{Duration, Instant};

/// How long a test waits for what surely comes: far beyond what anything takes on the busiest machine, so that only a real
/// hang ends a wait. Every limit in the tests is this one.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// How often a condition is looked at again.
const POLL: Duration = Duration::from_millis(10);

/// Between two looks at something, so that whoever waits leaves the machine to what they wait for.
pub async fn pause() {
    tokio::time::sleep(POLL).await;
}

/// The condition did not come about in time.
#[derive(Debug, thiserror::Error)]
#[error("waited {limit:?} for {what}")]
pub struct Late {
    /// What was waited for.
    pub what: String,
    /// How long.
    pub limit: Duration,
}

/// Looks at `condition` until it gives a value, at most for `limit`.
///
/// # Errors
/// [`Late`], naming `what`, when the limit has passed.
pub async fn until<T>(
    limit: Duration,
    what: &str,
    mut condition: impl FnMut() -> Option<T>,
) -> Result<T, Late> {
    let started = Instant::now();
    loop {
        if let Some(value) = condition() {
            return Ok(value);
        }
        if started.elapsed() >= limit {
            return Err(Late { what: what.to_owned(), limit });
        }
        pause().await;
    }
}

/// The same where looking takes its time.
///
/// # Errors
/// [`Late`], naming `what`, when the limit has passed.
pub async fn until_async<T>(
    limit: Duration,
    what: &str,
    mut condition: impl AsyncFnMut() -> Option<T>,
) -> Result<T, Late> {
    let started = Instant::now();
    loop {
        if let Some(value) = condition().await {
            return Ok(value);
        }
        if started.elapsed() >= limit {
            return Err(Late { what: what.to_owned(), limit });
        }
        pause().await;
    }
}
