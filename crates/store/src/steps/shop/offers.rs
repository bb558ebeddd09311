//! The offers themselves.

use domain::Rejection;
use domain::ids::{ApprovalId, OfferId};
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use domain::search::IndexedKind;
use domain::shop::{OfferChange, OfferKind, OfferState, OfferTerms};
use serde_json::{Value as Json, json};

use super::columns::{offer_sql, read_offer};
use crate::failure::{Fault, Result};
use crate::model::{
    AuditStamp, CreateOutcome, NewMessage, OFFERS_MAX, OfferEdit, OfferEditAnswer, OfferMake, OfferRow,
    OfferSummary, Request, SHOP, SHOP_RESTOCK, ShopRestock,
};
use crate::steps::{approvals, daily_sums, outbox, search};
use crate::tx::Tx;
use crate::{audit, once, params};

pub(super) async fn make(tx: &Tx<'_>, step: &OfferMake) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    tx.exclusive("offers").await?;
    if tx.count("SELECT COUNT(*) FROM offers", params![]).await? >= i64::from(OFFERS_MAX) {
        return Err(Rejection::OffersFull { max: OFFERS_MAX }.into());
    }
    let (handout, alone) = step.handout;
    // A key cannot ask a second person, so there would be nothing to come of the offer.
    if step.signed.by_key() && !daily_sums::has_room(tx, &step.signed, handout, alone).await? {
        return Err(handout.too_much(alone.max).into());
    }
    let terms = &step.terms;
    let (activity, chances, pool) = match terms.gives {
        OfferKind::Text | OfferKind::Coupon | OfferKind::Parcel => (None, None, None),
        OfferKind::Code { pool } => (None, None, Some(pool)),
        OfferKind::Chances { activity, chances } => (Some(activity), Some(chances), None),
    };
    tx.execute(
        "INSERT INTO offers (id, name, text, kind, activity_id, chances, pool_id, price, user_limit, from_ms, until_ms,
                             state, edition, made_ms, name_en, text_en)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1, $13, $14, $15)",
        params![
            step.id,
            &terms.name,
            &terms.text,
            terms.gives.kind().name(),
            activity,
            chances,
            pool,
            terms.price,
            terms.limit,
            terms.from,
            terms.until,
            terms.state.name(),
            step.signed.at,
            &terms.name_en,
            &terms.text_en
        ],
    )
    .await?;
    search::mark(tx, IndexedKind::Offer, step.id.0, step.signed.at).await?;
    audit::write(tx, &step.signed, "offer.make", &subject(step.id), &Json::Null, &to_json(terms)).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

pub(super) async fn edit(tx: &Tx<'_>, step: &OfferEdit) -> Result<OfferEditAnswer> {
    let row = lock(tx, step.id).await?;
    if row.edition != step.edition {
        return Err(Rejection::EditedMeanwhile { edition: row.edition }.into());
    }
    let mut terms = row.terms.changed(&step.change)?;
    let mut asked = None;
    if terms.price < row.terms.price {
        let handout = terms.gives.handout(step.left);
        if !daily_sums::count_handout(tx, &step.signed, handout, step.alone).await? {
            if step.signed.by_key() {
                return Err(handout.too_much(step.alone.max).into());
            }
            let request = Request::RepriceOffer {
                offer: row.id,
                price: terms.price,
                left: step.left,
                terms: row.summary(),
            };
            asked = Some(approvals::open(tx, step.second, &request, &step.signed).await?);
            terms.price = row.terms.price;
        }
    }
    if terms == row.terms {
        return Ok(OfferEditAnswer { row, asked });
    }
    if row.terms.state == OfferState::On && terms.state != OfferState::On {
        daily_sums::count_stop(tx, &step.signed).await?;
    }
    let row = write(tx, row, terms, &step.signed).await?;
    Ok(OfferEditAnswer { row, asked })
}

