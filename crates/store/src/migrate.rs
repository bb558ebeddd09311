//! Changes of the schema: numbered, forward-only, one text for both databases.
//!
//! Each migration runs in a transaction of its own together with the line that records it, under a lock, so
//! that any number of nodes may start at once. What was applied is never edited: a checksum tells. A
//! database that is ahead of the program is refused, because a newer program may have given columns another
//! meaning. There is no way back; a mistake is repaired by the next migration.

use domain::fingerprint::Fingerprint;
use domain::time::Timestamp;

use crate::db::Db;
use crate::failure::{Failure, Fault, Result};
use crate::params;
use crate::tx::{Dialect, Tx};

struct Migration {
    name: &'static str,
    text: &'static str,
}

macro_rules! migrations {
    ($($name:literal),+ $(,)?) => {
        &[$(Migration { name: $name, text: include_str!(concat!("../migrations/", $name, ".sql")) }),+]
    };
}

/// In order; the first is version 1.
const MIGRATIONS: &[Migration] = migrations![
    "0001_people",
    "0002_access",
    "0003_running",
    "0004_ledger",
    "0005_pool_names",
    "0006_play",
    "0007_activities",
    "0008_trees",
    "0009_draws",
    "0010_raffles",
    "0011_low_stock",
    "0012_fulfilment",
    "0013_points",
    "0014_codes",
    "0015_webhooks",
    "0016_seats",
    "0017_grants",
    "0018_shop",
    "0019_winners_and_hands",
    "0020_sales",
    "0021_orders",
    "0022_rooms",
    "0023_ways_out",
    "0024_editions",
    "0025_power",
    "0026_former_accounts",
    "0027_devices",
    "0028_points_spent",
    "0029_audit_trail",
    "0030_quarantine",
    "0031_second_factors",
    "0032_handouts",
    "0033_former_labels",
    "0034_code_holders",
    "0035_audit_commands",
    "0036_two_languages",
    "0037_attention",
    "0038_retired_codes",
    "0039_community",
    "0040_comments",
    "0041_timelines",
    "0042_position_digest",
    "0043_running_view",
    "0044_check_ins",
    "0045_own_behaviours",
    "0046_levels",
    "0047_invites",
    "0048_notifications",
    "0049_private_messages",
    "0050_reports",
    "0051_search",
    "0052_statistics",
    "0053_word_filter",
    "0054_appeals",
];

const HISTORY: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    version    {int} PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   {bytes} NOT NULL,
    applied_ms {int} NOT NULL
){strict};";

/// What a start found and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrateReport {
    /// By name, in the order they were applied just now.
    pub applied: Vec<String>,
    /// What the schema has reached.
    pub version: i64,
}

pub(crate) async fn run(db: &Db, now: Timestamp) -> Result<MigrateReport, Fault> {
    let mut applied = Vec::new();
    loop {
        let next = db.write(now, |tx, now| Box::pin(apply_next(tx, *now))).await.map_err(as_fault)?;
        match next {
            Some(name) => applied.push(name.to_owned()),
            None => return Ok(MigrateReport { applied, version: newest() }),
        }
    }
}

/// Applies the first migration that is missing; `None` when there is none.
async fn apply_next(tx: &Tx<'_>, now: Timestamp) -> Result<Option<&'static str>> {
    tx.exclusive("migrations").await?;
    tx.script(|dialect| expand(HISTORY, dialect)).await?;
    let history = tx
        .all("SELECT version, name, checksum FROM schema_migrations ORDER BY version", params![], |row| {
            Ok((row.int()?, row.text()?, row.bytes()?))
        })
        .await?;
    for (version, name, checksum) in &history {
        check_applied(*version, name, checksum)?;
    }
    let Some((version, next)) = number_migrations().nth(history.len()) else { return Ok(None) };
    tx.script(|dialect| expand(next.text, dialect)).await?;
    tx.execute(
        "INSERT INTO schema_migrations (version, name, checksum, applied_ms) VALUES ($1, $2, $3, $4)",
        params![version, next.name, checksum(next.text), now],
    )
    .await?;
    tracing::info!(migration = next.name, "applied");
    Ok(Some(next.name))
}

/// What was applied must be what this program would apply.
fn check_applied(version: i64, name: &str, applied: &[u8]) -> Result<(), Fault> {
    let Some((_, known)) = number_migrations().find(|(number, _)| *number == version) else {
        let newest = newest();
        return Err(Fault::new(format!(
            "the database is at migration {name}, this program knows {newest} migrations: run a newer program"
        )));
    };
    if known.name != name || checksum(known.text) != applied {
        return Err(Fault::new(format!("migration {name} was edited after it was applied to this database")));
    }
    Ok(())
}

/// Each migration with its version.
fn number_migrations() -> impl Iterator<Item = (i64, &'static Migration)> {
    (1..).zip(MIGRATIONS)
}

fn newest() -> i64 {
    number_migrations().last().map_or(0, |(version, _)| version)
}

/// Of the text as written, so that both databases agree on it.
fn checksum(text: &str) -> [u8; 32] {
    Fingerprint::of(&[text.as_bytes()]).0
}

/// A line that begins with `{sqlite}` or `{postgres}` is for that database alone.
fn expand(text: &str, dialect: Dialect) -> String {
    let (int, bytes, strict, keyed) = match dialect {
        Dialect::Sqlite => ("INTEGER", "BLOB", " STRICT", " STRICT, WITHOUT ROWID"),
        Dialect::Postgres => ("BIGINT", "BYTEA", "", ""),
    };
    let (ours, theirs) = match dialect {
        Dialect::Sqlite => ("{sqlite}", "{postgres}"),
        Dialect::Postgres => ("{postgres}", "{sqlite}"),
    };
    let lines = text.lines().filter(|line| !line.starts_with(theirs));
    let text: String = lines.flat_map(|line| [line.strip_prefix(ours).unwrap_or(line), "\n"]).collect();
    text.replace("{int}", int).replace("{bytes}", bytes).replace("{strict}", strict).replace("{keyed}", keyed)
}

fn as_fault(failure: Failure) -> Fault {
    match failure {
        Failure::Fault(fault) => Fault::caused("migrating the database", fault),
        Failure::Rejected(rejection) => Fault::caused("migrating the database", rejection),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_gaps_and_every_placeholder_is_known() {
        for (version, migration) in number_migrations() {
            assert!(migration.name.starts_with(&format!("{version:04}_")), "{}", migration.name);
            for dialect in [Dialect::Sqlite, Dialect::Postgres] {
                let lines = migration.text.lines().filter(|line| !line.trim_start().starts_with("--"));
                let statements: String = lines.flat_map(|line| [line, "\n"]).collect();
                assert!(!expand(&statements, dialect).contains('{'), "{}", migration.name);
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name() {
        let first = &MIGRATIONS[0];
        for (version, name, sum, refused) in [
            (1, first.name, checksum(first.text), None),
            (1, first.name, [0; 32], Some("migration 0001_people was edited")),
            (1, "0001_other", checksum(first.text), Some("migration 0001_other was edited")),
            (999, "0999_future", [0; 32], Some("the database is at migration 0999_future")),
        ] {
            let got = check_applied(version, name, &sum).err().map(|fault| fault.to_string());
            assert_eq!(got.is_some(), refused.is_some());
            assert!(got.unwrap_or_default().starts_with(refused.unwrap_or_default()));
        }
    }
}
