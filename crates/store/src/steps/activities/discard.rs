//! Taking back what is not published: the version in the making, and with the first one the activity itself. What is in
//! review is withdrawn first. The line in the audit log stays.

use domain::Rejection;
use domain::activity::{Action, LifeState};
use serde_json::json;

use super::state::{lock, subject};
use crate::failure::Result;
use crate::model::{ActivityDiscard, CreateOutcome};
use crate::tx::Tx;
use crate::{audit, once, params};

pub(crate) async fn discard(tx: &Tx<'_>, step: &ActivityDiscard) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let standing = lock(tx, step.id).await?;
    let illegal = |state| Rejection::StepIllegal { state, action: Action::Discard };
    let draft = standing.draft_version(tx).await?.ok_or(illegal(standing.life.state))?;
    if !matches!(draft.review, LifeState::Editing | LifeState::Refused) {
        return Err(illegal(draft.review).into());
    }
    if draft.edition != step.edition {
        return Err(Rejection::EditedMeanwhile { edition: draft.edition }.into());
    }
    let before = json!({
        "name": draft.content.configuration.name(),
        "version": draft.number,
        "edition": draft.edition,
    });
    // Before the rows that the activity refers to.
    match standing.live {
        Some(_) => {
            let sql = "UPDATE activities SET draft_version = NULL WHERE id = $1";
            tx.execute(sql, params![step.id]).await?;
        }
        None => {
            for sql in OF_NO_ACTIVITY {
                tx.execute(sql, params![step.id]).await?;
            }
        }
    }
    for sql in OF_THE_VERSION {
        tx.execute(sql, params![step.id, draft.number]).await?;
    }
    if standing.live.is_none() {
        tx.execute("DELETE FROM activities WHERE id = $1", params![step.id]).await?;
    }
    let after = json!({ "version": standing.live });
    audit::write(tx, &step.signed, "activity.discard", &subject(step.id), &before, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

/// What is kept for an activity before it is published.
const OF_NO_ACTIVITY: [&str; 2] = [
    "DELETE FROM block_list WHERE activity_id = $1",
    "DELETE FROM block_list_changes WHERE activity_id = $1",
];

const OF_THE_VERSION: [&str; 3] = [
    "DELETE FROM prize_cards WHERE activity_id = $1 AND number = $2",
    "DELETE FROM activity_authors WHERE activity_id = $1 AND number = $2",
    "DELETE FROM activity_versions WHERE activity_id = $1 AND number = $2",
];
