//! The arguments, and the rows one after the other.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use hdrhistogram::Histogram;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::caller::CallerSlot;
use super::campaign::{Campaign, wait_until_projected};
use super::cpu_timer::CpuTimer;
use super::peer;
use crate::http::{Echo, Times};
use crate::ledger::commits::Commits;
use crate::ledger::report::{Goal, LedgerReport, quantile_ms};
use crate::load::{self, LoadPlan, LoadProgress, LoadReport};
use crate::node::{BenchServer, NodeStarter};

/// The second number of connections: too few to hide the time of a commit.
const FEW_CONNECTIONS: usize = 64;
/// How long the sustained row is driven at most before it counts: until the lag has found its level.
const SETTLE_MAX: Duration = Duration::from_secs(10);

#[derive(Debug, Args)]
pub struct DrawArgs {
    /// Players, each with a session; with --draw
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    players: u32,

    /// How often the echo and what is measured take turns; with --draw and --sale
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    /// How long the sustained row is measured; with --draw
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    sustained_seconds: u32,

    /// `ledger.lag_max` in the sustained row: low, so that the ledger has to slow down to what is projected within
    /// minutes and not hours; with --draw
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..=1_000_000_000))]
    sustained_lag_max: u64,

    /// The folder to work in; a temporary folder in it is made and removed (default: the system's); with --draw and
    /// --sale
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

pub async fn run(
    nodes: &dyn NodeStarter,
    args: &DrawArgs,
    times: Times,
    as_json: bool,
) -> anyhow::Result<()> {
    nodes.start_log()?;
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let commits = Commits::listen_beside(recorder)?;
    let folder = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    say("preparing");
    let campaign = Campaign::prepare(nodes, &folder, args.players, metrics).await?;
    let mut rows =
        Rows { campaign, echo: Echo::start().await?, times, commits, row: 0, sums: Sums::default() };

    let mut report = LedgerReport::default();
    let running = rows.campaign.serve(nodes, None).await?;
    let (echo, draws) = rows.bursts(&mut report, &running, args.rounds).await?;
    rows.half_load(&mut report, &running, draws / 2.0).await?;
    running.node.close().await?;
    let running = rows.campaign.serve(nodes, Some(args.sustained_lag_max)).await?;
    let sustained = Duration::from_secs(args.sustained_seconds.into());
    rows.sustained(&mut report, &running, sustained, echo).await?;
    running.node.close().await?;
    let Rows { campaign, sums, .. } = rows;
    campaign.remove()?;
    let peer = peer(&folder, times).await?;
    report.figure(
        "redis_pg_draws_per_s",
        "the usual kind over HTTP: a script on Redis, then an insert into PostgreSQL",
        peer.map(|peer| peer.over_http),
    );
    report.figure(
        "redis_pg_in_process_per_s",
        "the same without HTTP in front of it",
        peer.map(|peer| peer.in_process),
    );
    let ratio = peer.map(|peer| draws / peer.over_http);
    report.with_goal("ratio_redis_pg", "draws_per_s to that", ratio, Goal::AtLeast(5.0));
    sums.report(&mut report);
    report.print(as_json);
    Ok(())
}

async fn peer(folder: &std::path::Path, times: Times) -> anyhow::Result<Option<peer::PeerRates>> {
    match peer::missing() {
        Some(program) => {
            say(&format!("no peer: {program} is not installed"));
            Ok(None)
        }
        None => {
            say("peer");
            peer::measure(folder, times).await.map(Some)
        }
    }
}

struct Rows {
    campaign: Campaign,
    echo: Echo,
    times: Times,
    commits: Commits,
    /// Ids are told apart by it.
    row: u32,
    sums: Sums,
}

/// Over all rows.
#[derive(Debug, Default)]
struct Sums {
    draws: u64,
    refused: u64,
    errors: u64,
}

