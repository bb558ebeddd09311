//! Requests that wait for a second person. An approval carries its request out in the same transaction.

use domain::Rejection;
use domain::access::{ApprovalState, Decision, Role, Roles};
use domain::fulfilment::Step;
use domain::ids::{ApprovalId, UserId};
use domain::page::{Page, PageRequest};
use domain::points::Move;
use domain::rejection::Subject;
use domain::time::Timestamp;
use engine::flows::points::reversal_key;
use engine::ports::{Actor, ApprovalAsk, ApprovalDecide, ApprovalRow, Made, Posting, Request, Signed};
use engine::{Fault, Outcome};
use serde_json::{Value as Json, json};

use super::{fulfilments, points, shop, users};
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

pub(crate) async fn ask(tx: &Tx<'_>, step: &ApprovalAsk) -> Outcome<Made> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    match &step.request {
        Request::SetRoles { user, .. }
        | Request::AdjustPoints { user, .. }
        | Request::ReversePoints { user, .. } => {
            users::lock(tx, *user).await.map(drop)?;
        }
        Request::VoidFulfilment { fulfilment } => {
            fulfilments::may(tx, *fulfilment, Step::Void, step.signed.at).await?;
        }
        Request::RefundShopOrder { order } => shop::may_refund(tx, *order, &step.signed).await?,
    }
    let signed = &step.signed;
    let (kind, request) = to_json(&step.request);
    if let Some(id) = waiting(tx, step).await? {
        return once::record(tx, step.once.as_ref(), id, signed.at).await;
    }
    tx.execute(
        "INSERT INTO approvals (id, kind, request, state, asked_by, asked_at, reason)
         VALUES ($1, $2, $3, 'waiting', $4, $5, $6)",
        params![
            step.id,
            kind,
            request.to_string(),
            audit::actor_text(signed.actor),
            signed.at,
            &signed.reason
        ],
    )
    .await?;
    let after = json!({ "kind": kind, "request": request });
    audit::write(tx, signed, "approval.ask", &subject(step.id), &Json::Null, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, signed.at).await
}

/// The same that waits already, where asking twice can only mean once. Points given by hand are not of that kind: the same
/// sum may be meant twice.
async fn waiting(tx: &Tx<'_>, step: &ApprovalAsk) -> Outcome<Option<i64>> {
    match step.request {
        Request::SetRoles { .. } | Request::AdjustPoints { .. } => return Ok(None),
        Request::VoidFulfilment { .. } | Request::ReversePoints { .. } | Request::RefundShopOrder { .. } => {}
    }
    let (kind, request) = to_json(&step.request);
    let sql = "SELECT id FROM approvals WHERE state = 'waiting' AND kind = $1 AND request = $2 LIMIT 1";
    tx.one(sql, params![kind, request.to_string()], Row::int).await
}

