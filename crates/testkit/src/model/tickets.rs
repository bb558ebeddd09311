//! The reference's tickets: who may have one, and what it takes.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{
    Account, ActivityState, ChancePeriod, Day, Draws, PlayOutcome, Settlement, Terms, TicketView,
};
use domain::ledger::{Effect, HoldRefusal, Key, Line, MustRun, PlayRefusal, PoolId, PoolRefusal, Refusal};
use domain::lottery::chain::Receipt;
use domain::lottery::random::ClientValue;

use super::ledger::{Accepted, Model, Verdict};
use super::play::{Activity, Paid};
use super::said::Said;

#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pub(super) view: TicketView,
    pub(super) asked: Asked,
    /// Units that went with it, of which pool and round: entries and prizes.
    pub(super) units: Vec<(PoolId, u32, u64)>,
}

/// What makes a repetition of a ticket the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Draw { activity: ActivityId, user: UserId, draws: Draws, client: Option<ClientValue> },
    Enter { activity: ActivityId, user: UserId, entries: Draws },
}

/// What a ticket that may be had takes.
pub(super) struct Admitted {
    /// Of the draws, so many are paid with common chances.
    common: u32,
    /// The day it counts on: days never go back.
    pub(super) day: u32,
    pub(super) units: Vec<(PoolId, u32, u64)>,
}

impl Model {
    pub(super) fn enter(&mut self, key: Key, asked: Asked, round: u32, day: Day) -> Verdict {
        let Asked::Enter { activity, user, entries } = asked else { unreachable!("another ticket") };
        if let Some(again) = self.ticket_again(key, asked)? {
            return Ok(again);
        }
        let admitted = self.admit(activity, round, user, entries, day)?;
        let terms = self.activity(activity).expect("it was found a moment ago").terms;
        if terms.begin.is_some() {
            return Err(Refusal::Play(PlayRefusal::VersionStale { activity, version: terms.version }));
        }
        let came = (Settlement::empty(), None);
        let view = self.ticket(key, asked, (activity, user, entries), admitted, came);
        Ok(Said::Accepted(self.ticket_outcome(&view)))
    }

    /// The same ticket again, under its own id.
    pub(super) fn ticket_again(&self, key: Key, asked: Asked) -> Result<Option<Said>, Refusal> {
        match self.accepted.get(&key) {
            Some(Accepted::Ticket(ticket)) if ticket.asked == asked => {
                Ok(Some(Said::Replayed(self.ticket_outcome(&ticket.view))))
            }
            Some(_) => Err(Refusal::Conflict),
            None => Ok(None),
        }
    }

    /// What it takes.
    pub(super) fn admit(
        &self,
        id: ActivityId,
        round: u32,
        user: UserId,
        draws: Draws,
        day: Day,
    ) -> Result<Admitted, Refusal> {
        let activity = self.activity(id).ok_or(Refusal::Play(PlayRefusal::Unknown { activity: id }))?;
        if self.activities[&id].len() != round as usize {
            return Err(Refusal::Play(PlayRefusal::RoundStale { activity: id, round }));
        }
        self.clock_right()?;
        self.runs(id, activity)?;
        let Terms { entries, limits, from: _, until: _, version: _, begin: _ } = activity.terms;
        if self.clock < day.from || self.clock >= day.until {
            return Err(Refusal::Play(PlayRefusal::DayStale));
        }
        let played = activity.paid.iter().map(|paid| paid.day).max().unwrap_or(0);
        let day = day.number.max(played);
        let common = |same: &dyn Fn(u32) -> bool| {
            let theirs =
                activity.paid.iter().filter(|paid| paid.user == user && !paid.bonus && same(paid.day));
            u32::try_from(theirs.count()).expect("few draws")
        };
        let mut left = vec![(limits.total.saturating_sub(common(&|_| true)), ChancePeriod::Total)];
        if limits.month > 0 {
            let used = common(&|on| on / 100 == day / 100);
            left.push((limits.month.saturating_sub(used), ChancePeriod::Month));
        }
        if limits.day > 0 {
            left.push((limits.day.saturating_sub(common(&|on| on == day)), ChancePeriod::Day));
        }
        // The first of the least: the limit that lasts longest.
        let least = left.iter().map(|(left, _)| *left).min().expect("there is a total");
        let (_, scope) = *left.iter().find(|(left, _)| *left == least).expect("it is one of them");
        let Account { bonus, .. } = self.account(id, round, user);
        let left = least.saturating_add(bonus);
        if draws.count() > left {
            return Err(Refusal::Play(PlayRefusal::ChancesSpent { activity: id, left, scope }));
        }
        let mut units = Vec::new();
        if let Some(pool) = entries {
            let wanted = u64::from(draws.count());
            let round = self.gives(pool, wanted, None).map_err(|refusal| match refusal {
                Refusal::Pool(PoolRefusal::SoldOut { left, .. }) => {
                    Refusal::Play(PlayRefusal::EntriesGone { activity: id, left })
                }
                other => other,
            })?;
            units.push((pool, round, wanted));
        }
        Ok(Admitted { common: least, day, units })
    }

