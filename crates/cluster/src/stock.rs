//! A shard behind the port: what arrives while one call is under way goes in the next, each command with its own answer.
//!
//! Deliberately absent: the projection and what rests on it. So an answer is what Redis has decided and written to its
//! append-only file, reads are of Redis itself, ids never leave its memory, and nothing is ever `Pending`. The
//! driver that asks for [`Command::ExpireOne`] again and again is a job of the cluster and not here either, nor are
//! activities and tickets.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::Rejection;
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Account, ActivityView, PlayerState, RoundState, TicketView};
use domain::ledger::{Command, HoldView, Key, Limits, PoolId, PoolView};
use engine::ports::{Lane, Stock, StockAnswer};
use engine::{Failure, Fault, Outcome};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::io::tcp::TcpSettings;
use redis::{Client, ErrorKind, IntoConnectionInfo, RedisError};
use tokio::sync::{mpsc, oneshot};

use crate::bytes::{Garbled, Reader};
use crate::library::{self, COMMANDS_MAX};
use crate::server::{self, ServerError};
use crate::shard::Shard;
use crate::{decode, encode};

/// Requests that wait for the call under way; beyond that the answer is `overloaded`.
pub const QUEUE_MAX: usize = 4_096;
/// How long an answer may take before it is unknown.
const RESPONSE_LIMIT: Duration = Duration::from_secs(5);
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub struct Settings {
    /// `redis://…`
    pub url: String,
    pub shard: Shard,
    /// The incarnation of the shard this node believes in. The database will say which.
    pub term: u32,
    /// Kept by the shard from the moment its term begins, so that all nodes have the same.
    pub limits: Limits,
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error("Redis could not be reached")]
    Redis(#[from] RedisError),
    /// The shard is not in this Redis: it was never created, or it is lost and has to be filled again.
    #[error("shard_not_loaded: this Redis does not have the shard")]
    NotLoaded,
    #[error("shard_exists: this Redis has something of the shard already")]
    Exists,
    #[error("term_over: the shard is in a later term than {term}")]
    TermOver { term: u32 },
    #[error("shard_incomplete: a part of the shard is gone")]
    Incomplete,
}

/// A shard in Redis.
#[derive(Debug)]
pub struct RedisStock {
    requests: mpsc::Sender<Request>,
    connection: ConnectionManager,
    shard: Shard,
    trouble: Trouble,
}

#[derive(Debug)]
struct Request {
    commands: Vec<Command>,
    reply: oneshot::Sender<Result<Vec<StockAnswer>, NoAnswer>>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NoAnswer {
    /// Nothing happened, and it may be asked again.
    Later(String),
    /// It may have happened.
    Unknown,
    /// Something is wrong with the library or what it keeps.
    Broken(String),
}

type Trouble = Arc<Mutex<Option<String>>>;

impl RedisStock {
    /// Makes a shard that never was.
    pub async fn create(settings: Settings) -> Result<Self, StartError> {
        Self::start(settings, library::CREATE).await
    }

    /// Joins the shard in its term, or begins a higher one.
    pub async fn join(settings: Settings) -> Result<Self, StartError> {
        Self::start(settings, library::BEGIN).await
    }