/// The same decision by the same person again is answered, not refused.
pub(crate) async fn decide(tx: &Tx<'_>, step: &ApprovalDecide) -> Outcome<ApprovalRow> {
    let row = tx.one(approval_sql!("WHERE id = $1 FOR UPDATE"), params![step.id], read).await?;
    let row = row.ok_or(Rejection::NotFound { what: Subject::Approval })?;
    if row.state == outcome_of(step.decision) && row.decided_by == Some(step.signed.actor) {
        return Ok(row);
    }
    let author = match row.asked_by {
        Actor::Person(user) => Some(user),
        Actor::Key(_) | Actor::Console | Actor::System => None,
    };
    let state = step.decision.apply(row.state, author, step.decider)?;
    if state == ApprovalState::Approved {
        let signed = Signed { audit_id: step.effect_audit_id, ..step.signed.clone() };
        carry_out(tx, &row, &signed, step.points_expire).await?;
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

async fn carry_out(tx: &Tx<'_>, row: &ApprovalRow, signed: &Signed, points_expire: Timestamp) -> Outcome<()> {
    match &row.request {
        Request::SetRoles { user, roles } => set_roles(tx, *user, *roles, signed).await,
        // The winner is told why it was asked for, not why it was approved.
        Request::VoidFulfilment { fulfilment } => {
            fulfilments::voided(tx, *fulfilment, &row.reason, signed).await
        }
        Request::RefundShopOrder { order } => shop::refunded(tx, *order, &row.reason, signed).await,
        // Whoever receives is no second person.
        Request::AdjustPoints { user, .. } | Request::ReversePoints { user, .. }
            if signed.actor == Actor::Person(*user) =>
        {
            Err(Rejection::OwnWork.into())
        }
        Request::ReversePoints { user, n } => {
            let posting = Posting {
                user: *user,
                asked: Move::Reverse { n: *n },
                key: reversal_key(*n),
                reason: row.reason.clone(),
                at: signed.at,
            };
            points::adjust::signed_post(tx, &posting, signed).await?;
            Ok(())
        }
        Request::AdjustPoints { user, points } => {
            let posting = Posting {
                user: *user,
                asked: Move::adjust("points", *points, points_expire)?,
                key: subject(row.id),
                reason: row.reason.clone(),
                at: signed.at,
            };
            points::adjust::signed_post(tx, &posting, signed).await?;
            Ok(())
        }
    }
}

/// Takes effect with the user's next request; their sessions go on.
async fn set_roles(tx: &Tx<'_>, user: UserId, roles: Roles, signed: &Signed) -> Outcome<()> {
    let person = users::lock(tx, user).await?;
    if person.account.roles == roles {
        return Ok(());
    }
    if !roles.has(Role::Admin) {
        users::spare_last_admin(tx, &person, signed.at).await?;
    }
    tx.execute("UPDATE users SET roles = $2 WHERE id = $1", params![user, roles]).await?;
    let before = json!({ "roles": person.account.roles.names() });
    let after = json!({ "roles": roles.names() });
    audit::write(tx, signed, "user.roles", &audit::user_subject(user), &before, &after).await
}

/// Newest first.
pub(crate) async fn list(
    tx: &Tx<'_>,
    (state, page): &(Option<ApprovalState>, PageRequest),
) -> Outcome<Page<ApprovalRow>> {
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

pub(crate) async fn find(tx: &Tx<'_>, id: &ApprovalId) -> Outcome<Option<ApprovalRow>> {
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

fn to_json(request: &Request) -> (&'static str, Json) {
    match request {
        Request::SetRoles { user, roles } => ("set_roles", json!({ "user": user, "roles": roles.names() })),
        Request::VoidFulfilment { fulfilment } => ("void_fulfilment", json!({ "fulfilment": fulfilment })),
        Request::AdjustPoints { user, points } => {
            ("adjust_points", json!({ "user": user, "points": points }))
        }
        Request::ReversePoints { user, n } => ("reverse_points", json!({ "user": user, "n": n })),
        Request::RefundShopOrder { order } => ("refund_shop_order", json!({ "order": order })),
    }
}

fn from_json(kind: &str, text: &str) -> Option<Request> {
    let json: Json = serde_json::from_str(text).ok()?;
    match kind {
        "set_roles" => {
            let user = json["user"].as_str()?.parse().ok()?;
            let roles: Option<Vec<Role>> =
                json["roles"].as_array()?.iter().map(|role| role.as_str()?.parse().ok()).collect();
            Some(Request::SetRoles { user, roles: Roles::of(&roles?) })
        }
        "void_fulfilment" => {
            let fulfilment = json["fulfilment"].as_str()?.parse().ok()?;
            Some(Request::VoidFulfilment { fulfilment })
        }
        "adjust_points" => {
            let user = json["user"].as_str()?.parse().ok()?;
            Some(Request::AdjustPoints { user, points: json["points"].as_i64()? })
        }
        "reverse_points" => {
            let user = json["user"].as_str()?.parse().ok()?;
            Some(Request::ReversePoints { user, n: json["n"].as_i64()? })
        }
        "refund_shop_order" => {
            Some(Request::RefundShopOrder { order: json["order"].as_str()?.parse().ok()? })
        }
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use domain::ids::{FulfilmentId, ShopOrderId};

    use super::*;

    #[test]
    fn requests_come_back_as_they_were() {
        for request in [
            Request::SetRoles { user: UserId(5), roles: Roles::of(&[Role::Operator, Role::Admin]) },
            Request::VoidFulfilment { fulfilment: FulfilmentId(i64::MAX) },
            Request::AdjustPoints { user: UserId(5), points: -20_000 },
            Request::ReversePoints { user: UserId(5), n: 7 },
            Request::RefundShopOrder { order: ShopOrderId(i64::MAX) },
        ] {
            let (kind, json) = to_json(&request);
            assert_eq!(from_json(kind, &json.to_string()), Some(request));
            assert_eq!(from_json(kind, "{}"), None);
            assert_eq!(from_json("unheard_of", &json.to_string()), None);
        }
    }
}
