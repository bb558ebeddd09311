//! The words of things as their rows have them now. The row is locked first, so that a change that is under way is waited for.

use domain::activity::{Content, Plan};
use domain::community::PostState;
use domain::ids::{ActivityId, OfferId};
use domain::search::{IndexedKind, SearchDocument, plain_words};
use domain::shop::OfferState;

use crate::failure::Result;
use crate::model::IndexedThing;
use crate::params;
use crate::row::Row;
use crate::steps::{activities, shop};
use crate::tx::Tx;

/// Nothing where nobody may find it.
pub(super) async fn read(tx: &Tx<'_>, thing: IndexedThing) -> Result<Option<SearchDocument>> {
    match thing.kind {
        IndexedKind::Post => read_post(tx, thing.id).await,
        IndexedKind::Person => read_person(tx, thing.id).await,
        IndexedKind::Activity | IndexedKind::Sale => read_activity(tx, thing).await,
        IndexedKind::Offer => read_offer(tx, OfferId(thing.id)).await,
    }
}

async fn read_post(tx: &Tx<'_>, id: i64) -> Result<Option<SearchDocument>> {
    let sql = "SELECT state, title, body FROM posts WHERE id = $1 FOR UPDATE";
    let post =
        tx.one(sql, params![id], |row| Ok((row.named(PostState::parse)?, row.text()?, row.text()?))).await?;
    let shown = post.filter(|(state, ..)| *state == PostState::Visible);
    Ok(shown.map(|(_, title, body)| SearchDocument { titles: vec![title], texts: vec![plain_words(&body)] }))
}

/// By the name alone: a phone is in no index.
async fn read_person(tx: &Tx<'_>, id: i64) -> Result<Option<SearchDocument>> {
    let sql = "SELECT name FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE";
    let name = tx.one(sql, params![id], Row::text).await?;
    Ok(name.map(|name| SearchDocument { titles: vec![name], texts: Vec::new() }))
}

async fn read_activity(tx: &Tx<'_>, thing: IndexedThing) -> Result<Option<SearchDocument>> {
    let id = ActivityId(thing.id);
    tx.one("SELECT id FROM activities WHERE id = $1 FOR UPDATE", params![id], Row::int).await?;
    let Some((_, version)) = activities::published_version(tx, id).await? else { return Ok(None) };
    let of_kind = match version.content.plan {
        Plan::Instant(_) | Plan::Raffle(_) => IndexedKind::Activity,
        Plan::Sale(_) => IndexedKind::Sale,
    };
    Ok((of_kind == thing.kind).then(|| document(&version.content)))
}

fn document(content: &Content) -> SearchDocument {
    let (configuration, presentation) = (&content.configuration, content.configuration.presentation());
    let mut titles = vec![configuration.name().to_owned(), presentation.name_en.clone()];
    let mut texts = vec![configuration.description().to_owned(), presentation.description_en.clone()];
    match &content.plan {
        Plan::Instant(strategy) => texts.extend(strategy.prizes.iter().map(|prize| prize.name.to_string())),
        Plan::Raffle(prizes) => texts.extend(prizes.iter().map(|prize| prize.name.to_string())),
        Plan::Sale(sale) => {
            titles.extend([sale.name.clone(), sale.name_en.clone()]);
            texts.extend([sale.details.clone(), sale.details_en.clone()]);
        }
    }
    texts.extend(content.cards.iter().map(|card| card.name_en.clone()));
    SearchDocument { titles, texts }
}

async fn read_offer(tx: &Tx<'_>, id: OfferId) -> Result<Option<SearchDocument>> {
    tx.one("SELECT id FROM offers WHERE id = $1 FOR UPDATE", params![id], Row::int).await?;
    let Some(offer) = shop::find_offer(tx, &id).await? else { return Ok(None) };
    let terms = offer.terms;
    let document =
        SearchDocument { titles: vec![terms.name, terms.name_en], texts: vec![terms.text, terms.text_en] };
    Ok((terms.state == OfferState::On).then_some(document))
}
