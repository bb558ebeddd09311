//! Asking for what needs a second person, and deciding it.

use domain::Rejection;
use domain::access::ApprovalState;
use domain::access::{Decider, Decision, Roles};
use domain::account::Reason;
use domain::ids::{ApprovalId, FulfilmentId, UserId};
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use store::model::{Actor, ApprovalAsk, ApprovalDecide, ApprovalRow, AuditStamp, Request};

use crate::access::key_admin::principal;
use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::once;
use crate::world::World;

/// Asks for other roles. Nothing changes until somebody else approves.
pub async fn roles_ask(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    user: UserId,
    roles: Roles,
) -> Result<ApprovalId> {
    Reason::parse(&signed.reason)?;
    ask(world, signed, repeat, Request::SetRoles { user, roles }).await
}

/// Asks for a prize to be voided. Nothing changes until somebody else approves.
pub async fn void_ask(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    fulfilment: FulfilmentId,
) -> Result<ApprovalId> {
    Reason::parse(&signed.reason)?;
    ask(world, signed, repeat, Request::VoidFulfilment { fulfilment }).await
}

pub(crate) async fn ask(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    request: Request,
) -> Result<ApprovalId> {
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let id = ApprovalId(world.next_id());
    let made = world.db.approval_ask(ApprovalAsk { id, request, once, signed }).await?;
    Ok(ApprovalId(made.id))
}

pub async fn approval_decide(
    world: &World,
    signed: AuditStamp,
    id: ApprovalId,
    decision: Decision,
) -> Result<ApprovalRow> {
    if !signed.reason.is_empty() {
        Reason::parse(&signed.reason)?;
    }
    let decider = match signed.actor {
        Actor::Person(user) => Decider::Person(user),
        Actor::Console => Decider::Console,
        Actor::Key(_) | Actor::System => return Err(Rejection::PeopleOnly.into()),
    };
    let points_expire = world.points_expire(signed.at);
    let step =
        ApprovalDecide { id, decision, decider, signed, effect_audit_id: world.next_id(), points_expire };
    let row = world.db.approval_decide(step).await?;
    match row.request {
        Request::SetRoles { user, .. } | Request::ResetSecondFactor { user } => {
            world.people.sessions.forget_user(user);
        }
        Request::VoidFulfilment { .. } | Request::RefundShopOrder { .. } => {}
        Request::AdjustPoints { .. } | Request::ReversePoints { .. } | Request::RefundOrder { .. } => {}
        Request::ActivateKey { .. } | Request::ActivateGrantRule { .. } => {}
        Request::RestockOffer { .. } | Request::RepriceOffer { .. } => {}
    }
    Ok(row)
}

/// What the buyer of an order has of it already, for whoever decides on its refund.
pub async fn already_given(world: &World, request: &Request) -> Result<Vec<String>> {
    let things = match request {
        Request::RefundOrder { order, .. } => world.db.sale_order(*order).await?.map(|order| order.things),
        Request::RefundShopOrder { order } => world.db.order(*order).await?.map(|order| order.things),
        Request::SetRoles { .. }
        | Request::ResetSecondFactor { .. }
        | Request::VoidFulfilment { .. }
        | Request::AdjustPoints { .. }
        | Request::ReversePoints { .. }
        | Request::ActivateKey { .. }
        | Request::ActivateGrantRule { .. }
        | Request::RestockOffer { .. }
        | Request::RepriceOffer { .. } => None,
    };
    let Some(things) = things.filter(|things| !things.is_empty()) else { return Ok(Vec::new()) };
    Ok(store::model::already_given(world.db.fulfilments_of(things).await?.iter()))
}

/// The newest first.
pub async fn approval_list(
    world: &World,
    state: Option<ApprovalState>,
    page: PageRequest,
) -> Result<Page<ApprovalRow>> {
    world.db.approval_list(state, page).await
}

pub async fn approval_find(world: &World, id: ApprovalId) -> Result<ApprovalRow> {
    Ok(world.db.approval(id).await?.ok_or(Rejection::NotFound { what: MissingThing::Approval })?)
}
