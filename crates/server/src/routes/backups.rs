//! Backups: how the last one went, and one now.

use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Rejection;
use domain::rejection::FieldProblem;
use engine::operations::backups as flow;
use engine::ports::{BackupOrder, BackupStatus};
use serde::{Deserialize, Serialize};
use store::model::Actor;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::{Console, Reader};
use crate::body::Body;
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct BackupBody {
    /// Counts the backups of this process.
    pub number: u64,
    /// `copying`, `checking` or `finished`.
    pub stage: &'static str,
    /// Pages of the database that were copied.
    pub pages_done: u64,
    pub pages: u64,
    pub started_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<i64>,
    /// Where it is, once it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The last event of the ledger in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seq: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl From<BackupStatus> for BackupBody {
    fn from(status: BackupStatus) -> Self {
        let (made, failed) = match status.outcome {
            Some(Ok(made)) => (Some(made), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        Self {
            number: status.number,
            stage: status.stage.name(),
            pages_done: status.done,
            pages: status.of,
            started_ms: status.started.0,
            finished_ms: status.finished.map(|at| at.0),
            folder: made.as_ref().map(|made| made.folder.display().to_string()),
            bytes: made.as_ref().map(|made| made.bytes),
            last_seq: made.map(|made| made.last_seq.to_string()),
            failed,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct BackupsBody {
    /// Whether `backup.folder` is set: then the job `backup` makes one every night.
    pub scheduled: bool,
    /// The last one of this process; absent when there was none since the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<BackupBody>,
}

/// How the last backup went
#[utoipa::path(get, path = "/admin/backups", tag = "admin", responses((status = 200, body = BackupsBody)))]
pub async fn backup_status(State(app): State<App>, _: Reader) -> Json<BackupsBody> {
    let backups = &app.world.outside.backups;
    Json(BackupsBody { scheduled: backups.has_folder(), last: backups.status().map(BackupBody::from) })
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BackupRequest {
    /// An absolute path on the server; absent: `backup.folder`.
    #[serde(default)]
    pub into: Option<String>,
    /// Copy the key file too: whoever has the backup can then read phones, addresses and codes.
    #[serde(default)]
    pub with_key: bool,
}

/// Make a backup now
///
/// Only the command line on the machine itself may: it names a folder on it. The answer comes at once; how it goes on is at
/// `GET /admin/backups`. One at a time: beside another the answer is `overloaded`.
#[utoipa::path(post, path = "/admin/backups", tag = "admin", responses((status = 202, body = BackupBody)))]
pub async fn backup_create(
    State(app): State<App>,
    console: Console,
    body: Body<BackupRequest>,
) -> Result<(StatusCode, Json<BackupBody>), Problem> {
    let BackupRequest { into, with_key } = body.value;
    let into = into.map(PathBuf::from);
    let named = into.as_ref().map_or(app.world.outside.backups.has_folder(), |into| into.is_absolute());
    if !named {
        return Err(Rejection::invalid("into", FieldProblem::Malformed).into());
    }
    let order = BackupOrder { into, with_key, keep: None };
    let signed = app.world.audit_stamp(Actor::Console, "", &console.context.request_id);
    let begun = flow::backup_ask(&app.world, signed, order).await?;
    Ok((StatusCode::ACCEPTED, Json(begun.into())))
}
