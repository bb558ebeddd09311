//! Points that go back for what was bought, and the units with them.

use domain::account::Reason;
use domain::ids::{ApprovalId, ShopOrderId};
use store::model::{AuditStamp, Request, ShopBack};

use crate::access::approval;
use crate::caller::Repeat;
use crate::failure::Result;
use crate::shop::shelf;
use crate::world::World;

/// Asks for an order to be refunded. Nothing changes until somebody else approves.
pub async fn shop_refund_ask(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    order: ShopOrderId,
) -> Result<ApprovalId> {
    Reason::parse(&signed.reason)?;
    approval::ask(world, signed, repeat, Request::RefundShopOrder { order }).await
}

/// Has the ledger put units back that nobody was given.
pub async fn units_back(world: &World, order: ShopOrderId, back: ShopBack) -> Result<()> {
    shelf::back(world, back.offer, order, back.units).await
}
