//! One pass: from each beginning to the end, slice by slice.

use std::time::Duration;

use domain::time::Timestamp;
use store::model::Actor;

use crate::failure::Result;
use crate::inventory::auditing::LISTED_MAX;
use crate::inventory::auditing::board::{Audits, Pass};
use crate::ports::{Place, Slice, Sliced};
use crate::world::World;

/// How often a slice that was given up is tried again before the pass is.
const TRIES_MAX: u32 = 4;
const TRY_AGAIN: Duration = Duration::from_millis(250);
/// Between two passes of the continuous audit, in pauses between two slices.
const PASS_PAUSES: u32 = 10;

/// Who asked for corrections, and why.
#[derive(Clone, Debug)]
pub struct Fix {
    pub actor: Actor,
    pub reason: String,
    pub request_id: String,
}

/// Audits for ever, a slice at a time with a pause after each.
pub async fn run_until(world: &World, pace: Duration, stop: impl Future<Output = ()> + Send) {
    measure_differences(0);
    measure_units(&Pass::default(), world.now());
    // An audit that never ends is late from here on.
    measure_end(world.now());
    let passes = async {
        loop {
            let pass = world.ledger.audits.begin(world.now(), false);
            let pass = run_pass(world, pass, None, Some(pace)).await;
            if let Some(why) = &pass.gave_up {
                tracing::warn!(why, "an audit of the ledger did not come to its end; another one follows");
            }
            tokio::time::sleep(pace * PASS_PAUSES).await;
        }
    };
    tokio::select! {
        () = passes => {}
        () = stop => {}
    }
}

/// Runs a pass to its end. Without a pace it goes as fast as it can; with one it gives way to a pass that was asked for.
pub async fn run_pass(world: &World, mut pass: Pass, fix: Option<&Fix>, pace: Option<Duration>) -> Pass {
    let _running = Running { audits: &world.ledger.audits, number: pass.number };
    let asked_before = world.ledger.audits.asked_ended();
    let mut places: Vec<Place> = Place::STARTS.into_iter().rev().collect();
    while let Some(place) = places.pop() {
        match slice(world, place, fix).await {
            Ok(Ok(slice)) => {
                places.extend(slice.next.iter().copied());
                take_in(world, &mut pass, place, slice);
                world.ledger.audits.further(&pass);
            }
            Ok(Err(why)) => pass.gave_up = Some(why),
            Err(failure) => pass.gave_up = Some(failure.to_string()),
        }
        if let Some(pace) = pace {
            tokio::time::sleep(pace).await;
            if world.ledger.audits.asked_ended() != asked_before {
                pass.gave_up = Some("another pass was asked for meanwhile".to_owned());
            }
        }
        if pass.gave_up.is_some() {
            break;
        }
    }
    finish(world, &mut pass);
    pass
}

/// Whatever ends a pass, the board does not go on waiting for it.
struct Running<'w> {
    audits: &'w Audits,
    number: u64,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.audits.abandon(self.number);
    }
}

/// A slice; the inner failure says why the two sides could not be brought together.
async fn slice(world: &World, place: Place, fix: Option<&Fix>) -> Result<Result<Slice, String>> {
    let mut tries = 0;
    loop {
        // Each correction has a line of its own in the audit log.
        let signed = fix.map(|fix| world.audit_stamp(fix.actor, &fix.reason, &fix.request_id));
        match world.ledger.auditor.slice(place, signed).await? {
            Sliced::Done(slice) => return Ok(Ok(slice)),
            Sliced::GivenUp(why) => {
                metrics::counter!("windfall_ledger_audit_given_up_total").increment(1);
                tries += 1;
                if tries == TRIES_MAX {
                    return Ok(Err(why));
                }
                tokio::time::sleep(TRY_AGAIN).await;
            }
        }
    }
}

fn take_in(world: &World, pass: &mut Pass, place: Place, slice: Slice) {
    pass.slices += 1;
    *pass.checked.entry(place.what()).or_default() += slice.checked;
    metrics::counter!("windfall_ledger_audited_total", "what" => place.what()).increment(slice.checked);
    pass.oldest_hold = [pass.oldest_hold, slice.oldest_hold].into_iter().flatten().min();
    for (found, corrected) in slice.differences {
        if !corrected {
            pass.units_off = pass.units_off.saturating_add(found.units_off());
        }
        let (what, row) = (found.what.name(), found.row);
        let (ledger, database) = (found.ledger.as_deref(), found.database.as_deref());
        pass.found += 1;
        if corrected {
            pass.corrected += 1;
            metrics::counter!("windfall_ledger_corrections_total").increment(1);
            tracing::warn!(what, %row, ledger, database, "a row of the database was corrected");
        } else if world.ledger.audits.is_news(&found) {
            tracing::error!(what, %row, ledger, database, "the ledger and the database differ");
        }
        if pass.differences.len() < LISTED_MAX {
            pass.differences.push((found, corrected));
        }
    }
    // At once, and not only when the pass is over: one difference is enough to call somebody.
    let before = world.ledger.audits.whole().map_or(0, |whole| whole.left());
    measure_differences(before.max(pass.left()));
}

fn finish(world: &World, pass: &mut Pass) {
    let now = world.now();
    pass.finished = Some(now);
    world.ledger.audits.finished(pass);
    if !pass.is_whole() {
        return;
    }
    measure_differences(pass.left());
    measure_units(pass, now);
    metrics::histogram!("windfall_ledger_audit_pass_seconds").record(seconds(now.since_ms(pass.started)));
    measure_end(now);
}

/// How long the oldest hold has been open, and by how many units the counters are off, as of a whole pass.
fn measure_units(pass: &Pass, now: Timestamp) {
    let age_ms = pass.oldest_hold.map_or(0, |made| now.since_ms(made));
    metrics::gauge!("windfall_ledger_hold_age_seconds").set(seconds(age_ms));
    #[expect(clippy::cast_precision_loss, reason = "a gauge needs no more")]
    metrics::gauge!("windfall_ledger_conservation_error_units").set(pass.units_off as f64);
}

fn measure_end(at: Timestamp) {
    metrics::gauge!("windfall_ledger_audit_last_pass_timestamp_seconds").set(seconds(at.0));
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn seconds(ms: i64) -> f64 {
    ms as f64 / 1_000.0
}

fn measure_differences(count: u64) {
    #[expect(clippy::cast_precision_loss, reason = "a gauge needs no more")]
    metrics::gauge!("windfall_ledger_differences").set(count as f64);
}
