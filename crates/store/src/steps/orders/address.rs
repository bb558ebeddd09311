//! Where the parcels of an order go, chosen before it is paid. What is kept is which entry of the address book: the
//! address itself is copied once, to the parcel, when the order is paid.

use domain::Rejection;
use domain::ids::{AddressId, FulfilmentId};
use domain::rejection::{FieldProblem, MissingThing};
use domain::sale::{ItemKind, OrderState};
use domain::time::Timestamp;

use super::columns::lock;
use crate::failure::Result;
use crate::model::{OrderAddressSet, SaleOrder};
use crate::params;
use crate::row::Row;
use crate::steps::fulfilments;
use crate::tx::Tx;

const NOT_SENT: FieldProblem = FieldProblem::Misplaced {
    en: "is for orders that are sent by parcel",
    zh: "仅用于需要寄送的订单",
};

/// The same again is the same; another entry takes the place of the one before.
pub(super) async fn choose(tx: &Tx<'_>, step: &OrderAddressSet) -> Result<SaleOrder> {
    let order = lock(tx, step.order).await?;
    if order.user != step.user {
        return Err(Rejection::NotFound { what: MissingThing::Order }.into());
    }
    if order.lines.iter().all(|line| line.item != ItemKind::Parcel) {
        return Err(Rejection::invalid("address_id", NOT_SENT).into());
    }
    let state = order.state_at(step.now);
    if state != OrderState::Unpaid || order.payment.is_some() {
        let (state, step) = (state.name().to_owned(), "address".to_owned());
        return Err(Rejection::OrderStepIllegal { state, step }.into());
    }
    let sql = "SELECT COUNT(*) FROM addresses WHERE user_id = $1 AND id = $2";
    if tx.count(sql, params![step.user, step.address]).await? == 0 {
        return Err(Rejection::NotFound { what: MissingThing::Address }.into());
    }
    tx.execute(
        "INSERT INTO order_addresses (order_id, address_id) VALUES ($1, $2)
         ON CONFLICT (order_id) DO UPDATE SET address_id = excluded.address_id",
        params![step.order, step.address],
    )
    .await?;
    Ok(SaleOrder { address: Some(step.address), ..order })
}

/// The parcels of an order that was just paid are to be sent where its buyer chose. Without a choice, or where the entry
/// is gone, they wait until their buyer says.
pub(super) async fn send(
    tx: &Tx<'_>,
    order: &SaleOrder,
    parcels: impl Iterator<Item = FulfilmentId>,
    now: Timestamp,
) -> Result<()> {
    let Some(AddressId(entry)) = order.address else { return Ok(()) };
    let sql = "SELECT sealed FROM addresses WHERE user_id = $1 AND id = $2";
    let Some(sealed) = tx.one(sql, params![order.user, entry], Row::bytes).await? else {
        return Ok(());
    };
    for parcel in parcels {
        fulfilments::send_to(tx, parcel, &sealed, now).await?;
    }
    Ok(())
}
