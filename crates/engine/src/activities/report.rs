//! How an activity is doing: what was drawn hour by hour, what it cost, what is left.
//!
//! Sums are the database's, as of one moment, which follows the ledger's closely; what is left of each prize is the
//! ledger's own.

use domain::activity::{Plan, PoolUse};
use domain::ids::ActivityId;
use domain::ledger::PoolView;
use domain::ledger::play::{PrizeTally, RoundTotals};
use domain::lottery::chain::Receipt;
use domain::lottery::shelf::Spending;
use domain::lottery::strategy::{Budget, PrizeId};
use domain::time::{HOUR_MS, Timestamp};
use futures::future::try_join_all;
use store::model::{DrawHour, DrawMinute, PLAYS_MAX, RoundCounts, StoredRound, VersionRow};

use crate::activities::queries::{activity_get, version_get};
use crate::activity_cache::RefusalCount;
use crate::draws::mine::check_round;
use crate::failure::Result;
use crate::world::World;

/// Pools that are asked for at once.
const POOLS_AT_ONCE: usize = 64;
/// Prizes whose stock is told live; the report has all.
pub const LIVE_PRIZES_MAX: usize = 100;

#[derive(Clone, Debug)]
pub struct ActivityReport {
    pub activity: ActivityId,
    pub round: u32,
    /// The version in place.
    pub version: u32,
    pub counts: RoundCounts,
    pub spent: Spending,
    /// What `spent.day_minor` is about, as yyyymmdd.
    pub spent_day: u32,
    pub budget: Budget,
    /// Points of the fallback in the round at most.
    pub budget_amount: Option<u64>,
    pub prizes: Vec<PrizeStand>,
    pub hours: Vec<DrawHour>,
    /// The first hours of the round, minute by minute; told with the first page of hours.
    pub minutes: Vec<DrawMinute>,
    /// Where to go on, when there are more hours than fit.
    pub next_hour: Option<i64>,
    /// Where the chain of the newest version drawn from has come to.
    pub chain: Option<Receipt>,
}

/// One prize of the version in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrizeStand {
    pub prize: PrizeId,
    pub name: String,
    pub cost_minor: u64,
    /// Its pool; nothing where units are not counted.
    pub pool: Option<PoolView>,
    /// Units that went back to the pool after they had been won, over all rounds.
    pub returned: u64,
    /// In the round.
    pub tally: PrizeTally,
    /// Since when it has been below the threshold of the job `low_stock`.
    pub low_since: Option<Timestamp>,
}

/// The figures that a page follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveFigures {
    pub counts: RoundCounts,
    pub spent: Spending,
    /// What is left of each counted prize, of the first [`LIVE_PRIZES_MAX`].
    pub left: Vec<(PrizeId, u64)>,
    /// Events that the ledger has and the sums do not have yet.
    pub lag: u64,
    /// What players were refused for since this process began.
    pub refusals: Vec<RefusalCount>,
}

/// Hours from a moment on; the current round unless told.
pub async fn activity_report(
    world: &World,
    id: ActivityId,
    round: Option<u32>,
    from: Option<Timestamp>,
) -> Result<ActivityReport> {
    let (live, current) = published_version(world, id).await?;
    let round = check_round(current, round)?;
    let stored = world.db.round_find((id, round)).await?;
    let from_hour = from.map_or(i64::MIN, |from| from.0.div_euclid(HOUR_MS));
    let hours = world.db.draw_hours((id, round), from_hour).await?;
    let minutes = match from {
        None => world.db.draw_minutes(id, round).await?,
        Some(_) => Vec::new(),
    };
    let (hours, next_hour) = whole_hours(hours, PLAYS_MAX as usize, |row| row.hour);
    let (budget, budget_amount) = match &live.content.plan {
        Plan::Instant(strategy) => {
            (strategy.budget, strategy.fallback.map(|fallback| fallback.budget_amount))
        }
        Plan::Raffle(_) | Plan::Sale(_) => (Budget::default(), None),
    };
    let alerts = world.db.low_stock_list(id).await?;
    let named = prizes(&live);
    let pools = pools(world, id, &named).await?;
    let tally = stored.as_ref().map(|stored| &stored.come_to.tally);
    let drawn = raffle_units(world, &live, round).await?;
    let back = world.db.units_back(id).await?;
    let stand = |(named, pool): (Named, Option<PoolView>)| PrizeStand {
        prize: named.prize,
        name: named.name,
        cost_minor: named.cost_minor,
        pool,
        returned: back.iter().find(|(prize, _)| *prize == named.prize).map_or(0, |(_, units)| *units),
        tally: with_drawn(
            tally.map(|tally| tally.prize(named.prize)).unwrap_or_default(),
            &drawn,
            named.prize,
        ),
        low_since: alerts
            .iter()
            .find(|alert| alert.part == PoolUse::Prize(named.prize))
            .map(|alert| alert.since),
    };
    Ok(ActivityReport {
        activity: id,
        round,
        version: live.number,
        counts: counts(stored.as_ref(), &drawn),
        spent: tally.map(RoundTotals::spent).unwrap_or_default(),
        spent_day: tally.map_or(0, RoundTotals::day),
        budget,
        budget_amount,
        prizes: named.into_iter().zip(pools).map(stand).collect(),
        hours,
        minutes,
        next_hour,
        chain: stored.map(|stored| stored.come_to.chain),
    })
}

