//! Looking at activities: for the people who run them, and for the draw.

use domain::activity::{ActivityKind, Life, LifeState, Plan, Window};
use domain::ids::{ActivityId, TreeId, UserId};
use domain::page::{Page, PageRequest};

use super::columns::{self, cards, get_version, number, opt_number, version, version_sql};
use super::{secrets, state};
use crate::audit::parse_actor;
use crate::failure::{Fault, Result};
use crate::model::{ActivityRow, ActivitySearch, Making, PublishedActivityRow, TreeUse, VersionRow};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// `SELECT` of activities, to be read with [`read`].
macro_rules! activity_sql {
    ($rest:literal) => {
        concat!(
            "SELECT a.id, a.state, a.round, a.live_version, d.number, d.edition, d.review, a.step, a.carry,
                    a.cloned_from, a.created_by, a.created_at, v.name, v.from_ms, v.until_ms, v.kind,
                    v.name_en, a.ended_ms
             FROM activities a
             JOIN activity_versions v
                ON v.activity_id = a.id AND v.number = COALESCE(a.live_version, a.draft_version)
             LEFT JOIN activity_versions d ON d.activity_id = a.id AND d.number = a.draft_version ",
            $rest
        )
    };
}

pub(crate) async fn find(tx: &Tx<'_>, id: &ActivityId) -> Result<Option<ActivityRow>> {
    tx.one(activity_sql!("WHERE a.id = $1"), params![*id], read).await
}

