//! The arguments, and the rows one after the other.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use domain::activity::sale_pool;
use hdrhistogram::Histogram;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::caller::{AttemptCaller, ExpectedAttempt};
use super::expiry::{Beside, hold, steady, wait_until_returned};
use super::market::{AttemptTicket, Market};
use super::rush::rush;
use crate::draw::{median, wait_until_projected};
use crate::http::{Echo, Times};
use crate::ledger::report::{Goal, LedgerReport, quantile_ms};
use crate::load::{self, LoadReport};
use crate::node::NodeStarter;

/// Connections of each of the two loads beside the expiry.
const BESIDE_CONNECTIONS: usize = 32;
/// From the beginning of those loads to the moment at which the holds end.
const LEAD: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
pub struct SaleArgs {
    /// Buyers, each with a session, a token and one attempt; with --sale
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    buyers: u32,

    /// Units in the sell-out; with --sale
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    units: u64,

    /// Open holds that end in the same second; with --sale
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    holds: u32,

    /// Draws a second beside them; with --sale
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    beside_draws: u32,

    /// Attempts to buy a second beside them; with --sale
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    beside_attempts: u32,
}

pub async fn run(
    nodes: &dyn NodeStarter,
    args: &SaleArgs,
    folder: Option<PathBuf>,
    rounds: u32,
    times: Times,
    as_json: bool,
) -> anyhow::Result<()> {
    nodes.start_log()?;
    let recorder = PrometheusBuilder::new().install_recorder()?;
    let folder = folder.unwrap_or_else(std::env::temp_dir);
    say("preparing");
    let market = Market::open(nodes, &folder, args.buyers, args.units, recorder).await?;
    let mut report = LedgerReport::default();
    let tickets = market.tickets(market.rush, market.buyers.len()).await?;
    let mut errors = sell_out(&mut report, &market, args, times, &tickets).await?;
    errors += measure_sold_out(&mut report, &market, rounds, times, &tickets).await?;
    errors += expire(&mut report, &market, args, times).await?;
    report.with_goal("errors", "answers that a row did not expect", Some(errors as f64), Goal::AtMost(0.0));
    market.close().await?;
    report.print(as_json);
    Ok(())
}

/// Everybody at once: more buyers than units.
async fn sell_out(
    report: &mut LedgerReport,
    market: &Market,
    args: &SaleArgs,
    times: Times,
    tickets: &Arc<[AttemptTicket]>,
) -> anyhow::Result<u64> {
    say("sell-out");
    let tickets = Arc::clone(tickets);
    let rush = rush(market.running.address, market.rush, tickets, times.connections).await?;
    let pool = market.world().ledger.stock.pool(sale_pool(market.rush).pool()).await?;
    let sold = pool.map_or(0, |pool| pool.held + pool.taken);
    wait_until_projected(&market.running).await;
    let sold_goal = args.units.min(u64::from(args.buyers)) as f64;
    report.figure("attempts", "one of each buyer", Some(f64::from(args.buyers)));
    report.with_goal(
        "units_sold",
        "what the ledger holds for them",
        Some(sold as f64),
        Goal::AtMost(sold_goal),
    );
    report.with_goal(
        "units_short",
        "of what could be sold",
        Some(sold_goal - sold as f64),
        Goal::AtMost(0.0),
    );
    report.figure("orders", "told to a buyer", Some(rush.ordered as f64));
    report.figure("sold_out", "buyers who were told that", Some(rush.sold_out as f64));
    report.figure("busy", "buyers who were told to come again", Some(rush.busy as f64));
    let seconds = rush.sold_out_after.as_secs_f64();
    report.figure("sellout_s", "from the first attempt to the last order", Some(seconds));
    report.figure("rush_s", "and to the last answer", Some(rush.over_after.as_secs_f64()));
    let quantiles = |report: &mut LedgerReport, name: &str, what, of: &Histogram<u64>| {
        for (suffix, quantile) in [("p50_ms", 0.5), ("p99_ms", 0.99), ("p999_ms", 0.999)] {
            report.figure(format!("{name}{suffix}"), what, Some(quantile_ms(of, quantile)));
        }
    };
    quantiles(report, "", "to the answer to an attempt", &rush.answers);
    quantiles(report, "result_", "to what came of it", &rush.results);
    // Whoever was told of an order has one, and nobody else.
    Ok(rush.ordered.abs_diff(sold))
}