impl Rows {
    /// Echo and draws in turns, on many connections and on few. Answers the rates on many.
    async fn bursts(
        &mut self,
        report: &mut LedgerReport,
        running: &BenchServer,
        rounds: u32,
    ) -> anyhow::Result<(f64, f64)> {
        let shapes = [self.times, Times { connections: FEW_CONNECTIONS, ..self.times }];
        let mut measured = [Turns::default(), Turns::default()];
        for round in 1..=rounds {
            for (times, turns) in shapes.into_iter().zip(&mut measured) {
                say(&format!("burst {round} of {rounds} on {} connections", times.connections));
                let spent = CpuTimer::begin();
                let echo = self.echo.drive(&times.plan(self.echo.address), |_| {}).await?;
                let echo_us = spent.us_each(echo.per_s);
                self.sums.fault(&echo);
                self.commits.take();
                let spent = CpuTimer::begin();
                let draws = self.draws(running, &times.plan(running.address), |_| {}).await?;
                let draw_us = spent.us_each(draws.per_s);
                if times.connections != FEW_CONNECTIONS && round == rounds {
                    report.commits("burst", self.commits.take());
                }
                turns.add(echo.per_s, answered_per_s(&draws), &draws.histogram)?;
                turns.spent.extend(echo_us.zip(draw_us));
                wait_until_projected(running).await;
            }
        }
        let [many, few] = measured;
        let (echo, draws) = (median(&many.echo), median(&many.draws));
        report.figure("echo_per_s", "a plain echo; the median of the turns", Some(echo));
        report.figure("draws_per_s", "durable draws in a burst; the median of the turns", Some(draws));
        let ratio = Some(median(&many.ratios));
        report.with_goal("ratio_echo", "the one to the other; the median", ratio, Goal::AtLeast(0.85));
        let (of_echo, of_draw): (Vec<f64>, Vec<f64>) = many.spent.iter().copied().unzip();
        if !many.spent.is_empty() {
            report.figure(
                "echo_cpu_us",
                "processor time of one echo, both ends of it",
                Some(median(&of_echo)),
            );
            report.figure(
                "draw_cpu_us",
                "and of one draw, with all that runs beside",
                Some(median(&of_draw)),
            );
        }
        report.figure("burst_p99_ms", "99 of 100 of these draws took no longer", many.p99_ms());
        report.figure("echo_64_per_s", "a plain echo on 64 connections", Some(median(&few.echo)));
        report.figure("draws_64_per_s", "durable draws on 64 connections", Some(median(&few.draws)));
        let ratio = Some(median(&few.ratios));
        report.with_goal("ratio_echo_64", "the one to the other; the median", ratio, Goal::AtLeast(0.65));
        Ok((echo, draws))
    }

    /// Requests due at fixed times, half as many as a burst has, beside how long a commit takes then.
    async fn half_load(
        &mut self,
        report: &mut LedgerReport,
        running: &BenchServer,
        per_s: f64,
    ) -> anyhow::Result<()> {
        say("half load");
        let plan = LoadPlan { target_rate: Some(per_s), ..self.times.plan(running.address) };
        self.commits.take();
        let draws = self.draws(running, &plan, |_| {}).await?;
        let commits = self.commits.take();
        wait_until_projected(running).await;
        let commit_p99_ms = quantile_ms(&commits.time, 0.99);
        report.figure("half_load_per_s", "the load of the next rows: half of draws_per_s", Some(per_s));
        report.figure("commit_p99_ms", "99 of 100 commits took no longer, at that load", Some(commit_p99_ms));
        let of_draws = |quantile| Some(quantile_ms(&draws.histogram, quantile));
        report.figure(
            "p50_half_load_ms",
            "half of the draws took no longer, from their due time",
            of_draws(0.5),
        );
        report.with_goal(
            "p99_half_load_ms",
            "99 of 100 draws took no longer; the goal is the commit's p99 + 2 ms",
            of_draws(0.99),
            Goal::AtMost(commit_p99_ms + 2.0),
        );
        report.commits("half_load", commits);
        Ok(())
    }

