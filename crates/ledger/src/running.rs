//! The running ledger behind its port: the writer, the projector that follows it, and the look-up of ids that have
//! left memory.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::Rejection;
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Account, ActivityView, PlayerState, RoundState, TicketView};
use domain::ledger::{Answer, Command, HoldState, HoldView, Key, Limits, PoolId, PoolView, Stored, recall};
use store::Db;
use store::failure::{Failure, Fault, Result};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::auditor::LedgerAuditor;
use super::core::Ask;
use super::log::Log;
use super::projector::Projector;
use super::writer::{Answered, LedgerWriter, NoAnswer, WriterSettings};
use crate::{Clock, Lane, LedgerClock, Stock, StockAnswer};

/// Reads have a lane of their own: they neither wait for a crowd nor make one wait.
const READS: Lane = 0;
/// How often an id is looked up again because the ledger let go of something meanwhile.
const LOOK_UPS_MAX: u32 = 16;

/// A running ledger.
pub struct RunningLedger {
    writer: Arc<LedgerWriter>,
    projector: Arc<Projector>,
    store: Db,
    clock: Arc<dyn Clock>,
    stop: watch::Sender<bool>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl std::fmt::Debug for RunningLedger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunningLedger").field("writer", &self.writer).finish_non_exhaustive()
    }
}

impl RunningLedger {
    /// Loads the ledger at the database's position, folds what the journal has beyond it, and serves; projection
    /// catches up in the background.
    pub async fn start(
        log: Arc<dyn Log>,
        settings: WriterSettings,
        limits: Limits,
        clock: Arc<dyn Clock>,
        store: Db,
    ) -> Result<Self, Fault> {
        let own = Arc::clone(&log);
        let runtime = tokio::runtime::Handle::current();
        let (source, machine) = (store.clone(), Arc::clone(&clock));
        let load = move || {
            let image = runtime.block_on(source.ledger_load()).map_err(|failure| failure.to_string())?;
            image.restore(limits).map_err(|fault| fault.story())
        };
        // Recovery reads and folds for a while, and it waits for the database: not on a thread of the runtime.
        let started =
            tokio::task::spawn_blocking(move || LedgerWriter::start(own, settings, machine, Box::new(load)));
        let writer = started.await.map_err(|error| Fault::caused("starting the ledger", error))?;
        let writer = Arc::new(writer.map_err(|why| Fault::new(format!("starting the ledger: {why}")))?);
        let projector = Projector::new(log, store.clone(), Arc::clone(&writer));
        let projector = Arc::new(projector.map_err(|error| Fault::caused("the ledger's projector", error))?);
        let (stop, stopped) = watch::channel(false);
        let tasks = vec![
            tokio::spawn(Arc::clone(&projector).run(stopped.clone())),
            tokio::spawn(Arc::clone(&projector).tend(stopped)),
        ];
        Ok(Self { writer, projector, store, clock, stop, tasks: Mutex::new(tasks) })
    }

    /// Takes nothing more in, finishes what was taken in, and projects all of it.
    pub async fn close(&self) {
        let writer = Arc::clone(&self.writer);
        // Joining threads blocks; their own trouble has been told by them.
        let _ = tokio::task::spawn_blocking(move || writer.close()).await;
        let _ = self.stop.send(true);
        let tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        for task in tasks {
            if let Err(error) = task.await {
                tracing::error!(%error, "a task of the ledger ended badly");
            }
        }
    }

    /// Who holds this ledger against its rows.
    pub fn auditor(&self, books: Db) -> LedgerAuditor {
        LedgerAuditor::new(Arc::clone(&self.writer), Arc::clone(&self.projector), books)
    }

    /// The term that this ledger began in. It may have claimed later ones since.
    pub fn term(&self) -> u32 {
        self.writer.term()
    }

    /// Events that are durable and not yet projected.
    pub fn lag(&self) -> u64 {
        self.writer.lag()
    }

    /// Passes if the rows have everything that anybody was ever told. The ledger cannot be asked; rows that are behind it
    /// would deny what was acknowledged, and nobody can tell whether they do.
    async fn rows_have_all(&self) -> Result<()> {
        let told = self.writer.told();
        if self.store.ledger_position().await?.seq >= told {
            return Ok(());
        }
        Err(Rejection::RowsBehind { retry_after_s: 1 }.into())
    }

    async fn stored_ticket(&self, key: Key) -> Result<Option<(TicketView, Account)>> {
        Ok(match self.store.id_find(key).await?.stored {
            Some(Stored::Ticket { view, account, .. }) => Some((view, account)),
            Some(Stored::Hold { .. } | Stored::Spent | Stored::Directive { .. }) | None => None,
        })
    }

    /// Asks the database about an id that has left memory, and the ledger again where that is needed.
    async fn look_up(&self, lane: Lane, command: Command) -> Result<StockAnswer> {
        let key = command.key().ok_or_else(|| Fault::new("a command without an id was looked up"))?;
        for _ in 0..LOOK_UPS_MAX {
            let found = self.store.id_find(key).await?;
            let recalled = found.stored.as_ref().map(|stored| recall(stored, &command));
            let absent_at = match recalled {
                Some(Some(answer)) => return answered(answer).ok_or_else(|| unsettled(key).into()),
                // Open in the database: the ledger has it.
                Some(None) => None,
                None => Some(found.position),
            };
            let ask = Ask { command: command.clone(), absent_at };
            let mut answers = self.writer.ask(lane, vec![ask]).await.map_err(refused)?;
            if let Some(answer) = answers.pop().and_then(answered) {
                return Ok(answer);
            }
        }
        Err(Rejection::Overloaded { retry_after_s: 1 }.into())
    }
}

