//! The offers themselves.

use domain::Rejection;
use domain::ids::OfferId;
use domain::page::{Page, PageRequest};
use domain::rejection::Subject;
use domain::shop::{OfferGives, OfferState, OfferTerms};
use engine::Outcome;
use engine::ports::{Made, OFFERS_MAX, OfferEdit, OfferMake, OfferRow};
use serde_json::{Value as Json, json};

use super::columns::{offer_sql, read_offer};
use crate::tx::Tx;
use crate::{audit, once, params};

pub(super) async fn make(tx: &Tx<'_>, step: &OfferMake) -> Outcome<Made> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    tx.exclusive("offers").await?;
    if tx.count("SELECT COUNT(*) FROM offers", params![]).await? >= i64::from(OFFERS_MAX) {
        return Err(Rejection::OffersFull { max: OFFERS_MAX }.into());
    }
    let terms = &step.terms;
    let (activity, chances, pool) = match terms.gives {
        OfferGives::Text | OfferGives::Coupon | OfferGives::Parcel => (None, None, None),
        OfferGives::Code { pool } => (None, None, Some(pool)),
        OfferGives::Chances { activity, chances } => (Some(activity), Some(chances), None),
    };
    tx.execute(
        "INSERT INTO offers (id, name, text, kind, activity_id, chances, pool_id, price, user_limit, from_ms, until_ms,
                             state, edition, made_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1, $13)",
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
            step.signed.at
        ],
    )
    .await?;
    audit::write(tx, &step.signed, "offer.make", &subject(step.id), &Json::Null, &told(terms)).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

pub(super) async fn edit(tx: &Tx<'_>, step: &OfferEdit) -> Outcome<OfferRow> {
    let row = tx.one(offer_sql!("WHERE id = $1 FOR UPDATE"), params![step.id], read_offer).await?;
    let row = row.ok_or(Rejection::NotFound { what: Subject::Offer })?;
    if row.edition != step.edition {
        return Err(Rejection::EditedMeanwhile { edition: row.edition }.into());
    }
    let terms = row.terms.changed(&step.change)?;
    if terms == row.terms {
        return Ok(row);
    }
    tx.execute(
        "UPDATE offers SET name = $2, text = $3, price = $4, user_limit = $5, from_ms = $6, until_ms = $7, state = $8,
                edition = edition + 1
         WHERE id = $1",
        params![
            row.id,
            &terms.name,
            &terms.text,
            terms.price,
            terms.limit,
            terms.from,
            terms.until,
            terms.state.name()
        ],
    )
    .await?;
    let (before, after) = (told(&row.terms), told(&terms));
    audit::write(tx, &step.signed, "offer.edit", &subject(row.id), &before, &after).await?;
    Ok(OfferRow { terms, edition: row.edition + 1, ..row })
}

pub(super) async fn find(tx: &Tx<'_>, id: &OfferId) -> Outcome<Option<OfferRow>> {
    tx.one(offer_sql!("WHERE id = $1"), params![*id], read_offer).await
}

/// The newest first.
pub(super) async fn list(
    tx: &Tx<'_>,
    (state, page): &(Option<OfferState>, PageRequest),
) -> Outcome<Page<OfferRow>> {
    let sql =
        offer_sql!("WHERE id < $1 AND (CAST($3 AS TEXT) IS NULL OR state = $3) ORDER BY id DESC LIMIT $2");
    let state = state.map(OfferState::name);
    let rows = tx.all(sql, params![page.before(), page.fetch(), state], read_offer).await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

fn told(terms: &OfferTerms) -> Json {
    json!({
        "name": terms.name,
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
