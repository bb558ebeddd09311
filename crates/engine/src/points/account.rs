//! Points: one's own, and what staff do to somebody's.

use domain::Rejection;
use domain::access::{DailyAllowance, own_account};
use domain::account::Reason;
use domain::ids::{ApprovalId, UserId};
use domain::page::{Page, PageRequest};
use domain::points::{Move, PointsAccount, reversal_key};
use domain::time::Timestamp;
use store::model::{
    Actor, ApprovalAsk, AuditStamp, ByHand, Once, PointsAdjust, PointsRow, PostedEntry, Posting, Request,
};

use crate::access::key_admin::principal;
use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::once;
use crate::people::profile::my_account;
use crate::world::World;

/// What somebody has now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsView {
    /// Without what is past its time; below zero when points were taken back that had been spent.
    pub balance: i64,
    /// What expires next: when, and how much.
    pub expiring: Option<(Timestamp, i64)>,
}

impl PointsView {
    fn of(account: &PointsAccount, now: Timestamp) -> Self {
        Self { balance: account.balance_at(now), expiring: account.expiring(now) }
    }
}

/// What came of an adjustment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdjustmentOutcome {
    Posted(PostedEntry),
    /// It is more than one person may do in a day: another has to approve it.
    Asked(ApprovalId),
}

pub async fn points(world: &World, user: UserId) -> Result<PointsView> {
    Ok(PointsView::of(&world.db.points_of(user).await?, world.now()))
}

/// The newest rows first.
pub async fn statement(world: &World, user: UserId, page: PageRequest) -> Result<Page<PointsRow>> {
    let since = world.visible_since(user).await?;
    Ok(world.db.points_statement(user, page).await?.since(since, |row| row.at))
}

/// The same for staff, about somebody who is there.
pub async fn points_of(world: &World, user: UserId) -> Result<PointsView> {
    my_account(world, user).await?;
    points(world, user).await
}

pub async fn statement_of(world: &World, user: UserId, page: PageRequest) -> Result<Page<PointsRow>> {
    my_account(world, user).await?;
    world.db.points_statement(user, page).await
}

/// Gives somebody points, or takes some when `points` is below zero. Nobody does this to themselves.
pub async fn adjust(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    user: UserId,
    points: i64,
) -> Result<AdjustmentOutcome> {
    let signed = check_stamp(signed, user)?;
    let asked = Move::adjust("points", points, world.points_expire(signed.at))?;
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let key = match &once {
        Some(once) => format!("adjust:{}:{}", once.principal, once.key),
        None => format!("adjust:{}", signed.audit_id),
    };
    let posting = Posting { user, asked, key, reason: signed.reason.clone(), at: signed.at };
    let request = Request::AdjustPoints { user, points };
    by_hand(world, signed, once, posting, request).await
}

/// Takes a row of somebody's statement back. The same again is the same row.
pub async fn reverse(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    user: UserId,
    n: i64,
) -> Result<AdjustmentOutcome> {
    let signed = check_stamp(signed, user)?;
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let posting = Posting {
        user,
        asked: Move::Reverse { n },
        key: reversal_key(n),
        reason: signed.reason.clone(),
        at: signed.at,
    };
    by_hand(world, signed, once, posting, Request::ReversePoints { user, n }).await
}

/// Within what one person may do in a day it is done; beyond it a second one is asked.
async fn by_hand(
    world: &World,
    signed: AuditStamp,
    once: Option<Once>,
    posting: Posting,
    request: Request,
) -> Result<AdjustmentOutcome> {
    let alone = world.points_alone(signed.at);
    let step = PointsAdjust { posting, alone, once: once.clone(), signed: signed.clone() };
    match world.db.points_adjust(step).await? {
        ByHand::Posted(posted) => Ok(AdjustmentOutcome::Posted(posted)),
        ByHand::NeedsASecond => {
            ask(world, (signed, alone), once, request).await.map(AdjustmentOutcome::Asked)
        }
    }
}

fn check_stamp(mut signed: AuditStamp, user: UserId) -> Result<AuditStamp, Rejection> {
    own_account(signed.responsible, user)?;
    signed.reason = Reason::parse(&signed.reason)?.as_str().to_owned();
    Ok(signed)
}

async fn ask(
    world: &World,
    (signed, alone): (AuditStamp, DailyAllowance),
    once: Option<Once>,
    request: Request,
) -> Result<ApprovalId> {
    match signed.actor {
        Actor::Person(_) | Actor::Console => {}
        // Its maker could ask with it and approve in person.
        Actor::Key(_) | Actor::System => return Err(Rejection::PointsAloneMax { max: alone.max }.into()),
    }
    let id = ApprovalId(world.next_id());
    let made = world.db.approval_ask(ApprovalAsk { id, request, once, signed }).await?;
    Ok(ApprovalId(made.id))
}
