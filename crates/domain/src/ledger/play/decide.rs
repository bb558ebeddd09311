//! Judging who may have a ticket. Reads only.

use super::super::command::{Key, MustRun};
use super::super::decide::{Decision, Found, clock_right, lookup, take_from};
use super::super::digest::CommandDigest;
use super::super::event::{Change, TakenLine};
use super::super::refusal::{PlayRefusal, PoolRefusal, Refusal};
use super::super::state::{Effect, Ledger};
use super::{Activity, Day, Draw, Draws, NotRunning, Taking, check_running};
use crate::ids::{ActivityId, UserId};
use crate::player_number::PlayerNumber;

pub(in super::super) fn draw(
    ledger: &Ledger,
    draw: &Draw,
    digest: CommandDigest,
    absent_at: Option<u64>,
) -> Decision {
    ticket(ledger, (draw.key, absent_at), digest, || {
        super::draw::draw(ledger, draw, digest).map(Change::Drawn)
    })
}

pub(in super::super) fn enter(
    ledger: &Ledger,
    asked: &Admission,
    day: Day,
    absent_at: Option<u64>,
) -> Decision {
    ticket(ledger, (asked.key, absent_at), asked.digest, || match admit(ledger, asked, day)? {
        // Where there is something to draw from, nobody enters.
        (activity, _) if activity.terms.begin.is_some() => Err(Refusal::Play(PlayRefusal::VersionStale {
            activity: activity.id,
            version: activity.terms.version,
        })),
        (_, taking) => Ok(Change::Entered(taking)),
    })
}

/// A command that makes a ticket: judged the first time, the same ticket again afterwards.
fn ticket(
    ledger: &Ledger,
    (key, absent_at): (Key, Option<u64>),
    digest: CommandDigest,
    judge: impl FnOnce() -> Result<Change, Refusal>,
) -> Decision {
    match lookup(ledger, key, absent_at) {
        Found::Ticket(ticket) if ticket.digest == digest => {
            Decision::Replay(Effect::Play(ledger.ticket_outcome(ticket)))
        }
        Found::Ticket(_) | Found::Hold(_) | Found::Directive(_) | Found::Tombstone => {
            Refusal::Conflict.into()
        }
        Found::Perhaps => Decision::LookUp,
        Found::Nothing => judge().map_or_else(Decision::Refuse, Decision::Accept),
    }
}

/// Who wants a ticket, and for how many draws.
pub(in super::super) struct Admission {
    pub key: Key,
    pub digest: CommandDigest,
    pub activity: ActivityId,
    pub round: u32,
    pub user: UserId,
    pub draws: Draws,
}

/// Whether they may have it, and what it takes.
pub(super) fn admit<'a>(
    ledger: &'a Ledger,
    asked: &Admission,
    day: Day,
) -> Result<(&'a Activity, Taking), Refusal> {
    let Admission { key, digest, activity: id, round, user, draws } = *asked;
    let activity = known(ledger, id)?;
    if activity.round != round {
        return Err(Refusal::Play(PlayRefusal::RoundStale { activity: id, round }));
    }
    let player = activity.players.get(&user.0).copied().unwrap_or_default();
    clock_right(ledger)?;
    running(ledger, activity)?;
    if !day.contains(ledger.clock()) {
        return Err(Refusal::Play(PlayRefusal::DayStale));
    }
    let day = activity.day_of(day);
    let bonus = player
        .account
        .bonus_for(&activity.terms.limits, day, draws.count())
        .map_err(|(left, scope)| Refusal::Play(PlayRefusal::ChancesSpent { activity: id, left, scope }))?;
    let entries = entries(ledger, activity, draws)?;
    let seat = player.seat.unwrap_or_else(|| PlayerNumber::after(activity.seated));
    let (first, of) = (player.account.draws, id);
    Ok((activity, Taking { key, digest, activity: of, user, seat, first, draws, bonus, day, entries }))
}

/// Whether an activity runs at this very moment.
fn running(ledger: &Ledger, activity: &Activity) -> Result<(), Refusal> {
    let (id, terms) = (activity.id, &activity.terms);
    check_running(activity.state, terms.window(), ledger.halted, ledger.now).map_err(|why| match why {
        NotRunning::Halted => Refusal::Play(PlayRefusal::Halted),
        NotRunning::Paused => Refusal::Play(PlayRefusal::Paused { activity: id }),
        NotRunning::NotStarted => Refusal::Play(PlayRefusal::NotStarted { activity: id, from: terms.from }),
        NotRunning::Ended => Refusal::Play(PlayRefusal::Ended { activity: id }),
    })
}

/// Whether a hold may be made: every activity it depends on runs, in the round and with the version that was meant.
pub(in super::super) fn all_open(ledger: &Ledger, gates: &[MustRun]) -> Result<(), Refusal> {
    for gate in gates {
        let id = gate.activity;
        let activity = known(ledger, id)?;
        if activity.round != gate.round {
            return Err(Refusal::Play(PlayRefusal::RoundStale { activity: id, round: gate.round }));
        }
        running(ledger, activity)?;
        let version = activity.terms.version;
        if version != gate.version {
            return Err(Refusal::Play(PlayRefusal::VersionStale { activity: id, version }));
        }
    }
    Ok(())
}

fn entries(ledger: &Ledger, activity: &Activity, draws: Draws) -> Result<Option<TakenLine>, Refusal> {
    let Some(pool) = activity.terms.entries else { return Ok(None) };
    let Some(slot) = ledger.current.get(&pool).copied() else {
        return Err(Refusal::Pool(PoolRefusal::Unknown { pool }));
    };
    let round = take_from(ledger, slot, None, draws.count()).map_err(|refusal| match refusal {
        Refusal::Pool(PoolRefusal::SoldOut { left, .. }) => {
            Refusal::Play(PlayRefusal::EntriesGone { activity: activity.id, left })
        }
        other => other,
    })?;
    Ok(Some(TakenLine { pool, round, quantity: draws.into() }))
}

pub(in super::super) fn known(ledger: &Ledger, activity: ActivityId) -> Result<&Activity, Refusal> {
    ledger.activity(activity).ok_or(Refusal::Play(PlayRefusal::Unknown { activity }))
}
