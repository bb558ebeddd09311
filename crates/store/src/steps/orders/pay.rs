//! Money that comes: written down with the message that settles its order, and the settling itself. Both once.

use domain::Rejection;
use domain::rejection::MissingThing;
use domain::sale::{Arrival, OrderEvent, OrderState, PaymentState, RefundReason, arrival, step as follows};
use domain::webhook::EventKind;

use super::columns::{find_payment, lock, payment_sql, read_payment};
use super::counters::{count_orders, count_payment};
use super::events::{tell_orders, tell_state};
use super::{refund, things};
use crate::failure::{Fault, Result};
use crate::model::{NewMessage, ORDERS, PaymentArrive, PaymentMessage, PaymentRow, PaymentSettle, SaleOrder};
use crate::params;
use crate::steps::outbox;
use crate::tx::Tx;
use crate::value::as_i64;

/// One payment settles an order, and which one is decided here, before anybody asks the ledger for units.
pub(super) async fn arrive(tx: &Tx<'_>, step: &PaymentArrive) -> Result<PaymentRow> {
    tx.exclusive(&format!("payment {} {}", step.provider, step.reference)).await?;
    let known = tx
        .one(
            payment_sql!("WHERE p.provider = $1 AND p.reference = $2"),
            params![&step.provider, &step.reference],
            read_payment,
        )
        .await?;
    if let Some(known) = known {
        if (known.order, known.money) != (step.order, step.money) {
            return Err(Rejection::PaymentConflict.into());
        }
        return Ok(known);
    }
    let order = lock(tx, step.order).await?;
    let came = arrival(order.state, order.payment.is_some(), &order.total, &step.money);
    let (state, why) = match came {
        Arrival::Settles => (PaymentState::Arrived, None),
        Arrival::Back(why) => (PaymentState::BackDue, Some(why)),
    };
    tx.execute(
        "INSERT INTO payments (id, provider, reference, order_id, amount_minor, currency, state, made_ms, changed_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
        params![
            step.id,
            &step.provider,
            &step.reference,
            step.order,
            as_i64(step.money.minor),
            step.money.currency.to_string(),
            state.name(),
            step.now
        ],
    )
    .await?;
    count_payment(tx, state);
    match why {
        None => {
            tx.execute("UPDATE orders SET payment_id = $2 WHERE id = $1", params![step.order, step.id])
                .await?;
            let body = serde_json::to_string(&PaymentMessage { order: step.order })
                .map_err(|error| Fault::caused("writing a message", error))?;
            let message = NewMessage {
                id: step.message,
                lane: ORDERS.to_owned(),
                user: Some(order.user),
                kind: ORDERS,
                subject: step.id.0,
                body,
                made: step.now,
                due: step.now,
            };
            outbox::put(tx, &[message]).await?;
        }
        Some(why) => refund::due(tx, (step.id, step.order), why, None, step.message, step.now).await?,
    }
    let back = why.map(|why| (why, None));
    let PaymentArrive { id, provider, reference, order, money, now, message: _ } = step.clone();
    Ok(PaymentRow { id, provider, reference, order, money, state, made: now, changed: now, back })
}

pub(super) async fn settle(tx: &Tx<'_>, step: &PaymentSettle) -> Result<SaleOrder> {
    let unknown = || Fault::new(format!("payment {} is not there", step.payment));
    let id = find_payment(tx, step.payment).await?.ok_or_else(unknown)?.order;
    let order = lock(tx, id).await?;
    // Read again under the order's lock: somebody else may have settled it meanwhile.
    let payment = find_payment(tx, step.payment).await?.ok_or_else(unknown)?;
    if payment.state != PaymentState::Arrived {
        return Ok(order);
    }
    if order.payment != Some(step.payment) {
        return Err(Rejection::NotFound { what: MissingThing::Order }.into());
    }
    let stays = || Fault::new(format!("order {id} does not move with its payment"));
    let (state, used, note) = match &step.taken {
        Ok(()) => {
            follows(order.state, OrderEvent::Taken)?.ok_or_else(stays)?;
            let given_at_once = things::begin(tx, &order, step).await?;
            let state = if given_at_once { OrderState::Fulfilled } else { OrderState::Paid };
            (state, PaymentState::Used, None)
        }
        Err(why) => {
            let state = follows(order.state, OrderEvent::Gone)?.ok_or_else(stays)?;
            refund::due(tx, (step.payment, id), RefundReason::Gone, Some(why), step.message, step.now)
                .await?;
            (state, PaymentState::BackDue, Some(why.clone()))
        }
    };
    tx.execute(
        "UPDATE orders SET state = $2, changed_ms = $3, note = $4 WHERE id = $1",
        params![id, state.name(), step.now, note.as_ref()],
    )
    .await?;
    tx.execute(
        "UPDATE payments SET state = $2, changed_ms = $3 WHERE id = $1",
        params![step.payment, used.name(), step.now],
    )
    .await?;
    count_payment(tx, used);
    if state == OrderState::Fulfilled {
        count_orders(tx, OrderState::Paid, 1);
    }
    count_orders(tx, state, 1);
    if step.taken.is_ok() {
        tell_orders(tx, EventKind::OrderPaid, &[(id, step.now)]).await?;
    }
    if state == OrderState::Fulfilled {
        tell_state(tx, id, state, step.now).await?;
    }
    lock(tx, id).await
}
