//! Requests that wait for a second person. An approval carries its request out in the same transaction.

use domain::Rejection;
use domain::access::{ApprovalState, Decision, Role, Roles, own_account};
use domain::fulfilment::FulfilmentStep;
use domain::ids::{ApprovalId, UserId};
use domain::page::{Page, PageRequest};
use domain::points::Move;
use domain::points::reversal_key;
use domain::rejection::MissingThing;
use domain::time::Timestamp;
use serde_json::{Value as Json, json};

use super::approval_requests::{from_json, to_json};
use super::{fulfilments, grants, keys, orders, points, second_factors, shop, users};
use crate::failure::{Fault, Result};
use crate::model::{
    Actor, ApprovalAsk, ApprovalDecide, ApprovalRow, AuditStamp, CreateOutcome, Posting, Request,
    SecondPerson, ShopRestock,
};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, once, params};

/// `SELECT` of whole requests, to be read with [`read`].
macro_rules! approval_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, request, state, asked_by, asked_at, reason,
                    decided_by, decided_at, decision_reason
             FROM approvals ",
            $rest
        )
    };
}

pub(crate) async fn ask(tx: &Tx<'_>, step: &ApprovalAsk) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    match &step.request {
        Request::SetRoles { user, .. }
        | Request::ResetSecondFactor { user }
        | Request::AdjustPoints { user, .. }
        | Request::ReversePoints { user, .. } => {
            users::lock(tx, *user).await.map(drop)?;
        }
        Request::VoidFulfilment { fulfilment } => {
            fulfilments::may(tx, *fulfilment, FulfilmentStep::Void, &step.signed).await?;
        }
        Request::RefundShopOrder { order } => shop::may_refund(tx, *order, &step.signed).await?,
        Request::RestockOffer { offer, .. } | Request::RepriceOffer { offer, .. } => {
            shop::lock_offer(tx, *offer).await.map(drop)?;
        }
        // The steps that find out that they need a second person ask for one themselves.
        Request::RefundOrder { .. } | Request::ActivateKey { .. } | Request::ActivateGrantRule { .. } => {}
    }
    let signed = &step.signed;
    if let Some(id) = waiting(tx, &step.request).await? {
        return once::record(tx, step.once.as_ref(), id, signed.at).await;
    }
    insert(tx, step.id, &step.request, signed).await?;
    once::record(tx, step.once.as_ref(), step.id.0, signed.at).await
}

/// Asks a second person in the middle of another step; the same that waits already is asked once. Answers the request.
pub(crate) async fn open(
    tx: &Tx<'_>,
    second: SecondPerson,
    request: &Request,
    signed: &AuditStamp,
) -> Result<ApprovalId> {
    if let Some(id) = waiting(tx, request).await? {
        return Ok(ApprovalId(id));
    }
    let signed = AuditStamp { audit_id: second.audit_id, ..signed.clone() };
    insert(tx, second.approval, request, &signed).await?;
    Ok(second.approval)
}

/// What was asked for is not what is wanted any more.
pub(crate) async fn supersede(tx: &Tx<'_>, id: ApprovalId, signed: &AuditStamp) -> Result<()> {
    let sql = "UPDATE approvals SET state = 'withdrawn', decided_by = $2, decided_at = $3, decision_reason = 'edited'
               WHERE id = $1 AND state = 'waiting'";
    tx.execute(sql, params![id, audit::actor_text(signed.actor), signed.at]).await.map(drop)
}

async fn insert(tx: &Tx<'_>, id: ApprovalId, request: &Request, signed: &AuditStamp) -> Result<()> {
    let (kind, request) = to_json(request);
    tx.execute(
        "INSERT INTO approvals (id, kind, request, state, asked_by, asked_at, reason)
         VALUES ($1, $2, $3, 'waiting', $4, $5, $6)",
        params![id, kind, request.to_string(), audit::actor_text(signed.actor), signed.at, &signed.reason],
    )
    .await?;
    let after = json!({ "kind": kind, "request": request });
    audit::write(tx, signed, "approval.ask", &subject(id), &Json::Null, &after).await
}