    fn runs(&self, id: ActivityId, activity: &Activity) -> Result<(), Refusal> {
        match activity.state {
            ActivityState::Open if self.halted => return Err(Refusal::Play(PlayRefusal::Halted)),
            ActivityState::Open => {}
            ActivityState::Paused => return Err(Refusal::Play(PlayRefusal::Paused { activity: id })),
            ActivityState::Closed => return Err(Refusal::Play(PlayRefusal::Ended { activity: id })),
        }
        let Terms { from, until, .. } = activity.terms;
        if self.now < from {
            return Err(Refusal::Play(PlayRefusal::NotStarted { activity: id, from }));
        }
        if self.now >= until { Err(Refusal::Play(PlayRefusal::Ended { activity: id })) } else { Ok(()) }
    }

    /// Why no hold may depend on this activity now.
    pub(super) fn closed(&self, gate: MustRun) -> Option<Refusal> {
        let MustRun { activity: id, round, version } = gate;
        let Some(activity) = self.activity(id) else {
            return Some(Refusal::Play(PlayRefusal::Unknown { activity: id }));
        };
        if self.activities[&id].len() != round as usize {
            return Some(Refusal::Play(PlayRefusal::RoundStale { activity: id, round }));
        }
        if let Err(refusal) = self.runs(id, activity) {
            return Some(refusal);
        }
        let live = activity.terms.version;
        (live != version).then_some(Refusal::Play(PlayRefusal::VersionStale { activity: id, version: live }))
    }

    /// Makes the ticket; what came of it counts draw by draw elsewhere.
    pub(super) fn ticket(
        &mut self,
        key: Key,
        asked: Asked,
        (activity, user, draws): (ActivityId, UserId, Draws),
        admitted: Admitted,
        (settlement, receipt): (Settlement, Option<Receipt>),
    ) -> TicketView {
        let round = u32::try_from(self.activities[&activity].len()).expect("few rounds");
        let first = self.account(activity, round, user).draws;
        self.count();
        let (made, change) = (self.now, self.changes);
        let last: &mut Activity =
            self.activities.get_mut(&activity).and_then(|rounds| rounds.last_mut()).expect("it is there");
        let at_moment = last.moment(made);
        last.paid.extend((0..draws.count()).map(|at| Paid {
            user,
            day: admitted.day,
            bonus: at >= admitted.common,
            change,
            at: at_moment,
            came: None,
        }));
        let view = TicketView { key, activity, round, user, first, draws, made, settlement, receipt };
        let ticket = Ticket { view: view.clone(), asked, units: admitted.units };
        self.accepted.insert(key, Accepted::Ticket(ticket));
        self.finished.push((self.changes, key));
        view
    }

    /// Lines on one pool summed; all of them, or a refusal.
    pub(super) fn prizes(&self, takes: &[Line]) -> Result<Vec<(PoolId, u32, u64)>, Refusal> {
        let mut sums: Vec<(PoolId, u64)> = Vec::new();
        for Line { pool, quantity } in takes {
            let units = u64::from(quantity.units());
            match sums.iter_mut().find(|(of, _)| of == pool) {
                Some((_, sum)) => *sum += units,
                None => sums.push((*pool, units)),
            }
            let largest = u64::from(domain::ledger::QUANTITY_MAX);
            if sums.iter().any(|(_, sum)| *sum > largest) {
                return Err(Refusal::Hold(HoldRefusal::QuantityTooLarge { pool: *pool }));
            }
        }
        sums.into_iter().map(|(pool, units)| Ok((pool, self.gives(pool, units, None)?, units))).collect()
    }

    pub(super) fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        self.accepted.values().filter_map(|accepted| match accepted {
            Accepted::Ticket(ticket) => Some(ticket),
            Accepted::Hold(_) | Accepted::Act(_) | Accepted::Spent { .. } => None,
        })
    }

    pub(super) fn ticket_outcome(&self, view: &TicketView) -> Effect {
        let account = self.account(view.activity, view.round, view.user);
        Effect::Play(PlayOutcome::Ticket { ticket: view.clone(), account })
    }
}
