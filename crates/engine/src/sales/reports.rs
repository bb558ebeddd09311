//! How a sale is doing, for those who run it: what happened hour by hour, and what is going on now.
//!
//! Orders and money are the database's, which follows the ledger closely; units are the ledger's own; attempts, and whoever
//! waits, are this process's memory: a "no" is written nowhere.

use std::sync::Arc;

use domain::activity::LifeState;
use domain::ids::ActivityId;
use domain::sale::Currency;
use domain::sale::room::InRoom;
use domain::time::{HOUR_MS, Timestamp};
use store::model::{SALE_HOURS_MAX, SaleHour, SaleMinute, SaleSums};

use crate::activities::whole_hours;
use crate::activity_cache::{RefusalCount, SaleUnits};
use crate::failure::Result;
use crate::sales::attempts::AttemptCounts;
use crate::sales::queries::{sale_get, sale_look, units};
use crate::world::World;

/// How old the hours may be: they are counted over all orders of the sale, once for all who look at the same time.
const HOURS_KEPT_MS: i64 = 1_000;

#[derive(Clone, Debug)]
pub struct SaleReport {
    pub sale: ActivityId,
    pub units: SaleUnits,
    /// Since when less is left than the job `low_stock` asks for.
    pub low_since: Option<Timestamp>,
    /// Of all hours that are told, by currency.
    pub totals: Vec<(Currency, SaleSums)>,
    pub hours: Vec<SaleHour>,
    /// The first hours of the sale, minute by minute; told with the first page of hours.
    pub minutes: Vec<SaleMinute>,
    /// Where to go on, when there are more hours than fit.
    pub next_hour: Option<i64>,
    /// Since this process began.
    pub attempts: AttemptCounts,
}

/// The figures that an operator follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaleFigures {
    pub units: SaleUnits,
    pub attempts: AttemptCounts,
    /// Where there is a waiting room, and somebody came.
    pub room: Option<InRoom>,
    /// Events that the ledger has and orders do not show yet.
    pub lag: u64,
    /// What buyers were refused for since this process began.
    pub refusals: Vec<RefusalCount>,
}

/// What everybody in front of a sale follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleLive {
    pub total: u64,
    pub left: u64,
    pub state: LifeState,
    /// Another one has another price, or another end.
    pub version: u32,
    pub until: Timestamp,
}

/// Units as the ledger has them now.
pub async fn sale_units(world: &World, id: ActivityId) -> Result<SaleUnits> {
    let live = sale_get(world, id).await?;
    units(world, &live).await
}

/// Hours from a moment on.
pub async fn sale_report(world: &World, id: ActivityId, from: Option<Timestamp>) -> Result<SaleReport> {
    let live = sale_get(world, id).await?;
    let hours = match from {
        None => {
            let all = world.db.sale_hours(id, i64::MIN);
            let all = world.caches.activities.sale_hours.find(id, world.now(), HOURS_KEPT_MS, all).await?;
            Arc::unwrap_or_clone(all)
        }
        Some(from) => world.db.sale_hours(id, from.0.div_euclid(HOUR_MS)).await?,
    };
    let low = world.db.low_stock_list(id).await?;
    let minutes = match from {
        None => {
            let first = world.db.sale_minutes(id, live.content.configuration.window().from);
            let first =
                world.caches.activities.sale_minutes.find(id, world.now(), HOURS_KEPT_MS, first).await?;
            Arc::unwrap_or_clone(first)
        }
        Some(_) => Vec::new(),
    };
    let (hours, next_hour) = whole_hours(hours, SALE_HOURS_MAX as usize, |row| row.hour);
    Ok(SaleReport {
        sale: id,
        units: units(world, &live).await?,
        low_since: low.first().map(|alert| alert.since),
        totals: totals(&hours),
        hours,
        minutes,
        next_hour,
        attempts: world.sales.attempts.counts(id),
    })
}

/// What is going on now.
pub async fn sale_figures(world: &World, id: ActivityId) -> Result<SaleFigures> {
    let live = sale_get(world, id).await?;
    let ledger = world.ledger.auditor.figures();
    Ok(SaleFigures {
        units: units(world, &live).await?,
        attempts: world.sales.attempts.counts(id),
        room: world.sales.gate.in_room(id, live.life.round),
        lag: ledger.durable.saturating_sub(ledger.projected),
        refusals: world.caches.refusals.of(id),
    })
}

/// What changes while people look at a sale.
pub async fn sale_live(world: &World, id: ActivityId) -> Result<SaleLive> {
    let told = sale_look(world, id).await?;
    Ok(SaleLive {
        total: told.units.total,
        left: told.units.left,
        state: told.state,
        version: told.live.version,
        until: told.live.content.configuration.window().until,
    })
}

fn totals(hours: &[SaleHour]) -> Vec<(Currency, SaleSums)> {
    let mut totals: Vec<(Currency, SaleSums)> = Vec::new();
    for row in hours {
        match totals.iter_mut().find(|(currency, _)| *currency == row.currency) {
            Some((_, sums)) => *sums += row.happened,
            None => totals.push((row.currency, row.happened)),
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_currency_adds_up_by_itself() {
        let [cny, usd] = ["CNY", "USD"].map(|text| Currency::parse(text).unwrap());
        let row = |hour, currency, orders, taken_minor| SaleHour {
            hour,
            currency,
            happened: SaleSums { orders, taken_minor, ..SaleSums::default() },
        };
        let hours = [row(1, cny, 2, 20), row(2, cny, 1, 10), row(2, usd, 5, 7), row(3, cny, 0, 1)];
        let told: Vec<_> = totals(&hours)
            .into_iter()
            .map(|(currency, sums)| (currency, sums.orders, sums.taken_minor))
            .collect();
        assert_eq!(told, [(cny, 3, 31), (usd, 5, 7)]);
        assert_eq!(totals(&[]), []);
    }
}
