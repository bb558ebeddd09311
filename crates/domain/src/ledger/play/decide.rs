//! Judging what players and operators of activities ask for. Reads only.

use super::super::command::{Key, Line};
use super::super::decide::{Body, Decision, Found, lookup, take_from, taken_lines};
use super::super::event::{Change, TakenLine};
use super::super::refusal::Refusal;
use super::super::state::{Ledger, Outcome};
use super::{Activity, ActivityState, Day, Draws, GRANT_MAX, Play, PlayOutcome, Played, Settlement, Ticket};
use crate::ids::{ActivityId, UserId};

pub(in super::super) fn decide(ledger: &Ledger, play: &Play, absent_at: Option<u64>) -> Decision {
    let body = body(play);
    match play {
        Play::ActivityOpen { key, activity, round, terms, note } => once(
            ledger,
            (*key, absent_at),
            body,
            || about(ledger, *activity),
            || {
                may_open(ledger, *activity, *round)?;
                let (key, activity, terms, note) = (*key, *activity, *terms, note.clone());
                Ok(Played::ActivityOpened { key, body, activity, terms, note })
            },
        ),
        Play::ActivityState { key, activity, state, note } => once(
            ledger,
            (*key, absent_at),
            body,
            || about(ledger, *activity),
            || {
                not_closed(ledger, *activity)?;
                let (key, activity, state, note) = (*key, *activity, *state, note.clone());
                Ok(Played::ActivityStateSet { key, body, activity, state, note })
            },
        ),
        Play::Grant { key, activity, user, chances, note } => once(
            ledger,
            (*key, absent_at),
            body,
            || chances_of(ledger, *activity, *user),
            || {
                let account = not_closed(ledger, *activity)?.account(*user);
                let room = GRANT_MAX.saturating_sub(account.bonus);
                if *chances == 0 || *chances > room {
                    return Err(Refusal::GrantOutOfRange { max: room });
                }
                let (key, activity, user, note) = (*key, *activity, *user, note.clone());
                Ok(Played::Granted { key, body, activity, user, chances: *chances, note })
            },
        ),
        Play::Take { key, activity, round, user, draws, day } => match lookup(ledger, *key, absent_at) {
            Found::Ticket(ticket) if ticket.body == body => replay(ledger, ticket),
            Found::Ticket(_) | Found::Hold(_) | Found::Change(_) | Found::Tombstone => {
                Refusal::Conflict.into()
            }
            Found::Perhaps => Decision::LookUp,
            Found::Nothing => take(ledger, (*key, body), (*activity, *round), *user, *draws, *day)
                .unwrap_or_else(Decision::Refuse),
        },
        Play::Settle { ticket, takes, settlement } => match lookup(ledger, *ticket, absent_at) {
            Found::Ticket(found) if found.settlement.is_some() => replay(ledger, found),
            Found::Ticket(found) => settle(ledger, found, takes, settlement)
                .map_or_else(Decision::Refuse, |played| Decision::Accept(Change::Played(played))),
            Found::Perhaps => Decision::LookUp,
            Found::Hold(_) | Found::Change(_) | Found::Tombstone | Found::Nothing => {
                Refusal::TicketUnknown.into()
            }
        },
    }
}

/// A command that is done at once: judged the first time, the same again afterwards.
fn once(
    ledger: &Ledger,
    (key, absent_at): (Key, Option<u64>),
    body: u64,
    now: impl FnOnce() -> Result<PlayOutcome, Refusal>,
    judge: impl FnOnce() -> Result<Played, Refusal>,
) -> Decision {
    match lookup(ledger, key, absent_at) {
        Found::Change(before) if before == body => {
            now().map_or_else(Decision::Refuse, |outcome| Decision::Replay(Outcome::Play(outcome)))
        }
        Found::Change(_) | Found::Hold(_) | Found::Ticket(_) | Found::Tombstone => Refusal::Conflict.into(),
        Found::Perhaps => Decision::LookUp,
        Found::Nothing => {
            judge().map_or_else(Decision::Refuse, |played| Decision::Accept(Change::Played(played)))
        }
    }
}

fn may_open(ledger: &Ledger, activity: ActivityId, round: u32) -> Result<(), Refusal> {
    let (expected, closed) = match ledger.activity(activity) {
        None => (1, true),
        Some(now) => (now.round + 1, now.state == ActivityState::Closed),
    };
    if round == expected && closed { Ok(()) } else { Err(Refusal::ActivityRoundStale { activity, round }) }
}

