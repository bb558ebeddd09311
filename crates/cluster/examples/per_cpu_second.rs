//! How many reservations a second of Redis' own processor time carries: the classic script beside the function.
//!
//! ```text
//! cargo run -p windfall-cluster --example per_cpu_second
//! ```
//!
//! Both run on a Redis of their own with an append-only file that is synced every second. The classic script (is there a
//! lock? is there stock? take it, set the lock and the record of the deduction, each with an end) is loaded once and
//! called one at a time and in pipelines of 256. It knows no owners, no confirmation and no journal. Only Redis' time counts, so neither the
//! build nor this program's own speed matters.

use std::time::Duration;

use domain::ledger::{Command, Key, Limits, Line, Note, Owner, PoolId, PoolName, Quantity, Text};
use engine::ports::{Stock, StockAnswer};
use redis::InfoDict;
use redis::aio::MultiplexedConnection;
use windfall_cluster::{RedisStock, Settings, Shard};

const RESERVATIONS: usize = 100_000;
const PIPELINES: [usize; 2] = [1, 256];
const STOCK: u64 = 1 << 40;
const POOL: PoolId = PoolId(1);

const CLASSIC: &str = "
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
local stock = tonumber(redis.call('GET', KEYS[2]) or '0')
if stock < tonumber(ARGV[1]) then return 0 end
redis.call('DECRBY', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[1], 'EX', 1800)
redis.call('SET', KEYS[3], ARGV[1], 'EX', 1800)
return 1";

type Anything = Result<(), Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Anything {
    println!("{RESERVATIONS} reservations of one unit from one pool, distinct ids");
    let mut classic = f64::INFINITY;
    for pipeline in PIPELINES {
        let Some(measured) = measure_classic(pipeline).await? else { return Ok(()) };
        classic = measured;
        println!("classic script, {pipeline:>5} in a pipeline      : {classic:>9.0} per CPU second");
    }
    println!("the function beside the last of these:");
    for batch in [1, 8, 64, 256, 1_024] {
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

async fn measure_classic(pipeline: usize) -> Result<Option<f64>, Box<dyn std::error::Error>> {
    let Some(server) = testkit::Redis::start(&["--appendfsync", "everysec"]).await else { return Ok(None) };
    let mut redis = connect(&server.url()).await?;
    redis::cmd("SET").arg("stock").arg(STOCK).query_async::<()>(&mut redis).await?;
    let sha: String = redis::cmd("SCRIPT").arg("LOAD").arg(CLASSIC).query_async(&mut redis).await?;
    let before = cpu_s(&mut redis).await?;
    for start in (0..RESERVATIONS).step_by(pipeline) {
        let mut pipe = redis::pipe();
        for n in start..(start + pipeline).min(RESERVATIONS) {
            let keys = [format!("lock:order-{n}"), "stock".to_owned(), format!("deduct:order-{n}")];
            pipe.cmd("EVALSHA").arg(&sha).arg(3).arg(&keys).arg(1);
        }
        let taken: Vec<i64> = pipe.query_async(&mut redis).await?;
        assert!(taken.iter().all(|one| *one == 1));
    }
    Ok(Some(per_second(cpu_s(&mut redis).await? - before)))
}

async fn measure_function(batch: usize, owned: bool) -> Result<Option<f64>, Box<dyn std::error::Error>> {
    let Some(server) = testkit::Redis::start(&["--appendfsync", "everysec"]).await else { return Ok(None) };
    let shard = Shard::new("s0").ok_or("a name")?;
    let settings = Settings { url: server.url(), shard, term: 1, limits: Limits::default() };
    let stock = RedisStock::create(settings).await?;
    let key = Key::of("pool", 0, "open");
    let name = PoolName::new("shelf").ok_or("a name")?;
    let open = Command::PoolOpen {
        key,
        name,
        pool: POOL,
        round: 1,
        total: STOCK,
        owner_max: 5,
        note: Note::default(),
    };
    stock.ask(0, vec![open]).await?;
    let mut redis = connect(&server.url()).await?;
    let before = cpu_s(&mut redis).await?;
    for start in (0..RESERVATIONS).step_by(batch) {
        let range = start..(start + batch).min(RESERVATIONS);
        let commands: Option<Vec<Command>> = range.map(|n| reserve(n, owned)).collect();
        let answers = stock.ask(0, commands.ok_or("a command")?).await?;
        assert!(answers.iter().all(|answer| matches!(answer, StockAnswer::Accepted(_))));
    }
    Ok(Some(per_second(cpu_s(&mut redis).await? - before)))
}

fn reserve(n: usize, owned: bool) -> Option<Command> {
    let name = format!("order-{n}");
    let id = Text::new(&name)?;
    let owner = owned.then(|| Owner::new(id.clone()));
    let lines = vec![Line { pool: POOL, quantity: Quantity::new(1)? }];
    Some(Command::Reserve {
        key: Key::of("hold", 0, &name),
        id,
        caller: 0,
        owner,
        lines,
        ttl_ms: 1_800_000,
        gates: Vec::new(),
    })
}

async fn connect(url: &str) -> Result<MultiplexedConnection, redis::RedisError> {
    let config = redis::AsyncConnectionConfig::new().set_response_timeout(Some(Duration::from_secs(60)));
    redis::Client::open(url)?.get_multiplexed_async_connection_with_config(&config).await
}

/// What the thread that runs commands has used.
async fn cpu_s(redis: &mut MultiplexedConnection) -> Result<f64, Box<dyn std::error::Error>> {
    let info: InfoDict = redis::cmd("INFO").arg("cpu").query_async(redis).await?;
    let part = |name: &str| info.get::<f64>(name).ok_or("Redis does not tell its time");
    Ok(part("used_cpu_user_main_thread")? + part("used_cpu_sys_main_thread")?)
}

fn per_second(cpu_s: f64) -> f64 {
    let reservations = u32::try_from(RESERVATIONS).map_or(f64::INFINITY, f64::from);
    reservations / cpu_s
}
