//! Carrying out what was decided about activities, chances and tickets.

use std::collections::HashMap;

use super::super::event::{Event, TakenLine};
use super::super::fold::{keep, remember};
use super::super::record::Record;
use super::super::slab::Slot;
use super::super::state::{Ledger, Outcome};
use super::{Activity, ActivityState, PlayOutcome, Played, Ticket};
use crate::ids::{ActivityId, UserId};

pub(in super::super) fn fold(ledger: &mut Ledger, event: &Event, played: &Played) -> Outcome {
    Outcome::Play(match played {
        Played::ActivityOpened { key, body, activity, terms, note: _ } => {
            let opened = Activity {
                id: *activity,
                round: event.round,
                state: ActivityState::Open,
                terms: *terms,
                refs: 0,
                players: HashMap::default(),
            };
            let view = opened.view();
            let slot = ledger.activities.insert(opened);
            if let Some(old) = ledger.running.insert(*activity, slot)
                && ledger.activities[old].refs == 0
            {
                ledger.activities.remove(old);
            }
            remember(ledger, event.seq, *key, *body);
            PlayOutcome::Activity(view)
        }
        Played::ActivityStateSet { key, body, activity, state, note: _ } => {
            let slot = ledger.running[activity];
            ledger.activities[slot].state = *state;
            remember(ledger, event.seq, *key, *body);
            PlayOutcome::Activity(ledger.activities[slot].view())
        }
        Played::Granted { key, body, activity, user, chances, note: _ } => {
            let slot = ledger.running[activity];
            let player = ledger.activities[slot].players.entry(user.0).or_default();
            player.account.bonus += chances;
            remember(ledger, event.seq, *key, *body);
            chances_of(ledger, slot, *activity, *user)
        }
        Played::Taken { key, body, activity, user, first, draws, bonus, day, entries } => {
            let slot = ledger.running[activity];
            let ticket = Ticket {
                key: *key,
                body: *body,
                made_seq: event.seq,
                activity: slot,
                user: *user,
                first: *first,
                draws: *draws,
                made: event.at,
                settlement: None,
            };
            let record = keep(ledger, Record::Ticket(ticket));
            let activity = &mut ledger.activities[slot];
            activity.refs += 1;
            let player = activity.players.entry(user.0).or_default();
            assert_eq!(player.account.draws, *first, "draws are numbered without a gap");
            player.account = player.account.after(*day, draws.count(), *bonus);
            player.open = Some(record);
            if let Some(line) = entries {
                gone(ledger, line);
            }
            PlayOutcome::Ticket(ledger.ticket_view(ledger.ticket_at(record)))
        }
        Played::Settled { ticket, made_seq: _, user, lines, settlement } => {
            let record = ledger.find(*ticket).expect("a ticket that is settled is in memory");
            for line in lines {
                gone(ledger, line);
            }
            let Record::Ticket(ticket) = &mut ledger.records[record] else {
                unreachable!("the slot of a ticket")
            };
            ticket.settlement = Some(settlement.clone());
            let activity = ticket.activity;
            let player = ledger.activities[activity].players.get_mut(&user.0);
            player.expect("a player with a ticket is known").open = None;
            ledger.finished.push_back((event.seq, record));
            PlayOutcome::Ticket(ledger.ticket_view(ledger.ticket_at(record)))
        }
    })
}

fn chances_of(ledger: &Ledger, slot: Slot, activity: ActivityId, user: UserId) -> PlayOutcome {
    let found = &ledger.activities[slot];
    PlayOutcome::Chances { activity, round: found.round, user, account: found.account(user) }
}

/// Free units that are gone for good, without a hold in between.
fn gone(ledger: &mut Ledger, line: &TakenLine) {
    let slot = ledger.current[&line.pool];
    let pool = &mut ledger.pools[slot];
    assert_eq!(pool.round, line.round, "units are taken in the round it was decided in");
    let units = u64::from(line.quantity.units());
    pool.available = pool.available.checked_sub(units).expect("what was decided fits");
    pool.taken += units;
    pool.assert_conserved();
}