/// Echo and refusals in turns, in front of what is gone.
async fn measure_sold_out(
    report: &mut LedgerReport,
    market: &Market,
    rounds: u32,
    times: Times,
    tickets: &Arc<[AttemptTicket]>,
) -> anyhow::Result<u64> {
    let echo = Echo::start().await?;
    let address = market.running.address;
    let (mut echoes, mut refusals, mut ratios, mut errors) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut latency = None;
    for round in 1..=rounds {
        say(&format!("sold out, turn {round} of {rounds}"));
        let echoed = echo.drive(&times.plan(echo.address), |_| {}).await?;
        let plan = times.plan(address);
        let caller = |connection| {
            let seat = (connection, times.connections);
            AttemptCaller::new(address, market.rush, tickets, seat, ExpectedAttempt::SoldOut)
        };
        let refused = load::run(&plan, caller, |_| {}).await?;
        eprintln!("bench sale: echo {:.0}/s, sold out {:.0}/s", echoed.per_s, refused.per_s);
        errors += fault(&echoed) + fault(&refused);
        echoes.push(echoed.per_s);
        refusals.push(refused.per_s);
        ratios.push(refused.per_s / echoed.per_s);
        latency = Some(refused.histogram);
    }
    report.figure("echo_per_s", "a plain echo; the median of the turns", Some(median(&echoes)));
    report.figure("soldout_per_s", "told that it is sold out; the median", Some(median(&refusals)));
    let ratio = Some(median(&ratios));
    report.with_goal("ratio_echo", "the one to the other; the median", ratio, Goal::AtLeast(0.9));
    let p99 = latency.map(|latency| quantile_ms(&latency, 0.99));
    report.figure("soldout_p99_ms", "99 of 100 of them took no longer, in the last turn", p99);
    Ok(errors)
}

/// All holds end at once, while draws and sales go on.
async fn expire(
    report: &mut LedgerReport,
    market: &Market,
    args: &SaleArgs,
    times: Times,
) -> anyhow::Result<u64> {
    say("draws and sales without anything beside them");
    let beside = Beside {
        connections: BESIDE_CONNECTIONS.min(times.connections),
        draws_per_s: args.beside_draws.into(),
        attempts_per_s: args.beside_attempts.into(),
        duration: times.duration.max(Duration::from_secs(4)),
    };
    let before = steady(market, beside, 1).await?;
    wait_until_projected(&market.running).await;
    say("holds");
    let over = hold(market, args.holds).await?;
    say("the same while they expire");
    let lead = over.since_ms(market.world().now()).unsigned_abs();
    tokio::time::sleep(Duration::from_millis(lead).saturating_sub(LEAD)).await;
    let (during, returned) = tokio::try_join!(steady(market, beside, 2), wait_until_returned(market, over))?;
    wait_until_projected(&market.running).await;
    report.figure("expiry_holds", "open holds that end in the same second", Some(args.holds.into()));
    let seconds = returned.as_secs_f64();
    report.with_goal("expiry_s", "until every unit was free again", Some(seconds), Goal::AtMost(3.0));
    for (name, what, quiet, busy) in [
        ("draw", "draws beside it", &before.draws, &during.draws),
        ("attempt", "attempts beside it", &before.attempts, &during.attempts),
    ] {
        let p99 = |report: &LoadReport| quantile_ms(&report.histogram, 0.99);
        report.figure(format!("{name}_p99_before_ms"), "and before it", Some(p99(quiet)));
        report.figure(format!("{name}_p99_during_ms"), what, Some(p99(busy)));
        let ratio = Some(p99(busy) / p99(quiet).max(f64::MIN_POSITIVE));
        report.with_goal(format!("{name}_p99_ratio"), "the one to the other", ratio, Goal::AtMost(2.0));
    }
    let rows = [&before.draws, &before.attempts, &during.draws, &during.attempts];
    Ok(rows.into_iter().map(fault).sum())
}

fn fault(report: &LoadReport) -> u64 {
    if let Some(error) = &report.first_error {
        say(&format!("an error: {error}"));
    }
    report.errors
}

fn say(row: &str) {
    eprintln!("bench sale: {row}");
}
