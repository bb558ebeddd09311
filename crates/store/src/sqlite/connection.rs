//! One connection to the file: how it is opened, and how a statement runs on it.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::OpenFlags;
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

use super::text::Texts;
use crate::failure::Fault;
use crate::row::Row;
use crate::value::Value;

/// Statements kept prepared per connection: more than there are texts.
const STATEMENTS_MAX: usize = 512;
/// Pages in the write-ahead log before the writer moves it into the file itself (256 MiB). The log's own thread does it
/// long before: this is for a log that grows although that thread is stuck.
const LOG_PAGES_MAX: i64 = 65_536;
/// What stays of the log's file when it begins anew.
const LOG_BYTES_KEPT: i64 = super::log::QUIET_LOG_BYTES.cast_signed();
/// Pages kept in memory at most, by the connection that writes and by each that reads.
const WRITER_CACHE_KIB: i64 = 128 * 1024;
const READER_CACHE_KIB: i64 = 16 * 1024;

#[derive(Debug)]
pub(crate) struct Connection {
    sqlite: rusqlite::Connection,
    texts: Texts,
}

/// A step that panicked between two statements leaves nothing half-done inside the lock.
pub(crate) fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    /// The connection that writes. A commit is on the disk before anyone hears of it (`synchronous=FULL`).
    pub fn writing(path: &Path, busy_timeout_ms: u32) -> Result<Self, Fault> {
        let connection = Self::open(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
            busy_timeout_ms,
        )?;
        let trouble = |error| Fault::caused(format!("setting up {}", path.display()), error);
        let mode: String = connection
            .sqlite
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
            .map_err(trouble)?;
        if mode != "wal" {
            return Err(Fault::new(format!(
                "{} does not take WAL mode (it says {mode}): is it a network drive?",
                path.display()
            )));
        }
        connection.sqlite.pragma_update(None, "synchronous", "FULL").map_err(trouble)?;
        connection.sqlite.pragma_update(None, "foreign_keys", "ON").map_err(trouble)?;
        connection.sqlite.pragma_update(None, "wal_autocheckpoint", LOG_PAGES_MAX).map_err(trouble)?;
        connection.sqlite.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT).map_err(trouble)?;
        connection.cache(WRITER_CACHE_KIB).map_err(trouble)?;
        Ok(connection)
    }

    /// A connection that cannot write.
    pub fn reading(path: &Path, busy_timeout_ms: u32) -> Result<Self, Fault> {
        let connection = Self::open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, busy_timeout_ms)?;
        let trouble = |error| Fault::caused(format!("setting up {}", path.display()), error);
        connection.sqlite.pragma_update(None, "query_only", "ON").map_err(trouble)?;
        connection.cache(READER_CACHE_KIB).map_err(trouble)?;
        Ok(connection)
    }

    /// SQLite takes a negative number for a size in KiB.
    fn cache(&self, kib: i64) -> Result<(), rusqlite::Error> {
        self.sqlite.pragma_update(None, "cache_size", -kib)
    }

    fn open(path: &Path, access: OpenFlags, busy_timeout_ms: u32) -> Result<Self, Fault> {
        // Each connection is used by one thread at a time, so SQLite's own mutexes are not needed.
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let trouble = |error| Fault::caused(format!("opening {}", path.display()), error);
        let sqlite = rusqlite::Connection::open_with_flags(path, flags).map_err(trouble)?;
        sqlite.busy_timeout(Duration::from_millis(busy_timeout_ms.into())).map_err(trouble)?;
        // A plan goes by the text alone; otherwise SQLite plans some statements anew for each value.
        sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(trouble)?;
        sqlite.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
        Ok(Self { sqlite, texts: Texts::default() })
    }

    pub fn execute(&mut self, sql: &'static str, params: &[Value]) -> Result<u64, Fault> {
        let Self { sqlite, texts } = self;
        let statement = sqlite.prepare_cached(texts.of(sql));
        let run = || statement?.execute(rusqlite::params_from_iter(params));
        run().map(|touched| touched as u64).map_err(|error| in_statement(sql, error))
    }

    /// One statement, run for each row.
    pub fn execute_each<const N: usize>(
        &mut self,
        sql: &'static str,
        rows: impl Iterator<Item = [Value; N]>,
        ran: fn(&'static str, &[Value; N], u64) -> Result<(), Fault>,
    ) -> Result<Vec<u64>, Fault> {
        let (mut rows, mut counts) = (rows.peekable(), Vec::new());
        if rows.peek().is_none() {
            return Ok(counts);
        }
        let Self { sqlite, texts } = self;
        let mut statement = sqlite.prepare_cached(texts.of(sql)).map_err(|error| in_statement(sql, error))?;
        for row in rows {
            let count = statement.execute(rusqlite::params_from_iter(&row));
            let count = count.map_err(|error| in_statement(sql, error))? as u64;
            ran(sql, &row, count)?;
            counts.push(count);
        }
        Ok(counts)
    }

    pub fn rows(&mut self, sql: &'static str, params: &[Value]) -> Result<Vec<Row>, Fault> {
        let Self { sqlite, texts } = self;
        let statement = sqlite.prepare_cached(texts.of(sql));
        statement
            .and_then(|mut statement| fetch_rows(&mut statement, params))
            .map_err(|error| in_statement(sql, error))
    }

    /// One query, asked for each key.
    pub fn rows_each<T, const N: usize>(
        &mut self,
        sql: &'static str,
        keys: &[[Value; N]],
        mut read: impl FnMut(Vec<Row>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let Self { sqlite, texts } = self;
        let mut statement = sqlite.prepare_cached(texts.of(sql)).map_err(|error| in_statement(sql, error))?;
        let mut one = |key| read(fetch_rows(&mut statement, key).map_err(|error| in_statement(sql, error))?);
        keys.iter().map(|key| one(key.as_slice())).collect()
    }

    pub fn script(&mut self, text: &str) -> Result<(), Fault> {
        self.sqlite.execute_batch(text).map_err(|error| in_statement(text, error))
    }

    /// Whether a transaction is open. SQLite rolls back by itself on some faults, such as a full disk.
    pub fn in_transaction(&self) -> bool {
        !self.sqlite.is_autocommit()
    }
}

fn fetch_rows(
    statement: &mut rusqlite::Statement<'_>,
    params: &[Value],
) -> Result<Vec<Row>, rusqlite::Error> {
    let columns = statement.column_count();
    let mut found = statement.query(rusqlite::params_from_iter(params))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let values: Result<Vec<Value>, rusqlite::Error> = (0..columns).map(|at| value(row, at)).collect();
        rows.push(Row::new(values?));
    }
    Ok(rows)
}

fn in_statement(sql: &str, error: rusqlite::Error) -> Fault {
    Fault::caused(format!("SQLite refuses: {sql}"), error)
}

fn value(row: &rusqlite::Row<'_>, at: usize) -> Result<Value, rusqlite::Error> {
    Ok(match row.get_ref(at)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(int) => Value::Int(int),
        ValueRef::Text(_) => Value::Text(row.get(at)?),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        real @ ValueRef::Real(_) => {
            return Err(rusqlite::Error::InvalidColumnType(
                at,
                "a floating-point number".to_owned(),
                real.data_type(),
            ));
        }
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(int) => ValueRef::Integer(*int),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
