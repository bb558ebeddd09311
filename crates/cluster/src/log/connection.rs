//! A connection to the log's server that threads may wait for.
//!
//! Each is driven by a small runtime of the log's own, so that it may be used from any thread, inside another runtime too.
//! No statement on it is ever cancelled or timed out: PostgreSQL answers a cancelled wait for its standby with a warning
//! and "done". Warnings are counted; who commits looks at the count.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use ledger::LogError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::config::SslMode;
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls};

use super::durability::{DURABILITY, ServerDurability};
use super::settings::{PostgresLogSettings, StandbyRule};
use super::tls::PostgresTls;

const CONNECT_MAX: Duration = Duration::from_secs(10);
/// A peer that says nothing is asked after this long, this often, and given up.
const PEER_SILENT: Duration = Duration::from_secs(10);
const PEER_ASKED: Duration = Duration::from_secs(5);
const PEER_TRIES: u32 = 4;
/// How long what was sent may stay without an acknowledgement of the peer's system.
const PEER_ACKNOWLEDGES: Duration = Duration::from_secs(30);
/// What a session is set to, whatever the server's defaults are.
const SESSION: &str = "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 \
     -c client_min_messages=warning -c default_transaction_isolation=read\\ committed \
     -c default_transaction_read_only=off";
/// Threads that drive connections: a renewal does not wait for a block that is being sent.
const NETWORK_THREADS: usize = 2;

/// The runtime that drives a log's connections.
#[derive(Debug)]
pub(super) struct LogNetwork(Option<Runtime>);

impl LogNetwork {
    pub fn start() -> Result<Self, LogError> {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(NETWORK_THREADS).thread_name("ledger-log").enable_all();
        Ok(Self(Some(builder.build().map_err(failed)?)))
    }

    /// Has work done on the runtime, and waits for it on the calling thread.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, tokio_postgres::Error>> + Send + 'static,
    ) -> Result<T, LogError> {
        let (done, outcome) = sync_channel(1);
        if let Some(runtime) = &self.0 {
            runtime.spawn(async move {
                // Nobody waits any more only if the waiting thread is gone.
                let _ = done.send(work.await);
            });
        }
        match outcome.recv() {
            Ok(outcome) => outcome.map_err(statement_failed),
            Err(_) => Err(LogError::Failed("the log's runtime ended".into())),
        }
    }
}

/// Does not wait for its connections: it may be dropped inside another runtime.
impl Drop for LogNetwork {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// One session. Dropping it ends the session; what it committed is committed.
#[derive(Debug)]
pub(super) struct LogConnection {
    network: Arc<LogNetwork>,
    client: Arc<Client>,
    warnings: Arc<AtomicU64>,
    standby: StandbyRule,
}

impl LogConnection {
    /// Connects to a server that keeps what it commits.
    pub fn open(network: &Arc<LogNetwork>, settings: &PostgresLogSettings) -> Result<Self, LogError> {
        let mut config = configure(&settings.url)?;
        if settings.ca_file.is_some() {
            // Without it, whoever is in between could say that the server has no TLS.
            config.ssl_mode(SslMode::Require);
        }
        let tls = settings.ca_file.as_deref().map(PostgresTls::from_file).transpose().map_err(failed)?;
        let warnings = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&warnings);
        let client = network.wait(async move {
            match tls {
                Some(tls) => {
                    let (client, connection) = config.connect(tls).await?;
                    tokio::spawn(drive(connection, counted));
                    Ok(client)
                }
                None => {
                    let (client, connection) = config.connect(NoTls).await?;
                    tokio::spawn(drive(connection, counted));
                    Ok(client)
                }
            }
        })?;
        let (network, client) = (Arc::clone(network), Arc::new(client));
        let opened = Self { network, client, warnings, standby: settings.standby };
        opened.check_durability()?;
        Ok(opened)
    }

    /// Asks the server again whether it keeps what it commits: its settings may have been reloaded.
    pub fn check_durability(&self) -> Result<(), LogError> {
        let row = self.run(|client| async move { client.query_one(DURABILITY, &[]).await })?;
        let server = ServerDurability {
            fsync: row.try_get(0).map_err(failed)?,
            full_page_writes: row.try_get(1).map_err(failed)?,
            synchronous_commit: row.try_get(2).map_err(failed)?,
            synchronous_standby_names: row.try_get(3).map_err(failed)?,
            in_recovery: row.try_get(4).map_err(failed)?,
        };
        server.check(self.standby).map_err(failed)
    }

    /// Waits for work with the client.
    pub fn run<T, F>(&self, work: impl FnOnce(Arc<Client>) -> F) -> Result<T, LogError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, tokio_postgres::Error>> + Send + 'static,
    {
        self.network.wait(work(Arc::clone(&self.client)))
    }

    /// The same where what was done has to be beyond doubt: after a warning it is not.
    pub fn run_beyond_doubt<T, F>(&self, work: impl FnOnce(Arc<Client>) -> F) -> Result<T, LogError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, tokio_postgres::Error>> + Send + 'static,
    {
        let before = self.warnings.load(Ordering::Acquire);
        let done = self.run(work)?;
        if self.warnings.load(Ordering::Acquire) != before {
            return Err(LogError::Failed("the log's server committed with a warning".into()));
        }
        Ok(done)
    }
}

fn configure(url: &str) -> Result<Config, LogError> {
    let mut config: Config = url.parse().map_err(failed)?;
    let options = config.get_options().unwrap_or_default().to_owned();
    config
        .options(format!("{options} {SESSION}").trim())
        .application_name("windfall-log")
        .connect_timeout(CONNECT_MAX)
        .keepalives(true)
        .keepalives_idle(PEER_SILENT)
        .keepalives_interval(PEER_ASKED)
        .keepalives_retries(PEER_TRIES)
        .tcp_user_timeout(PEER_ACKNOWLEDGES);
    Ok(config)
}

/// Moves bytes until the session ends. A notice is counted before the answer that follows it is handed on.
async fn drive<S, T>(mut connection: Connection<S, T>, warnings: Arc<AtomicU64>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notice(notice))) if is_warning(&notice) => {
                tracing::warn!(notice = notice.message(), "the log's server warns");
                warnings.fetch_add(1, Ordering::AcqRel);
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                tracing::warn!(%error, "a connection to the log's server is lost");
                return;
            }
            None => return,
        }
    }
}

/// Whatever is not known to be harmless.
fn is_warning(notice: &DbError) -> bool {
    !matches!(
        notice.parsed_severity(),
        Some(Severity::Notice | Severity::Debug | Severity::Info | Severity::Log)
    )
}

fn statement_failed(error: tokio_postgres::Error) -> LogError {
    match error.code() {
        Some(state) if *state == SqlState::DISK_FULL => LogError::Full(Box::new(error)),
        Some(_) | None => failed(error),
    }
}

pub(super) fn failed(error: impl std::error::Error + Send + Sync + 'static) -> LogError {
    LogError::Failed(Box::new(error))
}