/// The newest first. Names are compared without regard to the case of Latin letters; a state is the one by the clock, as
/// `domain::activity::due` has it, whether or not the clock's step has been carried out.
pub(crate) async fn list(
    tx: &Tx<'_>,
    (search, page): &(ActivitySearch, PageRequest),
) -> Result<Page<ActivityRow>> {
    let anywhere = format!("%{}%", escape_pattern(&search.text));
    let rows = match (search.state, search.ended_from) {
        (None, None) => {
            let sql = activity_sql!(
                "WHERE a.id < $1 AND lower(v.name) LIKE $2 ESCAPE '\\' ORDER BY a.id DESC LIMIT $3"
            );
            tx.all(sql, params![page.before(), anywhere, page.fetch()], read).await?
        }
        (state, ended_from) => {
            let sql = activity_sql!(
                "WHERE a.id < $1 AND lower(v.name) LIKE $2 ESCAPE '\\' AND COALESCE($4, 'closed') =
                    CASE WHEN a.state IN ('approved', 'reopened', 'running', 'paused') AND v.until_ms <= $5 THEN 'closed'
                         WHEN a.state IN ('approved', 'reopened') AND v.from_ms <= $5 THEN 'running'
                         ELSE a.state END
                    AND (CAST($6 AS BIGINT) IS NULL OR COALESCE(a.ended_ms, v.until_ms) >= $6)
                 ORDER BY a.id DESC LIMIT $3"
            );
            let state = state.map(LifeState::name);
            let params = params![page.before(), anywhere, page.fetch(), state, search.now, ended_from];
            tx.all(sql, params, read).await?
        }
    };
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

pub(crate) async fn published_list(tx: &Tx<'_>, page: &PageRequest) -> Result<Page<ActivityRow>> {
    let sql = activity_sql!("WHERE a.id < $1 AND a.live_version IS NOT NULL ORDER BY a.id DESC LIMIT $2");
    let rows = tx.all(sql, params![page.before(), page.fetch()], read).await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

pub(crate) async fn sale_list(tx: &Tx<'_>, page: &PageRequest) -> Result<Page<ActivityRow>> {
    let sql = activity_sql!(
        "WHERE a.id < $1 AND a.live_version IS NOT NULL AND v.kind = 'sale' ORDER BY a.id DESC LIMIT $2"
    );
    let rows = tx.all(sql, params![page.before(), page.fetch()], read).await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

/// The versions in place and in the making that ask a rule tree, newest activities first: `limit` of them at most.
pub(crate) async fn tree_uses(tx: &Tx<'_>, (tree, limit): &(TreeId, u32)) -> Result<Vec<TreeUse>> {
    tx.all(
        "SELECT v.activity_id, v.name, v.number, CAST(CASE WHEN v.number = a.live_version THEN 1 ELSE 0 END AS BIGINT),
                v.tree_version
         FROM activity_versions v JOIN activities a ON a.id = v.activity_id
         WHERE v.tree_id = $1 AND (v.number = a.live_version OR v.number = a.draft_version)
         ORDER BY v.activity_id DESC, v.number DESC LIMIT $2",
        params![*tree, *limit],
        |row| {
            Ok(TreeUse {
                activity: ActivityId(row.int()?),
                name: row.text()?,
                version: number(row)?,
                live: row.flag()?,
                tree_version: opt_number(row)?,
            })
        },
    )
    .await
}

/// What somebody wants to be reminded of, the newest first.
pub(crate) async fn list_reminded(
    tx: &Tx<'_>,
    (user, page): &(UserId, PageRequest),
) -> Result<Vec<ActivityRow>> {
    let sql = activity_sql!(
        "JOIN reminders r ON r.activity_id = a.id
         WHERE r.user_id = $1 AND a.id < $2 AND a.live_version IS NOT NULL ORDER BY a.id DESC LIMIT $3"
    );
    tx.all(sql, params![*user, page.before(), page.fetch()], read).await
}

pub(crate) async fn version_find(
    tx: &Tx<'_>,
    (id, number): &(ActivityId, u32),
) -> Result<Option<VersionRow>> {
    version(tx, *id, *number).await
}

/// The newest first.
pub(crate) async fn version_list(
    tx: &Tx<'_>,
    (id, page): &(ActivityId, PageRequest),
) -> Result<Page<VersionRow>> {
    let sql = version_sql!("WHERE v.activity_id = $1 AND v.number < $2 ORDER BY v.number DESC LIMIT $3");
    let rows = tx.all(sql, params![*id, page.before(), page.fetch()], columns::read).await?;
    let mut page = Page::cut(rows, *page, |row| i64::from(row.number));
    for row in &mut page.items {
        row.content.cards = cards(tx, *id, row.number).await?;
    }
    Ok(page)
}

/// The version in place, or nothing while it is not published.
pub(crate) async fn published_version(tx: &Tx<'_>, id: ActivityId) -> Result<Option<(Life, VersionRow)>> {
    let Some(status) = state::find(tx, id).await? else { return Ok(None) };
    Ok(status.live_version(tx).await?.map(|version| (status.life, version)))
}

/// What is drawn from, or nothing while it is not published.
pub(crate) async fn published_find(tx: &Tx<'_>, id: &ActivityId) -> Result<Option<PublishedActivityRow>> {
    let Some(standing) = state::find(tx, *id).await? else { return Ok(None) };
    let Some(live) = standing.live else { return Ok(None) };
    let version = get_version(tx, *id, live).await?;
    let secret = match version.content.plan {
        Plan::Instant(_) => secrets::get(tx, *id, standing.life.round, live).await?,
        Plan::Raffle(_) | Plan::Sale(_) => secrets::first(tx, *id, standing.life.round).await?,
    };
    Ok(Some(PublishedActivityRow {
        activity: *id,
        life: standing.life,
        ended: standing.ended,
        version: live,
        tree: version.content.configuration.tree().zip(version.tree_version),
        content: version.content,
        sealed_secret: secret.sealed,
        commitment: secret.commitment,
        strategy: secret.strategy,
    }))
}

/// A text as a pattern that stands for itself.
fn escape_pattern(text: &str) -> String {
    text.to_ascii_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

fn read(row: &mut Row) -> Result<ActivityRow, Fault> {
    let id = ActivityId(row.int()?);
    let life = Life { state: row.named(LifeState::parse)?, round: number(row)? };
    let live = opt_number(row)?;
    let making = (opt_number(row)?, opt_number(row)?, row.opt_named(LifeState::parse)?);
    let draft = match making {
        (Some(number), Some(edition), Some(review)) => Some(Making { number, edition, review }),
        _ => None,
    };
    Ok(ActivityRow {
        id,
        life,
        live,
        draft,
        step: row.int()?,
        carried: !row.flag()?,
        cloned_from: row.opt_int()?.map(ActivityId),
        created_by: row.named(parse_actor)?,
        created_at: row.time()?,
        name: row.text()?,
        window: Window { from: row.time()?, until: row.time()? },
        kind: row.named(ActivityKind::parse)?,
        name_en: row.text()?,
        ended: row.opt_time()?,
    })
}