fn take(
    ledger: &Ledger,
    (key, body): (Key, u64),
    (id, round): (ActivityId, u32),
    user: UserId,
    draws: Draws,
    day: Day,
) -> Result<Decision, Refusal> {
    let activity = known(ledger, id)?;
    if activity.round != round {
        return Err(Refusal::ActivityRoundStale { activity: id, round });
    }
    let player = activity.players.get(&user.0).copied().unwrap_or_default();
    // Before anything that may have changed meanwhile: what was paid for stays good.
    if let Some(slot) = player.open {
        return Ok(replay(ledger, ledger.ticket_at(slot)));
    }
    match activity.state {
        ActivityState::Open => {}
        ActivityState::Paused => return Err(Refusal::Paused { activity: id }),
        ActivityState::Closed => return Err(Refusal::Ended { activity: id }),
    }
    if ledger.now < activity.terms.from {
        return Err(Refusal::NotStarted { activity: id, from: activity.terms.from });
    }
    if ledger.now >= activity.terms.until {
        return Err(Refusal::Ended { activity: id });
    }
    if !day.contains(ledger.now) {
        return Err(Refusal::DayStale);
    }
    let bonus = player
        .account
        .bonus_for(&activity.terms.limits, day.number, draws.count())
        .map_err(|(left, scope)| Refusal::ChancesSpent { activity: id, left, scope })?;
    let entries = entries(ledger, activity, draws)?;
    let (first, day) = (player.account.draws, day.number);
    let activity = id;
    Ok(Decision::Accept(Change::Played(Played::Taken {
        key,
        body,
        activity,
        user,
        first,
        draws,
        bonus,
        day,
        entries,
    })))
}

fn entries(ledger: &Ledger, activity: &Activity, draws: Draws) -> Result<Option<TakenLine>, Refusal> {
    let Some(pool) = activity.terms.entries else { return Ok(None) };
    let Some(slot) = ledger.current.get(&pool).copied() else { return Err(Refusal::PoolUnknown { pool }) };
    let round = take_from(ledger, slot, None, draws.count()).map_err(|refusal| match refusal {
        Refusal::SoldOut { left, .. } => Refusal::EntriesGone { activity: activity.id, left },
        other => other,
    })?;
    Ok(Some(TakenLine { pool, round, quantity: draws.into() }))
}

fn settle(
    ledger: &Ledger,
    ticket: &Ticket,
    takes: &[Line],
    settlement: &Settlement,
) -> Result<Played, Refusal> {
    let lines = taken_lines(ledger, None, takes)?.to_vec();
    Ok(Played::Settled {
        ticket: ticket.key,
        made_seq: ticket.made_seq,
        user: ticket.user,
        lines,
        settlement: settlement.clone(),
    })
}

fn replay(ledger: &Ledger, ticket: &Ticket) -> Decision {
    Decision::Replay(Outcome::Play(PlayOutcome::Ticket(ledger.ticket_view(ticket))))
}

fn known(ledger: &Ledger, activity: ActivityId) -> Result<&Activity, Refusal> {
    ledger.activity(activity).ok_or(Refusal::ActivityUnknown { activity })
}

fn not_closed(ledger: &Ledger, activity: ActivityId) -> Result<&Activity, Refusal> {
    let found = known(ledger, activity)?;
    if found.state == ActivityState::Closed { Err(Refusal::Ended { activity }) } else { Ok(found) }
}

fn about(ledger: &Ledger, activity: ActivityId) -> Result<PlayOutcome, Refusal> {
    known(ledger, activity).map(|activity| PlayOutcome::Activity(activity.view()))
}

fn chances_of(ledger: &Ledger, activity: ActivityId, user: UserId) -> Result<PlayOutcome, Refusal> {
    known(ledger, activity).map(|found| {
        let (round, account) = (found.round, found.account(user));
        PlayOutcome::Chances { activity, round, user, account }
    })
}

/// See the body of the other commands. The day a ticket is taken on is not part of it: a repetition may come after
/// midnight. Neither is what a settlement brings: the first one counts.
pub(in super::super) fn body(play: &Play) -> u64 {
    let body = match play {
        Play::ActivityOpen { activity, round, terms, key: _, note: _ } => Body::new(6)
            .id(activity.0)
            .number(u64::from(*round))
            .id(terms.from.0)
            .id(terms.until.0)
            .id(terms.entries.map_or(0, |pool| pool.0))
            .number(u64::from(terms.limits.total))
            .number(u64::from(terms.limits.month))
            .number(u64::from(terms.limits.day)),
        Play::ActivityState { activity, state, key: _, note: _ } => {
            Body::new(7).id(activity.0).number(*state as u64)
        }
        Play::Grant { activity, user, chances, key: _, note: _ } => {
            Body::new(8).id(activity.0).id(user.0).number(u64::from(*chances))
        }
        Play::Take { activity, round, user, draws, key: _, day: _ } => {
            Body::new(9).id(activity.0).number(u64::from(*round)).id(user.0).number(u64::from(draws.count()))
        }
        Play::Settle { .. } => Body::new(0),
    };
    body.value()
}
