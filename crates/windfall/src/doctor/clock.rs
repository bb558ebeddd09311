//! The clock: plausible, steady, and kept by somebody.
//!
//! Asking the kernel whether its clock is synchronised needs a system call that safe Rust does not offer,
//! so the mark that systemd's time service leaves is looked at instead; its absence is only worth a look.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use super::check::{Check, MeasuredCheck};

const NAME: &str = "clock";
const SYNCHRONISED_MARK: &str = "/run/systemd/timesync/synchronized";
/// 2026-01-01, before this program was first built.
const EARLIEST: Duration = Duration::from_secs(1_767_225_600);
/// 2100-01-01.
const LATEST: Duration = Duration::from_secs(4_102_444_800);
const DRIFT_MS_MAX: f64 = 5.0;

/// What is known of the clock, apart from how it was learnt.
struct Reading {
    now: SystemTime,
    /// When the program's file was written: about the date of the build.
    built: Option<SystemTime>,
    drift_ms: f64,
    synchronised: bool,
}

/// Watches the clock for `span`.
pub async fn check(now: SystemTime, span: Duration) -> MeasuredCheck {
    let built = std::env::current_exe().and_then(std::fs::metadata).and_then(|file| file.modified()).ok();
    let synchronised = Path::new(SYNCHRONISED_MARK).exists();
    let (wall, steady) = (SystemTime::now(), Instant::now());
    tokio::time::sleep(span).await;
    let (wall_end, steady_ms) = (SystemTime::now(), milliseconds(steady.elapsed()));
    let wall_ms = match wall_end.duration_since(wall) {
        Ok(forward) => milliseconds(forward),
        Err(backward) => -milliseconds(backward.duration()),
    };
    // Adding zero turns -0.0 into 0.0.
    let drift_ms = ((wall_ms - steady_ms) * 1_000.0).round() / 1_000.0 + 0.0;
    (judge(&Reading { now, built, drift_ms, synchronised }), vec![("clock_drift_ms", drift_ms)])
}

fn judge(reading: &Reading) -> Check {
    let since_epoch = reading.now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    if !(EARLIEST..LATEST).contains(&since_epoch) {
        let found = format!("{} seconds after 1970", since_epoch.as_secs());
        return Check::fail(NAME, found, "set the clock: windows, sessions and ids depend on it");
    }
    if reading.built.is_some_and(|built| reading.now < built) {
        return Check::fail(
            NAME,
            "earlier than the date of this program's file",
            "set the clock, then start",
        );
    }
    if reading.drift_ms.abs() > DRIFT_MS_MAX {
        let found = format!("moved by {:.1} ms within a fraction of a second", reading.drift_ms);
        return Check::warn(NAME, found, "something is adjusting it right now; try again, or find the cause");
    }
    if !reading.synchronised {
        let advice = "make sure that a time service (chrony, systemd-timesyncd, the host) synchronises it";
        return Check::warn(NAME, "plausible and steady; no sign of a time service", advice);
    }
    Check::ok(NAME, "plausible, steady and synchronised")
}

fn milliseconds(span: Duration) -> f64 {
    span.as_secs_f64() * 1_000.0
}

#[cfg(test)]
mod tests {
    use super::super::check::CheckState;
    use super::*;

    #[test]
    fn readings_by_rows() {
        let after = |seconds| SystemTime::UNIX_EPOCH + EARLIEST + Duration::from_secs(seconds);
        let rows = [
            (after(10), None, 0.0, true, CheckState::Ok),
            (after(10), Some(after(5)), -0.2, true, CheckState::Ok),
            (after(10), Some(after(5)), 0.0, false, CheckState::Warn),
            (after(10), Some(after(5)), 40.0, true, CheckState::Warn),
            (after(10), Some(after(5)), -40.0, true, CheckState::Warn),
            (after(10), Some(after(11)), 0.0, true, CheckState::Fail),
            (SystemTime::UNIX_EPOCH, None, 0.0, true, CheckState::Fail),
            (SystemTime::UNIX_EPOCH + LATEST, None, 0.0, true, CheckState::Fail),
        ];
        for (index, (now, built, drift_ms, synchronised, state)) in rows.into_iter().enumerate() {
            let check = judge(&Reading { now, built, drift_ms, synchronised });
            assert_eq!(check.state, state, "row {index}: {check:?}");
        }
    }
}
