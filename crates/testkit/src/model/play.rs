//! The reference's activities: every chance is counted anew from the list of draws at every question.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Account, ActivityState, Settlement, Terms};
use domain::lottery::random::ClientValue;
use domain::lottery::strategy::PrizeId;
use domain::time::Timestamp;

use super::ledger::Model;

#[derive(Clone, Debug)]
pub(super) struct Activity {
    pub(super) state: ActivityState,
    pub(super) terms: Terms,
    /// Below zero: taken back.
    pub(super) granted: Vec<(UserId, i64)>,
    /// Every draw that was paid for.
    pub(super) paid: Vec<Paid>,
    /// Of the version in place.
    pub(super) records: Vec<Settlement>,
    /// Values that players gave, once each.
    pub(super) clients: Vec<(UserId, ClientValue)>,
    /// Every time a prize was taken back or put out again.
    pub(super) withdrawn: Vec<(PrizeId, bool)>,
}

/// One draw or entry that was paid for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paid {
    pub(super) user: UserId,
    pub(super) day: u32,
    /// Whether with a granted chance.
    pub(super) bonus: bool,
    /// The number of the change that made the ticket, and when.
    pub(super) change: u64,
    pub(super) at: Timestamp,
    /// What came of it; nothing of an entry to a raffle.
    pub(super) came: Option<Came>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Came {
    pub(super) prize: Option<PrizeId>,
    pub(super) points: u64,
    pub(super) cost_minor: u64,
    /// Whether wins of the prize are counted per player.
    pub(super) capped: bool,
}

impl Model {
    pub(super) fn activity(&self, activity: ActivityId) -> Option<&Activity> {
        self.activities.get(&activity).and_then(|rounds| rounds.last())
    }

    pub(super) fn round_of(&self, activity: ActivityId) -> u32 {
        u32::try_from(self.activities.get(&activity).map_or(0, Vec::len)).expect("few rounds")
    }

    /// A player's chances in a round, counted from the beginning.
    pub(super) fn account(&self, activity: ActivityId, round: u32, user: UserId) -> Account {
        let Some(round) = self.activities.get(&activity).and_then(|rounds| rounds.get(round as usize - 1))
        else {
            return Account::default();
        };
        let granted: i64 =
            round.granted.iter().filter(|(who, _)| *who == user).map(|(_, chances)| chances).sum();
        let granted = u32::try_from(granted).expect("nothing is taken back that was not granted");
        let theirs: Vec<&Paid> = round.paid.iter().filter(|paid| paid.user == user).collect();
        let day = theirs.last().map_or(0, |paid| paid.day);
        let number = |which: &dyn Fn(&Paid) -> bool| {
            u32::try_from(theirs.iter().filter(|paid| which(paid)).count()).expect("few draws")
        };
        let came = theirs.iter().rev().filter_map(|paid| paid.came);
        let misses = came.take_while(|came| came.prize.is_none()).count();
        Account {
            bonus: granted - number(&|paid| paid.bonus),
            used: number(&|paid| !paid.bonus),
            month_used: number(&|paid| !paid.bonus && paid.day / 100 == day / 100),
            day_used: number(&|paid| !paid.bonus && paid.day == day),
            day,
            draws: number(&|_| true),
            day_draws: number(&|paid| paid.day == day),
            misses: u32::try_from(misses).expect("few draws"),
            won: number(&|paid| paid.came.is_some_and(|came| came.prize.is_some())),
        }
    }

    /// A player's chances in the current round as the ledger should know them, and which round that is.
    pub fn player(&self, activity: ActivityId, user: UserId) -> Option<(u32, Account)> {
        self.activities.get(&activity)?;
        let round = self.round_of(activity);
        Some((round, self.account(activity, round, user)))
    }

    /// Whether the switch is on that stops every activity.
    pub fn halted(&self) -> bool {
        self.halted
    }
}

impl Activity {
    pub(super) fn new(terms: Terms) -> Self {
        Self {
            state: ActivityState::Open,
            terms,
            granted: Vec::new(),
            paid: Vec::new(),
            records: Vec::new(),
            clients: Vec::new(),
            withdrawn: Vec::new(),
        }
    }
}
