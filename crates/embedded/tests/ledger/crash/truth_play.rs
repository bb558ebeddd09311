//! What the journal says about activities and tickets, checked again with sums of its own.

use std::collections::BTreeMap;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ActivityState, Drawing, Settlement, Taking, Terms, TicketView};
use domain::ledger::{Event, Key, TakenLine};
use domain::lottery::chain::Receipt;

use super::truth::{Truth, ensure};
use super::truth_draws::Chain;

#[derive(Default)]
pub struct PlayTruth {
    pub activities: BTreeMap<ActivityId, Activity>,
    pub players: BTreeMap<(ActivityId, u32, UserId), Player>,
    tickets: BTreeMap<Key, Ticket>,
    pub halted: bool,
}

pub struct Activity {
    pub round: u32,
    pub state: ActivityState,
    pub terms: Terms,
    /// A raffle has none.
    pub chain: Option<Chain>,
}

#[derive(Default)]
pub struct Player {
    pub granted: u32,
    bonus: u32,
    draws: u32,
    last: u64,
}

struct Ticket {
    player: (ActivityId, u32, UserId),
    first: u32,
    draws: u32,
    settlement: Settlement,
    receipt: Option<Receipt>,
}

impl Truth {
    pub fn entered(&mut self, event: &Event, taking: &Taking) -> Result<(), &'static str> {
        self.ticket(event, taking, Settlement::empty(), None)?;
        let raffle = self.play.activities[&taking.activity].chain.is_none();
        ensure(raffle, "entries are of a raffle")
    }

    /// A ticket and its chances.
    fn ticket(
        &mut self,
        event: &Event,
        taking: &Taking,
        settlement: Settlement,
        receipt: Option<Receipt>,
    ) -> Result<(), &'static str> {
        let Taking { key, activity, user, first, draws, bonus, entries, .. } = *taking;
        self.fresh(key)?;
        let now = self.play.activities.get(&activity).ok_or("no such activity")?;
        ensure(!self.play.halted, "nobody plays while everything is stopped")?;
        let open = now.state == ActivityState::Open && now.round == event.round;
        ensure(open, "tickets are of an open round")?;
        ensure(entries.map(|line| line.pool) == now.terms.entries, "entries come from their pool")?;
        let total = now.terms.limits.total;
        let place = (activity, event.round, user);
        let player = self.play.players.entry(place).or_default();
        ensure(player.draws == first, "draws are numbered without a gap")?;
        player.last = event.seq;
        player.draws += draws.count();
        player.bonus += bonus;
        ensure(player.bonus <= player.granted, "more granted chances were used than granted")?;
        ensure(player.draws - player.bonus <= total, "more chances were used than there are")?;
        let ticket = Ticket { player: place, first, draws: draws.count(), settlement, receipt };
        self.play.tickets.insert(key, ticket);
        entries.iter().try_for_each(|line| self.gone(line))
    }

    /// The chain from its beginning, and every draw decided once more.
    pub fn drawn(&mut self, event: &Event, drawing: &Drawing) -> Result<(), &'static str> {
        let place = (drawing.taking.activity, event.round, drawing.taking.user);
        let before = self.play.players.get(&place).map_or(0, |player| player.last);
        ensure(drawing.before == before, "a ticket leads to the one before")?;
        let (settlement, receipt) = (drawing.settlement.clone(), drawing.receipt);
        self.ticket(event, &drawing.taking, settlement, Some(receipt))?;
        let activity = self.play.activities.get_mut(&place.0).ok_or("no such activity")?;
        activity.chain.as_mut().ok_or("nothing to draw from")?.follow(drawing)?;
        drawing.lines.iter().try_for_each(|line| self.gone(line))
    }

    /// Units that are taken without a hold.
    fn gone(&mut self, line: &TakenLine) -> Result<(), &'static str> {
        self.take(line, None)?;
        let pool = self.pools.get_mut(&(line.pool, line.round)).ok_or("no such round")?;
        let units = u64::from(line.quantity.units());
        pool.held -= units;
        pool.taken += units;
        Ok(())
    }

    /// What was seen of a ticket: it stays as it is.
    pub fn bears_ticket(&self, view: &TicketView) -> bool {
        self.play.tickets.get(&view.key).is_some_and(|ticket| {
            ticket.player == (view.activity, view.round, view.user)
                && (ticket.first, ticket.draws, ticket.receipt)
                    == (view.first, view.draws.count(), view.receipt)
                && view.settlement == ticket.settlement
        })
    }

    /// Where an activity's chain has come to.
    pub fn chain(&self, activity: ActivityId) -> Option<Receipt> {
        self.play.activities.get(&activity)?.chain.as_ref().map(Chain::last)
    }
}
