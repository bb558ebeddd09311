//! The reference's activities and tickets: every chance is counted anew from the list of draws at every question.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{
    Account, ActivityState, ActivityView, Day, Draws, GRANT_MAX, Play, PlayOutcome, Scope, Terms, TicketView,
};
use domain::ledger::{Key, Line, Outcome, PoolId, Refusal};

use super::ledger::{Accepted, Model, Verdict};
use super::said::Said;

#[derive(Clone, Debug)]
pub(super) struct Activity {
    state: ActivityState,
    terms: Terms,
    granted: Vec<(UserId, u32)>,
    /// Every draw that was paid for: whose, on which day, and whether with a granted chance.
    draws: Vec<(UserId, u32, bool)>,
}

/// What was accepted, for telling a repetition from another command under the same id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlaySaid {
    Open { activity: ActivityId, round: u32, terms: Terms },
    State { activity: ActivityId, state: ActivityState },
    Grant { activity: ActivityId, user: UserId, chances: u32 },
}

#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pub(super) view: TicketView,
    /// Units that went with it, of which pool and round: entries, and prizes once it is settled.
    pub(super) units: Vec<(PoolId, u32, u64)>,
}

impl Model {
    pub(super) fn play(&mut self, play: &Play) -> Verdict {
        match play {
            Play::ActivityOpen { key, activity, round, terms, note: _ } => {
                let said = PlaySaid::Open { activity: *activity, round: *round, terms: *terms };
                self.play_once(*key, said)
            }
            Play::ActivityState { key, activity, state, note: _ } => {
                self.play_once(*key, PlaySaid::State { activity: *activity, state: *state })
            }
            Play::Grant { key, activity, user, chances, note: _ } => {
                self.play_once(*key, PlaySaid::Grant { activity: *activity, user: *user, chances: *chances })
            }
            Play::Take { key, activity, round, user, draws, day } => {
                self.take(*key, *activity, *round, *user, *draws, *day)
            }
            Play::Settle { ticket, takes, settlement } => {
                let Some(Accepted::Ticket(found)) = self.accepted.get(ticket) else {
                    return Err(Refusal::TicketUnknown);
                };
                if found.view.settlement.is_some() {
                    return Ok(Said::Replayed(outcome(&found.view)));
                }
                let units = self.prizes(takes)?;
                self.count();
                self.finished.push((self.changes, *ticket));
                let Some(Accepted::Ticket(found)) = self.accepted.get_mut(ticket) else { unreachable!() };
                found.units.extend(units);
                found.view.settlement = Some(settlement.clone());
                Ok(Said::Accepted(outcome(&found.view)))
            }
        }
    }

    fn play_once(&mut self, key: Key, said: PlaySaid) -> Verdict {
        match self.accepted.get(&key) {
            Some(Accepted::Play(before)) if *before == said => {
                return Ok(Said::Replayed(Outcome::Play(self.about(&said))));
            }
            Some(_) => return Err(Refusal::Conflict),
            None => {}
        }
        match &said {
            PlaySaid::Open { activity, round, terms } => {
                let rounds = self.activities.get(activity).map_or(0, Vec::len);
                let running = self.activity(*activity).is_some_and(|now| now.state != ActivityState::Closed);
                if running || *round as usize != rounds + 1 {
                    return Err(Refusal::ActivityRoundStale { activity: *activity, round: *round });
                }
                let state = ActivityState::Open;
                let opened = Activity { state, terms: *terms, granted: Vec::new(), draws: Vec::new() };
                self.activities.entry(*activity).or_default().push(opened);
            }
            PlaySaid::State { activity, state } => self.not_closed(*activity)?.state = *state,
            PlaySaid::Grant { activity, user, chances } => {
                self.not_closed(*activity)?;
                let max = GRANT_MAX - self.account(*activity, *user).bonus;
                if *chances == 0 || *chances > max {
                    return Err(Refusal::GrantOutOfRange { max });
                }
                self.not_closed(*activity)?.granted.push((*user, *chances));
            }
        }
        self.count();
        self.finished.push((self.changes, key));
        let about = self.about(&said);
        self.accepted.insert(key, Accepted::Play(said));
        Ok(Said::Accepted(Outcome::Play(about)))
    }

