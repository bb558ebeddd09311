//! The steps that people take. `domain` says what follows; here it is kept, with whatever must not be missing beside it:
//! the secret before anything is published, the changes of pools, the line in the audit log.

use domain::Rejection;
use domain::activity::{Action, Life, LifeState, Plan};
use domain::time::Timestamp;
use serde_json::json;

use super::columns::{part, part_column};
use super::state::{ActivityStatus, add_author, authors, lock, subject, tell_moved};
use super::{prices, secrets};
use crate::audit::actor_text;
use crate::failure::{Fault, Result};
use crate::model::{ActivityAct, CreateOutcome, NewSecret, VersionRow};
use crate::steps::daily_sums;
use crate::tx::Tx;
use crate::value::as_i64;
use crate::{audit, once, params};

pub(crate) async fn act(tx: &Tx<'_>, step: &ActivityAct) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let standing = lock(tx, step.id).await?;
    let before = standing.told();
    let after = match step.action {
        Action::Submit | Action::Withdraw | Action::Approve | Action::Refuse => {
            review(tx, standing, step).await?
        }
        Action::Close | Action::Reopen | Action::Pause | Action::Resume => {
            match run(tx, standing, step).await? {
                Some(after) => after,
                None => return once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await,
            }
        }
        // Editing brings a content with it, discarding the edition that was seen, and the clock's own steps a fence.
        Action::Edit | Action::Discard | Action::Start | Action::End => {
            return Err(Fault::new(format!("{} is no step of a person's", step.action.name())).into());
        }
    };
    let action = format!("activity.{}", step.action.name());
    let mut told = after.told();
    if let Some(number) = standing.draft {
        told["decided_version"] = json!(number);
    }
    audit::write(tx, &step.signed, &action, &subject(step.id), &before, &told).await?;
    tell_moved(tx, standing.life, &after, &step.signed).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

/// The version in the making goes through its review; the activity itself moves along while it is its first.
async fn review(tx: &Tx<'_>, mut standing: ActivityStatus, step: &ActivityAct) -> Result<ActivityStatus> {
    let (action, now) = (step.action, step.signed.at);
    let Some(draft) = standing.draft_version(tx).await? else {
        return Err(Rejection::StepIllegal { state: standing.life.state, action }.into());
    };
    if step.seen.is_some_and(|seen| (seen.number, seen.edition) != (draft.number, draft.edition)) {
        return Err(Rejection::EditedMeanwhile { edition: draft.edition }.into());
    }
    let authors = authors(tx, step.id, draft.number).await?;
    let window = draft.content.configuration.window();
    let reviewed = Life { state: draft.review, round: standing.life.round };
    let reviewed = reviewed.step(action, &authors, step.by, now, window).map_err(Rejection::from)?.state;
    mark_review(tx, step, &draft, reviewed).await?;
    match (action, standing.live_version(tx).await?) {
        (Action::Approve, None) => {
            standing.life.state = reviewed;
            put_in_place(tx, &mut standing, &draft, (step.secret.as_ref(), now)).await?;
        }
        (Action::Approve, Some(live)) => {
            // By the clock the old version may have ended its round already; a new one does not undo that.
            let life = standing.life.at(live.content.configuration.window(), now);
            standing.life = if life.state == LifeState::Closed { life } else { life.renew(window, now) };
            put_in_place(tx, &mut standing, &draft, (step.secret.as_ref(), now)).await?;
        }
        (_, None) => {
            standing.life.state = reviewed;
            standing.save(tx, None, now).await?;
        }
        (_, Some(_)) => {}
    }
    Ok(standing)
}

async fn mark_review(tx: &Tx<'_>, step: &ActivityAct, draft: &VersionRow, reviewed: LifeState) -> Result<()> {
    let (by, at) = (actor_text(step.signed.actor), step.signed.at);
    match step.action {
        Action::Submit => {
            tx.execute(
                "UPDATE activity_versions SET review = $3, submitted_by = $4, submitted_at = $5, tree_version = $6
                 WHERE activity_id = $1 AND number = $2",
                params![step.id, draft.number, reviewed.name(), by, at, step.tree_version],
            )
            .await?;
            add_author(tx, step.id, draft.number, &step.signed).await
        }
        Action::Withdraw => {
            tx.execute(
                "UPDATE activity_versions SET review = $3, submitted_by = NULL, submitted_at = NULL,
                        tree_version = NULL WHERE activity_id = $1 AND number = $2",
                params![step.id, draft.number, reviewed.name()],
            )
            .await?;
            Ok(())
        }
        _ => {
            tx.execute(
                "UPDATE activity_versions SET review = $3, decided_by = $4, decided_at = $5, decision_reason = $6
                 WHERE activity_id = $1 AND number = $2",
                params![step.id, draft.number, reviewed.name(), by, at, &step.signed.reason],
            )
            .await?;
            Ok(())
        }
    }
}

/// Puts a version in place: its secret is there before anybody can see it.
pub(super) async fn put_in_place(
    tx: &Tx<'_>,
    standing: &mut ActivityStatus,
    draft: &VersionRow,
    secret: (Option<&NewSecret>, Timestamp),
) -> Result<()> {
    secrets::insert(tx, standing.id, standing.life.round, draft, secret).await?;
    change_stock(tx, draft).await?;
    if let Plan::Sale(sale) = &draft.content.plan {
        prices::insert(tx, draft.activity, draft.number, sale).await?;
    }
    (standing.live, standing.draft, standing.carry) = (Some(draft.number), None, true);
    standing.save(tx, Some(draft), secret.1).await
}

/// A pool that was never opened is opened; one that is there changes by the difference to what earlier versions gave it.
/// A pool that the version no longer names keeps what it has.
async fn change_stock(tx: &Tx<'_>, version: &VersionRow) -> Result<()> {
    let given = tx
        .all(
            "SELECT prize, CAST(SUM(change) AS BIGINT) FROM activity_stock WHERE activity_id = $1 GROUP BY prize",
            params![version.activity],
            |row| Ok((part(row.int()?)?, row.int()?)),
        )
        .await?;
    for (part, units) in version.content.stock() {
        let before = given.iter().find(|(known, _)| *known == part).map(|(_, units)| *units);
        let change = as_i64(units) - before.unwrap_or(0);
        if before.is_some() && change == 0 {
            continue;
        }
        tx.execute(
            "INSERT INTO activity_stock (activity_id, version, prize, opens, change, done)
             VALUES ($1, $2, $3, $4, $5, 0)",
            params![version.activity, version.number, part_column(part), before.is_none(), change],
        )
        .await?;
    }
    Ok(())
}

/// Steps of a published activity. What the clock asks for comes first, whether or not the job was here. Nothing when it is
/// as the step would have it: then there is nothing to keep, to carry or to tell of.
async fn run(
    tx: &Tx<'_>,
    mut standing: ActivityStatus,
    step: &ActivityAct,
) -> Result<Option<ActivityStatus>> {
    let Some(live) = standing.live_version(tx).await? else {
        return Err(Rejection::StepIllegal { state: standing.life.state, action: step.action }.into());
    };
    let (window, now) = (live.content.configuration.window(), step.signed.at);
    let life = standing.life.at(window, now);
    standing.life = life.step(step.action, &[], step.by, now, window).map_err(Rejection::from)?;
    if standing.life == life {
        return Ok(None);
    }
    if matches!(step.action, Action::Pause | Action::Close) {
        daily_sums::count_stop(tx, &step.signed).await?;
    }
    if step.action == Action::Reopen {
        let secret = (step.secret.as_ref(), now);
        secrets::insert(tx, standing.id, standing.life.round, &live, secret).await?;
    }
    standing.carry = true;
    standing.save(tx, Some(&live), now).await?;
    Ok(Some(standing))
}
