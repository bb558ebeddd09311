//! A draw of the usual kind: one script on Redis for the cooldown and the stock, then one insert into PostgreSQL.
//!
//! The peer gets its best. Redis syncs once a second and is reached over Unix sockets on which the callers' requests are
//! pipelined; inserts are prepared and pipelined on a pool of connections, the best of several sizes, while PostgreSQL
//! commits each for good, as a draw of ours is. It is measured in process, and then as people would meet it: behind the
//! route of the plain echo, on as many connections as the draws, without sessions or limits. What the peer does not do:
//! chances, odds from a compiled strategy, idempotent answers, a chain of receipts.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls, Statement};

use crate::http::{ECHO, Echo, EchoBody, Times};
use crate::ledger::redis::{self, RedisServer, Sync, command, request};
use crate::postgres_peer::{self, PostgresPeer};

/// The cooldown, the stock; answers 1, or 0 when nothing is left, or 2 to somebody who is too fast.
const SCRIPT: &str = "\
if not redis.call('SET', KEYS[1], '1', 'NX', 'EX', 1) then return 2 end \
if tonumber(redis.call('GET', KEYS[2]) or 0) < 1 then return 0 end \
redis.call('DECR', KEYS[2]) \
return 1";
const TABLE: &str = "CREATE TABLE draws (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL, activity bigint NOT NULL, request text NOT NULL, prize integer NOT NULL,
    at timestamptz NOT NULL DEFAULT now(), UNIQUE (user_id, request))";
const INSERT: &str = "INSERT INTO draws (user_id, activity, request, prize) VALUES ($1, $2, $3, $4)";
const REDIS_CONNECTIONS: usize = 4;
/// Connections to PostgreSQL; the best counts.
const POOLS: [usize; 3] = [8, 32, 64];
const PRIZES: u64 = 8;
/// Requests written to Redis at once at most.
const PIPELINE_MAX: usize = 256;
const TAKEN: u8 = b'1';

/// What the peer needs and is not here.
pub fn missing() -> Option<&'static str> {
    if !redis::is_here() {
        return Some("redis-server");
    }
    if postgres_peer::find_installed().is_none() { Some("postgres") } else { None }
}

/// Draws per second, at the best size of the pool.
#[derive(Clone, Copy, Debug)]
pub struct PeerRates {
    pub in_process: f64,
    pub over_http: f64,
}

pub async fn measure(parent: &Path, times: Times) -> anyhow::Result<PeerRates> {
    let server = RedisServer::start(parent, Sync::EverySecond)?;
    let mut control = server.connect()?;
    let sha: Arc<str> = redis::script(&mut control, SCRIPT)?.into();
    for prize in 0..PRIZES {
        request(&mut control, &["SET", &format!("stock:{prize}"), "1000000000000"])?;
        redis::expect(&mut control, b"+OK\r\n")?;
    }
    let database = PostgresPeer::start(parent, POOLS.into_iter().max().unwrap_or(1))?;
    let (mut pool, mut stocks) = (Vec::new(), Vec::new());
    for _ in 0..REDIS_CONNECTIONS {
        stocks.push(Stock::connect(&server.socket, Arc::clone(&sha)).await?);
    }
    let next = Arc::new(AtomicU64::new(0));
    let (mut in_process, mut best) = (0.0_f64, Vec::new());
    for size in POOLS {
        while pool.len() < size {
            pool.push(Arc::new(Table::connect(&database.settings(), pool.is_empty()).await?));
        }
        let desk = |at: usize| Desk {
            stock: stocks[at % stocks.len()].clone(),
            table: Arc::clone(&pool[at % size]),
            next: Arc::clone(&next),
        };
        let desks: Vec<Desk> = (0..times.connections).map(desk).collect();
        let per_s = drive(desks.clone(), times).await?;
        eprintln!("bench draw: peer with {size} connections to PostgreSQL, {per_s:.0}/s");
        if per_s > in_process {
            (in_process, best) = (per_s, desks);
        }
    }
    let echo = Echo::of(router(best)).await?;
    let report = echo.drive(&times.plan(echo.address), |_| {}).await?;
    ensure!(report.errors == 0, "the peer over HTTP: {:?}", report.first_error);
    Ok(PeerRates { in_process, over_http: report.per_s })
}

/// A draw, and then what the plain echo does.
fn router(desks: Vec<Desk>) -> Router {
    let (desks, turn) = (Arc::new(desks), Arc::new(AtomicUsize::new(0)));
    let draw = move |Json(body): Json<EchoBody>| {
        let at = turn.fetch_add(1, Ordering::Relaxed) % desks.len();
        let desk = desks[at].clone();
        async move {
            match desk.draw().await {
                Ok(()) => Json(body).into_response(),
                Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
            }
        }
    };
    Router::new().route(ECHO, post(draw))
}

