//! Money that goes back: a row, a message to whoever gives it back, and its end.

use domain::Rejection;
use domain::access::own_account;
use domain::ids::{OrderId, PaymentId};
use domain::sale::{Money, OrderEvent, OrderState, PaymentState, RefundReason, step as follows};
use domain::time::Timestamp;
use serde_json::json;

use super::columns::{find_payment, lock};
use super::counters::{count_orders, count_payment};
use super::editions;
use super::events::tell_state;
use crate::failure::{Fault, Result};
use crate::model::{
    AuditStamp, NewMessage, PaymentMessage, REFUNDS, RefundAsk, RefundOutcome, Request, SaleOrder,
};
use crate::steps::{approvals, daily_sums, fulfilments, outbox};
use crate::tx::Tx;
use crate::{audit, params};

/// The row and the message; the payment's own state is the caller's.
pub(super) async fn due(
    tx: &Tx<'_>,
    (payment, order): (PaymentId, OrderId),
    why: RefundReason,
    note: Option<&String>,
    message: i64,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "INSERT INTO refunds (payment_id, order_id, why, note, made_ms) VALUES ($1, $2, $3, $4, $5)",
        params![payment, order, why.name(), note, now],
    )
    .await?;
    let body = serde_json::to_string(&PaymentMessage { order })
        .map_err(|error| Fault::caused("writing a message", error))?;
    let message = NewMessage {
        id: message,
        lane: REFUNDS.to_owned(),
        // Nobody's refund waits for another of theirs.
        user: None,
        kind: REFUNDS,
        subject: payment.0,
        body,
        made: now,
        due: now,
    };
    outbox::put(tx, &[message]).await
}

/// Within what one person may refund in a day it is done; beyond it a second one is asked. Nobody refunds their own order.
pub(super) async fn ask(tx: &Tx<'_>, step: &RefundAsk) -> Result<RefundOutcome> {
    let signed = &step.signed;
    let order = lock(tx, step.order).await?;
    own_account(signed.responsible, order.user)?;
    let Some(state) = follows(order.state, OrderEvent::RefundAsked)? else {
        return Ok(RefundOutcome::Due(order));
    };
    let (kind, minor) = (format!("refund {}", order.total.currency), order.total.minor);
    let more = i64::try_from(minor).unwrap_or(i64::MAX);
    if !signed.is_uncapped() && !daily_sums::count(tx, signed, &kind, step.alone, more).await? {
        if signed.by_key() {
            let max = Money { minor: step.alone.max.unsigned_abs(), currency: order.total.currency };
            return Err(Rejection::RefundAloneMax { max }.into());
        }
        let request = Request::RefundOrder { order: order.id, user: order.user, money: order.total };
        return approvals::open(tx, step.second, &request, signed).await.map(RefundOutcome::Waits);
    }
    carry_out(tx, order, (state, &signed.reason), step.message, signed).await.map(RefundOutcome::Due)
}

/// Carried out by the approval of a second person.
pub(crate) async fn apply_refund(tx: &Tx<'_>, id: OrderId, why: &str, signed: &AuditStamp) -> Result<()> {
    let order = lock(tx, id).await?;
    own_account(signed.responsible, order.user)?;
    let Some(state) = follows(order.state, OrderEvent::RefundAsked)? else { return Ok(()) };
    carry_out(tx, order, (state, why), signed.audit_id, signed).await.map(drop)
}

/// What its buyer does not have yet is voided, and what is numbered is not theirs any more; what is under way stays so. The
/// units stay taken: whoever wants to sell them again restocks.
async fn carry_out(
    tx: &Tx<'_>,
    order: SaleOrder,
    (state, why): (OrderState, &str),
    message: i64,
    signed: &AuditStamp,
) -> Result<SaleOrder> {
    let now = signed.at;
    let payment = order.payment.ok_or_else(|| Fault::new("a paid order without a payment"))?;
    for thing in &order.things {
        fulfilments::void_open(tx, *thing, RefundReason::ByHand.name(), now).await?;
    }
    editions::take_back(tx, order.id, now).await?;
    due(tx, (payment, order.id), RefundReason::ByHand, Some(&why.to_owned()), message, now).await?;
    tx.execute(
        "UPDATE payments SET state = $2, changed_ms = $3 WHERE id = $1",
        params![payment, PaymentState::BackDue.name(), now],
    )
    .await?;
    tx.execute(
        "UPDATE orders SET state = $2, changed_ms = $3, note = $4 WHERE id = $1",
        params![order.id, state.name(), now, why],
    )
    .await?;
    count_payment(tx, PaymentState::BackDue);
    count_orders(tx, state, 1);
    let (before, after) = (json!({ "state": order.state.name() }), json!({ "state": state.name() }));
    audit::write(tx, signed, "order.refund", &format!("order:{}", order.id), &before, &after).await?;
    lock(tx, order.id).await
}

/// The same again changes nothing.
pub(super) async fn done(tx: &Tx<'_>, (payment, now): &(PaymentId, Timestamp)) -> Result<()> {
    let unknown = || Fault::new(format!("payment {payment} is not there"));
    let id = find_payment(tx, *payment).await?.ok_or_else(unknown)?.order;
    let order = lock(tx, id).await?;
    let moved = tx
        .execute(
            "UPDATE payments SET state = 'back', changed_ms = $2 WHERE id = $1 AND state = 'back_due'",
            params![*payment, *now],
        )
        .await?;
    if moved == 0 {
        return Ok(());
    }
    count_payment(tx, PaymentState::Back);
    let sql = "UPDATE refunds SET done_ms = $2 WHERE payment_id = $1";
    tx.execute(sql, params![*payment, *now]).await?;
    if order.payment != Some(*payment) {
        return Ok(());
    }
    if let Some(state) = follows(order.state, OrderEvent::MoneyBack)? {
        let sql = "UPDATE orders SET state = $2, changed_ms = $3 WHERE id = $1";
        tx.execute(sql, params![id, state.name(), *now]).await?;
        count_orders(tx, state, 1);
        tell_state(tx, id, state, *now).await?;
    }
    Ok(())
}
