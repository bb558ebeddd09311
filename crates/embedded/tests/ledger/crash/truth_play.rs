//! What the journal says about activities and tickets, checked again with sums of its own.

use std::collections::BTreeMap;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ActivityState, Drawing, Played, Settlement, Taking, Terms, TicketView};
use domain::ledger::{Event, Key, TakenLine};
use domain::lottery::chain::Receipt;

use super::truth::{Truth, ensure};
use super::truth_draws::Chain;

#[derive(Default)]
pub struct PlayTruth {
    activities: BTreeMap<ActivityId, Activity>,
    players: BTreeMap<(ActivityId, u32, UserId), Player>,
    tickets: BTreeMap<Key, Ticket>,
    halted: bool,
}

struct Activity {
    round: u32,
    state: ActivityState,
    terms: Terms,
    /// A raffle has none.
    chain: Option<Chain>,
}

#[derive(Default)]
struct Player {
    granted: u32,
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
    pub fn played(&mut self, event: &Event, played: &Played) -> Result<(), &'static str> {
        match played {
            Played::ActivityOpened { key, activity, terms, .. } => {
                self.fresh(*key)?;
                let before = self.play.activities.get(activity);
                let over = before.is_none_or(|before| before.state == ActivityState::Closed);
                ensure(over, "an activity begins again when it has ended")?;
                let round = before.map_or(1, |before| before.round + 1);
                ensure(event.round == round, "a round follows the one before")?;
                let (state, chain) = (ActivityState::Open, Chain::of(round, terms, None)?);
                self.play.activities.insert(*activity, Activity { round, state, terms: *terms, chain });
            }
            Played::ActivityTermsSet { key, activity, terms, .. } => {
                self.fresh(*key)?;
                let now = self.not_ended(*activity)?;
                ensure(event.round == now.round, "a version is put in place in the current round")?;
                ensure(terms.version > now.terms.version, "a version follows the one before")?;
                (now.terms, now.chain) = (*terms, Chain::of(now.round, terms, now.chain.take())?);
            }
            Played::ActivityStateSet { key, activity, state, .. } => {
                self.fresh(*key)?;
                self.not_ended(*activity)?.state = *state;
            }
            Played::PrizeStateSet { key, activity, .. } => {
                self.fresh(*key)?;
                self.not_ended(*activity)?;
            }
            Played::Halted { key, on, .. } => {
                self.fresh(*key)?;
                self.play.halted = *on;
            }
            Played::Granted { key, activity, user, chances, .. } => {
                self.fresh(*key)?;
                self.play.players.entry((*activity, event.round, *user)).or_default().granted += chances;
            }
            Played::Revoked { key, activity, user, chances, .. } => {
                self.fresh(*key)?;
                let player = self.play.players.entry((*activity, event.round, *user)).or_default();
                player.granted =
                    player.granted.checked_sub(*chances).ok_or("more taken back than granted")?;
            }
            Played::Entered(taking) => {
                self.ticket(event, taking, Settlement::empty(), None)?;
                let raffle = self.play.activities[&taking.activity].chain.is_none();
                ensure(raffle, "entries are of a raffle")?;
            }
            Played::Drawn(drawing) => self.drawn(event, drawing)?,
        }
        Ok(())
    }

    fn not_ended(&mut self, activity: ActivityId) -> Result<&mut Activity, &'static str> {
        let now = self.play.activities.get_mut(&activity).ok_or("an activity that was never opened")?;
        ensure(now.state != ActivityState::Closed, "an activity that has ended changes no more")?;
        Ok(now)
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
    fn drawn(&mut self, event: &Event, drawing: &Drawing) -> Result<(), &'static str> {
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