    fn take(
        &mut self,
        key: Key,
        id: ActivityId,
        round: u32,
        user: UserId,
        draws: Draws,
        day: Day,
    ) -> Verdict {
        match self.accepted.get(&key) {
            Some(Accepted::Ticket(Ticket { view, .. }))
                if (view.activity, view.round, view.user, view.draws) == (id, round, user, draws) =>
            {
                return Ok(Said::Replayed(outcome(view)));
            }
            Some(_) => return Err(Refusal::Conflict),
            None => {}
        }
        let activity = self.activity(id).ok_or(Refusal::ActivityUnknown { activity: id })?;
        if self.activities[&id].len() != round as usize {
            return Err(Refusal::ActivityRoundStale { activity: id, round });
        }
        if let Some(open) = self.open_ticket(id, round, user) {
            return Ok(Said::Replayed(outcome(open)));
        }
        match activity.state {
            ActivityState::Open => {}
            ActivityState::Paused => return Err(Refusal::Paused { activity: id }),
            ActivityState::Closed => return Err(Refusal::Ended { activity: id }),
        }
        let Terms { from, until, entries, limits } = activity.terms;
        if self.now < from {
            return Err(Refusal::NotStarted { activity: id, from });
        }
        if self.now >= until {
            return Err(Refusal::Ended { activity: id });
        }
        if self.now < day.from || self.now >= day.until {
            return Err(Refusal::DayStale);
        }
        let common = |same: &dyn Fn(u32) -> bool| {
            let theirs = activity.draws.iter().filter(|(who, on, bonus)| *who == user && !bonus && same(*on));
            u32::try_from(theirs.count()).expect("few draws")
        };
        let mut left = vec![(limits.total.saturating_sub(common(&|_| true)), Scope::Total)];
        if limits.month > 0 {
            let used = common(&|on| on / 100 == day.number / 100);
            left.push((limits.month.saturating_sub(used), Scope::Month));
        }
        if limits.day > 0 {
            left.push((limits.day.saturating_sub(common(&|on| on == day.number)), Scope::Day));
        }
        // The first of the least: the limit that lasts longest.
        let least = left.iter().map(|(left, _)| *left).min().expect("there is a total");
        let (_, scope) = *left.iter().find(|(left, _)| *left == least).expect("it is one of them");
        let Account { bonus, draws: first, .. } = self.account(id, user);
        let left = least.saturating_add(bonus);
        if draws.count() > left {
            return Err(Refusal::ChancesSpent { activity: id, left, scope });
        }
        let mut units = Vec::new();
        if let Some(pool) = entries {
            let wanted = u64::from(draws.count());
            let round = self.gives(pool, wanted, None).map_err(|refusal| match refusal {
                Refusal::SoldOut { left, .. } => Refusal::EntriesGone { activity: id, left },
                other => other,
            })?;
            units.push((pool, round, wanted));
        }
        self.count();
        let made = self.now;
        let last = self.activities.get_mut(&id).and_then(|rounds| rounds.last_mut()).expect("it is there");
        last.draws.extend((0..draws.count()).map(|at| (user, day.number, at >= least)));
        let view = TicketView { key, activity: id, round, user, first, draws, made, settlement: None };
        let said = Said::Accepted(outcome(&view));
        self.accepted.insert(key, Accepted::Ticket(Ticket { view, units }));
        Ok(said)
    }

