//! The accounts that a transaction has open: locked, read, changed in memory, written once.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::UserId;
use domain::points::{Entry, EntryKind, Lot, NEVER, PointsAccount};
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::json;

use super::columns::{opt_expiry, parts_text};
use super::level;
use crate::each::{all_each, count_each, once_each};
use crate::failure::{Fault, Result};
use crate::row::Row;
use crate::steps::events::{NewEvent, is_wanted, tell};
use crate::tx::Tx;
use crate::value::Value;

#[derive(Debug, Default)]
pub(super) struct Book {
    accounts: BTreeMap<UserId, PointsAccount>,
    /// Whose account is to be written.
    touched: BTreeSet<UserId>,
    made: Vec<MadeRow>,
}

/// A row that is to be written.
#[derive(Debug)]
struct MadeRow {
    user: UserId,
    entry: Entry,
    key: String,
    reason: String,
    at: Timestamp,
}

impl Book {
    /// Locks the accounts, in the order of their ids so that transactions which meet wait and do not stop each other;
    /// makes those that are not there. `users` is sorted and names each once.
    pub async fn open(tx: &Tx<'_>, users: &[UserId]) -> Result<Self> {
        let mut accounts = lock(tx, users).await?;
        if accounts.len() < users.len() {
            let missing: Vec<UserId> =
                users.iter().filter(|user| !accounts.contains_key(user)).copied().collect();
            count_each(
                tx,
                "INSERT INTO points_accounts (user_id, balance, row_count) VALUES ($1, 0, 0)
                 ON CONFLICT (user_id) DO NOTHING",
                missing.iter().map(|user| [Value::from(*user)]),
            )
            .await?;
            // Somebody else may have made one and posted to it in between.
            accounts.extend(lock(tx, &missing).await?);
        }
        Ok(Self { accounts, touched: BTreeSet::new(), made: Vec::new() })
    }

    pub fn account(&self, user: UserId) -> Result<&PointsAccount, Fault> {
        self.accounts.get(&user).ok_or_else(|| Fault::new("an account that was not opened"))
    }

    /// What these have left, lot by lot. An account that is only credited, and has nothing due, goes without.
    pub async fn load_lots(&mut self, tx: &Tx<'_>, users: &[UserId]) -> Result<()> {
        let keys: Vec<[Value; 1]> = users.iter().map(|user| [(*user).into()]).collect();
        let sql = "SELECT expires, units_left, lapsed FROM points_lots WHERE user_id = $1 AND units_left > 0";
        for (user, lots) in users.iter().zip(all_each(tx, sql, &keys, read_lot).await?) {
            let Some(account) = self.accounts.get_mut(user) else { continue };
            account.lots.extend(lots);
            account.next = account.lots.keys().next().copied().unwrap_or(NEVER);
        }
        Ok(())
    }

    /// Single lots besides, used up or not: a reversal asks what has lapsed of its own.
    pub async fn load_lapsed(&mut self, tx: &Tx<'_>, lots: &[(UserId, Timestamp)]) -> Result<()> {
        let keys: Vec<[Value; 2]> =
            lots.iter().map(|(user, expires)| [(*user).into(), (*expires).into()]).collect();
        let sql = "SELECT expires, units_left, lapsed FROM points_lots WHERE user_id = $1 AND expires = $2";
        for ((user, _), found) in lots.iter().zip(all_each(tx, sql, &keys, read_lot).await?) {
            if let Some(account) = self.accounts.get_mut(user) {
                account.lots.extend(found);
            }
        }
        Ok(())
    }

    /// Carries rows out; the last has the key and the reason, what expired before it has a key of its own.
    pub fn add(
        &mut self,
        user: UserId,
        entries: Vec<Entry>,
        key: &str,
        reason: &str,
        at: Timestamp,
    ) -> Result<(), Fault> {
        let account =
            self.accounts.get_mut(&user).ok_or_else(|| Fault::new("an account that was not opened"))?;
        self.touched.insert(user);
        let last = entries.len().saturating_sub(1);
        for (place, entry) in entries.into_iter().enumerate() {
            account.fold(&entry);
            let (key, reason) = if place == last {
                (key.to_owned(), reason.to_owned())
            } else {
                (expiry_key(&entry), String::new())
            };
            self.made.push(MadeRow { user, entry, key, reason, at });
        }
        Ok(())
    }

    /// An account whose lots were read is written as they say, rows or not.
    pub fn touch(&mut self, user: UserId) {
        self.touched.insert(user);
    }

