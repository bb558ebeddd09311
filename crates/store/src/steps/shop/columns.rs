//! Offers and orders as columns and back.

use domain::ids::{ActivityId, CodePoolId, FulfilmentId, OfferId, ShopOrderId, UserId};
use domain::shop::{OfferKind, OfferState, OfferTerms, ShopOrderState};

use crate::failure::{Fault, Result};
use crate::model::{OfferRow, ShopOrderRow};
use crate::params;
use crate::row::Row;
use crate::steps::activities::columns::number;
use crate::tx::Tx;

/// `SELECT` of whole offers, to be read with [`read_offer`].
macro_rules! offer_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, text, kind, activity_id, chances, pool_id, price, user_limit, from_ms, until_ms, state,
                    edition, made_ms, name_en, text_en
             FROM offers ",
            $rest
        )
    };
}
pub(super) use offer_sql;

/// `SELECT` of whole orders, to be read with [`read_order`].
macro_rules! order_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, offer_id, name, quantity, cost, state, hold, made_ms, changed_ms, note,
                    (SELECT f.name_en FROM offers f WHERE f.id = offer_id AND f.name = shop_orders.name)
             FROM shop_orders ",
            $rest
        )
    };
}
pub(super) use order_sql;

pub(super) fn read_offer(row: &mut Row) -> Result<OfferRow, Fault> {
    let (id, name, text, kind) = (OfferId(row.int()?), row.text()?, row.text()?, row.text()?);
    let (activity, chances) = (row.opt_int()?.map(ActivityId), row.opt_int()?);
    let pool = row.opt_int()?.map(CodePoolId);
    let chances = chances.map(u32::try_from).transpose().map_err(|error| Fault::caused("chances", error))?;
    let gives = match (kind.as_str(), activity, chances, pool) {
        ("text", None, None, None) => OfferKind::Text,
        ("coupon", None, None, None) => OfferKind::Coupon,
        ("parcel", None, None, None) => OfferKind::Parcel,
        ("code", None, None, Some(pool)) => OfferKind::Code { pool },
        ("chances", Some(activity), Some(chances), None) => OfferKind::Chances { activity, chances },
        (other, ..) => return Err(Fault::new(format!("an offer of {other}"))),
    };
    let (price, limit) = (row.int()?, number(row)?);
    let (from, until, state) = (row.opt_time()?, row.opt_time()?, row.named(OfferState::parse)?);
    let (edition, made) = (number(row)?, row.time()?);
    let (name_en, text_en) = (row.text()?, row.text()?);
    let terms = OfferTerms { name, name_en, text, text_en, gives, price, limit, from, until, state };
    Ok(OfferRow { id, terms, edition, made })
}

/// Without what is given for it.
pub(super) fn read_order(row: &mut Row) -> Result<ShopOrderRow, Fault> {
    Ok(ShopOrderRow {
        id: ShopOrderId(row.int()?),
        user: UserId(row.int()?),
        offer: OfferId(row.int()?),
        name: row.text()?,
        quantity: number(row)?,
        cost: row.int()?,
        state: row.named(ShopOrderState::parse)?,
        hold: row.text()?,
        made: row.time()?,
        changed: row.time()?,
        note: row.opt_text()?,
        name_en: row.opt_text()?.unwrap_or_default(),
        things: Vec::new(),
    })
}

/// With what is given for it.
pub(super) async fn whole(tx: &Tx<'_>, order: ShopOrderRow) -> Result<ShopOrderRow> {
    let sql = "SELECT fulfilment_id FROM shop_things WHERE order_id = $1 ORDER BY fulfilment_id";
    let things = tx.all(sql, params![order.id], |row| row.int().map(FulfilmentId)).await?;
    Ok(ShopOrderRow { things, ..order })
}
