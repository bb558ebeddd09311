//! Something happened: the behaviour, what its rules give for it, and the messages that carry that out, in one
//! transaction.
//!
//! The rules are locked before what they have given is asked, in the order of their ids: their budgets hold, however many
//! behaviours arrive at once.

use domain::Rejection;
use domain::grants::{Behaviour, GrantCounts, GrantKind, GrantRefusal, RuleTerms, decide};
use domain::ids::{GrantId, GrantRuleId};
use domain::time::Timestamp;
use serde_json::{Value as Json, json};

use super::columns::{read_rule, rule_sql, write_passed};
use super::queries::find_recorded;
use crate::failure::{Fault, Result};
use crate::model::{
    BehaviourRecord, BehaviourResult, GRANT, GrantMessage, GrantRow, GrantRuleRow, GrantedReward, NewMessage,
    Recording,
};
use crate::steps::{outbox, users};
use crate::tx::Tx;
use crate::{audit, params};

pub(super) async fn record(tx: &Tx<'_>, step: &BehaviourRecord) -> Result<Recording> {
    let behaviour = &step.behaviour;
    let (kind, key) = (behaviour.kind.as_str(), behaviour.key.as_str());
    tx.exclusive(&format!("behaviour {kind} {key}")).await?;
    if let Some(known) = find_recorded(tx, kind, key).await? {
        if (known.user, &known.object) != (behaviour.user, &behaviour.object) {
            return Err(Rejection::IdConflict.into());
        }
        return Ok(Recording::Done(BehaviourResult { repeated: true, ..known.recorded }));
    }
    users::lock(tx, behaviour.user).await?;
    let sql = rule_sql!("WHERE behaviour = $1 AND is_on = 1 AND approval IS NULL ORDER BY id FOR UPDATE");
    let rules = tx.all(sql, params![kind], read_rule).await?;
    if rules.len() > step.ids.len() {
        return Ok(Recording::MoreIds(rules.len()));
    }
    if rules.is_empty() {
        tell(tx, step, &[], false).await?;
        return Ok(Recording::Done(BehaviourResult { kept: false, ..BehaviourResult::default() }));
    }
    let (mut grants, mut passed) = (Vec::new(), Vec::new());
    for (rule, id) in rules.iter().zip(&step.ids) {
        match grant(tx, step, rule, *id).await? {
            Ok(grant) => grants.push(grant),
            Err(why) => passed.push((rule.id, why)),
        }
    }
    keep(tx, step, &passed).await?;
    tell(tx, step, &grants, true).await?;
    let messages: Result<Vec<NewMessage>, Fault> = grants.iter().map(message).collect();
    outbox::put(tx, &messages?).await?;
    Ok(Recording::Done(BehaviourResult { repeated: false, undone: false, kept: true, grants, passed }))
}

async fn keep(tx: &Tx<'_>, step: &BehaviourRecord, passed: &[(GrantRuleId, GrantRefusal)]) -> Result<()> {
    let Behaviour { user, kind, key, object, at, day: _ } = &step.behaviour;
    tx.execute(
        "INSERT INTO behaviours (kind, idem_key, user_id, object, at_ms, made_ms, passed)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        params![kind.as_str(), key, *user, object.as_ref(), *at, step.now, write_passed(passed)],
    )
    .await?;
    Ok(())
}

/// What a person said has a line in the audit log.
async fn tell(tx: &Tx<'_>, step: &BehaviourRecord, grants: &[GrantRow], kept: bool) -> Result<()> {
    let Some(signed) = &step.told_by else { return Ok(()) };
    let Behaviour { user, kind, key, .. } = &step.behaviour;
    let given: Vec<_> = grants
        .iter()
        .map(|grant| json!({ "gives": grant.gives.name(), "amount": grant.gives.amount() }))
        .collect();
    let after = json!({ "kind": kind.as_str(), "id": key, "kept": kept, "grants": given });
    audit::write(tx, signed, "behaviour.tell", &audit::user_subject(*user), &Json::Null, &after).await
}

