//! Judging what players and operators of activities ask for. Reads only.

use super::super::command::{Key, MustRun};
use super::super::decide::{Body, Decision, Found, clock_right, lookup, take_from};
use super::super::event::{Change, TakenLine};
use super::super::refusal::{PlayRefusal, PoolRefusal, Refusal};
use super::super::state::{Effect, Ledger};
use super::{
    Activity, ActivityState, Day, Draws, GRANT_MAX, NotRunning, Play, PlayOutcome, Played, Taking, Terms,
    check_running,
};
use crate::ids::{ActivityId, UserId};
use crate::lottery::random::ClientValue;
use crate::player_number::PlayerNumber;

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
        Play::ActivityTerms { key, activity, round, terms, note } => once(
            ledger,
            (*key, absent_at),
            body,
            || about(ledger, *activity),
            || {
                may_change(ledger, *activity, *round, terms.version)?;
                let (key, activity, terms, note) = (*key, *activity, *terms, note.clone());
                Ok(Played::ActivityTermsSet { key, body, activity, terms, note })
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
        Play::PrizeState { key, activity, prize, withdrawn, note } => once(
            ledger,
            (*key, absent_at),
            body,
            || about(ledger, *activity),
            || {
                not_closed(ledger, *activity)?;
                let (key, activity, prize, withdrawn) = (*key, *activity, *prize, *withdrawn);
                Ok(Played::PrizeStateSet { key, body, activity, prize, withdrawn, note: note.clone() })
            },
        ),
        Play::Halt { key, on, note } => once(
            ledger,
            (*key, absent_at),
            body,
            || Ok(PlayOutcome::Halt { on: ledger.halted }),
            || Ok(Played::Halted { key: *key, body, on: *on, note: note.clone() }),
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
                    return Err(Refusal::Play(PlayRefusal::GrantOutOfRange { max: room }));
                }
                let (key, activity, user, note) = (*key, *activity, *user, note.clone());
                Ok(Played::Granted { key, body, activity, user, chances: *chances, note })
            },
        ),
        Play::Revoke { key, activity, user, chances, note } => once(
            ledger,
            (*key, absent_at),
            body,
            || chances_of(ledger, *activity, *user),
            || {
                let has = not_closed(ledger, *activity)?.account(*user).bonus;
                if *chances == 0 || *chances > has {
                    return Err(Refusal::Play(PlayRefusal::RevokeOutOfRange { has }));
                }
                let (key, activity, user, note) = (*key, *activity, *user, note.clone());
                Ok(Played::Revoked { key, body, activity, user, chances: *chances, note })
            },
        ),
        Play::Enter { key, activity, round, user, entries, day } => {
            let (key, activity, round, user, draws) = (*key, *activity, *round, *user, *entries);
            let asked = Admission { key, body, activity, round, user, draws };
            ticket(ledger, (key, absent_at), body, || match admit(ledger, &asked, *day)? {
                // Where there is something to draw from, nobody enters.
                (activity, _) if activity.terms.begin.is_some() => {
                    Err(Refusal::Play(PlayRefusal::VersionStale {
                        activity: activity.id,
                        version: activity.terms.version,
                    }))
                }
                (_, taking) => Ok(Played::Entered(taking)),
            })
        }
        Play::Draw(draw) => {
            ticket(ledger, (draw.key, absent_at), body, || super::draw::draw(ledger, draw, body))
        }
    }
}

