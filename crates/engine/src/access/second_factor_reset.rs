//! A second factor that its owner has lost: one admin asks, another decides.

use domain::ids::{ApprovalId, UserId};
use store::model::{AuditStamp, Request};

use crate::access::approval;
use crate::caller::Repeat;
use crate::failure::Result;
use crate::world::World;

/// Asks for somebody's second factor to be taken away, who has lost it. Another admin decides.
pub async fn reset_ask(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    user: UserId,
) -> Result<ApprovalId> {
    domain::account::Reason::parse(&signed.reason)?;
    approval::ask(world, signed, repeat, Request::ResetSecondFactor { user }).await
}
