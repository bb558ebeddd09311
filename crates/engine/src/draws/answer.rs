//! What came of a ticket, in words that a page can show.

use domain::ids::{ActivityId, UserId};
use domain::ledger::Key;
use domain::ledger::play::{Account, ChanceLimits, Scope, TicketView};
use domain::lottery::chain::Receipt;
use domain::lottery::decide::{Cause, Drawn, Why};
use domain::lottery::record::Record;
use domain::time::Timestamp;

use crate::activity_cache::{Title, Titles};
use crate::failure::{Fault, Result};
use crate::world::World;

/// A ticket, and what its player has left.
#[derive(Clone, Debug)]
pub struct DrawAnswer {
    pub ticket: TicketTold,
    pub chances: ChancesLeft,
    /// Drawn before under the same id; the same again.
    pub again: bool,
}

#[derive(Clone, Debug)]
pub struct TicketTold {
    pub key: Key,
    pub activity: ActivityId,
    pub user: UserId,
    pub round: u32,
    /// Of the strategy; nothing for entries to a raffle.
    pub version: Option<u32>,
    /// The number of its first draw or entry, and how many there are.
    pub first: u32,
    pub count: u32,
    pub at: Timestamp,
    pub draws: Vec<DrawTold>,
    pub receipt: Option<Receipt>,
}

#[derive(Clone, Debug)]
pub struct DrawTold {
    /// Its number among the player's draws of the round.
    pub n: u32,
    /// Where the wheel stops.
    pub slot: u16,
    /// None is a miss.
    pub prize: Option<Title>,
    /// The fallback's points.
    pub points: u64,
    /// How it came out, as its player may know it.
    pub why: &'static str,
}

/// How often a player may still draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChancesLeft {
    /// Now: granted ones, and what the limits leave today.
    pub now: u32,
    pub granted: u32,
    pub total: u32,
    /// Where there is such a limit.
    pub month: Option<u32>,
    pub day: Option<u32>,
    /// The limit that binds first.
    pub bound_by: Scope,
    pub drawn: u32,
}

impl ChancesLeft {
    pub fn of(account: &Account, limits: &ChanceLimits, day: u32) -> Self {
        let (common, bound_by) = account.left(limits, day);
        let alone = |limits: ChanceLimits| account.left(&limits, day).0;
        let without_total = ChanceLimits { total: u32::MAX, month: 0, day: 0 };
        Self {
            now: common.saturating_add(account.bonus),
            granted: account.bonus,
            total: limits.total.saturating_sub(account.used),
            month: (limits.month > 0).then(|| alone(ChanceLimits { month: limits.month, ..without_total })),
            day: (limits.day > 0).then(|| alone(ChanceLimits { day: limits.day, ..without_total })),
            bound_by,
            drawn: account.draws,
        }
    }
}

/// A settled ticket with the names of its prizes.
pub(crate) async fn ticket(world: &World, view: &TicketView) -> Result<TicketTold> {
    let bytes = view.settlement.as_ref().map_or(&[][..], |settlement| settlement.bytes());
    let (mut draws, mut version) = (Vec::new(), None);
    if !bytes.is_empty() {
        let record = Record::decode(bytes).map_err(|error| Fault::caused("a record of draws", error))?;
        let titles = world.caches.activities.titles(world, view.activity, record.key.version).await?;
        draws = told(&record, &titles);
        version = Some(record.key.version);
    }
    Ok(TicketTold {
        key: view.key,
        activity: view.activity,
        user: view.user,
        round: view.round,
        version,
        first: view.first,
        count: view.draws.count(),
        at: view.made,
        draws,
        receipt: view.receipt,
    })
}

fn told(record: &Record, titles: &Titles) -> Vec<DrawTold> {
    let one = |(n, drawn): (u32, &Drawn)| DrawTold {
        n,
        slot: drawn.slot.0,
        prize: drawn.prize.and_then(|prize| titles.get(prize).cloned()),
        points: drawn.points,
        why: shown(drawn),
    };
    (record.key.n..).zip(record.draws.iter().map(|draw| &draw.drawn)).map(one).collect()
}

