//! Backups that somebody asks for.

use serde_json::{Value as Json, json};
use store::model::{AuditLine, AuditStamp};

use crate::failure::Result;
use crate::ports::{BackupOrder, BackupStatus};
use crate::world::World;

/// Begins a backup. That it was asked for, where to, and whether the key goes with it, is on the record before it begins.
pub async fn backup_ask(world: &World, signed: AuditStamp, order: BackupOrder) -> Result<BackupStatus> {
    let into = order.into.as_ref().map(|into| into.display().to_string());
    let after = json!({ "into": into, "with_key": order.with_key });
    let (action, subject) = ("backup.ask", "backup".to_owned());
    world.db.audit_line(AuditLine { action, subject, before: Json::Null, after, signed }).await?;
    world.outside.backups.begin(order)
}
