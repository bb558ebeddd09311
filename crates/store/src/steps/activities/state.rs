//! The row of an activity: locked, judged and written by every step of its life.

use domain::Rejection;
use domain::activity::{Life, LifeState, look_at};
use domain::ids::{ActivityId, UserId};
use domain::rejection::MissingThing;
use domain::search::IndexedKind;
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::{Value as Json, json};

use super::columns::{get_version, number, opt_number};
use crate::failure::{Fault, Result};
use crate::model::{Actor, AuditStamp, VersionRow};
use crate::params;
use crate::row::Row;
use crate::steps::events::{NewEvent, tell};
use crate::steps::search;
use crate::tx::Tx;

/// What the steps of a life need to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActivityStatus {
    pub id: ActivityId,
    pub life: Life,
    pub live: Option<u32>,
    pub draft: Option<u32>,
    pub carry: bool,
    /// When its round ended, where that was kept.
    pub ended: Option<Timestamp>,
}

macro_rules! standing_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, state, round, live_version, draft_version, carry, ended_ms FROM activities WHERE id = $1",
            $rest
        )
    };
}

/// Holds the activity until the transaction ends.
pub(super) async fn lock(tx: &Tx<'_>, id: ActivityId) -> Result<ActivityStatus> {
    let found = tx.one(standing_sql!(" FOR UPDATE"), params![id], read).await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::Activity })?)
}

/// Only looks.
pub(super) async fn find(tx: &Tx<'_>, id: ActivityId) -> Result<Option<ActivityStatus>> {
    tx.one(standing_sql!(""), params![id], read).await
}

fn read(row: &mut Row) -> Result<ActivityStatus, Fault> {
    Ok(ActivityStatus {
        id: ActivityId(row.int()?),
        life: Life { state: row.named(LifeState::parse)?, round: number(row)? },
        live: opt_number(row)?,
        draft: opt_number(row)?,
        carry: row.flag()?,
        ended: row.opt_time()?,
    })
}

impl ActivityStatus {
    pub async fn live_version(&self, tx: &Tx<'_>) -> Result<Option<VersionRow>> {
        match self.live {
            Some(number) => get_version(tx, self.id, number).await.map(Some),
            None => Ok(None),
        }
    }

    pub async fn draft_version(&self, tx: &Tx<'_>) -> Result<Option<VersionRow>> {
        match self.draft {
            Some(number) => get_version(tx, self.id, number).await.map(Some),
            None => Ok(None),
        }
    }

    /// Writes where it stands now, as one more step. Once something is to be carried it stays so until it is. What is closed
    /// keeps the moment at which it ended: this one, or the end of its window where the clock was first.
    pub async fn save(&self, tx: &Tx<'_>, live: Option<&VersionRow>, at: Timestamp) -> Result<()> {
        let window = live.map(|live| live.content.configuration.window());
        let next = window.and_then(|window| look_at(self.life.state, window));
        let closed = self.life.state == LifeState::Closed;
        let ended = closed.then(|| window.map_or(at, |window| at.min(window.until)));
        tx.execute(
            "UPDATE activities SET state = $2, round = $3, live_version = $4, draft_version = $5,
                    step = step + 1, carry = $6, look_at = $7,
                    ended_ms = CASE WHEN CAST($8 AS BIGINT) IS NULL THEN NULL ELSE COALESCE(ended_ms, $8) END
             WHERE id = $1",
            params![
                self.id,
                self.life.state.name(),
                self.life.round,
                self.live,
                self.draft,
                self.carry,
                next,
                ended
            ],
        )
        .await?;
        if self.live.is_none() {
            return Ok(());
        }
        search::mark(tx, IndexedKind::Activity, self.id.0, at).await
    }

    /// For the audit log.
    pub fn told(&self) -> Json {
        json!({ "state": self.life.state.name(), "round": self.life.round, "version": self.live })
    }
}

/// Others hear when players can begin, and when they cannot any more.
pub(super) async fn tell_moved(
    tx: &Tx<'_>,
    before: Life,
    after: &ActivityStatus,
    signed: &AuditStamp,
) -> Result<()> {
    let kind = match (before.state, after.life.state) {
        (LifeState::Running | LifeState::Paused, LifeState::Running)
        | (LifeState::Closed, LifeState::Closed) => return Ok(()),
        (_, LifeState::Running) => EventKind::ActivityOpened,
        (_, LifeState::Closed) => EventKind::ActivityClosed,
        _ => return Ok(()),
    };
    let data =
        json!({ "activity_id": after.id.to_string(), "round": after.life.round, "version": after.live });
    let (id, subject, at) = (signed.audit_id, after.id.0, signed.at);
    tell(tx, &[NewEvent { id, kind, user: None, subject, data, at }]).await
}

pub(crate) fn subject(id: ActivityId) -> String {
    format!("activity:{id}")
}

/// Whoever wrote a part of a version, so that they do not decide about it. The console is nobody's author.
pub(super) async fn add_author(tx: &Tx<'_>, id: ActivityId, number: u32, signed: &AuditStamp) -> Result<()> {
    let Actor::Person(author) = signed.actor else { return Ok(()) };
    tx.execute(
        "INSERT INTO activity_authors (activity_id, number, user_id) VALUES ($1, $2, $3)
         ON CONFLICT (activity_id, number, user_id) DO NOTHING",
        params![id, number, author],
    )
    .await?;
    Ok(())
}

pub(super) async fn authors(tx: &Tx<'_>, id: ActivityId, number: u32) -> Result<Vec<UserId>> {
    let sql = "SELECT user_id FROM activity_authors WHERE activity_id = $1 AND number = $2 ORDER BY user_id";
    tx.all(sql, params![id, number], |row| row.int().map(UserId)).await
}