    async fn start(settings: Settings, function: &str) -> Result<Self, StartError> {
        let Settings { url, shard, term, limits } = settings;
        let mut connection = connect(&url).await?;
        server::check(&mut connection).await?;
        library::load(&mut connection).await?;
        let mut begin = library::call(function, &shard);
        begin.arg(encode::bounds(term, &limits));
        let begun: Result<String, RedisError> = begin.query_async(&mut connection).await;
        begun.map_err(|error| start_error(error, term))?;
        let (requests, queue) = mpsc::channel(QUEUE_MAX);
        let trouble = Trouble::default();
        let pump = Pump {
            connection: connection.clone(),
            shard: shard.clone(),
            term,
            trouble: Arc::clone(&trouble),
        };
        // Ends when the last sender is gone.
        tokio::spawn(pump.run(queue));
        Ok(Self { requests, connection, shard, trouble })
    }
}

impl RedisStock {
    /// A field of one of the shard's keys. Where the shard is not loaded there is no answer, not an empty one.
    async fn read(&self, key: String, field: &[u8]) -> Outcome<Option<Vec<u8>>> {
        let mut connection = self.connection.clone();
        let mut both = redis::pipe();
        both.exists(self.shard.state()).hget(key, field);
        let read: Result<(bool, Option<Vec<u8>>), RedisError> = both.query_async(&mut connection).await;
        match read.map_err(|error| Fault::caused("reading from Redis", error))? {
            (true, found) => Ok(found),
            (false, _) => Err(NoAnswer::Later("the shard is not in this Redis".to_owned()).into()),
        }
    }
}

/// A connection that comes back by itself. A call that was under way when it broke has failed: nothing is sent twice.
async fn connect(url: &str) -> Result<ConnectionManager, RedisError> {
    let tcp = TcpSettings::default().set_nodelay(true);
    let client = Client::open(url.into_connection_info()?.set_tcp_settings(tcp))?;
    let config = ConnectionManagerConfig::new()
        .set_response_timeout(Some(RESPONSE_LIMIT))
        .set_connection_timeout(Some(CONNECT_LIMIT));
    ConnectionManager::new_with_config(client, config).await
}

fn start_error(error: RedisError, term: u32) -> StartError {
    match error.code() {
        Some("NOTLOADED") => StartError::NotLoaded,
        Some("EXISTS") => StartError::Exists,
        Some("TERM") => StartError::TermOver { term },
        Some("INCOMPLETE") => StartError::Incomplete,
        _ => StartError::Redis(error),
    }
}

#[async_trait]
impl Stock for RedisStock {
    async fn ask(&self, _lane: Lane, commands: Vec<Command>) -> Outcome<Vec<StockAnswer>> {
        if commands.iter().any(asks_about_play) {
            return Err(not_yet().into());
        }
        let (reply, answers) = oneshot::channel();
        let request = Request { commands, reply };
        if self.requests.try_send(request).is_err() {
            return Err(Rejection::Overloaded { retry_after_s: 1 }.into());
        }
        answers.await.unwrap_or(Err(NoAnswer::Unknown)).map_err(Failure::from)
    }

    async fn pool(&self, pool: PoolId) -> Outcome<Option<PoolView>> {
        let found = self.read(self.shard.pools(), &pool.0.to_be_bytes()).await?;
        let view = found.map(|bytes| decode::pool(pool, &mut Reader(&bytes))).transpose();
        Ok(view.map_err(|error| Fault::caused("reading a pool from Redis", error))?)
    }

    async fn hold(&self, key: Key) -> Outcome<Option<HoldView>> {
        let found = self.read(self.shard.records(), &key.0.to_be_bytes()).await?;
        let view = found.map(|bytes| decode::kept_hold(key, &bytes)).transpose();
        Ok(view.map_err(|error| Fault::caused("reading a hold from Redis", error))?.flatten())
    }

    async fn ticket(&self, _: Key) -> Outcome<Option<(TicketView, Account)>> {
        Err(not_yet().into())
    }

    async fn player(&self, _: ActivityId, _: UserId) -> Outcome<Option<PlayerState>> {
        Err(not_yet().into())
    }

    async fn round(&self, _: ActivityId) -> Outcome<Option<(ActivityView, RoundState)>> {
        Err(not_yet().into())
    }

    fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Activities, and holds that depend on them.
fn asks_about_play(command: &Command) -> bool {
    let gated = matches!(command, Command::Reserve { gates, .. } if !gates.is_empty());
    gated || matches!(command, Command::Play(_))
}

fn not_yet() -> Fault {
    Fault::new("activities and tickets are not in the Redis ledger yet")
}

impl From<NoAnswer> for Failure {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Later(_) => Rejection::Overloaded { retry_after_s: 1 }.into(),
            NoAnswer::Unknown => Rejection::OutcomeUnknown.into(),
            NoAnswer::Broken(why) => Fault::new(why).into(),
        }
    }
}

