//! Money that goes back: asked for by an operator, and carried out by the provider.

use domain::account::Reason;
use domain::ids::{ApprovalId, OrderId, PaymentId};
use domain::sale::PaymentState;
use store::model::{AuditStamp, RefundAsk, RefundOutcome};

use crate::failure::{Fault, Result};
use crate::ports::ProviderRefund;
use crate::sales::orders::{OrderView, order_find, order_view};
use crate::world::World;

/// What came of asking for a refund.
#[derive(Clone, Debug)]
pub enum Refund {
    Due(Box<OrderView>),
    /// It is more than one person may refund in a day: another has to approve it.
    Waits(ApprovalId),
}

/// Gives the money of a paid order back, not one's own. One whose money goes back already stays so.
pub async fn order_refund(world: &World, signed: AuditStamp, order: OrderId) -> Result<Refund> {
    Reason::parse(&signed.reason)?;
    // It may be asked for before the rows know of the order.
    order_find(world, order).await?;
    let (alone, second) = (world.refunds_alone(signed.at), world.second_person());
    let step = RefundAsk { order, message: world.next_id(), alone, second, signed };
    match world.db.sale_refund_ask(step).await? {
        RefundOutcome::Due(order) => {
            order_view(world, order, false).await.map(|told| Refund::Due(Box::new(told)))
        }
        RefundOutcome::Waits(approval) => Ok(Refund::Waits(approval)),
    }
}

/// Has the provider give a payment back. Answers why it has to be tried again, if so.
pub async fn refund_carry_out(world: &World, payment: PaymentId) -> Result<Result<(), String>> {
    let row = world.db.payment(payment).await?;
    let row = row.ok_or_else(|| Fault::new(format!("payment {payment} is not there")))?;
    if row.state != PaymentState::BackDue {
        return Ok(Ok(()));
    }
    let refund = ProviderRefund {
        payment,
        order: row.order,
        provider: row.provider,
        reference: row.reference,
        money: row.money,
    };
    if let Err(why) = world.outside.payments.refund(&refund).await {
        return Ok(Err(why));
    }
    world.db.refund_done(payment, world.now()).await?;
    metrics::counter!("windfall_refunds_total").increment(1);
    Ok(Ok(()))
}