    /// A burst that does not end: what counts is what reaches the database too.
    async fn sustained(
        &mut self,
        report: &mut LedgerReport,
        running: &BenchServer,
        duration: Duration,
        echo: f64,
    ) -> anyhow::Result<()> {
        say("sustained");
        let settle = SETTLE_MAX.min(duration);
        let plan = LoadPlan { warmup: settle, duration, ..self.times.plan(running.address) };
        let mut lags = Vec::new();
        let look = |progress: LoadProgress| {
            let due = settle + duration / 3 * u32::try_from(lags.len()).unwrap_or(u32::MAX);
            if progress.elapsed >= due {
                lags.push(running.node.stock.lag());
            }
        };
        let draws = self.draws(running, &plan, look).await?;
        let lag = |at: usize| lags.get(at).or(lags.last()).map(|lag| *lag as f64);
        let seconds = duration.as_secs_f64();
        let growth = lag(3).zip(lag(0)).map_or(0.0, |(last, first)| (last - first) / seconds);
        // What only made the lag grow was not sustained.
        let per_s = answered_per_s(&draws) - growth.max(0.0);
        report.figure(
            "sustained_draws_per_s",
            "durable draws without end, less the growth of the lag",
            Some(per_s),
        );
        report.with_goal(
            "ratio_echo_sustained",
            "that to echo_per_s",
            Some(per_s / echo),
            Goal::AtLeast(0.3),
        );
        for (at, name) in
            ["lag_at_start", "lag_at_third", "lag_at_two_thirds", "lag_at_end"].iter().enumerate()
        {
            report.figure(*name, "events not yet projected, in the sustained row", lag(at));
        }
        let started = std::time::Instant::now();
        wait_until_projected(running).await;
        report.figure("catch_up_s", "until all of it was projected", Some(started.elapsed().as_secs_f64()));
        Ok(())
    }

    async fn draws(
        &mut self,
        running: &BenchServer,
        plan: &LoadPlan,
        look: impl FnMut(LoadProgress),
    ) -> anyhow::Result<LoadReport> {
        self.row += 1;
        let (row, connections) = (self.row, plan.connections);
        let caller =
            |connection| self.campaign.caller(running.address, CallerSlot { row, connection, connections });
        let report = load::run(plan, caller, look).await.context("a row of draws")?;
        self.sums.add(&report);
        Ok(report)
    }
}

impl Sums {
    fn add(&mut self, report: &LoadReport) {
        self.draws += report.statuses.success;
        self.refused += report.requests - report.statuses.success;
        self.fault(report);
    }

    fn fault(&mut self, report: &LoadReport) {
        self.errors += report.errors;
        if let Some(error) = &report.first_error {
            say(&format!("an error: {error}"));
        }
    }

    fn report(&self, report: &mut LedgerReport) {
        report.figure("draws", "answered while something was measured", Some(self.draws as f64));
        report.figure("refused", "told by name that the server was busy", Some(self.refused as f64));
        report.with_goal("errors", "everything else", Some(self.errors as f64), Goal::AtMost(0.0));
    }
}

/// What several turns gave.
#[derive(Debug, Default)]
struct Turns {
    echo: Vec<f64>,
    draws: Vec<f64>,
    ratios: Vec<f64>,
    latency: Option<Histogram<u64>>,
    /// Processor time of one echo and one draw, in microseconds. Others on the machine disturb it less than the rates.
    spent: Vec<(f64, f64)>,
}

impl Turns {
    fn add(&mut self, echo: f64, draws: f64, latency: &Histogram<u64>) -> anyhow::Result<()> {
        self.echo.push(echo);
        self.draws.push(draws);
        self.ratios.push(draws / echo);
        eprintln!("bench draw: echo {echo:.0}/s, draws {draws:.0}/s, ratio {:.3}", draws / echo);
        match &mut self.latency {
            Some(all) => all.add(latency)?,
            None => self.latency = Some(latency.clone()),
        }
        Ok(())
    }

    fn p99_ms(&self) -> Option<f64> {
        self.latency.as_ref().map(|latency| quantile_ms(latency, 0.99))
    }
}

/// Draws, not refusals.
fn answered_per_s(report: &LoadReport) -> f64 {
    report.statuses.success as f64 / report.seconds
}

pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        even if even.is_multiple_of(2) => f64::midpoint(sorted[upper - 1], sorted[upper]),
        _ => sorted[upper],
    }
}

fn say(row: &str) {
    eprintln!("bench draw: {row}");
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn a_median_is_in_the_middle() {
        for (values, expected) in [(&[][..], 0.0), (&[3.0], 3.0), (&[9.0, 1.0], 5.0), (&[9.0, 1.0, 2.0], 2.0)]
        {
            assert!((median(values) - expected).abs() < 1e-9, "{values:?}");
        }
    }
}
