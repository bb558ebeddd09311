//! What directives change in the rows of pools, activities and players.

use domain::ids::ActivityId;
use domain::ledger::{Act, CommandDigest, Event, Key, Note, PoolId, PoolState};

use super::sheet::{NewMovement, PoolCommand, RoundChange, Sheet};
use crate::failure::Fault;
use crate::model::{Delta, MovementKind};

/// A directive's event without its act.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope<'e> {
    pub event: &'e Event,
    pub key: Key,
    pub digest: CommandDigest,
    pub note: &'e Note,
}

impl<'e> Sheet<'e> {
    pub fn direct(&mut self, envelope: Envelope<'e>, act: &'e Act) -> Result<(), Fault> {
        self.finished.push(envelope.key.fingerprint());
        let (seq, round) = (envelope.event.seq, envelope.event.round);
        match act {
            Act::PoolOpen { pool, name, round, total, owner_max } => {
                self.current.insert(*pool, (*round, name.as_str(), seq));
                let units = units(*total)?;
                let changed = RoundChange {
                    opened: true,
                    state: Some(PoolState::Open),
                    owner_max: Some(*owner_max),
                    delta: Delta { total: units, available: units, held: 0, taken: 0 },
                };
                self.change_pool(envelope, *pool, MovementKind::Opened, changed);
            }
            Act::PoolAdjust { pool, delta } => {
                let delta = Delta { total: *delta, available: *delta, held: 0, taken: 0 };
                let changed = RoundChange { delta, ..RoundChange::default() };
                self.change_pool(envelope, *pool, MovementKind::Adjusted, changed);
            }
            Act::PoolLimit { pool, owner_max } => {
                let changed = RoundChange { owner_max: Some(*owner_max), ..RoundChange::default() };
                self.change_pool(envelope, *pool, MovementKind::Limited, changed);
            }
            Act::PoolState { pool, state } => {
                let kind = match state {
                    PoolState::Open => MovementKind::Thawed,
                    PoolState::Frozen => MovementKind::Frozen,
                    PoolState::Closed => MovementKind::Closed,
                };
                let changed = RoundChange { state: Some(*state), ..RoundChange::default() };
                self.change_pool(envelope, *pool, kind, changed);
            }
            Act::ActivityOpen { activity, terms, round: _ } => {
                self.play.opened.push(((*activity, round), *terms));
                self.play.version((*activity, round), seq, terms.version);
                self.play.command(envelope, *activity, "opened", None);
            }
            Act::ActivityTerms { activity, terms, round: _ } => {
                self.play.terms.insert((*activity, round), *terms);
                self.play.version((*activity, round), seq, terms.version);
                self.play.rounds.entry((*activity, round)).or_default().chain = Some(terms.begin_chain());
                self.play.command(envelope, *activity, "terms", None);
            }
            Act::ActivityState { activity, state } => {
                self.play.rounds.entry((*activity, round)).or_default().state = Some(*state);
                self.play.command(envelope, *activity, "state", None);
            }
            Act::PrizeState { activity, prize, withdrawn } => {
                let changed = self.play.prizes.entry(((*activity, round), *prize)).or_default();
                changed.withdrawn = Some(*withdrawn);
                self.play.command(envelope, *activity, "prize", None);
            }
            Act::Halt { on } => {
                self.play.halted = Some(*on);
                self.play.command(envelope, ActivityId(0), "halted", None);
            }
            Act::Grant { activity, user, chances } => {
                self.play.grant(envelope, (*activity, *user), i64::from(*chances));
            }
            Act::Revoke { activity, user, chances } => {
                self.play.grant(envelope, (*activity, *user), -i64::from(*chances));
            }
        }
        Ok(())
    }

    fn change_pool(
        &mut self,
        Envelope { event, key, digest, note }: Envelope<'e>,
        pool: PoolId,
        kind: MovementKind,
        changed: RoundChange,
    ) {
        let round = event.round;
        let row = self.rounds.entry((pool, round)).or_default();
        row.opened |= changed.opened;
        row.state = changed.state.or(row.state);
        row.owner_max = changed.owner_max.or(row.owner_max);
        self.moved(NewMovement {
            seq: event.seq,
            line: 0,
            at: event.at,
            pool,
            round,
            kind,
            delta: changed.delta,
            owner_max: changed.owner_max,
            hold: None,
            by: note.by(),
            note: Some(note.as_str()).filter(|note| !note.is_empty()),
        });
        self.commands.push(PoolCommand { seq: event.seq, key, digest, pool });
    }
}

fn units(number: u64) -> Result<i64, Fault> {
    i64::try_from(number).map_err(|_| Fault::new("a total beyond what can be counted"))
}
