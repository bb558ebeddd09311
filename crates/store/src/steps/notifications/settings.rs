//! What people do not want to hear of: kinds that they switched off, people and threads that they muted.

use domain::Rejection;
use domain::community::{MUTES_MAX, MuteSubject, NotificationKind};
use domain::ids::UserId;
use domain::rejection::MissingThing;

use crate::failure::Result;
use crate::model::{Mute, MuteSet, NotificationSettings, NotificationSwitchesSet};
use crate::params;
use crate::steps::users;
use crate::tx::Tx;

pub(super) async fn find(tx: &Tx<'_>, user: &UserId) -> Result<NotificationSettings> {
    let sql = "SELECT kind FROM notification_switches WHERE user_id = $1 ORDER BY kind";
    let off = tx.all(sql, params![*user], |row| row.named(NotificationKind::parse)).await?;
    let sql = "SELECT muted, muted_id FROM notification_mutes WHERE user_id = $1
               ORDER BY at_ms DESC, muted_id DESC LIMIT $2";
    let mutes = tx
        .all(sql, params![*user, MUTES_MAX], |row| {
            Ok(Mute { muted: row.named(MuteSubject::parse)?, id: row.int()? })
        })
        .await?;
    Ok(NotificationSettings { off, mutes })
}

/// Replaces the kinds that are off. Again is the same.
pub(super) async fn switch(tx: &Tx<'_>, step: &NotificationSwitchesSet) -> Result<()> {
    users::lock(tx, step.user).await?;
    tx.execute("DELETE FROM notification_switches WHERE user_id = $1", params![step.user]).await?;
    for kind in &step.off {
        let sql = "INSERT INTO notification_switches (user_id, kind) VALUES ($1, $2)
                   ON CONFLICT (user_id, kind) DO NOTHING";
        tx.execute(sql, params![step.user, kind.name()]).await?;
    }
    Ok(())
}

/// Mutes, or hears again. Again is the same.
pub(super) async fn mute(tx: &Tx<'_>, step: &MuteSet) -> Result<()> {
    users::lock(tx, step.user).await?;
    let (muted, id) = (step.mute.muted.name(), step.mute.id);
    if !step.on {
        let sql = "DELETE FROM notification_mutes WHERE user_id = $1 AND muted = $2 AND muted_id = $3";
        return tx.execute(sql, params![step.user, muted, id]).await.map(drop);
    }
    let (sql, what) = match step.mute.muted {
        MuteSubject::Person => {
            ("SELECT COUNT(*) FROM users WHERE id = $1 AND deleted_at IS NULL", MissingThing::User)
        }
        MuteSubject::Post => {
            ("SELECT COUNT(*) FROM posts WHERE id = $1 AND state <> 'deleted'", MissingThing::Post)
        }
    };
    if tx.count(sql, params![id]).await? == 0 {
        return Err(Rejection::NotFound { what }.into());
    }
    let sql =
        "SELECT COUNT(*) FROM notification_mutes WHERE user_id = $1 AND NOT (muted = $2 AND muted_id = $3)";
    if tx.count(sql, params![step.user, muted, id]).await? >= i64::from(MUTES_MAX) {
        return Err(Rejection::MutesFull { max: MUTES_MAX }.into());
    }
    let sql = "INSERT INTO notification_mutes (user_id, muted, muted_id, at_ms) VALUES ($1, $2, $3, $4)
               ON CONFLICT (user_id, muted, muted_id) DO NOTHING";
    tx.execute(sql, params![step.user, muted, id, step.now]).await.map(drop)
}
