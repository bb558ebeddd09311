//! The arguments, and the rows one after the other: each alone on the machine, each on a folder of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::commits::Commits;
use super::drive::{self, ExpectedHold, Throughput};
use super::redis::{self, Sync};
use super::report::{Goal, LedgerReport, quantile_ms};
use super::requests::{PLENTY, RequestMix};
use super::test_ledger::{Drain, Ground};
use super::{growth, memory, restart};

/// Pools in the rows with many.
const MANY_POOLS: u64 = 10_000;
/// What counts as a light load, as a share of what a future per request reached.
const LIGHT: f64 = 0.1;

#[derive(Debug, Args)]
pub struct LedgerArgs {
    /// Print one flat JSON object on one line
    #[arg(long)]
    json: bool,

    /// How long each row is measured
    #[arg(long, default_value_t = 5.0, value_parser = seconds)]
    seconds: f64,

    /// Reservations made ready for each row in batches; the row ends early when they are used up
    #[arg(long, default_value_t = 3_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    reservations: u64,

    /// Futures at once in the rows with a future per request
    #[arg(long, default_value_t = 4_096, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    at_once: u64,

    /// Holds, users and finished ids that memory is measured with; pools and holds that the cost per command grows to
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..=100_000_000))]
    many: u64,

    /// The folder to work in; a temporary folder in it is made and removed (default: the system's)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Measure a restart too; making its past takes minutes
    #[arg(long)]
    restart: bool,

    /// Finished holds in the past of the restart
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    restart_finished: u64,

    /// Events of that past which only the journal has
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    restart_unprojected: u64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.05..=3_600.0).contains(&seconds) { Ok(seconds) } else { Err("from 0.05 to 3600".to_owned()) }
}

pub async fn run(args: &LedgerArgs) -> anyhow::Result<()> {
    let rows = Rows {
        folder: args.folder.clone().unwrap_or_else(std::env::temp_dir),
        span: Duration::from_secs_f64(args.seconds),
        reservations: args.reservations,
        at_once: args.at_once,
        commits: Commits::listen()?,
    };
    let mut report = LedgerReport::default();
    memory_rows(&mut report, args.many)?;
    let (hot, single) = rows.reservations(&mut report).await?;
    rows.light(&mut report, single * LIGHT).await?;
    rows.sold_out(&mut report).await?;
    growth_rows(&mut report, args.many)?;
    redis_rows(&mut report, &rows.folder, rows.span, hot)?;
    if args.restart {
        restart_rows(&mut report, &rows.folder, args.restart_finished, args.restart_unprojected).await?;
    }
    report.print(args.json);
    Ok(())
}

struct Rows {
    folder: PathBuf,
    span: Duration,
    reservations: u64,
    at_once: u64,
    commits: Commits,
}

impl Rows {
    /// Answers the rates of the hot pool: in batches, and with a future per request.
    async fn reservations(&self, report: &mut LedgerReport) -> anyhow::Result<(f64, f64)> {
        let (hot, drain) = self.batches(report, "hot", 1).await?;
        report.with_goal(
            "hot_per_s",
            "durable reservations/s on one pool, in batches; ids hashed and commands built before the span",
            Some(hot.per_s()),
            Goal::AtLeast(1_000_000.0),
        );
        report.figure(
            "lag_after_s",
            "until the projection had caught up after that row",
            Some(drain.seconds),
        );
        report.figure(
            "lag_after_events",
            "events that were not projected at its end",
            Some(drain.events as f64),
        );
        report.figure("projection_per_s", "events projected per second meanwhile", Some(drain.per_s));
        let single = self.singles(report, "hot_single", 1).await?;
        report.with_goal(
            "hot_single_per_s",
            "the same with a future per request; ids hashed and commands built within the span",
            Some(single.per_s()),
            Goal::AtLeast(400_000.0),
        );
        let (many, _) = self.batches(report, "many_pools", MANY_POOLS).await?;
        report.figure("many_pools_per_s", "on 10,000 pools, in batches", Some(many.per_s()));
        let many = self.singles(report, "many_pools_single", MANY_POOLS).await?;
        report.figure("many_pools_single_per_s", "on 10,000 pools, a future per request", Some(many.per_s()));
        Ok((hot.per_s(), single.per_s()))
    }

    async fn batches(
        &self,
        report: &mut LedgerReport,
        row: &'static str,
        pools: u64,
    ) -> anyhow::Result<(Throughput, Drain)> {
        say(row);
        let requests = RequestMix::over(pools);
        let ground = self.ground(requests, PLENTY).await?;
        let batches = drive::batches(requests, self.reservations)?;
        self.commits.take();
        let span = drive::in_batches(&ground.stock, batches, ExpectedHold::Held, self.span).await?;
        report.commits(row, self.commits.take());
        let drain = ground.drain(self.span).await;
        ground.leave().await?;
        Ok((span, drain))
    }

    async fn singles(
        &self,
        report: &mut LedgerReport,
        row: &'static str,
        pools: u64,
    ) -> anyhow::Result<Throughput> {
        say(row);
        let requests = RequestMix::over(pools);
        let ground = self.ground(requests, PLENTY).await?;
        self.commits.take();
        let span =
            drive::one_by_one(&ground.stock, requests, self.at_once, ExpectedHold::Held, self.span).await?;
        report.commits(row, self.commits.take());
        ground.leave().await?;
        Ok(span)
    }