/// One call after the other; each takes everything that came meanwhile, up to the most that fits.
struct Pump {
    connection: ConnectionManager,
    shard: Shard,
    term: u32,
    trouble: Trouble,
}

impl Pump {
    async fn run(mut self, mut queue: mpsc::Receiver<Request>) {
        let mut requests = Vec::new();
        while queue.recv_many(&mut requests, COMMANDS_MAX).await > 0 {
            let commands: Vec<&Command> = requests.iter().flat_map(|request| &request.commands).collect();
            let mut answers = Vec::with_capacity(commands.len());
            for call in commands.chunks(COMMANDS_MAX) {
                let told = self.call(call).await;
                self.remember(told.as_ref().err());
                match told {
                    Ok(told) => answers.extend(told.into_iter().map(Ok)),
                    Err(why) => answers.extend(call.iter().map(|_| Err(why.clone()))),
                }
            }
            let mut answers = answers.into_iter();
            for request in requests.drain(..) {
                let own = whole(answers.by_ref().take(request.commands.len()).collect());
                // Whoever asked may have gone.
                let _ = request.reply.send(own);
            }
        }
    }

    async fn call(&mut self, commands: &[&Command]) -> Result<Vec<StockAnswer>, NoAnswer> {
        let mut call = library::call(library::ASK, &self.shard);
        call.arg(encode::term(self.term).as_slice());
        for command in commands {
            call.arg(encode::command(command));
        }
        let replies: Vec<Vec<u8>> =
            call.query_async(&mut self.connection).await.map_err(|error| no_answer(&error))?;
        let broken = |error: Garbled| NoAnswer::Broken(error.to_string());
        if replies.len() != commands.len() {
            return Err(broken(Garbled("not an answer for each command")));
        }
        let answers = commands.iter().zip(&replies).map(|(command, reply)| decode::answer(command, reply));
        answers.collect::<Result<_, _>>().map_err(broken)
    }

    fn remember(&self, why: Option<&NoAnswer>) {
        let why = match why {
            None => None,
            Some(NoAnswer::Later(why) | NoAnswer::Broken(why)) => Some(why.clone()),
            Some(NoAnswer::Unknown) => Some("Redis does not answer".to_owned()),
        };
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }
}

/// The answers of one request. When only a part of them came, it is unknown what became of the whole.
fn whole(answers: Vec<Result<StockAnswer, NoAnswer>>) -> Result<Vec<StockAnswer>, NoAnswer> {
    let some_came = answers.iter().any(Result::is_ok);
    let all: Result<Vec<_>, _> = answers.into_iter().collect();
    all.map_err(|why| if some_came { NoAnswer::Unknown } else { why })
}

/// What Redis refuses before running anything has not happened. An error from within the library has its own story. Of
/// everything else nobody knows.
fn no_answer(error: &RedisError) -> NoAnswer {
    const NOTHING_HAPPENED: [&str; 11] = [
        "NOTLOADED",
        "TERM",
        "INCOMPLETE",
        "LOADING",
        "BUSY",
        "OOM",
        "MISCONF",
        "READONLY",
        "MASTERDOWN",
        "NOREPLICAS",
        "CLUSTERDOWN",
    ];
    match error.kind() {
        ErrorKind::Server(_) | ErrorKind::Extension => match error.code() {
            Some(code) if NOTHING_HAPPENED.contains(&code) => NoAnswer::Later(error.to_string()),
            _ => NoAnswer::Broken(error.to_string()),
        },
        _ if error.is_connection_refusal() => NoAnswer::Later(error.to_string()),
        _ => NoAnswer::Unknown,
    }
}