    /// Writes the rows, the lots they changed, and the accounts.
    pub async fn write(self, tx: &Tx<'_>) -> Result<()> {
        let Self { mut accounts, touched, made } = self;
        let mut changes: BTreeMap<(UserId, Timestamp), Lot> = BTreeMap::new();
        for row in &made {
            for part in &row.entry.parts {
                let change = changes.entry((row.user, part.expires)).or_default();
                change.left += part.left;
                change.lapsed += part.lapsed;
            }
        }
        accounts.retain(|user, _| touched.contains(user));
        if !made.is_empty() && is_wanted(tx, EventKind::PointsChanged).await? {
            let events: Vec<NewEvent> = made.iter().map(MadeRow::event).collect();
            tell(tx, &events).await?;
        }
        let mut earned: BTreeMap<UserId, i64> = BTreeMap::new();
        for row in made.iter().filter(|row| row.entry.kind == EntryKind::Credit) {
            *earned.entry(row.user).or_default() += row.entry.delta;
        }
        let reversed: Vec<(UserId, i64)> =
            made.iter().filter_map(|row| Some((row.user, row.entry.reverses?))).collect();
        once_each(
            tx,
            "INSERT INTO points_rows
                 (user_id, n, kind, delta, balance, idem_key, reason, reverses, expires, parts, at_ms)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            made.into_iter().map(MadeRow::values),
        )
        .await?;
        write_lots(tx, &accounts, changes).await?;
        once_each(
            tx,
            "UPDATE points_accounts SET balance = $2, row_count = $3, next_expiry = $4 WHERE user_id = $1",
            accounts.into_iter().map(|(user, account)| {
                [user.into(), account.balance.into(), account.rows.into(), opt_expiry(account.next)]
            }),
        )
        .await?;
        level::subtract_reversed(tx, &mut earned, &reversed).await?;
        level::write(tx, earned).await
    }
}

/// The key of a row by which points expire: there is one per row, and nobody repeats it.
pub(super) fn expiry_key(entry: &Entry) -> String {
    format!("expire:{}", entry.n)
}

impl MadeRow {
    fn event(&self) -> NewEvent {
        let Self { user, entry, reason, at, .. } = self;
        let data = json!({
            "row": entry.n,
            "change": entry.kind.name(),
            "delta": entry.delta,
            "balance": entry.balance,
            "reason": (!reason.is_empty()).then_some(reason),
        });
        NewEvent::of(EventKind::PointsChanged, entry.n, Some(*user), data, *at)
    }

    fn values(self) -> [Value; 11] {
        let Self { user, entry, key, reason, at } = self;
        let parts = parts_text(&entry);
        [
            user.into(),
            entry.n.into(),
            entry.kind.name().into(),
            entry.delta.into(),
            entry.balance.into(),
            key.into(),
            reason.into(),
            entry.reverses.into(),
            opt_expiry(entry.expires),
            parts.into(),
            at.into(),
        ]
    }
}

async fn lock(tx: &Tx<'_>, users: &[UserId]) -> Result<BTreeMap<UserId, PointsAccount>> {
    let keys: Vec<[Value; 1]> = users.iter().map(|user| [(*user).into()]).collect();
    let sql = "SELECT balance, row_count, next_expiry FROM points_accounts WHERE user_id = $1 FOR UPDATE";
    let found = all_each(tx, sql, &keys, read_account).await?;
    let found = users.iter().zip(found).filter_map(|(user, rows)| Some((*user, rows.into_iter().next()?)));
    Ok(found.collect())
}

/// Reads `balance, row_count, next_expiry`; the lots are read apart.
pub(super) fn read_account(row: &mut Row) -> Result<PointsAccount, Fault> {
    let (balance, rows, next) = (row.int()?, row.int()?, row.opt_time()?.unwrap_or(NEVER));
    Ok(PointsAccount { balance, rows, next, lots: BTreeMap::new() })
}

/// Reads `expires, units_left, lapsed`.
pub(super) fn read_lot(row: &mut Row) -> Result<(Timestamp, Lot), Fault> {
    Ok((row.time()?, Lot { left: row.int()?, lapsed: row.int()? }))
}

/// What only grows is added to, or made. What shrinks was there, and its account with all its lots is known: an empty lot
/// goes.
async fn write_lots(
    tx: &Tx<'_>,
    accounts: &BTreeMap<UserId, PointsAccount>,
    changes: BTreeMap<(UserId, Timestamp), Lot>,
) -> Result<()> {
    let mut grown: Vec<[Value; 4]> = Vec::new();
    let mut changed: Vec<[Value; 4]> = Vec::new();
    let mut gone: Vec<[Value; 2]> = Vec::new();
    for ((user, expires), change) in changes {
        let values = [user.into(), expires.into(), change.left.into(), change.lapsed.into()];
        let there = accounts.get(&user).is_some_and(|account| account.lots.contains_key(&expires));
        match (change.left, change.lapsed) {
            (0, 0) => {}
            (left, lapsed) if left >= 0 && lapsed >= 0 => grown.push(values),
            (_, _) if there => changed.push(values),
            (_, _) => gone.push([user.into(), expires.into()]),
        }
    }
    once_each(
        tx,
        "INSERT INTO points_lots (user_id, expires, units_left, lapsed) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id, expires) DO UPDATE SET
             units_left = points_lots.units_left + excluded.units_left,
             lapsed = points_lots.lapsed + excluded.lapsed",
        grown,
    )
    .await?;
    once_each(
        tx,
        "UPDATE points_lots SET units_left = units_left + $3, lapsed = lapsed + $4
         WHERE user_id = $1 AND expires = $2",
        changed,
    )
    .await?;
    once_each(tx, "DELETE FROM points_lots WHERE user_id = $1 AND expires = $2", gone).await
}