/// Where a caller draws.
#[derive(Clone, Debug)]
struct Desk {
    stock: Stock,
    table: Arc<Table>,
    next: Arc<AtomicU64>,
}

impl Desk {
    async fn draw(&self) -> anyhow::Result<()> {
        let user = self.next.fetch_add(1, Ordering::Relaxed);
        let prize = user % PRIZES;
        ensure!(self.stock.take(user, prize).await? == TAKEN, "Redis refused a draw");
        self.table.insert(user, prize).await
    }
}

async fn drive(desks: Vec<Desk>, times: Times) -> anyhow::Result<f64> {
    let from = Instant::now() + times.warmup;
    let until = from + times.duration;
    let mut tasks = JoinSet::new();
    for desk in desks {
        tasks.spawn(async move {
            let mut counted = 0_u64;
            while Instant::now() < until {
                desk.draw().await?;
                let now = Instant::now();
                counted += u64::from(from <= now && now < until);
            }
            anyhow::Ok(counted)
        });
    }
    let mut draws = 0;
    while let Some(counted) = tasks.join_next().await {
        draws += counted.context("a caller of the peer failed")??;
    }
    Ok(draws as f64 / times.duration.as_secs_f64())
}

/// One connection to PostgreSQL, shared by several callers.
#[derive(Debug)]
struct Table {
    client: Client,
    insert: Statement,
}

impl Table {
    async fn connect(settings: &str, create: bool) -> anyhow::Result<Self> {
        let (client, connection) = tokio_postgres::connect(settings, NoTls).await?;
        tokio::spawn(async {
            // Whoever waits for an answer hears of it.
            connection.await.ok();
        });
        if create {
            client.batch_execute(TABLE).await?;
        }
        let insert = client.prepare(INSERT).await?;
        Ok(Self { client, insert })
    }

    async fn insert(&self, user: u64, prize: u64) -> anyhow::Result<()> {
        let (user, prize) = (i64::try_from(user)?, i32::try_from(prize)?);
        let request = format!("{user:024x}");
        self.client.execute(&self.insert, &[&user, &1_i64, &request, &prize]).await?;
        Ok(())
    }
}

/// A connection to Redis: callers hand their requests in, and answers come back in the same order.
#[derive(Clone, Debug)]
struct Stock(mpsc::Sender<Take>);

#[derive(Debug)]
struct Take {
    user: u64,
    prize: u64,
    reply: oneshot::Sender<u8>,
}

impl Stock {
    async fn connect(socket: &Path, sha: Arc<str>) -> anyhow::Result<Self> {
        let (read, write) = UnixStream::connect(socket).await?.into_split();
        let (takes, taken) = mpsc::channel(PIPELINE_MAX);
        let (waiting, replies) = mpsc::unbounded_channel();
        tokio::spawn(send(write, sha, taken, waiting));
        tokio::spawn(receive(read, replies));
        Ok(Self(takes))
    }

    async fn take(&self, user: u64, prize: u64) -> anyhow::Result<u8> {
        let (reply, answer) = oneshot::channel();
        self.0.send(Take { user, prize, reply }).await.context("the connection to Redis is gone")?;
        answer.await.context("the connection to Redis is gone")
    }
}

async fn send(
    mut stream: OwnedWriteHalf,
    sha: Arc<str>,
    mut takes: mpsc::Receiver<Take>,
    waiting: mpsc::UnboundedSender<oneshot::Sender<u8>>,
) -> anyhow::Result<()> {
    let (mut ready, mut bytes) = (Vec::new(), Vec::new());
    while takes.recv_many(&mut ready, PIPELINE_MAX).await > 0 {
        bytes.clear();
        for Take { user, prize, reply } in ready.drain(..) {
            let (cooldown, stock) = (format!("cooldown:{user}"), format!("stock:{prize}"));
            command(&mut bytes, &["EVALSHA", &sha, "2", &cooldown, &stock]);
            waiting.send(reply)?;
        }
        stream.write_all(&bytes).await?;
    }
    Ok(())
}

/// Every answer is `:N` and the end of the line.
async fn receive(
    mut stream: OwnedReadHalf,
    mut waiting: mpsc::UnboundedReceiver<oneshot::Sender<u8>>,
) -> anyhow::Result<()> {
    let mut bytes = VecDeque::new();
    let mut chunk = vec![0; 4_096];
    loop {
        let read = stream.read(&mut chunk).await?;
        if read == 0 {
            return Ok(());
        }
        bytes.extend(&chunk[..read]);
        while bytes.len() >= 4 {
            let (colon, answer) = (bytes.pop_front(), bytes.pop_front().unwrap_or_default());
            if colon != Some(b':') {
                bail!("Redis answered something else");
            }
            bytes.drain(..2);
            let reply = waiting.recv().await.context("an answer nobody waits for")?;
            // Who has gone away needs none.
            reply.send(answer).ok();
        }
    }
}
