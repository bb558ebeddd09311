//! Where to pay, and money that came.

use domain::Rejection;
use domain::ids::{OrderId, PaymentId, UserId};
use domain::rejection::FieldProblem;
use domain::sale::{Money, OrderState, PaymentState, REFERENCE_MAX};
use domain::time::{SECOND_MS, Timestamp};
use store::model::{PaymentArrive, PaymentRow};

use crate::failure::{Failure, Result};
use crate::ports::PaymentAsk;
use crate::sales::orders::{order_find, order_of_user};
use crate::sales::payments::settle::settle;
use crate::world::World;

/// How long after an order's time is over the sandbox's late payment comes.
const SANDBOX_LATE_MS: i64 = SECOND_MS;

/// What a provider tells of money that came.
#[derive(Clone, Debug)]
pub struct IncomingPayment {
    /// The provider's own name for it, once.
    pub reference: String,
    pub order: OrderId,
    pub money: Money,
}

/// Where the buyer goes to pay for an order of their own.
pub async fn payment_begin(world: &World, user: UserId, id: OrderId) -> Result<String> {
    let order = order_of_user(world, user, id).await?;
    if order.state != OrderState::Unpaid {
        let (state, step) = (order.state.name().to_owned(), "pay".to_owned());
        return Err(Rejection::OrderStepIllegal { state, step }.into());
    }
    if order.payment.is_some() {
        return Err(Rejection::OrderPaying.into());
    }
    if world.outside.payments.provider().is_none() {
        return Err(Rejection::PaymentsOff.into());
    }
    world.outside.payments.begin(&PaymentAsk { order: id, money: order.total }).await
}

/// Money came: written down with a message first, then settled at once. Whatever goes wrong after the writing, the relay goes
/// on with the message. The same reference again is the same payment.
pub async fn payment_accept(world: &World, provider: &str, came: IncomingPayment) -> Result<PaymentRow> {
    let IncomingPayment { reference, order, money } = came;
    if reference.is_empty() || reference.len() > REFERENCE_MAX || reference.chars().any(char::is_control) {
        let problem = match reference.len() {
            0 => FieldProblem::TooShort { min: 1 },
            long if long > REFERENCE_MAX => FieldProblem::TooLong { max: REFERENCE_MAX as u64 },
            _ => FieldProblem::Malformed,
        };
        return Err(Rejection::invalid("reference", problem).into());
    }
    // It may come before the rows know of the order.
    order_find(world, order).await?;
    let step = PaymentArrive {
        id: PaymentId(world.next_id()),
        message: world.next_id(),
        provider: provider.to_owned(),
        reference,
        order,
        money,
        now: world.now(),
    };
    let payment = world.db.payment_arrive(step).await?;
    if payment.state != PaymentState::Arrived {
        return Ok(payment);
    }
    match settle(world, payment.id).await {
        Ok(_) => {}
        Err(Failure::Rejected(rejection)) => {
            tracing::warn!(payment = payment.id.0, code = rejection.code(), "the relay settles the order");
        }
        Err(Failure::Fault(fault)) => {
            tracing::warn!(payment = payment.id.0, fault = fault.story(), "the relay settles the order");
        }
    }
    Ok(world.db.payment(payment.id).await?.unwrap_or(payment))
}

/// Has the sandbox tell of a payment after its order is due, as a slow provider would.
pub async fn sandbox_pay_late(world: &World, order: OrderId, due: Timestamp) -> Result<()> {
    let now = world.now();
    world.db.sandbox_later(order, world.next_id(), now, due.max(now) + SANDBOX_LATE_MS).await
}
