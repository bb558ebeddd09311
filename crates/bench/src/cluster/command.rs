//! The arguments, and the rows one after the other: each alone on the machine, each on servers of its own.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::process_cpu::process_cpu_s;
use super::test_cluster::TestCluster;
use crate::ledger::commits::Commits;
use crate::ledger::drive::{self, ExpectedHold};
use crate::ledger::redis::{self, Sync};
use crate::ledger::report::{Goal, LedgerReport, quantile_ms};
use crate::ledger::requests::{PLENTY, RequestMix};
use crate::ledger::test_ledger::{drain, prepare};

/// The load of the row that measures a final answer, as a share of what a future per request reached.
const HALF: f64 = 0.5;
/// Reservations that warm the servers up: new ones grow their files and caches first.
const WARM_UP: u64 = 100_000;

#[derive(Debug, Args)]
pub struct ClusterArgs {
    /// Print one flat JSON object on one line
    #[arg(long)]
    json: bool,

    /// How long each row is measured, in seconds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,

    /// Reservations made ready for each row in batches; the row ends early when they are used up
    #[arg(long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    reservations: u64,

    /// Futures at once in the row with a future per request
    #[arg(long, default_value_t = 4_096, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    at_once: u64,

    /// The folder to work in; temporary folders in it are made and removed (default: the system's)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub async fn run(args: &ClusterArgs) -> anyhow::Result<()> {
    let rows = Rows {
        folder: args.folder.clone().unwrap_or_else(std::env::temp_dir),
        span: Duration::from_secs(args.seconds),
        reservations: args.reservations,
        at_once: args.at_once,
        commits: Commits::listen()?,
    };
    let mut report = LedgerReport::default();
    let per_cpu_s = rows.leader(&mut report).await?;
    rows.leader_with_standby(&mut report).await?;
    rows.lua(&mut report, per_cpu_s)?;
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
    /// Answers the reservations per processor second of this process and PostgreSQL.
    async fn leader(&self, report: &mut LedgerReport) -> anyhow::Result<Option<f64>> {
        say("leader");
        let (per_s, per_cpu_s) = self.batches(report, "leader", false).await?;
        report.with_goal(
            "leader_per_s",
            "durable reservations/s through a leader, in batches, without a standby",
            Some(per_s),
            Goal::AtLeast(200_000.0),
        );
        report.figure("leader_per_cpu_s", "the same per processor second of node and PostgreSQL", per_cpu_s);
        say("final");
        let requests = RequestMix::over(1);
        let cluster = TestCluster::open(&self.folder, false).await?;
        prepare(&cluster.stock, requests.open(PLENTY)).await?;
        let single =
            drive::one_by_one(&cluster.stock, requests, self.at_once, ExpectedHold::Held, self.span).await?;
        cluster.leave().await;
        report.figure("leader_single_per_s", "the same with a future per request", Some(single.per_s()));
        let load = single.per_s() * HALF;
        let cluster = TestCluster::open(&self.folder, false).await?;
        prepare(&cluster.stock, requests.open(PLENTY)).await?;
        self.commits.take();
        let waited = drive::at_rate(&cluster.stock, requests, load, self.span).await?;
        report.commits("final", self.commits.take());
        cluster.leave().await;
        report.figure(
            "final_load_per_s",
            "the load of the next rows: half of leader_single_per_s",
            Some(load),
        );
        report.figure(
            "final_p50_ms",
            "half of the final answers took no longer, from their due time",
            Some(quantile_ms(&waited, 0.5)),
        );
        report.with_goal(
            "final_p99_ms",
            "99 of 100 final answers took no longer",
            Some(quantile_ms(&waited, 0.99)),
            Goal::AtMost(25.0),
        );
        Ok(per_cpu_s)
    }

    async fn leader_with_standby(&self, report: &mut LedgerReport) -> anyhow::Result<()> {
        say("leader_standby");
        let (per_s, _) = self.batches(report, "leader_standby", true).await?;
        report.with_goal(
            "leader_standby_per_s",
            "the same with a synchronous standby on the same machine",
            Some(per_s),
            Goal::AtLeast(120_000.0),
        );
        Ok(())
    }

    async fn batches(
        &self,
        report: &mut LedgerReport,
        row: &'static str,
        with_standby: bool,
    ) -> anyhow::Result<(f64, Option<f64>)> {
        let requests = RequestMix::over(1);
        let cluster = TestCluster::open(&self.folder, with_standby).await?;
        prepare(&cluster.stock, requests.open(PLENTY)).await?;
        let mut batches = drive::batches(requests, WARM_UP + self.reservations)?;
        let measured = batches.split_off(usize::try_from(WARM_UP)? / drive::BATCH);
        drive::in_batches(&cluster.stock, batches, ExpectedHold::Held, self.span).await?;
        self.commits.take();
        let before = cluster.cpu_s();
        let span = drive::in_batches(&cluster.stock, measured, ExpectedHold::Held, self.span).await?;
        let spent = before.zip(cluster.cpu_s()).map(|(before, after)| after - before);
        report.commits(row, self.commits.take());
        let drained = drain(&cluster.stock, self.span).await;
        cluster.leave().await;
        let name = format!("{row}_projection_per_s");
        report.figure(
            name,
            "events projected per second after that row: what is sustained",
            Some(drained.per_s),
        );
        Ok((span.per_s(), spent.map(|spent| span.answers as f64 / spent)))
    }

    fn lua(&self, report: &mut LedgerReport, per_cpu_s: Option<f64>) -> anyhow::Result<()> {
        say("redis");
        let script = redis::is_here()
            .then(|| redis::measure_cpu(&self.folder, Sync::EverySecond, self.span, process_cpu_s))
            .transpose()?
            .flatten();
        report.figure(
            "lua_per_cpu_s",
            "the classic Lua script, per processor second of Redis, synced once a second",
            script,
        );
        report.with_goal(
            "ratio_lua_cpu",
            "leader_per_cpu_s to the script",
            per_cpu_s.zip(script).map(|(leader, script)| leader / script),
            Goal::AtLeast(4.0),
        );
        Ok(())
    }
}

fn say(row: &str) {
    eprintln!("bench cluster: {row}");
}
