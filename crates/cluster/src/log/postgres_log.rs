//! A shard's log in PostgreSQL.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use domain::ledger::BlockDigest;
use ledger::log::{LogReader, LogWriter};
use ledger::{Log, LogError};
use ring::rand::{SecureRandom, SystemRandom};

use super::connection::{LogConnection, LogNetwork, failed};
use super::reader::PostgresLogReader;
use super::segments;
use super::settings::PostgresLogSettings;
use super::tables::{FORMAT, HAND_OVER, LOOK, MAKE_HEAD, MAKE_TABLES, RENEW};
use super::writer::PostgresLogWriter;
use crate::lease::{LeaderLook, Leadership, LeaseLook};

/// One candidacy for the lead of a shard: it claims once on the grounds of its settings, and after that only what it holds
/// itself. One that was replaced stays so; whoever wants to lead again makes a new log.
#[derive(Debug)]
pub struct PostgresLog {
    shared: Arc<LogShared>,
    tending: Mutex<Option<LogConnection>>,
    /// Renewals do not wait for a segment that is being made.
    renewing: Mutex<Option<LogConnection>>,
}

/// What the writers of one candidacy share.
pub(super) struct LogShared {
    pub settings: PostgresLogSettings,
    /// Who claims, in the head: different for each candidacy.
    pub holder: String,
    network: Arc<LogNetwork>,
    claimed: AtomicBool,
    projected: AtomicU64,
    made_through: AtomicU64,
}

impl PostgresLog {
    /// Connects to nothing yet.
    pub fn new(settings: PostgresLogSettings) -> Result<Self, LogError> {
        let shared = LogShared {
            settings,
            holder: random_name()?,
            network: Arc::new(LogNetwork::start()?),
            claimed: AtomicBool::new(false),
            projected: AtomicU64::new(0),
            made_through: AtomicU64::new(0),
        };
        Ok(Self { shared: Arc::new(shared), tending: Mutex::default(), renewing: Mutex::default() })
    }

    /// Prolongs the lease of a log that was claimed. Fails with [`LogError::Fenced`] when somebody else holds the shard:
    /// then this candidacy is over, as it is when the server's time cannot be.
    pub fn renew(&self) -> Result<(), LogError> {
        let Some(lead) = &self.shared.settings.lead else { return Ok(()) };
        let (shard, holder) = self.key();
        let (sent_ms, row) = self.renewing(|connection| {
            connection.check_durability()?;
            let sent_ms = lead.own_ms();
            let row = connection.run_beyond_doubt(move |client| async move {
                client.query_opt(RENEW, &[&shard, &holder]).await
            })?;
            Ok((sent_ms, row))
        })?;
        match row {
            Some(row) => lead.renew(sent_ms, row.try_get(0).map_err(failed)?).map_err(failed),
            None => {
                lead.end();
                let (term, last_seq) = self.reader()?.head()?;
                Err(LogError::Fenced { term, last_seq })
            }
        }
    }

    /// Gives the shard up, so that the next candidate need not wait. To be called when the ledger is closed.
    pub fn hand_over(&self) -> Result<(), LogError> {
        if let Some(lead) = &self.shared.settings.lead {
            lead.end();
        }
        let (shard, holder) = self.key();
        self.renewing(|connection| {
            connection.run_beyond_doubt(move |client| async move {
                client.execute(HAND_OVER, &[&shard, &holder]).await
            })
        })?;
        Ok(())
    }

    /// What another node sees of the leader.
    pub fn look(&self) -> Result<LeaderLook, LogError> {
        let (shard, _) = self.key();
        self.renewing(|connection| {
            let row = connection.run(move |client| async move { client.query_one(LOOK, &[&shard]).await })?;
            let term = u32::try_from(row.try_get::<_, i64>(0).map_err(failed)?).map_err(failed)?;
            let counter = u64::try_from(row.try_get::<_, i64>(1).map_err(failed)?).map_err(failed)?;
            let lease = LeaseLook { term, counter, is_free: row.try_get(2).map_err(failed)? };
            Ok(LeaderLook { lease, address: row.try_get(3).map_err(failed)? })
        })
    }

    /// Whether this candidacy has led: before its claim there is nothing to renew.
    pub fn has_claimed(&self) -> bool {
        self.shared.has_claimed()
    }

    /// The lease that is prolonged, if there is one.
    pub fn lead(&self) -> Option<&Arc<Leadership>> {
        self.shared.settings.lead.as_ref()
    }

    fn key(&self) -> (i16, String) {
        (i16::from(self.shared.settings.shard.get()), self.shared.holder.clone())
    }

    /// After a failure the connection is not used again.
    fn renewing<T>(&self, work: impl FnOnce(&LogConnection) -> Result<T, LogError>) -> Result<T, LogError> {
        let mut renewing = self.renewing.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = match renewing.take() {
            Some(open) => open,
            None => self.connect_prepared()?,
        };
        let done = work(&connection)?;
        *renewing = Some(connection);
        Ok(done)
    }

    /// Makes the tables and the shard's head, if they are not there.
    fn connect_prepared(&self) -> Result<LogConnection, LogError> {
        let connection = self.connect()?;
        let (shard, _) = self.key();
        connection.run(move |client| async move {
            client.batch_execute(MAKE_TABLES).await?;
            let start: &[u8] = &BlockDigest::START.0;
            client.execute(MAKE_HEAD, &[&shard, &start, &FORMAT]).await
        })?;
        Ok(connection)
    }

    fn connect(&self) -> Result<LogConnection, LogError> {
        LogConnection::open(&self.shared.network, &self.shared.settings)
    }
}

impl Log for PostgresLog {
    fn writer(&self) -> Result<Box<dyn LogWriter>, LogError> {
        Ok(Box::new(PostgresLogWriter::new(self.connect_prepared()?, Arc::clone(&self.shared))))
    }

    fn reader(&self) -> Result<Box<dyn LogReader>, LogError> {
        Ok(Box::new(PostgresLogReader::new(self.connect()?, self.shared.settings.shard)))
    }

    fn tend(&self) -> Result<(), LogError> {
        let mut tending = self.tending.lock().unwrap_or_else(PoisonError::into_inner);
        // After a failure the connection is not used again: it may be inside a transaction.
        let connection = match tending.take() {
            Some(open) => open,
            None => self.connect()?,
        };
        segments::tend(&connection, &self.shared)?;
        *tending = Some(connection);
        Ok(())
    }

    fn is_led(&self) -> bool {
        self.shared.settings.lead.as_ref().is_none_or(|lead| lead.is_held())
    }
}

impl LogShared {
    pub fn has_claimed(&self) -> bool {
        self.claimed.load(Ordering::Acquire)
    }

    pub fn set_claimed(&self) {
        self.claimed.store(true, Ordering::Release);
    }

    pub fn projected(&self) -> u64 {
        self.projected.load(Ordering::Acquire)
    }

    pub fn note_projected(&self, position: u64) {
        self.projected.fetch_max(position, Ordering::AcqRel);
    }

    pub fn made_through(&self) -> u64 {
        self.made_through.load(Ordering::Acquire)
    }

    pub fn note_made(&self, segment: u64) {
        self.made_through.fetch_max(segment, Ordering::AcqRel);
    }
}

impl fmt::Debug for LogShared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogShared").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// 128 random bits.
fn random_name() -> Result<String, LogError> {
    let mut bytes = [0; 16];
    let random = SystemRandom::new().fill(&mut bytes);
    random.map_err(|_| LogError::Failed("the system gives no randomness".into()))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
