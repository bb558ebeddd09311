//! A sale that ends later: a version of its own, in place at once. Nobody else is asked, and the line in the audit log says
//! who did it and why.

use domain::Rejection;
use domain::activity::LifeState;
use domain::sale::extend_window;
use serde_json::json;

use super::act::put_in_place;
use super::columns::get_version;
use super::state::{lock, subject, tell_moved};
use super::write::insert_version;
use crate::audit::actor_text;
use crate::failure::Result;
use crate::model::{CreateOutcome, SaleExtend};
use crate::tx::Tx;
use crate::{audit, once, params};

pub(crate) async fn extend(tx: &Tx<'_>, step: &SaleExtend) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let (mut standing, now) = (lock(tx, step.id).await?, step.signed.at);
    let Some(live) = standing.live_version(tx).await? else { return Err(Rejection::NotRunning.into()) };
    if standing.draft.is_some() {
        return Err(Rejection::VersionInMaking.into());
    }
    let before = standing.life;
    let life = before.at(live.content.configuration.window(), now);
    match life.state {
        LifeState::Approved | LifeState::Reopened | LifeState::Running | LifeState::Paused => {}
        LifeState::Closed => return Err(Rejection::Ended.into()),
        LifeState::Editing | LifeState::InReview | LifeState::Refused => {
            return Err(Rejection::NotRunning.into());
        }
    }
    let content = extend_window(&live.content, step.until)?;
    let (number, signed) = (live.number + 1, &step.signed);
    insert_version(tx, step.id, number, &content, signed).await?;
    tx.execute(
        "UPDATE activity_versions SET review = 'approved', submitted_by = $3, submitted_at = $4, decided_by = $3,
                decided_at = $4, decision_reason = $5
         WHERE activity_id = $1 AND number = $2",
        params![step.id, number, actor_text(signed.actor), now, &signed.reason],
    )
    .await?;
    let version = get_version(tx, step.id, number).await?;
    standing.life = life.renew(content.configuration.window(), now);
    put_in_place(tx, &mut standing, &version, (Some(&step.secret), now)).await?;
    let until = |content: &domain::activity::Content| content.configuration.window().until.0;
    let was = json!({ "version": live.number, "until_ms": until(&live.content) });
    let is = json!({ "version": number, "until_ms": until(&content) });
    audit::write(tx, signed, "activity.extend", &subject(step.id), &was, &is).await?;
    tell_moved(tx, before, &standing, signed).await?;
    once::record(tx, step.once.as_ref(), step.id.0, now).await
}