/// What one rule gives, written down; or why nothing.
async fn grant(
    tx: &Tx<'_>,
    step: &BehaviourRecord,
    rule: &GrantRuleRow,
    id: GrantId,
) -> Result<Result<GrantRow, GrantRefusal>> {
    let (terms, behaviour) = (&rule.terms, &step.behaviour);
    let user = behaviour.user;
    let day = behaviour
        .day
        .or_else(|| (step.calendar.day)(&terms.zone, behaviour.at))
        .ok_or_else(|| Fault::new(format!("rule {} is in no time zone", rule.id)))?;
    let period = terms.period.slot(day, &behaviour.key);
    let in_period = tx
        .count(
            "SELECT COUNT(*) FROM grants WHERE rule_id = $1 AND user_id = $2 AND period = $3",
            params![rule.id, user, &period],
        )
        .await?;
    let sql = "SELECT COALESCE((SELECT given FROM grant_users WHERE rule_id = $1 AND user_id = $2), 0)";
    let counted = GrantCounts {
        in_period: u32::try_from(in_period).unwrap_or(u32::MAX),
        user: tx.count(sql, params![rule.id, user]).await?,
        total: rule.given,
    };
    let n = match decide(terms, behaviour.at, counted) {
        Ok(n) => n,
        Err(why) => return Ok(Err(why)),
    };
    let grant = GrantRow {
        id,
        rule: rule.id,
        rule_name: terms.name.clone(),
        user,
        period,
        n,
        behaviour: (behaviour.kind.as_str().to_owned(), behaviour.key.clone()),
        gives: reward(step, terms)?,
        at: behaviour.at,
        made: step.now,
        reversed: None,
        failed: None,
        given: None,
    };
    write(tx, &grant).await?;
    Ok(Ok(grant))
}

fn reward(step: &BehaviourRecord, terms: &RuleTerms) -> Result<GrantedReward, Fault> {
    Ok(match terms.gives {
        GrantKind::Chances { activity } => {
            let chances =
                u32::try_from(terms.amount).map_err(|error| Fault::caused("a rule's chances", error))?;
            GrantedReward::Chances { activity, chances }
        }
        GrantKind::Points { expiry: None } => {
            GrantedReward::Points { points: terms.amount, expires: step.calendar.site_expires }
        }
        GrantKind::Points { expiry: Some(expiry) } => {
            let expires = (step.calendar.expires)(expiry, &terms.zone, step.now)
                .ok_or_else(|| Fault::new(format!("no time zone {}", terms.zone)))?;
            GrantedReward::Points { points: terms.amount, expires }
        }
    })
}

async fn write(tx: &Tx<'_>, grant: &GrantRow) -> Result<()> {
    let (activity, expires) = columns(grant.gives);
    tx.execute(
        "INSERT INTO grants (id, rule_id, user_id, period, n, behaviour_kind, behaviour_key, activity_id, amount, expires,
                             at_ms, made_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        params![
            grant.id,
            grant.rule,
            grant.user,
            &grant.period,
            grant.n,
            &grant.behaviour.0,
            &grant.behaviour.1,
            activity,
            grant.gives.amount(),
            expires,
            grant.at,
            grant.made
        ],
    )
    .await?;
    tx.execute(
        "INSERT INTO grant_users (rule_id, user_id, given) VALUES ($1, $2, $3)
         ON CONFLICT (rule_id, user_id) DO UPDATE SET given = grant_users.given + excluded.given",
        params![grant.rule, grant.user, grant.gives.amount()],
    )
    .await?;
    tx.execute(
        "UPDATE grant_rules SET given = given + $2 WHERE id = $1",
        params![grant.rule, grant.gives.amount()],
    )
    .await?;
    Ok(())
}

fn columns(given: GrantedReward) -> (Option<domain::ids::ActivityId>, Option<Timestamp>) {
    match given {
        GrantedReward::Chances { activity, .. } => (Some(activity), None),
        GrantedReward::Points { expires, .. } => (None, Some(expires)),
    }
}

/// It has the grant's id.
fn message(grant: &GrantRow) -> Result<NewMessage, Fault> {
    let (activity, expires) = columns(grant.gives);
    let body =
        GrantMessage { activity, amount: grant.gives.amount(), expires, reason: grant.rule_name.clone() };
    let body = serde_json::to_string(&body).map_err(|error| Fault::caused("writing a message", error))?;
    Ok(NewMessage {
        id: grant.id.0,
        lane: grant.gives.lane().to_owned(),
        user: Some(grant.user),
        kind: GRANT,
        subject: grant.id.0,
        body,
        made: grant.made,
        due: grant.made,
    })
}
