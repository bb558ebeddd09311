//! Which prizes nobody can get just now, and the tables as they are without them.
//!
//! Changes come one by one and are rare beside draws: a prize goes, or comes back. Then, and only then, the tables are
//! weighed anew. In between a draw pays nothing for a thousand exhausted prizes.

use super::deck::Deck;
use super::strategy::{Mode, PrizeId};
use super::wheel::Wheel;

/// Why a prize cannot be given. A number once given keeps its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExclusionReason {
    /// No unit is left.
    Exhausted = 1,
    /// Taken back by an operator.
    Withdrawn = 2,
    /// Not for this user, who carries a risk label.
    WithdrawnForUser = 3,
    /// All units that are released so far are given.
    Unreleased = 4,
    HourlyCap = 5,
    BudgetTotal = 6,
    BudgetDay = 7,
    /// The fallback's points no longer cover the most of its range.
    PointsBudget = 8,
    /// The user has won it as often as anybody may.
    Capped = 9,
    /// The user has not drawn often enough. Never among the news of a record: its counts and the strategy say it.
    Locked = 10,
}

impl ExclusionReason {
    /// In the order of their codes.
    pub const ALL: [ExclusionReason; 10] = [
        Self::Exhausted,
        Self::Withdrawn,
        Self::WithdrawnForUser,
        Self::Unreleased,
        Self::HourlyCap,
        Self::BudgetTotal,
        Self::BudgetDay,
        Self::PointsBudget,
        Self::Capped,
        Self::Locked,
    ];

    pub fn code(self) -> u8 {
        self as u8
    }

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exhausted => "exhausted",
            Self::Withdrawn => "withdrawn",
            Self::WithdrawnForUser => "withdrawn_for_user",
            Self::Unreleased => "unreleased",
            Self::HourlyCap => "hourly_cap",
            Self::BudgetTotal => "budget_total",
            Self::BudgetDay => "budget_day",
            Self::PointsBudget => "points_budget",
            Self::Capped => "capped",
            Self::Locked => "locked",
        }
    }

    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

/// In words, as in "the prize was given, although …".
impl std::fmt::Display for ExclusionReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Exhausted => "no unit is left",
            Self::Withdrawn => "it is withdrawn",
            Self::WithdrawnForUser => "it is withdrawn for this user",
            Self::Unreleased => "all that is released is given",
            Self::HourlyCap => "the cap of the hour is reached",
            Self::BudgetTotal => "the budget does not cover it",
            Self::BudgetDay => "the day's budget does not cover it",
            Self::PointsBudget => "the fallback's points do not cover its range",
            Self::Capped => "the player has won it as often as anybody may",
            Self::Locked => "the user has not drawn often enough",
        })
    }
}

/// A prize that cannot be given, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exclusion {
    pub prize: PrizeId,
    pub reason: ExclusionReason,
}

/// The prizes that could not be given and mattered to a draw. Those that nobody could get are only referred to: copying
/// a thousand of them is for whoever writes them down.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    pub(super) own: Vec<Exclusion>,
    /// The table that was rolled on without all of its prizes that are gone.
    pub(super) table: Option<usize>,
}

impl Trail {
    pub(super) fn clear(&mut self) {
        self.own.clear();
        self.table = None;
    }

    /// Whether every prize was there, as far as this draw looked; nor was any locked.
    pub(super) fn mattered_nothing(&self, live: &LiveWheels) -> bool {
        self.own.is_empty() && self.table.is_none_or(|table| live.gone[table].is_empty())
    }

    /// All of them, by prize, none twice; but nothing that is merely locked, which follows from the player's counts.
    pub fn mattered(&self, live: &LiveWheels) -> Vec<Exclusion> {
        let gone = self.table.map_or(&[][..], |table| &live.gone[table]);
        let all = gone.iter().chain(&self.own).copied();
        let mut mattered: Vec<Exclusion> = all.filter(|one| one.reason != ExclusionReason::Locked).collect();
        mattered.sort_unstable();
        mattered.dedup();
        mattered
    }
}

/// What the draws of one ticket have met so far. Within a ticket what is gone stays gone, so each draw need only tell
/// what is new, and a ticket of ten tells of a thousand exhausted prizes once.
#[derive(Clone, Debug, Default)]
pub struct KnownExclusions {
    /// By prize, none twice.
    list: Vec<Exclusion>,
}

impl KnownExclusions {
    pub fn list(&self) -> &[Exclusion] {
        &self.list
    }

    /// Of what mattered, the part that is not known, or known for another reason.
    pub fn news(&self, mut mattered: Vec<Exclusion>) -> Vec<Exclusion> {
        mattered.retain(|one| self.list.binary_search(one).is_err());
        mattered
    }

    pub fn learn(&mut self, news: &[Exclusion]) {
        for one in news {
            match self.list.binary_search_by_key(&one.prize, |known| known.prize) {
                Ok(at) => self.list[at] = *one,
                // Mostly they come in order, and go to the end.
                Err(at) => self.list.insert(at, *one),
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct LiveWheels {
    /// Per prize id.
    reasons: Box<[Option<ExclusionReason>]>,
    /// Present when something is gone and the mode weighs anew; otherwise the deck's own are right.
    wheels: Option<Box<[Wheel]>>,
    /// Per table, its prizes that are gone. Kept where it is read at every draw: when weighing anew.
    gone: Box<[Vec<Exclusion>]>,
    /// How often the reasons have changed.
    changes: u64,
}

impl LiveWheels {
    /// Everything is there.
    pub fn new(deck: &Deck) -> Self {
        let tables = deck.strategy().tables.len();
        let (reasons, gone) = (vec![None; deck.ids()].into(), vec![Vec::new(); tables].into());
        Self { reasons, wheels: None, gone, changes: 0 }
    }

    pub fn reason(&self, prize: PrizeId) -> Option<ExclusionReason> {
        self.reasons.get(prize.at()).copied().flatten()
    }

    /// How often the reasons have changed: the same number, the same reasons.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Takes in what changed. Tables are weighed anew only if a prize went or came back.
    pub fn set(
        &mut self,
        deck: &Deck,
        changes: impl IntoIterator<Item = (PrizeId, Option<ExclusionReason>)>,
    ) {
        let (mut changed, mut moved) = (false, false);
        for (prize, reason) in changes {
            if let Some(known) = self.reasons.get_mut(prize.at())
                && *known != reason
            {
                moved |= known.is_some() != reason.is_some();
                changed = true;
                *known = reason;
            }
        }
        self.changes += u64::from(changed);
        if !changed || deck.mode() == Mode::Fixed {
            return;
        }
        let reasons = &self.reasons;
        if moved {
            let any = reasons.iter().any(Option::is_some);
            self.wheels = any.then(|| deck.wheels_without(|prize| reasons[prize.at()].is_some()));
        }
        for (gone, table) in self.gone.iter_mut().zip(&deck.strategy().tables) {
            let of = |prize: PrizeId| Some(Exclusion { prize, reason: reasons[prize.at()]? });
            *gone = table.slices.iter().filter_map(|slice| of(slice.prize)).collect();
        }
    }

    pub(super) fn wheel<'a>(&'a self, deck: &'a Deck, table: usize) -> &'a Wheel {
        self.wheels.as_ref().map_or_else(|| deck.wheel(table), |wheels| &wheels[table])
    }
}
