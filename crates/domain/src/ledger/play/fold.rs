//! Making tickets that were decided.

use super::super::event::{Event, TakenLine};
use super::super::fold::keep;
use super::super::record::Record;
use super::super::slab::Slot;
use super::super::state::{Effect, Ledger};
use super::{Drawing, Settlement, Taking, Ticket};
use crate::lottery::chain::Receipt;

pub(in super::super) fn fold_drawing(ledger: &mut Ledger, event: &Event, drawing: &Drawing) -> Effect {
    let (settlement, receipt) = (drawing.settlement.clone(), drawing.receipt);
    let record = make_ticket(ledger, event, &drawing.taking, settlement, Some(receipt));
    draw(ledger, event, drawing);
    Effect::Play(ledger.ticket_outcome(ledger.ticket_at(record)))
}

pub(in super::super) fn fold_entries(ledger: &mut Ledger, event: &Event, taking: &Taking) -> Effect {
    let record = make_ticket(ledger, event, taking, Settlement::empty(), None);
    Effect::Play(ledger.ticket_outcome(ledger.ticket_at(record)))
}

/// A ticket, and the chances and entries it took.
fn make_ticket(
    ledger: &mut Ledger,
    event: &Event,
    taking: &Taking,
    settlement: Settlement,
    receipt: Option<Receipt>,
) -> Slot {
    let Taking { key, digest, activity, user, seat, first, draws, bonus, day, entries } = *taking;
    let slot = ledger.running[&activity];
    let made = event.at;
    let ticket = Ticket { key, digest, activity: slot, user, first, draws, made, settlement, receipt };
    let record = keep(ledger, Record::Ticket(ticket));
    ledger.finished.push_back((event.seq, record));
    let activity = &mut ledger.activities[slot];
    activity.refs += 1;
    activity.seated = activity.seated.max(Some(seat));
    activity.day = activity.day.max(day);
    activity.change(user, |player| {
        assert_eq!(player.account.draws, first, "draws are numbered without a gap");
        player.account = player.account.after(day, draws.count(), bonus);
        (player.seat, player.last) = (Some(seat), event.seq);
    });
    if let Some(line) = entries {
        let slot = take_free(ledger, &line);
        ledger.touched(slot);
    }
    record
}

/// What a draw did beyond making its ticket.
fn draw(ledger: &mut Ledger, event: &Event, drawing: &Drawing) {
    // The shelf is told below: nobody has to look at these pools again.
    for line in &drawing.lines {
        take_free(ledger, line);
    }
    let slot = ledger.running[&drawing.taking.activity];
    let activity = &mut ledger.activities[slot];
    let user = drawing.taking.user.0;
    activity.change(drawing.taking.user, |player| {
        player.account.misses = drawing.misses;
        player.account.won += drawing.won();
    });
    for given in drawing.given.iter().filter(|given| given.capped) {
        let wins = activity.capped.entry(user).or_default();
        match wins.iter_mut().find(|(prize, _)| *prize == given.prize) {
            Some((_, units)) => *units += given.units,
            None => wins.push((given.prize, given.units)),
        }
    }
    if let Some(client) = drawing.client {
        activity.clients.insert(user, client);
    }
    let at = activity.moment(event.at);
    activity.tally.add(drawing, at);
    activity.drawn_at = at;
    activity.chain = drawing.receipt;
    if let Some(desk) = &mut activity.desk {
        desk.gave(drawing);
    }
}

/// Free units that are gone for good, without a hold in between. Answers where they were.
fn take_free(ledger: &mut Ledger, line: &TakenLine) -> Slot {
    let slot = ledger.current[&line.pool];
    let pool = &mut ledger.pools[slot];
    assert_eq!(pool.round, line.round, "units are taken in the round it was decided in");
    let units = u64::from(line.quantity.units());
    pool.available = pool.available.checked_sub(units).expect("what was decided fits");
    pool.taken += units;
    pool.assert_conserved();
    slot
}
