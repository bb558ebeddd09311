//! Holds of companies that ran out, for those who want to hear of it. Holds of sales are orders, and told as such; those of
//! the shop are its own.

use std::collections::HashMap;

use domain::ledger::{HoldState, PoolId};
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::{Value as Json, json};

use super::columns::RowState;
use super::sheet::{HoldChange, Sheet};
use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::steps::events::{NewEvent, is_wanted, tell};
use crate::tx::Tx;
use crate::value::as_i64;

/// How the names of pools begin that a company opened itself; it does not see this part of them.
const COMPANY: &str = "inventory/";

pub(super) async fn tell_expired(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Result<()> {
    let kind = EventKind::HoldExpired;
    let expired: Vec<(&HoldChange<'_>, Timestamp)> = sheet.holds.iter().filter_map(expiry).collect();
    if expired.is_empty() || !is_wanted(tx, kind).await? {
        return Ok(());
    }
    let (mut names, mut events) = (HashMap::new(), Vec::with_capacity(expired.len()));
    for (hold, at) in expired {
        let made = as_i64(hold.made_seq);
        let sql = "SELECT id, owner FROM holds WHERE made_seq = $1";
        let read = |row: &mut Row| -> Result<_, Fault> { Ok((row.text()?, row.opt_text()?)) };
        let Some((id, owner)) = tx.one(sql, params![made], read).await? else { continue };
        let mut lines = Vec::with_capacity(hold.lines.len());
        for line in &hold.lines {
            if let Some(pool) = name(tx, line.pool, &mut names).await?.strip_prefix(COMPANY) {
                lines.push(json!({ "pool": pool, "quantity": line.units }));
            }
        }
        if lines.is_empty() {
            continue;
        }
        let data = json!({ "hold_id": id, "owner": owner, "lines": Json::Array(lines) });
        events.push(NewEvent::of(kind, made, None, data, at));
    }
    tell(tx, &events).await
}

fn expiry<'a, 'e>(hold: &'a HoldChange<'e>) -> Option<(&'a HoldChange<'e>, Timestamp)> {
    let end = hold.end.filter(|end| matches!(end.state, RowState::Hold(HoldState::Expired)))?;
    hold.order.is_none().then_some((hold, end.at))
}

async fn name(tx: &Tx<'_>, pool: PoolId, known: &mut HashMap<PoolId, String>) -> Result<String> {
    if let Some(name) = known.get(&pool) {
        return Ok(name.clone());
    }
    let found = tx.one("SELECT name FROM pools WHERE id = $1", params![pool.0], Row::text).await?;
    let name = found.ok_or_else(|| Fault::new(format!("pool {} has no name", pool.0)))?;
    known.insert(pool, name.clone());
    Ok(name)
}
