//! A round of an activity, as sums: what the ledger counts, what the counters in the database say, and what the rows
//! behind those counters add up to.
//!
//! Sums are enough here: every ticket is a link in a chain that anybody can follow, so what could go wrong unseen is a
//! ticket, a chance or a win that one side has and the other does not.

use std::collections::BTreeMap;

use super::difference::{BookRow, Difference, What};
use super::piece::Piece;
use crate::ids::{ActivityId, UserId};
use crate::ledger::Ledger;
use crate::ledger::play::{Account, Activity, Player, PlayerState, RoundState};
use crate::ledger::slab::Slot;
use crate::lottery::strategy::PrizeId;

/// Units by prize, without those that gave none.
pub type UnitsByPrize = BTreeMap<PrizeId, u64>;

/// A round as the ledger has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayBook {
    pub activity: ActivityId,
    pub round: u32,
    /// Records in the chain of the current version.
    pub place: u64,
    pub spent_minor: u64,
    pub spent_points: u64,
    pub given: UnitsByPrize,
    pub players: PlayerSums,
}

/// A round with everything that is known of it, for rows to be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayWhole {
    pub activity: ActivityId,
    pub round: u32,
    pub come_to: RoundState,
    pub players: Vec<(UserId, PlayerState)>,
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

impl PlayerSums {
    /// One player had one account and has another now.
    pub(in crate::ledger) fn change(&mut self, before: &Account, now: &Account) {
        for (sum, before, now) in [
            (&mut self.draws, before.draws, now.draws),
            (&mut self.used, before.used, now.used),
            (&mut self.bonus, before.bonus, now.bonus),
            (&mut self.won, before.won, now.won),
        ] {
            *sum = *sum + u64::from(now) - u64::from(before);
        }
    }
}

/// A round as the database has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayRows {
    pub place: u64,
    pub spent_minor: u64,
    pub spent_points: u64,
    pub given: UnitsByPrize,
    pub draws: u64,
    pub wins: u64,
    pub sums: RowSums,
}

/// What the rows behind the counters come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSums {
    pub players: PlayerSums,
    /// Of tickets that were drawn at once, and of wins; nothing where the round is a raffle's, which has neither here.
    pub drawn: Option<DrawnSums>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnSums {
    /// Draws on tickets.
    pub draws: u64,
    pub wins: UnitsByPrize,
}

impl Ledger {
    /// Rounds of activities from a slot on, some of them. What all players come to is kept, so that a round with a million
    /// of them costs no more than one with ten.
    pub fn plays_from(&self, slot: Slot, rounds_max: usize) -> Piece<PlayBook> {
        let (mut items, mut at) = (Vec::new(), slot);
        while at < self.activities.end() && items.len() < rounds_max {
            items.extend(self.activities.get(at).map(book));
            at += 1;
        }
        Piece { items, next: (at < self.activities.end()).then_some(at) }
    }

    /// Rounds with all their players: for a correction, which is rare, since every player is copied.
    pub fn plays_whole(&self, asked: &[(ActivityId, u32)]) -> Vec<PlayWhole> {
        let wanted = |activity: &&Activity| asked.contains(&(activity.id, activity.round));
        self.activities.iter().filter(wanted).map(whole).collect()
    }
}

fn whole(activity: &Activity) -> PlayWhole {
    let player = |(user, player): (&i64, &Player)| {
        let (client, wins) = (activity.clients.get(user).copied(), activity.capped.get(user).cloned());
        let Player { account, seat, last } = *player;
        (UserId(*user), PlayerState { account, seat, last, client, wins: wins.unwrap_or_default() })
    };
    PlayWhole {
        activity: activity.id,
        round: activity.round,
        come_to: RoundState { chain: activity.chain, tally: activity.tally.clone() },
        players: activity.players.iter().map(player).collect(),
    }
}

fn book(activity: &Activity) -> PlayBook {
    let spent = activity.tally.spent();
    let given = activity.tally.prizes().map(|(prize, tally)| (prize, tally.given));
    PlayBook {
        activity: activity.id,
        round: activity.round,
        place: activity.chain.place,
        spent_minor: spent.total_minor,
        spent_points: spent.fallback_points,
        given: given.filter(|(_, given)| *given > 0).collect(),
        players: activity.sums,
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
    let mut by_prize = |what, one: &UnitsByPrize, other: &UnitsByPrize| {
        let all: std::collections::BTreeSet<PrizeId> = one.keys().chain(other.keys()).copied().collect();
        let units = |of: &UnitsByPrize, id: PrizeId| of.get(&id).copied().unwrap_or(0);
        all.into_iter().for_each(|id| same(what, prize(id), units(one, id), units(other, id)));
    };
    by_prize(What::Given, &ledger.given, &rows.given);
    if let Some(DrawnSums { wins, .. }) = &rows.sums.drawn {
        by_prize(What::WinRows, &rows.given, wins);
    }
    let (ours, RowSums { players: theirs, drawn }) = (&ledger.players, &rows.sums);
    same(What::Draws, row, ours.draws, rows.draws);
    same(What::Wins, row, ours.won, rows.wins);
    same(What::PlayerDraws, row, ours.draws, theirs.draws);
    same(What::ChancesUsed, row, ours.used, theirs.used);
    same(What::ChancesGranted, row, ours.bonus, theirs.bonus);
    same(What::PlayerWins, row, ours.won, theirs.won);
    if let Some(drawn) = drawn {
        same(What::TicketRows, row, ours.draws, drawn.draws);
    }
    found
}
