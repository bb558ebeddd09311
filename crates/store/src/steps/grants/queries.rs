//! Looking at what people did and what they were given for it.

use domain::ids::{GrantId, UserId};
use domain::page::{Page, PageRequest};

use super::columns::{grant_sql, parse_passed, read_grant};
use crate::failure::Result;
use crate::model::{BehaviourResult, GrantRow, GrantSearch};
use crate::params;
use crate::tx::Tx;

/// A behaviour that is known.
#[derive(Debug)]
pub(super) struct KnownBehaviour {
    pub user: UserId,
    pub object: Option<String>,
    pub recorded: BehaviourResult,
}

pub(super) async fn find_recorded(tx: &Tx<'_>, kind: &str, key: &str) -> Result<Option<KnownBehaviour>> {
    let found = tx
        .one(
            "SELECT user_id, object, passed, undone_ms FROM behaviours WHERE kind = $1 AND idem_key = $2",
            params![kind, key],
            |row| Ok((UserId(row.int()?), row.opt_text()?, row.named(parse_passed)?, row.opt_time()?)),
        )
        .await?;
    let Some((user, object, passed, undone)) = found else { return Ok(None) };
    let sql = grant_sql!("WHERE g.behaviour_kind = $1 AND g.behaviour_key = $2 ORDER BY g.id");
    let grants = tx.all(sql, params![kind, key], read_grant).await?;
    let recorded = BehaviourResult { repeated: true, undone: undone.is_some(), kept: true, grants, passed };
    Ok(Some(KnownBehaviour { user, object, recorded }))
}

pub(super) async fn behaviour(
    tx: &Tx<'_>,
    (kind, key): &(String, String),
) -> Result<Option<BehaviourResult>> {
    Ok(find_recorded(tx, kind, key).await?.map(|known| known.recorded))
}

pub(super) async fn find(tx: &Tx<'_>, id: &GrantId) -> Result<Option<GrantRow>> {
    tx.one(grant_sql!("WHERE g.id = $1"), params![*id], read_grant).await
}

/// The newest first. What leads is left bare so that its index is used.
pub(super) async fn list(tx: &Tx<'_>, (search, page): &(GrantSearch, PageRequest)) -> Result<Page<GrantRow>> {
    let sql = match search {
        GrantSearch { user: Some(_), .. } => grant_sql!(
            "WHERE g.user_id = $3 AND g.id < $1 AND (CAST($4 AS BIGINT) IS NULL OR g.rule_id = $4)
             ORDER BY g.id DESC LIMIT $2"
        ),
        GrantSearch { rule: Some(_), .. } => grant_sql!(
            "WHERE g.rule_id = $4 AND g.id < $1 AND (CAST($3 AS BIGINT) IS NULL OR g.user_id = $3)
             ORDER BY g.id DESC LIMIT $2"
        ),
        GrantSearch { user: None, rule: None } => grant_sql!(
            "WHERE g.id < $1 AND CAST($3 AS BIGINT) IS NULL AND CAST($4 AS BIGINT) IS NULL
             ORDER BY g.id DESC LIMIT $2"
        ),
    };
    let rows =
        tx.all(sql, params![page.before(), page.fetch(), search.user, search.rule], read_grant).await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}
