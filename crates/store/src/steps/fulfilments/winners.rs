//! Lists of winners that are for everybody.

use domain::ids::ActivityId;
use domain::time::Timestamp;
use serde_json::json;

use crate::failure::{Fault, Result};
use crate::model::AuditStamp;
use crate::row::Row;
use crate::steps::activities::subject;
use crate::tx::Tx;
use crate::{audit, params};

/// The first word counts: whoever publishes again hears since when it is.
pub(super) async fn publish(tx: &Tx<'_>, (activity, signed): &(ActivityId, AuditStamp)) -> Result<Timestamp> {
    let new = tx
        .execute(
            "INSERT INTO published_winners (activity_id, published_ms) VALUES ($1, $2)
             ON CONFLICT (activity_id) DO NOTHING",
            params![*activity, signed.at],
        )
        .await?;
    if new > 0 {
        let (before, after) = (json!({ "published": false }), json!({ "published": true }));
        audit::write(tx, signed, "activity.winners_publish", &subject(*activity), &before, &after).await?;
    }
    Ok(find_published(tx, activity)
        .await?
        .ok_or_else(|| Fault::new("a list was published and is not there"))?)
}

pub(super) async fn find_published(tx: &Tx<'_>, activity: &ActivityId) -> Result<Option<Timestamp>> {
    let sql = "SELECT published_ms FROM published_winners WHERE activity_id = $1";
    tx.one(sql, params![*activity], Row::time).await
}
