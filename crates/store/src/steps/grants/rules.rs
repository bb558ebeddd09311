//! The rules themselves.

use domain::Rejection;
use domain::grants::{AddedGiving, BehaviourKind, GrantKind, RuleTerms};
use domain::ids::{ApprovalId, GrantRuleId};
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use serde_json::{Value as Json, json};

use super::columns::{read_rule, rule_sql};
use crate::failure::Result;
use crate::model::{
    AuditStamp, CreateOutcome, GRANT_RULES_MAX, GivingCaps, GrantRuleEdit, GrantRuleMake, GrantRuleRow,
    RULES_OF_BEHAVIOUR_MAX, Request, RuleSummary,
};
use crate::steps::{approvals, daily_sums};
use crate::tx::Tx;
use crate::{audit, once, params};

pub(super) async fn make(tx: &Tx<'_>, step: &GrantRuleMake) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let terms = &step.terms;
    tx.exclusive("grant rules").await?;
    if tx.count("SELECT COUNT(*) FROM grant_rules", params![]).await? >= i64::from(GRANT_RULES_MAX) {
        return Err(Rejection::GrantRulesFull { max: GRANT_RULES_MAX }.into());
    }
    if terms.on {
        one_more(tx, &terms.behaviour).await?;
    }
    let (activity, expiry) = match terms.gives {
        GrantKind::Chances { activity } => (Some(activity), None),
        GrantKind::Points { expiry } => (None, expiry.map(|expiry| expiry.to_string())),
    };
    let waits =
        second_person(tx, (step.id, 1), terms.added_giving(None), terms, &step.caps, &step.signed).await?;
    tx.execute(
        "INSERT INTO grant_rules (id, name, campaign_id, behaviour, gives, activity_id, expiry, amount, period, zone,
                                  times, cap_user, cap_total, from_ms, until_ms, is_on, edition, made_ms, approval)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 1, $17, $18)",
        params![
            step.id,
            &terms.name,
            terms.campaign,
            terms.behaviour.as_str(),
            terms.gives.name(),
            activity,
            expiry,
            terms.amount,
            terms.period.name(),
            &terms.zone,
            terms.times,
            terms.cap_user,
            terms.cap_total,
            terms.from,
            terms.until,
            terms.on,
            step.signed.at,
            waits
        ],
    )
    .await?;
    audit::write(tx, &step.signed, "grant_rule.make", &subject(step.id), &Json::Null, &to_json(terms))
        .await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

pub(super) async fn edit(tx: &Tx<'_>, step: &GrantRuleEdit) -> Result<GrantRuleRow> {
    let row = lock(tx, step.id).await?;
    if row.edition != step.edition {
        return Err(Rejection::EditedMeanwhile { edition: row.edition }.into());
    }
    let terms = row.terms.changed(&step.change)?;
    if terms == row.terms {
        return Ok(row);
    }
    if terms.on && !row.terms.on {
        one_more(tx, &terms.behaviour).await?;
    }
    if row.terms.on && !terms.on {
        daily_sums::count_stop(tx, &step.signed).await?;
    }
    let holds = row.waits.is_none().then_some(&row.terms);
    let added = terms.added_giving(holds);
    let waits = second_person(tx, (row.id, row.edition + 1), added, &terms, &step.caps, &step.signed).await?;
    if let Some(old) = row.waits {
        approvals::supersede(tx, old, &step.signed).await?;
    }
    tx.execute(
        "UPDATE grant_rules SET name = $2, amount = $3, times = $4, cap_user = $5, cap_total = $6, from_ms = $7,
                until_ms = $8, is_on = $9, approval = $10, edition = edition + 1
         WHERE id = $1",
        params![
            row.id,
            &terms.name,
            terms.amount,
            terms.times,
            terms.cap_user,
            terms.cap_total,
            terms.from,
            terms.until,
            terms.on,
            waits
        ],
    )
    .await?;
    let (before, after) = (to_json(&row.terms), to_json(&terms));
    audit::write(tx, &step.signed, "grant_rule.edit", &subject(row.id), &before, &after).await?;
    Ok(GrantRuleRow { terms, edition: row.edition + 1, waits, ..row })
}