/// Dropped without [`RunningLedger::close`], it stops where it is: what is durable and not projected stays in the
/// journal, for the next start.
impl Drop for RunningLedger {
    fn drop(&mut self) {
        for task in self.tasks.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            task.abort();
        }
    }
}

#[async_trait]
impl Stock for RunningLedger {
    async fn ask(&self, lane: Lane, commands: Vec<Command>) -> Result<Vec<StockAnswer>> {
        let asks = commands.into_iter().map(Ask::from).collect();
        let Answered { asks, answers } = self.writer.ask_and_keep(lane, asks).await.map_err(refused)?;
        let alone = answers.len() == 1;
        let mut told = Vec::with_capacity(answers.len());
        for (answer, ask) in answers.into_iter().zip(asks) {
            told.push(match answered(answer) {
                Some(answer) => answer,
                None => self.look_up(lane, ask.command).await.map_err(|failure| {
                    // The others of the batch have been decided: "nothing was done" would not be true.
                    if alone { failure } else { in_a_batch(failure) }
                })?,
            });
        }
        Ok(told)
    }

    async fn pool(&self, pool: PoolId) -> Result<Option<PoolView>> {
        match self.writer.look(READS, move |ledger| ledger.pool(pool)).await {
            Err(NoAnswer::Unavailable) => {
                self.rows_have_all().await?;
                Ok(self.store.pool_find(pool).await?.map(|pool| pool.view))
            }
            seen => Ok(seen.map_err(refused)?),
        }
    }

    /// From memory while it is there; what has left memory is in the database.
    async fn hold(&self, key: Key) -> Result<Option<HoldView>> {
        match self.writer.look_at_hold(READS, key, move |ledger| ledger.hold(key)).await {
            Ok(Some(view)) => return Ok(Some(view)),
            Ok(None) => {}
            Err(NoAnswer::Unavailable) => self.rows_have_all().await?,
            Err(why @ (NoAnswer::Overloaded | NoAnswer::Unknown | NoAnswer::Closed)) => {
                return Err(refused(why).into());
            }
        }
        let stored = self.store.hold_find(key).await?.hold.map(|stored| stored.view);
        match stored {
            // That it is over is the ledger's to say, and to write down.
            Some(view) if view.state == HoldState::Held && self.clock.now() >= view.due => {
                Err(Rejection::RowsBehind { retry_after_s: 1 }.into())
            }
            stored => Ok(stored),
        }
    }

    async fn may_know(&self, key: Key) -> Result<bool> {
        Ok(self.writer.glance(READS, move |ledger| ledger.may_know(key)).await.map_err(refused)?)
    }

    async fn ticket(&self, key: Key) -> Result<Option<(TicketView, Account)>> {
        match self.writer.look(READS, move |ledger| ledger.ticket(key)).await {
            Ok(Some(seen)) => Ok(Some(seen)),
            Err(why @ (NoAnswer::Overloaded | NoAnswer::Unknown | NoAnswer::Closed)) => {
                Err(refused(why).into())
            }
            Ok(None) => self.stored_ticket(key).await,
            Err(NoAnswer::Unavailable) => {
                self.rows_have_all().await?;
                self.stored_ticket(key).await
            }
        }
    }

    async fn player(&self, activity: ActivityId, user: UserId) -> Result<Option<PlayerState>> {
        let seen = self.writer.look(READS, move |ledger| ledger.player_state(activity, user)).await;
        Ok(seen.map_err(refused)?)
    }

    async fn round(&self, activity: ActivityId) -> Result<Option<(ActivityView, RoundState)>> {
        let seen = self.writer.look(READS, move |ledger| ledger.round(activity)).await;
        Ok(seen.map_err(refused)?)
    }

    fn clock(&self) -> LedgerClock {
        LedgerClock { behind_ms: self.writer.clock_behind_ms(), put_back_ms: self.writer.put_back_ms() }
    }

    fn trouble(&self) -> Option<String> {
        self.writer.trouble()
    }
}

/// An answer as the port gives it; nothing when the id has to be looked up.
fn answered(answer: Answer) -> Option<StockAnswer> {
    match answer {
        Answer::Accepted { outcome, .. } => Some(StockAnswer::Accepted(outcome)),
        Answer::Replayed(outcome) => Some(StockAnswer::Replayed(outcome)),
        Answer::Refused(refusal) => Some(StockAnswer::Refused(refusal)),
        Answer::LookUp => None,
    }
}

fn in_a_batch(failure: Failure) -> Failure {
    match failure {
        Failure::Rejected(Rejection::Overloaded { .. }) => Rejection::OutcomeUnknown.into(),
        other => other,
    }
}

fn unsettled(key: Key) -> Fault {
    Fault::new(format!("what the database knows of {:032x} settles nothing", key))
}

fn refused(why: NoAnswer) -> Rejection {
    match why {
        NoAnswer::Overloaded | NoAnswer::Closed => Rejection::Overloaded { retry_after_s: 1 },
        NoAnswer::Unavailable => Rejection::LedgerUnavailable { retry_after_s: 1 },
        NoAnswer::Unknown => Rejection::OutcomeUnknown,
    }
}
