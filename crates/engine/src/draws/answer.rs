//! What came of a ticket, in words that a page can show.

use domain::ids::{ActivityId, UserId};
use domain::ledger::Key;
use domain::ledger::play::{Account, ChanceLimits, ChancePeriod, TicketView};
use domain::lottery::chain::Receipt;
use domain::lottery::decide::{Cause, DrawOutcome, DrawReason};
use domain::lottery::record::Record;
use domain::time::Timestamp;

use crate::activity_cache::{Title, Titles};
use crate::failure::{Fault, Result};
use crate::world::World;

/// A ticket, and what its player has left.
#[derive(Clone, Debug)]
pub struct DrawAnswer {
    pub ticket: TicketSummary,
    pub chances: ChancesLeft,
    /// Drawn before under the same id; the same again.
    pub again: bool,
}

#[derive(Clone, Debug)]
pub struct TicketSummary {
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
    pub draws: Vec<DrawView>,
    pub receipt: Option<Receipt>,
}

#[derive(Clone, Debug)]
pub struct DrawView {
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
    pub bound_by: ChancePeriod,
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

/// A ticket with the names of its prizes.
pub(crate) async fn ticket(world: &World, view: &TicketView) -> Result<TicketSummary> {
    let bytes = view.settlement.bytes();
    let (mut draws, mut version) = (Vec::new(), None);
    if !bytes.is_empty() {
        let record = Record::decode(bytes).map_err(|error| Fault::caused("a record of draws", error))?;
        let titles = world.caches.activities.titles(world, view.activity, record.key.version).await?;
        draws = draw_views(&record, &titles);
        version = Some(record.key.version);
    }
    Ok(TicketSummary {
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

fn draw_views(record: &Record, titles: &Titles) -> Vec<DrawView> {
    let one = |(n, drawn): (u32, &DrawOutcome)| DrawView {
        n,
        slot: drawn.slot.0,
        prize: drawn.prize.and_then(|prize| titles.get(prize).cloned()),
        points: drawn.points,
        why: outcome_name(drawn),
    };
    (record.key.n..).zip(record.draws.iter().map(|draw| &draw.drawn)).map(one).collect()
}

/// How a draw came out, for its player. Who is on the block list is not told so by the outcome's name: a consolation is
/// won like any prize, and its absence is a miss like any other. What really led there is in the record and its proof.
fn outcome_name(drawn: &DrawOutcome) -> &'static str {
    match (drawn.why, drawn.prize) {
        (DrawReason::Rolled | DrawReason::Consolation, Some(_)) => "won",
        (DrawReason::Pity, Some(_)) => "pity",
        (DrawReason::NoPrize | DrawReason::Fallback(_), Some(_)) => "fallback",
        (
            DrawReason::Rolled
            | DrawReason::NoPrize
            | DrawReason::Consolation
            | DrawReason::Pity
            | DrawReason::Fallback(_),
            None,
        ) => "miss",
    }
}

/// Which rule led there: stable names, for operators.
pub(crate) fn why(why: DrawReason) -> &'static str {
    match why {
        DrawReason::Rolled => "rolled",
        DrawReason::NoPrize => "no_prize",
        DrawReason::Consolation => "consolation",
        DrawReason::Pity => "pity",
        DrawReason::Fallback(Cause::Excluded(_)) => "prize_gone",
        DrawReason::Fallback(Cause::NothingLeft) => "nothing_left",
        DrawReason::Fallback(Cause::ConsolationGone) => "consolation_gone",
        DrawReason::Fallback(Cause::NoConsolation) => "no_consolation",
    }
}

#[cfg(test)]
mod tests {
    use domain::lottery::live::{Exclusion, ExclusionReason};
    use domain::lottery::strategy::{PrizeId, SlotIndex};

    use super::*;

    /// Nobody learns from their own list that they are on the block list.
    #[test]
    fn players_see_how_it_came_out_and_operators_why() {
        let gone = Exclusion { prize: PrizeId::new(0).unwrap(), reason: ExclusionReason::Exhausted };
        for (cause, prize, player, operator) in [
            (DrawReason::Rolled, true, "won", "rolled"),
            (DrawReason::Consolation, true, "won", "consolation"),
            (DrawReason::Pity, true, "pity", "pity"),
            (DrawReason::Fallback(Cause::Excluded(gone)), true, "fallback", "prize_gone"),
            (DrawReason::Fallback(Cause::NothingLeft), true, "fallback", "nothing_left"),
            (DrawReason::Fallback(Cause::ConsolationGone), true, "fallback", "consolation_gone"),
            (DrawReason::NoPrize, false, "miss", "no_prize"),
            (DrawReason::Fallback(Cause::Excluded(gone)), false, "miss", "prize_gone"),
            (DrawReason::Fallback(Cause::ConsolationGone), false, "miss", "consolation_gone"),
            (DrawReason::Fallback(Cause::NoConsolation), false, "miss", "no_consolation"),
        ] {
            let prize = prize.then(|| PrizeId::new(1).unwrap());
            let drawn = DrawOutcome { slot: SlotIndex(1), prize, points: 0, why: cause, roll: None };
            assert_eq!((outcome_name(&drawn), why(cause)), (player, operator), "{drawn:?}");
        }
    }

    #[test]
    fn what_is_left_is_the_least_and_the_granted_ones() {
        let limits = |total, month, day| ChanceLimits { total, month, day };
        let account =
            Account { bonus: 2, used: 5, month_used: 4, day_used: 1, day: 20_260_105, ..Account::default() };
        for (limits, day, now, total, month, left_today, bound_by) in [
            (limits(9, 0, 0), 20_260_105, 6, 4, None, None, ChancePeriod::Total),
            (limits(9, 5, 0), 20_260_105, 3, 4, Some(1), None, ChancePeriod::Month),
            (limits(9, 5, 1), 20_260_105, 2, 4, Some(1), Some(0), ChancePeriod::Day),
            (limits(9, 5, 1), 20_260_106, 3, 4, Some(1), Some(1), ChancePeriod::Month),
            (limits(9, 5, 1), 20_260_201, 3, 4, Some(5), Some(1), ChancePeriod::Day),
            (limits(5, 5, 1), 20_260_201, 2, 0, Some(5), Some(1), ChancePeriod::Total),
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