/// The same that waits already, where asking twice can only mean once. Points given by hand are not of that kind: the same
/// sum may be meant twice.
async fn waiting(tx: &Tx<'_>, request: &Request) -> Result<Option<i64>> {
    match request {
        Request::SetRoles { .. } | Request::AdjustPoints { .. } => return Ok(None),
        Request::VoidFulfilment { .. }
        | Request::ResetSecondFactor { .. }
        | Request::ReversePoints { .. }
        | Request::RefundShopOrder { .. }
        | Request::RefundOrder { .. }
        | Request::ActivateKey { .. }
        | Request::ActivateGrantRule { .. }
        | Request::RestockOffer { .. }
        | Request::RepriceOffer { .. } => {}
    }
    let (kind, request) = to_json(request);
    let sql = "SELECT id FROM approvals WHERE state = 'waiting' AND kind = $1 AND request = $2 LIMIT 1";
    tx.one(sql, params![kind, request.to_string()], Row::int).await
}

/// The same decision by the same person again is answered, not refused.
pub(crate) async fn decide(tx: &Tx<'_>, step: &ApprovalDecide) -> Result<ApprovalRow> {
    let row = tx.one(approval_sql!("WHERE id = $1 FOR UPDATE"), params![step.id], read).await?;
    let row = row.ok_or(Rejection::NotFound { what: MissingThing::Approval })?;
    if row.state == outcome_of(step.decision) && row.decided_by == Some(step.signed.actor) {
        return Ok(row);
    }
    let author = match row.asked_by {
        Actor::Person(user) => Some(user),
        Actor::Key(_) | Actor::Console | Actor::System => None,
    };
    let state = step.decision.apply(row.state, author, step.decider)?;
    let signed = AuditStamp { audit_id: step.effect_audit_id, ..step.signed.clone() };
    if state == ApprovalState::Approved {
        carry_out(tx, &row, &signed, step.points_expire).await?;
    } else {
        set_aside(tx, &row, &signed).await?;
    }
    tx.execute(
        "UPDATE approvals SET state = $2, decided_by = $3, decided_at = $4, decision_reason = $5
         WHERE id = $1",
        params![
            step.id,
            state.name(),
            audit::actor_text(step.signed.actor),
            step.signed.at,
            &step.signed.reason
        ],
    )
    .await?;
    let (before, after) = (json!({ "state": row.state.name() }), json!({ "state": state.name() }));
    audit::write(tx, &step.signed, action(step.decision), &subject(step.id), &before, &after).await?;
    Ok(ApprovalRow {
        state,
        decided_by: Some(step.signed.actor),
        decided_at: Some(step.signed.at),
        decision_reason: step.signed.reason.clone(),
        ..row
    })
}

async fn carry_out(
    tx: &Tx<'_>,
    row: &ApprovalRow,
    signed: &AuditStamp,
    points_expire: Timestamp,
) -> Result<()> {
    match &row.request {
        Request::SetRoles { user, roles } => set_roles(tx, *user, *roles, signed).await,
        Request::ResetSecondFactor { user } => second_factors::reset(tx, *user, signed).await,
        // The winner is told why it was asked for, not why it was approved.
        Request::VoidFulfilment { fulfilment } => {
            fulfilments::apply_void(tx, *fulfilment, &row.reason, signed).await
        }
        Request::RefundShopOrder { order } => shop::apply_refund(tx, *order, &row.reason, signed).await,
        Request::RefundOrder { order, .. } => orders::apply_refund(tx, *order, &row.reason, signed).await,
        Request::ActivateKey { key, .. } => keys::activate(tx, *key, signed).await,
        Request::ActivateGrantRule { rule, edition, .. } => {
            grants::activate(tx, *rule, *edition, signed).await
        }
        Request::RestockOffer { offer, command, delta, terms } => {
            let (command, delta, reason) = (command.clone(), *delta, row.reason.clone());
            let restock = ShopRestock { command, delta, reason };
            shop::restock(tx, *offer, &restock, (row.id, terms), signed).await
        }
        Request::RepriceOffer { offer, price, terms, .. } => {
            shop::reprice(tx, *offer, *price, terms, signed).await
        }
        Request::ReversePoints { user, n } => {
            // Whoever receives is no second person.
            own_account(signed.responsible, *user)?;
            let posting = Posting {
                user: *user,
                asked: Move::Reverse { n: *n },
                key: reversal_key(*n),
                reason: row.reason.clone(),
                at: signed.at,
            };
            points::adjust::post_audited(tx, &posting, signed).await?;
            Ok(())
        }
        Request::AdjustPoints { user, points } => {
            own_account(signed.responsible, *user)?;
            let posting = Posting {
                user: *user,
                asked: Move::adjust("points", *points, points_expire)?,
                key: subject(row.id),
                reason: row.reason.clone(),
                at: signed.at,
            };
            points::adjust::post_audited(tx, &posting, signed).await?;
            Ok(())
        }
    }
}

