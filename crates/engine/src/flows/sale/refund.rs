//! Money that goes back: asked for by an operator, and carried out by the provider.

use domain::account::Reason;
use domain::ids::{OrderId, PaymentId};
use domain::sale::PaymentState;

use super::orders::{OrderTold, order_find, told};
use crate::failure::{Fault, Outcome};
use crate::ports::{RefundAsk, RefundOrder, Signed};
use crate::world::World;

/// Gives the money of a paid order back. One whose money goes back already stays so.
pub async fn order_refund(world: &World, signed: Signed, order: OrderId) -> Outcome<OrderTold> {
    Reason::parse(&signed.reason)?;
    // It may be asked for before the rows know of the order.
    order_find(world, order).await?;
    let order = world.orders.refund_ask(RefundAsk { order, message: world.next_id(), signed }).await?;
    told(world, order, false).await
}

/// Has the provider give a payment back. Answers why it has to be tried again, if so.
pub async fn refund_carry_out(world: &World, payment: PaymentId) -> Outcome<Result<(), String>> {
    let row = world.orders.payment(payment).await?;
    let row = row.ok_or_else(|| Fault::new(format!("payment {payment} is not there")))?;
    if row.state != PaymentState::BackDue {
        return Ok(Ok(()));
    }
    let refund = RefundOrder {
        payment,
        order: row.order,
        provider: row.provider,
        reference: row.reference,
        money: row.money,
    };
    if let Err(why) = world.payments.refund(&refund).await {
        return Ok(Err(why));
    }
    world.orders.refund_done(payment, world.now()).await?;
    metrics::counter!("windfall_refunds_total").increment(1);
    Ok(Ok(()))
}