/// The current round's figures now.
pub async fn activity_live(world: &World, id: ActivityId) -> Result<LiveFigures> {
    let (live, round) = published_version(world, id).await?;
    let stored = world.db.round_find((id, round)).await?;
    let mut named = prizes(&live);
    named.retain(|named| named.counted);
    named.truncate(LIVE_PRIZES_MAX);
    let pools = pools(world, id, &named).await?;
    let left = |(named, pool): (Named, Option<PoolView>)| Some((named.prize, pool?.available));
    let figures = world.ledger.auditor.figures();
    let drawn = raffle_units(world, &live, round).await?;
    Ok(LiveFigures {
        counts: counts(stored.as_ref(), &drawn),
        spent: stored.map(|stored| stored.come_to.tally.spent()).unwrap_or_default(),
        left: named.into_iter().zip(pools).filter_map(left).collect(),
        lag: figures.durable.saturating_sub(figures.projected),
        refusals: world.caches.refusals.of(id),
    })
}

/// What the drawing of a raffle gave. The ledger counts its entries and entrants, and knows of no winners.
async fn raffle_units(world: &World, live: &VersionRow, round: u32) -> Result<Vec<(PrizeId, u64)>> {
    match &live.content.plan {
        Plan::Instant(_) | Plan::Sale(_) => Ok(Vec::new()),
        Plan::Raffle(_) => world.db.raffle_count_given((live.activity, round)).await,
    }
}

/// Everybody wins a raffle once at most: there are as many winners as wins.
fn counts(stored: Option<&StoredRound>, drawn: &[(PrizeId, u64)]) -> RoundCounts {
    let counts = stored.map(|stored| stored.counts).unwrap_or_default();
    let more: u64 = drawn.iter().map(|(_, units)| units).sum();
    RoundCounts { winners: counts.winners + more, wins: counts.wins + more, ..counts }
}

fn with_drawn(tally: PrizeTally, drawn: &[(PrizeId, u64)], prize: PrizeId) -> PrizeTally {
    let more = drawn.iter().find(|(given, _)| *given == prize).map_or(0, |(_, units)| *units);
    PrizeTally { given: tally.given + more, ..tally }
}

/// The version in place, and the current round.
async fn published_version(world: &World, id: ActivityId) -> Result<(VersionRow, u32)> {
    let row = activity_get(world, id).await?;
    let unpublished = domain::Rejection::NotFound { what: domain::rejection::MissingThing::Version };
    let live = version_get(world, id, row.live.ok_or(unpublished)?).await?;
    Ok((live, row.life.round))
}

pub(crate) struct Named {
    pub prize: PrizeId,
    pub name: String,
    pub cost_minor: u64,
    pub counted: bool,
}

fn prizes(live: &VersionRow) -> Vec<Named> {
    let counted = live.content.stock();
    let counted = |prize| counted.iter().any(|(part, _)| *part == PoolUse::Prize(prize));
    let named = |prize: PrizeId, name: &str, cost_minor| Named {
        prize,
        name: name.to_owned(),
        cost_minor,
        counted: counted(prize),
    };
    match &live.content.plan {
        Plan::Instant(strategy) => {
            strategy.prizes.iter().map(|prize| named(prize.id, &prize.name, prize.cost_minor)).collect()
        }
        Plan::Raffle(prizes) => prizes.iter().map(|prize| named(prize.id, &prize.name, 0)).collect(),
        Plan::Sale(_) => Vec::new(),
    }
}

/// The pool of each that is counted, as the ledger has it.
async fn pools(world: &World, id: ActivityId, named: &[Named]) -> Result<Vec<Option<PoolView>>> {
    let mut found = Vec::with_capacity(named.len());
    for some in named.chunks(POOLS_AT_ONCE) {
        let one = |named: &Named| {
            let pool = PoolUse::Prize(named.prize).pool_name(id).pool();
            let counted = named.counted;
            async move { if counted { world.ledger.stock.pool(pool).await } else { Ok(None) } }
        };
        found.extend(try_join_all(some.iter().map(one)).await?);
    }
    Ok(found)
}

/// Hours that are whole, and the first that may not be.
pub(crate) fn whole_hours<T>(
    mut rows: Vec<T>,
    rows_max: usize,
    hour: impl Fn(&T) -> i64,
) -> (Vec<T>, Option<i64>) {
    if rows.len() < rows_max {
        return (rows, None);
    }
    let cut = rows.last().map(&hour);
    rows.retain(|row| Some(hour(row)) != cut);
    (rows, cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many hours there are, two rows each, and how many rows are told with where to go on.
    #[test]
    fn an_hour_is_told_whole_or_next_time() {
        let row = |hour| DrawHour { hour, prize: None, draws: 1, cost_minor: 0, points: 0 };
        let max = PLAYS_MAX as usize;
        for (rows, told, next) in [(0, 0, None), (max - 1, max - 1, None), (max, max - 2, Some(4_999))] {
            let hours = (0..).flat_map(|hour| [row(hour), row(hour)]).take(rows).collect();
            let (hours, cut) = whole_hours(hours, max, |row: &DrawHour| row.hour);
            assert_eq!((hours.len(), cut), (told, next), "{rows}");
        }
    }
}
