//! How many reservations a second of Redis' own processor time carries: the classic script beside a function that keeps
//! the ledger's contract.
//!
//! ```text
//! cargo run -p windfall-bench --example per_cpu_second
//! ```
//!
//! Both run on a Redis of their own with an append-only file that is synced every second. The classic script is that of
//! `windfall bench ledger`; it is called one at a time and in pipelines of 256, and knows no owners, no confirmation and
//! no journal. Only Redis' time counts, so neither the build nor this program's own speed matters. What became of the
//! function is in `docs/decisions/0010-redis-functions.md`.

mod function;
#[cfg(test)]
mod tests;

use std::time::Duration;

use domain::ledger::Text;
use redis::aio::MultiplexedConnection;
use redis::{InfoDict, RedisResult};
use windfall_bench::CLASSIC_SCRIPT;

use function::{COMMANDS_MAX, FunctionAnswer, RedisFunction};

const RESERVATIONS: usize = 100_000;
const PIPELINES: [usize; 2] = [1, 256];
const CALLS: [usize; 5] = [1, 8, 64, 256, COMMANDS_MAX];
const STOCK: u64 = 1 << 40;
const OWNER_MAX: u32 = 5;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    println!("{RESERVATIONS} reservations of one unit from one pool, distinct ids");
    let mut classic = f64::INFINITY;
    for pipeline in PIPELINES {
        let Some(measured) = measure_classic(pipeline).await? else { return Ok(()) };
        classic = measured;
        println!("classic script, {pipeline:>5} in a pipeline      : {classic:>9.0} per CPU second");
    }
    println!("the function beside the last of these:");
    for batch in CALLS {
        for owned in [false, true] {
            let Some(function) = measure_function(batch, owned).await? else { return Ok(()) };
            let owners = if owned { "an owner each" } else { "no owners" };
            let times = function / classic;
            println!(
                "function, {batch:>5} in a call, {owners:<13}: {function:>9.0} per CPU second, {times:.1} times"
            );
        }
    }
    Ok(())
}

async fn measure_classic(pipeline: usize) -> anyhow::Result<Option<f64>> {
    let Some(server) = testkit::Redis::start(&["--appendfsync", "everysec"]).await else { return Ok(None) };
    let mut redis = connect(&server.url()).await?;
    let classic = ClassicScript::load(redis.clone(), STOCK).await?;
    let before = cpu_s(&mut redis).await?;
    for start in (0..RESERVATIONS).step_by(pipeline) {
        let answers = classic.reserve(&ids(start, pipeline)).await?;
        anyhow::ensure!(answers.iter().all(|answer| *answer == ClassicScript::TAKEN), "not all were taken");
    }
    Ok(Some(per_second(cpu_s(&mut redis).await? - before)))
}

async fn measure_function(batch: usize, owned: bool) -> anyhow::Result<Option<f64>> {
    let Some(server) = testkit::Redis::start(&["--appendfsync", "everysec"]).await else { return Ok(None) };
    let mut redis = connect(&server.url()).await?;
    let function = RedisFunction::create(redis.clone(), STOCK, OWNER_MAX).await?;
    let before = cpu_s(&mut redis).await?;
    for start in (0..RESERVATIONS).step_by(batch) {
        let answers = function.reserve(&ids(start, batch), owned).await?;
        anyhow::ensure!(answers.iter().all(|answer| *answer == FunctionAnswer::Held), "not all were held");
    }
    Ok(Some(per_second(cpu_s(&mut redis).await? - before)))
}

/// The script of `windfall bench ledger`, with one key that everybody wants.
struct ClassicScript {
    connection: MultiplexedConnection,
    sha: String,
}

impl ClassicScript {
    const TAKEN: i64 = 1;

    async fn load(mut connection: MultiplexedConnection, stock: u64) -> RedisResult<Self> {
        redis::cmd("SET").arg("stock").arg(stock).query_async::<()>(&mut connection).await?;
        let load = redis::cmd("SCRIPT").arg("LOAD").arg(CLASSIC_SCRIPT).take();
        let sha = load.query_async(&mut connection).await?;
        Ok(Self { connection, sha })
    }

    /// One unit for each id, in one pipeline.
    async fn reserve(&self, ids: &[Text]) -> RedisResult<Vec<i64>> {
        let mut pipe = redis::pipe();
        for id in ids {
            let id = id.as_str();
            let keys = ["stock".to_owned(), format!("lock:{id}"), format!("deduct:{id}")];
            pipe.cmd("EVALSHA").arg(&self.sha).arg(keys.len()).arg(&keys).arg(1);
        }
        pipe.query_async(&mut self.connection.clone()).await
    }
}

fn ids(start: usize, count: usize) -> Vec<Text> {
    let range = start..(start + count).min(RESERVATIONS);
    range.filter_map(|n| Text::new(&format!("order-{n}"))).collect()
}

async fn connect(url: &str) -> RedisResult<MultiplexedConnection> {
    let config = redis::AsyncConnectionConfig::new().set_response_timeout(Some(Duration::from_secs(60)));
    redis::Client::open(url)?.get_multiplexed_async_connection_with_config(&config).await
}

/// What the thread that runs commands has used.
async fn cpu_s(redis: &mut MultiplexedConnection) -> anyhow::Result<f64> {
    let info: InfoDict = redis::cmd("INFO").arg("cpu").query_async(redis).await?;
    let part = |name: &str| {
        info.get::<f64>(name).ok_or_else(|| anyhow::anyhow!("Redis does not tell its time: {name}"))
    };
    Ok(part("used_cpu_user_main_thread")? + part("used_cpu_sys_main_thread")?)
}

fn per_second(cpu_s: f64) -> f64 {
    let reservations = u32::try_from(RESERVATIONS).map_or(f64::INFINITY, f64::from);
    reservations / cpu_s
}
