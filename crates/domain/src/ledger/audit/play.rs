//! A round of an activity, as sums: what the ledger counts, what the counters in the database say, and what the rows
//! behind those counters add up to.
//!
//! Sums are enough here: every ticket is a link in a chain that anybody can follow, so what could go wrong unseen is a
//! ticket, a chance or a win that one side has and the other does not.

use std::collections::BTreeMap;

use super::difference::{BookRow, Difference, What};
use super::piece::Piece;
use crate::ids::ActivityId;
use crate::ledger::Ledger;
use crate::ledger::play::Activity;
use crate::ledger::slab::Slot;
use crate::lottery::strategy::PrizeId;

/// Units by prize, without those that gave none.
pub type Given = BTreeMap<PrizeId, u64>;

/// A round as the ledger has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayBook {
    pub activity: ActivityId,
    pub round: u32,
    /// Records in the chain of the current version.
    pub place: u64,
    pub spent_minor: u64,
    pub spent_points: u64,
    pub given: Given,
    /// Unless there are too many players to add up.
    pub players: Option<PlayerSums>,
}

/// What all players of a round come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerSums {
    pub draws: u64,
    /// Chances used of what everybody has, and granted ones that are left.
    pub used: u64,
    pub bonus: u64,
    pub won: u64,
}

/// A round as the database has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayRows {
    pub place: u64,
    pub spent_minor: u64,
    pub spent_points: u64,
    pub given: Given,
    pub draws: u64,
    pub wins: u64,
    /// Unless there are too many rows to add up.
    pub sums: Option<RowSums>,
}

/// What the rows behind the counters come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSums {
    pub players: PlayerSums,
    /// Of tickets that were drawn at once, and of wins; nothing where the round is a raffle's, which has neither here.
    pub drawn: Option<DrawnSums>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnSums {
    /// Draws on tickets.
    pub draws: u64,
    pub wins: Given,
}

impl Ledger {
    /// Rounds of activities from a slot on, some of them; players are added up where they are at most so many.
    pub fn plays_from(&self, slot: Slot, rounds_max: usize, players_max: usize) -> Piece<PlayBook> {
        let (mut items, mut players) = (Vec::new(), 0);
        let mut at = slot;
        while at < self.activities.end() && items.len() < rounds_max && players < players_max.max(1) {
            if let Some(activity) = self.activities.get(at) {
                let few = activity.players.len() <= players_max;
                players += if few { activity.players.len() } else { 0 };
                items.push(book(activity, few));
            }
            at += 1;
        }
        Piece { items, next: (at < self.activities.end()).then_some(at) }
    }
}

fn book(activity: &Activity, few: bool) -> PlayBook {
    let spent = activity.tally.spent();
    let given = activity.tally.prizes().map(|(prize, tally)| (prize, tally.given));
    let add = |sums: PlayerSums, account: &crate::ledger::play::Account| PlayerSums {
        draws: sums.draws + u64::from(account.draws),
        used: sums.used + u64::from(account.used),
        bonus: sums.bonus + u64::from(account.bonus),
        won: sums.won + u64::from(account.won),
    };
    let sum =
        || activity.players.values().fold(PlayerSums::default(), |sums, player| add(sums, &player.account));
    PlayBook {
        activity: activity.id,
        round: activity.round,
        place: activity.chain.place,
        spent_minor: spent.total_minor,
        spent_points: spent.fallback_points,
        given: given.filter(|(_, given)| *given > 0).collect(),
        players: few.then(sum),
    }
}

/// What differs about a round at one position.
pub fn compare_play(ledger: &PlayBook, database: Option<&PlayRows>) -> Vec<Difference> {
    let row = BookRow::Play { activity: ledger.activity, round: ledger.round };
    let Some(rows) = database else {
        let said = Some("a round".to_owned());
        return vec![Difference { what: What::PlayMissing, row, ledger: said, database: None }];
    };
    let mut found = Vec::new();
    let mut same = |what, row, ledger: u64, database: u64| {
        if ledger != database {
            let (ledger, database) = (Some(ledger.to_string()), Some(database.to_string()));
            found.push(Difference { what, row, ledger, database });
        }
    };
    same(What::ChainPlace, row, ledger.place, rows.place);
    same(What::SpentMinor, row, ledger.spent_minor, rows.spent_minor);
    same(What::SpentPoints, row, ledger.spent_points, rows.spent_points);
    let prize = |prize| BookRow::Prize { activity: ledger.activity, round: ledger.round, prize };
    let mut by_prize = |what, one: &Given, other: &Given| {
        let all: std::collections::BTreeSet<PrizeId> = one.keys().chain(other.keys()).copied().collect();
        let units = |of: &Given, id: PrizeId| of.get(&id).copied().unwrap_or(0);
        all.into_iter().for_each(|id| same(what, prize(id), units(one, id), units(other, id)));
    };
    by_prize(What::Given, &ledger.given, &rows.given);
    if let Some(DrawnSums { wins, .. }) = rows.sums.as_ref().and_then(|sums| sums.drawn.as_ref()) {
        by_prize(What::WinRows, &rows.given, wins);
    }
    if let Some(players) = &ledger.players {
        same(What::Draws, row, players.draws, rows.draws);
        same(What::Wins, row, players.won, rows.wins);
    }
    if let (Some(ours), Some(RowSums { players: theirs, drawn })) = (&ledger.players, &rows.sums) {
        same(What::PlayerDraws, row, ours.draws, theirs.draws);
        same(What::ChancesUsed, row, ours.used, theirs.used);
        same(What::ChancesGranted, row, ours.bonus, theirs.bonus);
        same(What::PlayerWins, row, ours.won, theirs.won);
        if let Some(drawn) = drawn {
            same(What::TicketRows, row, ours.draws, drawn.draws);
        }
    }
    found
}