/// A command that makes a ticket: judged the first time, the same ticket again afterwards.
fn ticket(
    ledger: &Ledger,
    (key, absent_at): (Key, Option<u64>),
    body: u64,
    judge: impl FnOnce() -> Result<Played, Refusal>,
) -> Decision {
    match lookup(ledger, key, absent_at) {
        Found::Ticket(ticket) if ticket.body == body => {
            Decision::Replay(Effect::Play(ledger.ticket_outcome(ticket)))
        }
        Found::Ticket(_) | Found::Hold(_) | Found::Change(_) | Found::Tombstone => Refusal::Conflict.into(),
        Found::Perhaps => Decision::LookUp,
        Found::Nothing => {
            judge().map_or_else(Decision::Refuse, |played| Decision::Accept(Change::Played(played)))
        }
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
            now().map_or_else(Decision::Refuse, |outcome| Decision::Replay(Effect::Play(outcome)))
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
    if round == expected && closed {
        Ok(())
    } else {
        Err(Refusal::Play(PlayRefusal::RoundStale { activity, round }))
    }
}

fn may_change(ledger: &Ledger, id: ActivityId, round: u32, version: u32) -> Result<(), Refusal> {
    let activity = not_closed(ledger, id)?;
    if activity.round != round {
        return Err(Refusal::Play(PlayRefusal::RoundStale { activity: id, round }));
    }
    if version <= activity.terms.version {
        return Err(Refusal::Play(PlayRefusal::VersionStale {
            activity: id,
            version: activity.terms.version,
        }));
    }
    Ok(())
}

/// Who wants a ticket, and for how many draws.
pub(super) struct Admission {
    pub key: Key,
    pub body: u64,
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
    let Admission { key, body, activity: id, round, user, draws } = *asked;
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
    Ok((activity, Taking { key, body, activity: of, user, seat, first, draws, bonus, day, entries }))
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

fn known(ledger: &Ledger, activity: ActivityId) -> Result<&Activity, Refusal> {
    ledger.activity(activity).ok_or(Refusal::Play(PlayRefusal::Unknown { activity }))
}

fn not_closed(ledger: &Ledger, activity: ActivityId) -> Result<&Activity, Refusal> {
    let found = known(ledger, activity)?;
    if found.state == ActivityState::Closed {
        Err(Refusal::Play(PlayRefusal::Ended { activity }))
    } else {
        Ok(found)
    }
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

/// See the body of the other commands. Of a draw and of entries only what their player chose is part of it: a repetition
/// may come after midnight, in the next round, or when another version is in place.
pub(in super::super) fn body(play: &Play) -> u64 {
    let body = match play {
        Play::ActivityOpen { activity, round, terms, key: _, note: _ } => {
            terms_body(Body::new(6), *activity, *round, terms)
        }
        Play::ActivityTerms { activity, round, terms, key: _, note: _ } => {
            terms_body(Body::new(10), *activity, *round, terms)
        }
        Play::PrizeState { activity, prize, withdrawn, key: _, note: _ } => {
            Body::new(11).id(activity.0).number(u64::from(prize.number())).number(u64::from(*withdrawn))
        }
        Play::Halt { on, key: _, note: _ } => Body::new(12).number(u64::from(*on)),
        Play::Draw(draw) => {
            let chosen =
                Body::new(13).id(draw.activity.0).id(draw.user.0).number(u64::from(draw.draws.count()));
            let words = draw.client.iter().flat_map(|ClientValue(value)| value.as_chunks::<8>().0);
            words.fold(chosen, |body, word| body.number(u64::from_be_bytes(*word)))
        }
        Play::Enter { activity, user, entries, key: _, round: _, day: _ } => {
            Body::new(14).id(activity.0).id(user.0).number(u64::from(entries.count()))
        }
        Play::ActivityState { activity, state, key: _, note: _ } => {
            Body::new(7).id(activity.0).number(*state as u64)
        }
        Play::Grant { activity, user, chances, key: _, note: _ } => {
            Body::new(8).id(activity.0).id(user.0).number(u64::from(*chances))
        }
        Play::Revoke { activity, user, chances, key: _, note: _ } => {
            Body::new(15).id(activity.0).id(user.0).number(u64::from(*chances))
        }
    };
    body.value()
}

fn terms_body(body: Body, activity: ActivityId, round: u32, terms: &Terms) -> Body {
    let Terms { version, from, until, entries, limits, begin } = terms;
    let body = body
        .id(activity.0)
        .number(u64::from(round))
        .id(from.0)
        .id(until.0)
        .id(entries.map_or(0, |pool| pool.0))
        .number(u64::from(limits.total))
        .number(u64::from(limits.month))
        .number(u64::from(limits.day))
        .number(u64::from(*version));
    let words = begin.iter().flat_map(|link| link.0.as_chunks::<8>().0);
    words.fold(body, |body, word| body.number(u64::from_be_bytes(*word)))
}
