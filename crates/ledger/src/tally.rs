//! What the decider counts: plain numbers while it decides, published once per block.
//!
//! Deliberately not counted here: what was never decided (a full queue, the lag's bound), since that is the caller's
//! rejection and counted as such, and repetitions, which change nothing.

use std::time::Duration;

use domain::ledger::{Act, Answer, Command};

/// The names of all commands, as they are counted.
pub const COMMANDS: [&str; 18] = [
    "pool_open",
    "pool_adjust",
    "pool_limit",
    "pool_state",
    "activity_open",
    "activity_terms",
    "activity_state",
    "prize_state",
    "halt",
    "grant",
    "revoke",
    "reserve",
    "confirm",
    "cancel",
    "extend",
    "expire",
    "draw",
    "enter",
];

/// How the ledger stands after a block.
#[derive(Clone, Copy, Debug)]
pub struct LedgerGauges {
    /// Requests that wait in the queue.
    pub waiting: usize,
    pub open_holds: usize,
    /// How long ago the oldest hold that is still open should have been freed.
    pub expiry_lag: Duration,
    /// By how much the clock is behind the ledger's time.
    pub clock_behind: Duration,
    /// The rest before the next block because the projection lags.
    pub pause: Duration,
}

/// Counts since the last block. There are few names and one is usually hot: a short list beats a map.
#[derive(Debug, Default)]
pub struct AnswerCounts {
    accepted: Vec<(&'static str, u64)>,
    refused: Vec<(&'static str, u64)>,
}

impl AnswerCounts {
    pub fn answered(&mut self, command: &Command, answer: &Answer) {
        match answer {
            Answer::Accepted { .. } => add(&mut self.accepted, name(command), 1),
            Answer::Refused(refusal) => add(&mut self.refused, refusal.name(), 1),
            Answer::Replayed(_) | Answer::LookUp => {}
        }
    }

    pub fn expired(&mut self, holds: usize) {
        if holds > 0 {
            add(&mut self.accepted, name(&Command::ExpireOne), holds as u64);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a gauge needs no more")]
    pub fn publish(&mut self, standing: LedgerGauges) {
        for (command, count) in self.accepted.drain(..) {
            metrics::counter!("windfall_ledger_accepted_total", "command" => command).increment(count);
        }
        for (reason, count) in self.refused.drain(..) {
            metrics::counter!("windfall_ledger_refusals_total", "reason" => reason).increment(count);
        }
        metrics::gauge!("windfall_ledger_queue_waiting").set(standing.waiting as f64);
        metrics::gauge!("windfall_ledger_open_holds").set(standing.open_holds as f64);
        metrics::gauge!("windfall_ledger_expiry_lag_seconds").set(standing.expiry_lag.as_secs_f64());
        metrics::gauge!("windfall_clock_behind_seconds").set(standing.clock_behind.as_secs_f64());
        metrics::gauge!("windfall_ledger_pause_seconds").set(standing.pause.as_secs_f64());
    }
}

fn add(counts: &mut Vec<(&'static str, u64)>, name: &'static str, more: u64) {
    match counts.iter_mut().find(|(known, _)| *known == name) {
        Some((_, count)) => *count += more,
        None => counts.push((name, more)),
    }
}

fn name(command: &Command) -> &'static str {
    match command {
        Command::Direct(directive) => match directive.act {
            Act::PoolOpen { .. } => "pool_open",
            Act::PoolAdjust { .. } => "pool_adjust",
            Act::PoolLimit { .. } => "pool_limit",
            Act::PoolState { .. } => "pool_state",
            Act::ActivityOpen { .. } => "activity_open",
            Act::ActivityTerms { .. } => "activity_terms",
            Act::ActivityState { .. } => "activity_state",
            Act::PrizeState { .. } => "prize_state",
            Act::Halt { .. } => "halt",
            Act::Grant { .. } => "grant",
            Act::Revoke { .. } => "revoke",
        },
        Command::Reserve { .. } => "reserve",
        Command::Confirm { .. } => "confirm",
        Command::Cancel { .. } => "cancel",
        Command::Extend { .. } => "extend",
        Command::ExpireOne => "expire",
        Command::Draw(_) => "draw",
        Command::Enter { .. } => "enter",
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn the_names_are_those_that_are_counted() {
        let source = include_str!("tally.rs");
        let names = source.split("fn name(").nth(1).unwrap().split("#[cfg(test)]").next().unwrap();
        let named: Vec<&str> =
            names.split("=> \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(named, COMMANDS);
    }

    #[test]
    fn what_was_published_is_not_counted_again() {
        let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
        let publish = |tally: &mut AnswerCounts, waiting| {
            let (expiry_lag, pause) = (Duration::from_millis(1_500), Duration::from_millis(25));
            let clock_behind = Duration::from_secs(60);
            let standing = LedgerGauges { waiting, open_holds: 7, expiry_lag, clock_behind, pause };
            metrics::with_local_recorder(&recorder, || tally.publish(standing));
        };
        let mut tally = AnswerCounts::default();
        tally.expired(2);
        tally.expired(3);
        publish(&mut tally, 9);
        publish(&mut tally, 4);
        let text = recorder.handle().render();
        for line in [
            "windfall_ledger_accepted_total{command=\"expire\"} 5",
            "windfall_ledger_queue_waiting 4",
            "windfall_ledger_open_holds 7",
            "windfall_ledger_expiry_lag_seconds 1.5",
            "windfall_clock_behind_seconds 60",
            "windfall_ledger_pause_seconds 0.025",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
    }
}
