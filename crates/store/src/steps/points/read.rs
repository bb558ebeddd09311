//! What an account has come to, and its statement.

use domain::ids::UserId;
use domain::page::{Page, PageRequest};
use domain::points::PointsAccount;

use super::book::{read_account, read_lot};
use super::columns::entry;
use crate::failure::Result;
use crate::model::PointsRow;
use crate::params;
use crate::tx::Tx;

pub(super) async fn account(tx: &Tx<'_>, user: &UserId) -> Result<PointsAccount> {
    let sql = "SELECT balance, row_count, next_expiry FROM points_accounts WHERE user_id = $1";
    let Some(mut account) = tx.one(sql, params![*user], read_account).await? else {
        return Ok(PointsAccount::default());
    };
    let sql = "SELECT expires, units_left, lapsed FROM points_lots WHERE user_id = $1 AND units_left > 0";
    account.lots = tx.all(sql, params![*user], read_lot).await?.into_iter().collect();
    Ok(account)
}

/// Newest first.
pub(super) async fn statement(tx: &Tx<'_>, (user, page): &(UserId, PageRequest)) -> Result<Page<PointsRow>> {
    let rows = tx
        .all(
            "SELECT r.n, r.kind, r.delta, r.balance, r.reverses, r.expires, '', r.idem_key, r.reason, r.at_ms,
                    (SELECT b.n FROM points_rows b WHERE b.user_id = r.user_id AND b.reverses = r.n)
             FROM points_rows r WHERE r.user_id = $1 AND r.n < $2 ORDER BY r.n DESC LIMIT $3",
            params![*user, page.before(), page.fetch()],
            |row| {
                Ok(PointsRow {
                    entry: entry(row)?,
                    key: row.text()?,
                    reason: row.text()?,
                    at: row.time()?,
                    reversed_by: row.opt_int()?,
                })
            },
        )
        .await?;
    Ok(Page::cut(rows, *page, |row| row.entry.n))
}