/// How a draw came out, for its player. Who is on the block list is not told so by the outcome's name: a consolation is
/// won like any prize, and its absence is a miss like any other. What really led there is in the record and its proof.
fn shown(drawn: &Drawn) -> &'static str {
    match (drawn.why, drawn.prize) {
        (Why::Rolled | Why::Consolation, Some(_)) => "won",
        (Why::Pity, Some(_)) => "pity",
        (Why::NoPrize | Why::Instead(_), Some(_)) => "fallback",
        (Why::Rolled | Why::NoPrize | Why::Consolation | Why::Pity | Why::Instead(_), None) => "miss",
    }
}

/// Which rule led there: stable names, for operators.
pub(crate) fn why(why: Why) -> &'static str {
    match why {
        Why::Rolled => "rolled",
        Why::NoPrize => "no_prize",
        Why::Consolation => "consolation",
        Why::Pity => "pity",
        Why::Instead(Cause::Excluded(_)) => "prize_gone",
        Why::Instead(Cause::NothingLeft) => "nothing_left",
        Why::Instead(Cause::ConsolationGone) => "consolation_gone",
        Why::Instead(Cause::NoConsolation) => "no_consolation",
    }
}

#[cfg(test)]
mod tests {
    use domain::lottery::live::{Excluded, Reason};
    use domain::lottery::strategy::{PrizeId, SlotIndex};

    use super::*;

    /// Nobody learns from their own list that they are on the block list.
    #[test]
    fn players_see_how_it_came_out_and_operators_why() {
        let gone = Excluded { prize: PrizeId::new(0).unwrap(), reason: Reason::Exhausted };
        for (cause, prize, player, operator) in [
            (Why::Rolled, true, "won", "rolled"),
            (Why::Consolation, true, "won", "consolation"),
            (Why::Pity, true, "pity", "pity"),
            (Why::Instead(Cause::Excluded(gone)), true, "fallback", "prize_gone"),
            (Why::Instead(Cause::NothingLeft), true, "fallback", "nothing_left"),
            (Why::Instead(Cause::ConsolationGone), true, "fallback", "consolation_gone"),
            (Why::NoPrize, false, "miss", "no_prize"),
            (Why::Instead(Cause::Excluded(gone)), false, "miss", "prize_gone"),
            (Why::Instead(Cause::ConsolationGone), false, "miss", "consolation_gone"),
            (Why::Instead(Cause::NoConsolation), false, "miss", "no_consolation"),
        ] {
            let prize = prize.then(|| PrizeId::new(1).unwrap());
            let drawn = Drawn { slot: SlotIndex(1), prize, points: 0, why: cause, roll: None };
            assert_eq!((shown(&drawn), why(cause)), (player, operator), "{drawn:?}");
        }
    }

    #[test]
    fn what_is_left_is_the_least_and_the_granted_ones() {
        let limits = |total, month, day| ChanceLimits { total, month, day };
        let account =
            Account { bonus: 2, used: 5, month_used: 4, day_used: 1, day: 20_260_105, ..Account::default() };
        for (limits, day, now, total, month, left_today, bound_by) in [
            (limits(9, 0, 0), 20_260_105, 6, 4, None, None, Scope::Total),
            (limits(9, 5, 0), 20_260_105, 3, 4, Some(1), None, Scope::Month),
            (limits(9, 5, 1), 20_260_105, 2, 4, Some(1), Some(0), Scope::Day),
            (limits(9, 5, 1), 20_260_106, 3, 4, Some(1), Some(1), Scope::Month),
            (limits(9, 5, 1), 20_260_201, 3, 4, Some(5), Some(1), Scope::Day),
            (limits(5, 5, 1), 20_260_201, 2, 0, Some(5), Some(1), Scope::Total),
        ] {
            let left = ChancesLeft::of(&account, &limits, day);
            assert_eq!(
                (left.now, left.total, left.month, left.day, left.bound_by),
                (now, total, month, left_today, bound_by),
                "{limits:?} {day}"
            );
        }
    }
}
