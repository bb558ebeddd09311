//! PostgreSQL: a pool, and transactions that are tried again when the database asks for it.
//!
//! A step runs read-committed in a task of its own. Steps that meet (a deadlock, two inserts of the same
//! unique value) are rolled back by the database and run again, deciding anew on what the other one left.
//! A caller that stops waiting does not stop the task: the transaction still ends one way or the other,
//! and its connection goes back to the pool clean.

mod batch;
mod batch_text;
mod fence;

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use bytes::BytesMut;
use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime, Transaction};
use domain::Rejection;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{IsolationLevel, NoTls};

use crate::failure::{Failure, Fault, Result};
use crate::row::Row;
use crate::tx::{MetricIncrement, StepFn, Tx};
use crate::value::Value;

pub(crate) use self::batch::{execute_each, rows_each};
pub(crate) use self::fence::SessionFence;

/// How often a transaction is run in all when others get in its way.
const ATTEMPTS_MAX: u32 = 4;
/// The first pause between two runs; it doubles, and half of it is random.
const PAUSE_MS: u64 = 4;
const CONNECT_MAX: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
pub struct PostgresSettings {
    /// `postgres://user:password@host:port/database`
    pub url: String,
    /// Connections, and so transactions at the same time.
    pub pool_max: usize,
    /// What one statement may take, including its wait for locks.
    pub statement_timeout_ms: u32,
    /// How long a step may wait for a connection before the answer is `overloaded`.
    pub connection_wait_ms: u32,
}

impl PostgresSettings {
    /// The usual figures for a database.
    pub fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), pool_max: 16, statement_timeout_ms: 10_000, connection_wait_ms: 5_000 }
    }

    /// For work that nobody waits for: however slow the machine, a step takes its time.
    #[must_use]
    pub fn unhurried(self) -> Self {
        Self { statement_timeout_ms: 600_000, connection_wait_ms: 600_000, ..self }
    }
}

#[derive(Debug)]
pub(crate) struct Postgres {
    pool: Pool,
    fence: SessionFence,
}

#[derive(Clone, Copy, Debug)]
enum Access {
    /// Read-committed: each statement sees what was committed before it, so a lock that was waited for is
    /// followed by the newest state.
    Write,
    /// Repeatable read: one consistent view, like a read of SQLite.
    Read,
}

impl Postgres {
    pub async fn connect(settings: &PostgresSettings) -> Result<Self, Fault> {
        let mut config: tokio_postgres::Config =
            settings.url.parse().map_err(|error| Fault::caused("the PostgreSQL address", error))?;
        let options = config.get_options().unwrap_or_default().to_owned();
        let fence = SessionFence::new(RandomState::new().hash_one(std::process::id()));
        config.application_name(&*fence.name);
        config.options(format!("{options} -c statement_timeout={}", settings.statement_timeout_ms).trim());
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let pool = Pool::builder(Manager::from_config(config, NoTls, manager))
            .max_size(settings.pool_max.max(1))
            .post_create(fence.hook())
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(Duration::from_millis(settings.connection_wait_ms.into())))
            .create_timeout(Some(CONNECT_MAX))
            .build()
            .map_err(|error| Fault::caused("the PostgreSQL pool", error))?;
        let first = pool.get().await.map_err(|error| Fault::caused("connecting to PostgreSQL", error))?;
        drop(first);
        Ok(Self { pool, fence })
    }

    pub async fn write<I, T>(&self, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.in_task(Access::Write, input, step).await
    }

    pub async fn read<I, T>(&self, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.in_task(Access::Read, input, step).await
    }

    pub fn fence(&self) -> &SessionFence {
        &self.fence
    }

    pub fn close(&self) {
        self.pool.close();
    }

    async fn in_task<I, T>(&self, access: Access, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        let pool = self.pool.clone();
        let running = tokio::spawn(async move { run_until_settled(&pool, access, &input, step).await });
        running.await.map_err(|error| Fault::caused("a step panicked", error))?
    }
}

async fn run_until_settled<I, T>(pool: &Pool, access: Access, input: &I, step: StepFn<I, T>) -> Result<T> {
    let mut attempt = 1;
    loop {
        match transact(pool, access, input, step).await {
            Err(failure) if attempt < ATTEMPTS_MAX && worth_another(&failure) => {
                tracing::debug!(attempt, cause = %failure, "a transaction is run again");
                tokio::time::sleep(pause(attempt)).await;
                attempt += 1;
            }
            outcome => return outcome.map_err(to_overload),
        }
    }
}

async fn transact<I, T>(pool: &Pool, access: Access, input: &I, step: StepFn<I, T>) -> Result<T> {
    let mut client = pool.get().await.map_err(no_connection)?;
    let start = match access {
        Access::Write => client.build_transaction().isolation_level(IsolationLevel::ReadCommitted),
        Access::Read => {
            client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true)
        }
    };
    let transaction = start.start().await.map_err(|error| Fault::caused("beginning a transaction", error))?;
    // Leaving early drops the transaction, which rolls it back before the connection is used again.
    let tx = Tx::postgres(&transaction);
    let value = step(&tx, input).await?;
    let counted = tx.into_counted();
    transaction.commit().await.map_err(commit_failure)?;
    counted.into_iter().for_each(MetricIncrement::publish);
    Ok(value)
}

