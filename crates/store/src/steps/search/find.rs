//! What answers a query, tier by tier and newest first. The index says where to look; each entry is then read from its row,
//! which says whether this reader sees it, by the rule of the list that it is in.

use domain::ids::{ActivityId, OfferId, PostId, UserId};
use domain::search::{FoundPage, FoundPlace, IndexedKind, SCANNED_MAX, SearchTier};
use domain::shop::OfferState;

use super::{conditions, tables};
use crate::failure::Result;
use crate::model::{FoundRow, PersonCard, SearchFind};
use crate::params;
use crate::steps::community::{NOBODY, find_listed_post};
use crate::steps::{activities, shop};
use crate::tx::Tx;

pub(super) async fn find(tx: &Tx<'_>, step: &SearchFind) -> Result<FoundPage<FoundRow>> {
    let (limit, mut scanned) = (step.limit as usize, 0);
    let mut items = Vec::new();
    for tier in SearchTier::ALL {
        let mut below = match step.after {
            Some(after) if tier < after.tier => continue,
            Some(after) if tier == after.tier => after.id,
            Some(_) | None => i64::MAX,
        };
        let condition =
            step.query.condition(tier).filter(|_| step.kind.has_text() || tier != SearchTier::Text);
        let Some(condition) = condition else { continue };
        let asked = conditions::write(&condition, tx.dialect());
        loop {
            // One more than the page, to know whether there is another.
            let wanted = (limit + 1 - items.len()).min(SCANNED_MAX - scanned);
            let ids = tables::find(tx, step.kind, &asked, below, wanted).await?;
            for id in &ids {
                if let Some(row) = read(tx, step, *id).await? {
                    items.push((FoundPlace { tier, id: *id }, row));
                }
            }
            (scanned, below) = (scanned + ids.len(), ids.last().copied().unwrap_or(below));
            if items.len() > limit {
                return Ok(FoundPage { items, next: None }.cut(limit));
            }
            if scanned >= SCANNED_MAX {
                return Ok(FoundPage { items, next: Some(FoundPlace { tier, id: below }) });
            }
            if ids.len() < wanted {
                break;
            }
        }
    }
    Ok(FoundPage { items, next: None })
}

/// Nothing where this reader does not see it.
async fn read(tx: &Tx<'_>, step: &SearchFind, id: i64) -> Result<Option<FoundRow>> {
    match step.kind {
        IndexedKind::Post => {
            let found = find_listed_post(tx, PostId(id), step.reader, step.now).await?;
            Ok(found.map(|(row, body)| FoundRow::Post(row, body)))
        }
        IndexedKind::Person => read_person(tx, step, id).await,
        IndexedKind::Activity | IndexedKind::Sale => {
            let found = activities::published_version(tx, ActivityId(id)).await?;
            Ok(found.map(|(life, version)| FoundRow::Activity(life, Box::new(version))))
        }
        IndexedKind::Offer => {
            let offer = shop::find_offer(tx, &OfferId(id)).await?;
            let is_on = |state, until| state == OfferState::On && until > step.now;
            let never = domain::time::Timestamp(i64::MAX);
            Ok(offer
                .filter(|offer| is_on(offer.terms.state, offer.terms.until.unwrap_or(never)))
                .map(FoundRow::Offer))
        }
    }
}

/// Whoever takes part is found by their whole name; whoever only plays is known by a first character, and not found.
async fn read_person(tx: &Tx<'_>, step: &SearchFind, id: i64) -> Result<Option<FoundRow>> {
    let card = tx
        .one(
            "SELECT u.id, u.name, u.avatar, u.level FROM users u
             WHERE u.id = $1 AND u.deleted_at IS NULL AND (u.ban_until IS NULL OR u.ban_until <= $2)
               AND (u.posts > 0 OR u.following > 0)
               AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $3 AND b.blocked_id = u.id)
               AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = u.id AND b.blocked_id = $3)",
            params![id, step.now, step.reader.map_or(NOBODY, |reader| reader.0)],
            |row| {
                let (id, name) = (UserId(row.int()?), row.text()?);
                Ok(PersonCard { id, name, avatar: row.text()?, level: row.int()? })
            },
        )
        .await?;
    Ok(card.map(FoundRow::Person))
}
