//! What the journal says about activities and tickets, checked again with sums of its own.

use std::collections::BTreeMap;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{ActivityState, Played, Settlement, Terms, TicketView};
use domain::ledger::{Event, Key, TakenLine};

use super::truth::{Truth, ensure};

#[derive(Default)]
pub struct PlayTruth {
    activities: BTreeMap<ActivityId, (u32, ActivityState, Terms)>,
    players: BTreeMap<(ActivityId, u32, UserId), Player>,
    tickets: BTreeMap<Key, Ticket>,
}

#[derive(Default)]
struct Player {
    granted: u32,
    bonus: u32,
    draws: u32,
    open: Option<Key>,
}

struct Ticket {
    player: (ActivityId, u32, UserId),
    first: u32,
    draws: u32,
    settlement: Option<Settlement>,
}

impl Truth {
    pub fn played(&mut self, event: &Event, played: &Played) -> Result<(), &'static str> {
        match played {
            Played::ActivityOpened { key, activity, terms, .. } => {
                self.fresh(*key)?;
                let before = self.play.activities.get(activity);
                let over = before.is_none_or(|(_, state, _)| *state == ActivityState::Closed);
                ensure(over, "an activity begins again when it has ended")?;
                ensure(
                    event.round == before.map_or(1, |(round, ..)| round + 1),
                    "a round follows the one before",
                )?;
                self.play.activities.insert(*activity, (event.round, ActivityState::Open, *terms));
            }
            Played::ActivityStateSet { key, activity, state, .. } => {
                self.fresh(*key)?;
                let now =
                    self.play.activities.get_mut(activity).ok_or("an activity that was never opened")?;
                ensure(now.1 != ActivityState::Closed, "an activity that has ended changes no more")?;
                now.1 = *state;
            }
            Played::Granted { key, activity, user, chances, .. } => {
                self.fresh(*key)?;
                self.play.players.entry((*activity, event.round, *user)).or_default().granted += chances;
            }
            Played::Taken { key, activity, user, first, draws, bonus, entries, .. } => {
                self.fresh(*key)?;
                let (round, state, terms) = self.play.activities.get(activity).ok_or("no such activity")?;
                ensure(
                    *state == ActivityState::Open && *round == event.round,
                    "tickets are of an open round",
                )?;
                ensure(entries.map(|line| line.pool) == terms.entries, "entries come from their pool")?;
                let total = terms.limits.total;
                let place = (*activity, event.round, *user);
                let player = self.play.players.entry(place).or_default();
                ensure(player.open.replace(*key).is_none(), "a player has one open ticket")?;
                ensure(player.draws == *first, "draws are numbered without a gap")?;
                player.draws += draws.count();
                player.bonus += bonus;
                ensure(player.bonus <= player.granted, "more granted chances were used than granted")?;
                ensure(player.draws - player.bonus <= total, "more chances were used than there are")?;
                let ticket = Ticket { player: place, first: *first, draws: draws.count(), settlement: None };
                self.play.tickets.insert(*key, ticket);
                entries.iter().try_for_each(|line| self.gone(line))?;
            }
            Played::Settled { ticket: key, lines, settlement, .. } => {
                let ticket = self.play.tickets.get_mut(key).ok_or("a ticket that was never taken")?;
                ensure(
                    ticket.settlement.replace(settlement.clone()).is_none(),
                    "a ticket was settled twice",
                )?;
                let player = self.play.players.get_mut(&ticket.player).ok_or("nobody's ticket")?;
                ensure(player.open.take() == Some(*key), "another ticket was open")?;
                lines.iter().try_for_each(|line| self.gone(line))?;
            }
        }
        Ok(())
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

    /// What was seen of a ticket: an open one may have been settled since, a settled one stays as it is.
    pub fn bears_ticket(&self, view: &TicketView) -> bool {
        self.play.tickets.get(&view.key).is_some_and(|ticket| {
            ticket.player == (view.activity, view.round, view.user)
                && (ticket.first, ticket.draws) == (view.first, view.draws.count())
                && (view.settlement.is_none() || view.settlement == ticket.settlement)
        })
    }

    pub fn open_tickets(&self) -> usize {
        self.play.tickets.values().filter(|ticket| ticket.settlement.is_none()).count()
    }
}
