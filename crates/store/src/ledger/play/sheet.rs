//! What a batch of events changes in activities, players and tickets.

use std::collections::BTreeMap;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ActivityState, Draws, Played, Settlement, Terms};
use domain::ledger::{Event, Key, Note};
use domain::time::Timestamp;

#[derive(Debug, Default)]
pub(in super::super) struct PlaySheet<'e> {
    pub opened: Vec<(ActivityId, u32, Terms)>,
    /// The last state of a round that was changed.
    pub states: BTreeMap<(ActivityId, u32), ActivityState>,
    /// In order: a player's day may change within a batch.
    pub players: BTreeMap<(UserId, ActivityId, u32), Vec<Used>>,
    pub taken: Vec<Taken>,
    pub settled: Vec<Settled<'e>>,
    pub commands: Vec<PlayCommand<'e>>,
}

/// What one player used or was granted, on one day; day 0 leaves the day as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Used {
    pub day: u32,
    pub bonus: i64,
    pub common: i64,
    pub draws: i64,
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Taken {
    pub made_seq: u64,
    pub key: Key,
    pub body: u64,
    pub user: UserId,
    pub activity: ActivityId,
    pub round: u32,
    pub first: u32,
    pub draws: Draws,
    pub made: Timestamp,
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Settled<'e> {
    pub made_seq: u64,
    pub key: Key,
    pub seq: u64,
    pub at: Timestamp,
    pub settlement: &'e Settlement,
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct PlayCommand<'e> {
    pub seq: u64,
    pub key: Key,
    pub body: u64,
    pub activity: ActivityId,
    pub round: u32,
    pub kind: &'static str,
    pub granted: Option<(UserId, u32)>,
    pub at: Timestamp,
    pub note: &'e Note,
}

impl<'e> PlaySheet<'e> {
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty() && self.settled.is_empty() && self.commands.is_empty()
    }

    /// Units of pools are not looked at here.
    pub fn fold(&mut self, event: &'e Event, played: &'e Played) {
        match played {
            Played::ActivityOpened { key, body, activity, terms, note } => {
                self.opened.push((*activity, event.round, *terms));
                self.command(event, (*key, *body), *activity, "opened", None, note);
            }
            Played::ActivityStateSet { key, body, activity, state, note } => {
                self.states.insert((*activity, event.round), *state);
                self.command(event, (*key, *body), *activity, "state", None, note);
            }
            Played::Granted { key, body, activity, user, chances, note } => {
                let granted = Used { bonus: i64::from(*chances), ..Used::default() };
                self.used((*user, *activity, event.round), granted);
                self.command(event, (*key, *body), *activity, "granted", Some((*user, *chances)), note);
            }
            Played::Taken { key, body, activity, user, first, draws, bonus, day, entries: _ } => {
                let (count, bonus) = (i64::from(draws.count()), i64::from(*bonus));
                let used = Used { day: *day, bonus: -bonus, common: count - bonus, draws: count };
                self.used((*user, *activity, event.round), used);
                self.taken.push(Taken {
                    made_seq: event.seq,
                    key: *key,
                    body: *body,
                    user: *user,
                    activity: *activity,
                    round: event.round,
                    first: *first,
                    draws: *draws,
                    made: event.at,
                });
            }
            Played::Settled { ticket, made_seq, settlement, user: _, lines: _ } => {
                let (seq, at) = (event.seq, event.at);
                self.settled.push(Settled { made_seq: *made_seq, key: *ticket, seq, at, settlement });
            }
        }
    }

    fn used(&mut self, player: (UserId, ActivityId, u32), used: Used) {
        let steps = self.players.entry(player).or_default();
        match steps.last_mut() {
            Some(last) if last.day == used.day || last.day == 0 || used.day == 0 => {
                last.day = last.day.max(used.day);
                last.bonus += used.bonus;
                last.common += used.common;
                last.draws += used.draws;
            }
            Some(_) | None => steps.push(used),
        }
    }

    fn command(
        &mut self,
        event: &Event,
        (key, body): (Key, u64),
        activity: ActivityId,
        kind: &'static str,
        granted: Option<(UserId, u32)>,
        note: &'e Note,
    ) {
        let (seq, round, at) = (event.seq, event.round, event.at);
        self.commands.push(PlayCommand { seq, key, body, activity, round, kind, granted, at, note });
    }
}