    /// Lines on one pool summed; all of them, or a refusal.
    fn prizes(&self, takes: &[Line]) -> Result<Vec<(PoolId, u32, u64)>, Refusal> {
        let mut sums: Vec<(PoolId, u64)> = Vec::new();
        for Line { pool, quantity } in takes {
            let units = u64::from(quantity.units());
            match sums.iter_mut().find(|(of, _)| of == pool) {
                Some((_, sum)) => *sum += units,
                None => sums.push((*pool, units)),
            }
            let largest = u64::from(domain::ledger::QUANTITY_MAX);
            if sums.iter().any(|(_, sum)| *sum > largest) {
                return Err(Refusal::QuantityTooLarge { pool: *pool });
            }
        }
        sums.into_iter().map(|(pool, units)| Ok((pool, self.gives(pool, units, None)?, units))).collect()
    }

    fn open_ticket(&self, activity: ActivityId, round: u32, user: UserId) -> Option<&TicketView> {
        self.tickets().map(|ticket| &ticket.view).find(|view| {
            (view.activity, view.round, view.user) == (activity, round, user) && view.settlement.is_none()
        })
    }

    pub(super) fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        self.accepted.values().filter_map(|accepted| match accepted {
            Accepted::Ticket(ticket) => Some(ticket),
            Accepted::Hold(_) | Accepted::Pool(_) | Accepted::Play(_) | Accepted::Spent { .. } => None,
        })
    }

    fn activity(&self, activity: ActivityId) -> Option<&Activity> {
        self.activities.get(&activity).and_then(|rounds| rounds.last())
    }

    fn not_closed(&mut self, activity: ActivityId) -> Result<&mut Activity, Refusal> {
        let last = self.activities.get_mut(&activity).and_then(|rounds| rounds.last_mut());
        match last.ok_or(Refusal::ActivityUnknown { activity })? {
            Activity { state: ActivityState::Closed, .. } => Err(Refusal::Ended { activity }),
            open => Ok(open),
        }
    }

    /// A player's chances in the current round, counted from the beginning.
    fn account(&self, activity: ActivityId, user: UserId) -> Account {
        let Some(activity) = self.activity(activity) else { return Account::default() };
        let granted: u32 =
            activity.granted.iter().filter(|(who, _)| *who == user).map(|(_, chances)| chances).sum();
        let theirs: Vec<(u32, bool)> = activity
            .draws
            .iter()
            .filter(|(who, ..)| *who == user)
            .map(|(_, day, bonus)| (*day, *bonus))
            .collect();
        let day = theirs.last().map_or(0, |(day, _)| *day);
        let number = |which: &dyn Fn(u32, bool) -> bool| {
            let count = theirs.iter().filter(|(day, bonus)| which(*day, *bonus)).count();
            u32::try_from(count).expect("few draws")
        };
        Account {
            bonus: granted - number(&|_, bonus| bonus),
            used: number(&|_, bonus| !bonus),
            month_used: number(&|on, bonus| !bonus && on / 100 == day / 100),
            day_used: number(&|on, bonus| !bonus && on == day),
            day,
            draws: number(&|_, _| true),
        }
    }

    /// A player as the ledger should know them.
    pub fn player(&self, activity: ActivityId, user: UserId) -> Option<(PlayOutcome, Option<TicketView>)> {
        let round = u32::try_from(self.activities.get(&activity)?.len()).expect("few rounds");
        let account = self.account(activity, user);
        let open = self.open_ticket(activity, round, user).cloned();
        Some((PlayOutcome::Chances { activity, round, user, account }, open))
    }

    fn about(&self, said: &PlaySaid) -> PlayOutcome {
        match said {
            PlaySaid::Open { activity, .. } | PlaySaid::State { activity, .. } => {
                let now = self.activity(*activity).expect("it was changed once");
                let round = u32::try_from(self.activities[activity].len()).expect("few rounds");
                let (activity, state, terms) = (*activity, now.state, now.terms);
                PlayOutcome::Activity(ActivityView { activity, round, state, terms })
            }
            PlaySaid::Grant { activity, user, .. } => {
                self.player(*activity, *user).expect("somebody was granted something").0
            }
        }
    }
}

fn outcome(view: &TicketView) -> Outcome {
    Outcome::Play(PlayOutcome::Ticket(view.clone()))
}