/// What was made and only waited: it is not left half there.
async fn set_aside(tx: &Tx<'_>, row: &ApprovalRow, signed: &AuditStamp) -> Result<()> {
    match &row.request {
        Request::ActivateKey { key, .. } => keys::revoke(tx, &(*key, signed.clone())).await,
        Request::ActivateGrantRule { rule, edition, .. } => {
            grants::switch_off(tx, *rule, *edition, signed).await
        }
        Request::SetRoles { .. }
        | Request::ResetSecondFactor { .. }
        | Request::VoidFulfilment { .. }
        | Request::AdjustPoints { .. }
        | Request::ReversePoints { .. }
        | Request::RefundShopOrder { .. }
        | Request::RefundOrder { .. }
        | Request::RestockOffer { .. }
        | Request::RepriceOffer { .. } => Ok(()),
    }
}

/// Takes effect with the user's next request; their sessions go on. Keys of somebody who is no admin any more end.
async fn set_roles(tx: &Tx<'_>, user: UserId, roles: Roles, signed: &AuditStamp) -> Result<()> {
    let person = users::lock(tx, user).await?;
    if person.account.roles == roles {
        return Ok(());
    }
    if !roles.has(Role::Admin) {
        users::spare_last_admin(tx, &person, signed.at).await?;
    }
    tx.execute("UPDATE users SET roles = $2 WHERE id = $1", params![user, roles]).await?;
    let before = json!({ "roles": person.account.roles.names() });
    let mut after = json!({ "roles": roles.names() });
    if !roles.has(Role::Admin) {
        let ended = keys::revoke_made_by(tx, user, signed.at).await?;
        if !ended.is_empty() {
            after["keys_revoked"] = json!(ended);
        }
    }
    audit::write(tx, signed, "user.roles", &audit::user_subject(user), &before, &after).await
}

/// Newest first.
pub(crate) async fn list(
    tx: &Tx<'_>,
    (state, page): &(Option<ApprovalState>, PageRequest),
) -> Result<Page<ApprovalRow>> {
    let rows = match state {
        None => {
            let sql = approval_sql!("WHERE id < $1 ORDER BY id DESC LIMIT $2");
            tx.all(sql, params![page.before(), page.fetch()], read).await?
        }
        Some(state) => {
            let sql = approval_sql!("WHERE id < $1 AND state = $3 ORDER BY id DESC LIMIT $2");
            tx.all(sql, params![page.before(), page.fetch(), state.name()], read).await?
        }
    };
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

pub(crate) async fn find(tx: &Tx<'_>, id: &ApprovalId) -> Result<Option<ApprovalRow>> {
    tx.one(approval_sql!("WHERE id = $1"), params![*id], read).await
}

fn outcome_of(decision: Decision) -> ApprovalState {
    match decision {
        Decision::Approve => ApprovalState::Approved,
        Decision::Refuse => ApprovalState::Refused,
        Decision::Withdraw => ApprovalState::Withdrawn,
    }
}

fn action(decision: Decision) -> &'static str {
    match decision {
        Decision::Approve => "approval.approve",
        Decision::Refuse => "approval.refuse",
        Decision::Withdraw => "approval.withdraw",
    }
}

fn subject(id: ApprovalId) -> String {
    format!("approval:{id}")
}

fn read(row: &mut Row) -> Result<ApprovalRow, Fault> {
    let (id, kind) = (ApprovalId(row.int()?), row.text()?);
    Ok(ApprovalRow {
        id,
        request: row.named(|text| from_json(&kind, text))?,
        state: row.named(ApprovalState::parse)?,
        asked_by: row.named(audit::parse_actor)?,
        asked_at: row.time()?,
        reason: row.text()?,
        decided_by: row.opt_named(audit::parse_actor)?,
        decided_at: row.opt_time()?,
        decision_reason: row.text()?,
    })
}