/// Only a server that says "rolled back" (class 40) or "refused" (class 23) proves that nothing was
/// written. After anything else, a lost connection above all, nobody knows.
fn commit_failure(error: tokio_postgres::Error) -> Failure {
    let nothing_written = error.code().is_some_and(|state| {
        *state != SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN
            && ["40", "23"].iter().any(|class| state.code().starts_with(class))
    });
    let fault = Fault::caused("committing", error);
    if nothing_written {
        return fault.into();
    }
    tracing::error!(cause = fault.story(), "a commit has an unknown outcome");
    Rejection::OutcomeUnknown.into()
}

fn no_connection(error: PoolError) -> Failure {
    match error {
        PoolError::Timeout(_) => Rejection::Overloaded { retry_after_s: 1 }.into(),
        PoolError::Backend(_)
        | PoolError::Closed
        | PoolError::NoRuntimeSpecified
        | PoolError::PostCreateHook(_) => Fault::caused("connecting to PostgreSQL", error).into(),
    }
}

/// Somebody got in the way, or the connection had died before the commit: nothing was written.
fn worth_another(failure: &Failure) -> bool {
    let Some(error) = postgres_error(failure) else { return false };
    match error.code() {
        Some(state) => [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::UNIQUE_VIOLATION,
            SqlState::ADMIN_SHUTDOWN,
        ]
        .contains(state),
        None => error.is_closed() || error.source().is_some_and(<dyn Error>::is::<std::io::Error>),
    }
}

/// A statement that ran into its time limit was rolled back: too busy, nothing done.
fn to_overload(failure: Failure) -> Failure {
    let state = postgres_error(&failure).and_then(|error| error.code());
    if !matches!(state, Some(&SqlState::QUERY_CANCELED | &SqlState::LOCK_NOT_AVAILABLE)) {
        return failure;
    }
    tracing::warn!(cause = %failure, "a statement took too long");
    Rejection::Overloaded { retry_after_s: 1 }.into()
}

fn postgres_error(failure: &Failure) -> Option<&tokio_postgres::Error> {
    let Failure::Fault(fault) = failure else { return None };
    let mut cause = fault.source();
    while let Some(error) = cause {
        if let Some(postgres) = error.downcast_ref() {
            return Some(postgres);
        }
        cause = error.source();
    }
    None
}

fn pause(attempt: u32) -> Duration {
    let whole = PAUSE_MS << attempt;
    let random = RandomState::new().hash_one(attempt) % (whole / 2);
    Duration::from_millis(whole / 2 + random)
}

pub(crate) async fn execute(
    transaction: &Transaction<'_>,
    sql: &'static str,
    params: &[Value],
) -> Result<u64, Fault> {
    let trouble = |error| in_statement(sql, error);
    let statement = transaction.prepare_cached(sql).await.map_err(trouble)?;
    transaction.execute(&statement, &borrow_params(params)).await.map_err(trouble)
}

pub(crate) async fn rows(
    transaction: &Transaction<'_>,
    sql: &'static str,
    params: &[Value],
) -> Result<Vec<Row>, Fault> {
    let trouble = |error| in_statement(sql, error);
    let statement = transaction.prepare_cached(sql).await.map_err(trouble)?;
    let found = transaction.query(&statement, &borrow_params(params)).await.map_err(trouble)?;
    let rows: Result<Vec<Row>, tokio_postgres::Error> = found.iter().map(|found| row(found, 0)).collect();
    rows.map_err(trouble)
}

pub(crate) async fn exclusive(transaction: &Transaction<'_>, name: &str) -> Result<(), Fault> {
    let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
    execute(transaction, sql, &[Value::from(name)]).await?;
    Ok(())
}

/// A change of the schema may take longer than a statement of a request.
pub(crate) async fn script(transaction: &Transaction<'_>, text: &str) -> Result<(), Fault> {
    let unhurried = format!("SET LOCAL statement_timeout = 0; {text}");
    transaction.batch_execute(&unhurried).await.map_err(|error| in_statement(text, error))
}

fn in_statement(sql: &str, error: tokio_postgres::Error) -> Fault {
    Fault::caused(format!("PostgreSQL refuses: {sql}"), error)
}

fn borrow_params(params: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    params.iter().map(|value| value as _).collect()
}

/// The columns of a row, from one of them on.
fn row(found: &tokio_postgres::Row, from: usize) -> Result<Row, tokio_postgres::Error> {
    let values: Result<Vec<Value>, tokio_postgres::Error> =
        (from..found.len()).map(|at| value(found, at)).collect();
    values.map(Row::new)
}

/// By declared type, without casts: a column of any other type is the driver's own "cannot convert".
fn value(found: &tokio_postgres::Row, at: usize) -> Result<Value, tokio_postgres::Error> {
    let kind = found.columns()[at].type_();
    Ok(if *kind == Type::TEXT {
        found.try_get::<_, Option<String>>(at)?.into()
    } else if *kind == Type::BYTEA {
        found.try_get::<_, Option<Vec<u8>>>(at)?.into()
    } else {
        found.try_get::<_, Option<i64>>(at)?.into()
    })
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(int) if *kind == Type::INT8 => int.to_sql(kind, out),
            Value::Text(text) if *kind == Type::TEXT => text.to_sql(kind, out),
            Value::Bytes(bytes) if *kind == Type::BYTEA => bytes.to_sql(kind, out),
            Value::Int(_) | Value::Text(_) | Value::Bytes(_) => {
                Err(format!("{} was given where {kind} is declared", self.kind()).into())
            }
        }
    }

    /// Every type is taken here and judged above, where the message can name the value.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
