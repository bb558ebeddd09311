//! What a batch of events changes in activities, players and tickets: each row once, however often it changed.

use std::collections::{BTreeMap, HashMap};

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Drawing, Settlement, Taking, Terms};
use domain::ledger::{CommandDigest, Event, Key, Note};
use domain::lottery::chain::Receipt;
use domain::lottery::record::Record;
use domain::lottery::strategy::PrizeId;
use domain::time::Timestamp;

use super::super::directives::Envelope;
use super::sums::{HourSum, MinuteSum, PrizeChange, RoundChange, Used, hour, minute};
use crate::failure::Fault;
use crate::model::Win;

/// An activity's round.
pub(in super::super) type RoundKey = (ActivityId, u32);
pub(in super::super) type PlayerKey = (ActivityId, u32, UserId);

#[derive(Debug, Default)]
pub(in super::super) struct PlaySheet<'e> {
    pub halted: Option<bool>,
    /// Each with the terms it was opened with.
    pub opened: Vec<(RoundKey, Terms)>,
    /// The last terms that were put in place within a round.
    pub terms: BTreeMap<RoundKey, Terms>,
    pub rounds: BTreeMap<RoundKey, RoundChange>,
    pub prizes: BTreeMap<(RoundKey, PrizeId), PrizeChange>,
    /// In order: a player's day may change within a batch.
    pub players: BTreeMap<PlayerKey, Vec<Used>>,
    /// Units of prizes with a cap.
    pub capped: BTreeMap<(PlayerKey, PrizeId), u32>,
    pub tickets: Vec<NewTicket<'e>>,
    pub wins: Vec<Win>,
    /// By round, hour and prize.
    pub hours: BTreeMap<(RoundKey, i64, Option<PrizeId>), HourSum>,
    /// By round and minute.
    pub minutes: BTreeMap<(RoundKey, i64), MinuteSum>,
    pub commands: Vec<PlayCommand<'e>>,
    /// Versions as far as the batch tells.
    versions: HashMap<RoundKey, u32>,
    /// And since which event each activity is in which version, in order.
    pub versioned: Vec<(u64, ActivityId, u32)>,
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct NewTicket<'e> {
    pub made_seq: u64,
    pub taking: &'e Taking,
    pub round: u32,
    /// Unless the batch does not tell: then it is the round's, as it was before the batch.
    pub version: Option<u32>,
    pub made: Timestamp,
    /// The player's ticket before; unless the batch does not tell: then it is the last one from before the batch.
    pub before: Option<u64>,
    /// Nothing has come of entries to a raffle yet.
    pub settlement: Option<&'e Settlement>,
    pub receipt: Option<Receipt>,
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct PlayCommand<'e> {
    pub seq: u64,
    pub key: Key,
    pub digest: CommandDigest,
    pub activity: ActivityId,
    pub round: u32,
    pub kind: &'static str,
    /// Whose chances, and how many more or fewer.
    pub granted: Option<(UserId, i64)>,
    pub at: Timestamp,
    pub note: &'e Note,
}

impl<'e> PlaySheet<'e> {
    pub fn is_empty(&self) -> bool {
        self.tickets.is_empty() && self.commands.is_empty()
    }

    pub fn enter(&mut self, event: &'e Event, taking: &'e Taking) {
        self.ticket(event, taking, None);
        self.used((taking.activity, event.round, taking.user), Used::of(event.seq, taking));
    }

    /// From this event on the round is in this version.
    pub fn version(&mut self, round: RoundKey, seq: u64, version: u32) {
        self.versions.insert(round, version);
        self.versioned.push((seq, round.0, version));
    }

    /// A ticket; a draw comes with the version it was drawn under.
    fn ticket(&mut self, event: &Event, taking: &'e Taking, drawn: Option<(&'e Drawing, u32)>) {
        let round = (taking.activity, event.round);
        let in_batch = || {
            let steps = self.players.get(&(taking.activity, event.round, taking.user))?;
            steps.iter().rev().map(|used| used.last_seq).find(|last| *last > 0)
        };
        self.tickets.push(NewTicket {
            made_seq: event.seq,
            taking,
            round: event.round,
            version: drawn.map(|(_, version)| version).or_else(|| self.versions.get(&round).copied()),
            made: event.at,
            before: drawn.map(|(drawing, _)| drawing.before).or_else(in_batch),
            settlement: drawn.map(|(drawing, _)| &drawing.settlement),
            receipt: drawn.map(|(drawing, _)| drawing.receipt),
        });
        let changed = self.rounds.entry(round).or_default();
        changed.draws += i64::from(taking.draws.count());
        changed.players += i64::from(taking.first == 0);
    }

    /// Units of pools are not looked at here.
    pub fn draw(&mut self, event: &'e Event, drawing: &'e Drawing) -> Result<(), Fault> {
        let record = Record::decode(drawing.settlement.bytes()).map_err(|error| {
            Fault::caused(format!("the record of event {} cannot be read", event.seq), error)
        })?;
        let taking = &drawing.taking;
        let (round, player) = ((taking.activity, event.round), (taking.activity, event.round, taking.user));
        self.ticket(event, taking, Some((drawing, record.key.version)));
        self.used(player, Used::drawn(event.seq, drawing));
        self.rounds.entry(round).or_default().drew(drawing);
        for given in &drawing.given {
            self.prizes.entry((round, given.prize)).or_default().gave(hour(event.at), given.units);
            if given.capped {
                *self.capped.entry((player, given.prize)).or_default() += given.units;
            }
        }
        for (at, draw) in (0_u32..).zip(&record.draws) {
            let (prize, points) = (draw.drawn.prize, draw.drawn.points);
            let given = drawing.given.iter().find(|given| Some(given.prize) == prize);
            let cost_minor = given.map_or(0, |given| given.cost_minor);
            self.hours.entry((round, hour(event.at), prize)).or_default().add(cost_minor, points);
            let sum = self.minutes.entry((round, minute(event.at))).or_default();
            (sum.draws, sum.wins) = (sum.draws + 1, sum.wins + u32::from(prize.is_some()));
            self.wins.extend(prize.map(|prize| Win {
                id: Win::id(event.seq, at),
                user: taking.user,
                activity: taking.activity,
                round: event.round,
                version: record.key.version,
                draw: taking.first + at,
                prize,
                points,
                cost_minor,
                at: event.at,
            }));
        }
        Ok(())
    }

    /// More chances for a player, or fewer.
    pub fn grant(&mut self, envelope: Envelope<'e>, (activity, user): (ActivityId, UserId), chances: i64) {
        let granted = Used { bonus: chances, ..Used::default() };
        self.used((activity, envelope.event.round, user), granted);
        self.command(envelope, activity, "granted", Some((user, chances)));
    }

    fn used(&mut self, player: PlayerKey, used: Used) {
        let steps = self.players.entry(player).or_default();
        match steps.last_mut() {
            Some(last) if last.day == used.day || last.day == 0 || used.day == 0 => last.add(used),
            Some(_) | None => steps.push(used),
        }
    }

    pub fn command(
        &mut self,
        Envelope { event, key, digest, note }: Envelope<'e>,
        activity: ActivityId,
        kind: &'static str,
        granted: Option<(UserId, i64)>,
    ) {
        let (seq, round, at) = (event.seq, event.round, event.at);
        self.commands.push(PlayCommand { seq, key, digest, activity, round, kind, granted, at, note });
    }
}