/// The request to a second person, if the rule can give more than one may allow in a day. Keys cannot ask for one.
async fn second_person(
    tx: &Tx<'_>,
    (rule, edition): (GrantRuleId, u32),
    added: AddedGiving,
    terms: &RuleTerms,
    caps: &GivingCaps,
    signed: &AuditStamp,
) -> Result<Option<ApprovalId>> {
    let (kind, alone) = match terms.gives {
        GrantKind::Points { .. } => (daily_sums::POINTS, caps.points),
        GrantKind::Chances { .. } => (daily_sums::CHANCES, caps.chances),
    };
    let alone_is_enough = match added {
        _ if signed.is_uncapped() => true,
        AddedGiving::Nothing => true,
        AddedGiving::UpTo(more) => daily_sums::count(tx, signed, kind, alone, more).await?,
        AddedGiving::Unbounded => false,
    };
    if alone_is_enough {
        return Ok(None);
    }
    if signed.by_key() {
        return Err(match terms.gives {
            GrantKind::Points { .. } => Rejection::PointsAloneMax { max: alone.max },
            GrantKind::Chances { .. } => Rejection::ChancesAloneMax { max: alone.max },
        }
        .into());
    }
    let request = Request::ActivateGrantRule { rule, edition, terms: summary(terms) };
    approvals::open(tx, caps.second, &request, signed).await.map(Some)
}

/// Carried out by the approval of a second person, of the edition they looked at.
pub(crate) async fn activate(tx: &Tx<'_>, id: GrantRuleId, edition: u32, signed: &AuditStamp) -> Result<()> {
    let row = lock(tx, id).await?;
    if row.edition != edition {
        return Err(Rejection::EditedMeanwhile { edition: row.edition }.into());
    }
    tx.execute("UPDATE grant_rules SET approval = NULL WHERE id = $1", params![id]).await?;
    let (before, after) = (json!({ "approval": row.waits }), json!({ "approval": null }));
    audit::write(tx, signed, "grant_rule.activate", &subject(id), &before, &after).await
}

/// Nobody allowed it: it stays, switched off.
pub(crate) async fn switch_off(
    tx: &Tx<'_>,
    id: GrantRuleId,
    edition: u32,
    signed: &AuditStamp,
) -> Result<()> {
    let row = lock(tx, id).await?;
    if row.edition != edition || row.waits.is_none() {
        return Ok(());
    }
    let sql = "UPDATE grant_rules SET approval = NULL, is_on = 0, edition = edition + 1 WHERE id = $1";
    tx.execute(sql, params![id]).await?;
    let (before, after) = (json!({ "on": row.terms.on }), json!({ "on": false }));
    audit::write(tx, signed, "grant_rule.switch_off", &subject(id), &before, &after).await
}

async fn lock(tx: &Tx<'_>, id: GrantRuleId) -> Result<GrantRuleRow> {
    tx.exclusive("grant rules").await?;
    let row = tx.one(rule_sql!("WHERE id = $1 FOR UPDATE"), params![id], read_rule).await?;
    Ok(row.ok_or(Rejection::NotFound { what: MissingThing::GrantRule })?)
}

fn summary(terms: &RuleTerms) -> RuleSummary {
    RuleSummary {
        name: terms.name.clone(),
        behaviour: terms.behaviour.as_str().to_owned(),
        gives: terms.gives.name().to_owned(),
        amount: terms.amount,
        period: terms.period.name().to_owned(),
        times: terms.times,
        cap_user: terms.cap_user,
        cap_total: terms.cap_total,
    }
}

pub(super) async fn find(tx: &Tx<'_>, id: &GrantRuleId) -> Result<Option<GrantRuleRow>> {
    tx.one(rule_sql!("WHERE id = $1"), params![*id], read_rule).await
}

/// The newest first.
pub(super) async fn list(
    tx: &Tx<'_>,
    (behaviour, page): &(Option<String>, PageRequest),
) -> Result<Page<GrantRuleRow>> {
    let sql =
        rule_sql!("WHERE id < $1 AND (CAST($3 AS TEXT) IS NULL OR behaviour = $3) ORDER BY id DESC LIMIT $2");
    let rows = tx.all(sql, params![page.before(), page.fetch(), behaviour.as_ref()], read_rule).await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

/// Every behaviour asks all rules of its kind that are on: there may be so many.
async fn one_more(tx: &Tx<'_>, behaviour: &BehaviourKind) -> Result<()> {
    let sql = "SELECT COUNT(*) FROM grant_rules WHERE behaviour = $1 AND is_on = 1";
    if tx.count(sql, params![behaviour.as_str()]).await? >= i64::from(RULES_OF_BEHAVIOUR_MAX) {
        return Err(Rejection::GrantRulesFull { max: RULES_OF_BEHAVIOUR_MAX }.into());
    }
    Ok(())
}

fn to_json(terms: &RuleTerms) -> Json {
    json!({
        "name": terms.name,
        "behaviour": terms.behaviour.as_str(),
        "gives": terms.gives.name(),
        "amount": terms.amount,
        "period": terms.period.name(),
        "times": terms.times,
        "cap_user": terms.cap_user,
        "cap_total": terms.cap_total,
        "from_ms": terms.from,
        "until_ms": terms.until,
        "on": terms.on,
    })
}

fn subject(id: GrantRuleId) -> String {
    format!("grant_rule:{id}")
}