    /// How long one reservation takes when nothing is crowded, beside how long a commit takes then.
    async fn light(&self, report: &mut LedgerReport, per_s: f64) -> anyhow::Result<()> {
        say("light");
        let requests = RequestMix::over(1);
        let ground = self.ground(requests, PLENTY).await?;
        self.commits.take();
        let waited = drive::at_rate(&ground.stock, requests, per_s, self.span).await?;
        let commits = self.commits.take();
        ground.leave().await?;
        let commit_p99_ms = quantile_ms(&commits.time, 0.99);
        report.figure("light_per_s", "the load of the next rows: a tenth of hot_single_per_s", Some(per_s));
        report.figure("commit_p99_ms", "99 of 100 commits took no longer, at that load", Some(commit_p99_ms));
        report.figure(
            "light_p50_ms",
            "half of the reservations took no longer, from their due time",
            Some(quantile_ms(&waited, 0.5)),
        );
        report.with_goal(
            "light_p99_ms",
            "99 of 100 reservations took no longer; the goal is the commit's p99 + 1 ms",
            Some(quantile_ms(&waited, 0.99)),
            Goal::AtMost(commit_p99_ms + 1.0),
        );
        report.commits("light", commits);
        Ok(())
    }

    /// Refusals that wait for no commit.
    async fn sold_out(&self, report: &mut LedgerReport) -> anyhow::Result<()> {
        say("sold_out");
        let requests = RequestMix::over(1);
        let ground = self.ground(requests, 0).await?;
        let batches = drive::batches(requests, self.reservations)?;
        let span = drive::in_batches(&ground.stock, batches, ExpectedHold::SoldOut, self.span).await?;
        report.figure("sold_out_per_s", "\"sold out\" answers/s, in batches", Some(span.per_s()));
        let single =
            drive::one_by_one(&ground.stock, requests, self.at_once, ExpectedHold::SoldOut, self.span)
                .await?;
        ground.leave().await?;
        report.figure(
            "sold_out_single_per_s",
            "\"sold out\" answers/s, a future per request",
            Some(single.per_s()),
        );
        Ok(())
    }

    async fn ground(&self, requests: RequestMix, total: u64) -> anyhow::Result<Ground> {
        let ground = Ground::open(&self.folder).await?;
        ground.prepare(requests.open(total)).await?;
        Ok(ground)
    }
}

fn memory_rows(report: &mut LedgerReport, many: u64) -> anyhow::Result<()> {
    say("memory");
    let bytes = memory::measure(many)?;
    let (hold, user, finished) =
        (bytes.map(|b| b.per_hold), bytes.map(|b| b.per_user), bytes.map(|b| b.per_finished_id));
    let at_most = Goal::AtMost;
    report.with_goal("bytes_per_hold", "resident memory per open hold of one line", hold, at_most(150.0));
    report.with_goal("bytes_per_user", "and per owner with units in a pool", user, at_most(200.0));
    report.with_goal("bytes_per_finished_id", "and per id that has left memory", finished, at_most(12.0));
    Ok(())
}

fn growth_rows(report: &mut LedgerReport, many: u64) -> anyhow::Result<()> {
    say("growth");
    let costs = growth::measure(&[1, 1_000.min(many), many], many.min(400_000))?;
    for (size, ns) in &costs {
        report.figure(
            format!("command_ns_at_{size}"),
            "to decide and encode one command, with so many pools and open holds",
            Some(*ns),
        );
    }
    let ratio = costs.last().zip(costs.first()).map(|((_, last), (_, first))| last / first);
    report.with_goal("growth_ratio", "the last of these to the first", ratio, Goal::AtMost(3.0));
    Ok(())
}

fn redis_rows(report: &mut LedgerReport, folder: &Path, span: Duration, hot: f64) -> anyhow::Result<()> {
    let measure = |sync| {
        say("redis");
        redis::is_here().then(|| redis::measure(folder, sync, span)).transpose()
    };
    let (second, always) = (measure(Sync::EverySecond)?, measure(Sync::Always)?);
    report.figure("redis_lua_everysec_per_s", "the classic Lua script, synced once a second", second);
    report.figure("redis_lua_always_per_s", "the classic Lua script, synced as the ledger is", always);
    let ratio = |redis: Option<f64>| redis.map(|redis| hot / redis);
    report.with_goal(
        "ratio_redis_lua",
        "hot_per_s to the script synced once a second",
        ratio(second),
        Goal::AtLeast(20.0),
    );
    report.figure("ratio_redis_lua_always", "hot_per_s to the script synced as the ledger is", ratio(always));
    Ok(())
}

async fn restart_rows(
    report: &mut LedgerReport,
    folder: &Path,
    finished: u64,
    unprojected: u64,
) -> anyhow::Result<()> {
    say("restart");
    let mut told = 0;
    let progress = |done: u64| {
        if done >= told + 500_000 {
            told = done;
            eprintln!("bench ledger: restart, {done} of {finished} finished holds made");
        }
    };
    let restart = restart::measure(folder, finished, unprojected, progress).await?;
    report.figure(
        "restart_finished",
        "finished holds in the database, of a million users",
        Some(restart.finished as f64),
    );
    report.figure("restart_unprojected", "events only in the journal", Some(restart.unprojected as f64));
    report.figure(
        "restart_made_per_s",
        "holds per second reserved, confirmed and projected to make them",
        Some(restart.finished_per_s),
    );
    report.with_goal(
        "restart_s",
        "from the start to the first durable answer",
        Some(restart.seconds),
        Goal::AtMost(10.0),
    );
    Ok(())
}

fn say(row: &str) {
    eprintln!("bench ledger: {row}");
}