async fn write(tx: &Tx<'_>, row: OfferRow, terms: OfferTerms, signed: &AuditStamp) -> Result<OfferRow> {
    tx.execute(
        "UPDATE offers SET name = $2, text = $3, price = $4, user_limit = $5, from_ms = $6, until_ms = $7, state = $8,
                name_en = $9, text_en = $10, edition = edition + 1
         WHERE id = $1",
        params![
            row.id,
            &terms.name,
            &terms.text,
            terms.price,
            terms.limit,
            terms.from,
            terms.until,
            terms.state.name(),
            &terms.name_en,
            &terms.text_en
        ],
    )
    .await?;
    search::mark(tx, IndexedKind::Offer, row.id.0, signed.at).await?;
    let (before, after) = (to_json(&row.terms), to_json(&terms));
    audit::write(tx, signed, "offer.edit", &subject(row.id), &before, &after).await?;
    Ok(OfferRow { terms, edition: row.edition + 1, ..row })
}

/// Carried out by the approval of a second person, of the price they looked at.
pub(crate) async fn reprice(
    tx: &Tx<'_>,
    id: OfferId,
    price: i64,
    seen: &OfferSummary,
    signed: &AuditStamp,
) -> Result<()> {
    let row = lock(tx, id).await?;
    if row.terms.price != seen.price {
        return Err(Rejection::EditedMeanwhile { edition: row.edition }.into());
    }
    let terms = row.terms.changed(&OfferChange { price: Some(price), ..OfferChange::default() })?;
    write(tx, row, terms, signed).await.map(drop)
}

/// Carried out by the approval of a second person: a message brings the pieces. Whoever approved saw a price; at a lower one
/// they are asked again.
pub(crate) async fn restock(
    tx: &Tx<'_>,
    id: OfferId,
    restock: &ShopRestock,
    (approval, seen): (ApprovalId, &OfferSummary),
    signed: &AuditStamp,
) -> Result<()> {
    let row = lock(tx, id).await?;
    if row.terms.price < seen.price {
        return Err(Rejection::EditedMeanwhile { edition: row.edition }.into());
    }
    let body = serde_json::to_string(restock).map_err(|error| Fault::caused("writing a message", error))?;
    let message = NewMessage {
        id: approval.0,
        lane: SHOP.to_owned(),
        user: None,
        kind: SHOP_RESTOCK,
        subject: id.0,
        body,
        made: signed.at,
        due: signed.at,
    };
    outbox::put(tx, &[message]).await?;
    let after = json!({ "delta": restock.delta, "price": row.terms.price });
    audit::write(tx, signed, "offer.restock", &subject(id), &Json::Null, &after).await
}

pub(crate) async fn lock(tx: &Tx<'_>, id: OfferId) -> Result<OfferRow> {
    let row = tx.one(offer_sql!("WHERE id = $1 FOR UPDATE"), params![id], read_offer).await?;
    Ok(row.ok_or(Rejection::NotFound { what: MissingThing::Offer })?)
}

pub(crate) async fn find(tx: &Tx<'_>, id: &OfferId) -> Result<Option<OfferRow>> {
    tx.one(offer_sql!("WHERE id = $1"), params![*id], read_offer).await
}

/// The newest first.
pub(super) async fn list(
    tx: &Tx<'_>,
    (state, page): &(Option<OfferState>, PageRequest),
) -> Result<Page<OfferRow>> {
    let sql =
        offer_sql!("WHERE id < $1 AND (CAST($3 AS TEXT) IS NULL OR state = $3) ORDER BY id DESC LIMIT $2");
    let state = state.map(OfferState::name);
    let rows = tx.all(sql, params![page.before(), page.fetch(), state], read_offer).await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

fn to_json(terms: &OfferTerms) -> Json {
    json!({
        "name": terms.name,
        "name_en": terms.name_en,
        "kind": terms.gives.kind().name(),
        "price": terms.price,
        "limit": terms.limit,
        "from_ms": terms.from,
        "until_ms": terms.until,
        "state": terms.state.name(),
    })
}

fn subject(id: OfferId) -> String {
    format!("offer:{id}")
}
