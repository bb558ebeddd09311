//! Keeping the index: marked by whoever changes a row, written by the relay, checked by a job.

use domain::search::IndexedKind;
use domain::search::document::terms_digest;
use domain::time::Timestamp;

use super::{sources, tables};
use crate::failure::Result;
use crate::model::{
    IndexedThing, NewMessage, SEARCH, SearchIndexCheck, SearchIndexChecked, SearchIndexWrite,
};
use crate::params;
use crate::row::Row;
use crate::steps::events::search_message_id;
use crate::steps::jobs::pass_fence;
use crate::steps::outbox;
use crate::tx::Tx;

/// Says that something may be found by other words now. Called after its row was written, in the same transaction.
pub(crate) async fn mark(tx: &Tx<'_>, kind: IndexedKind, id: i64, now: Timestamp) -> Result<()> {
    let message = NewMessage {
        id: search_message_id(kind.name(), id, now),
        lane: SEARCH.to_owned(),
        user: None,
        kind: SEARCH,
        subject: id,
        body: kind.name().to_owned(),
        made: now,
        due: now,
    };
    outbox::put_once(tx, &[message]).await
}

/// Takes something out of the index in this very transaction, for what must not be kept a moment longer.
pub(crate) async fn forget(tx: &Tx<'_>, kind: IndexedKind, id: i64) -> Result<bool> {
    let sql = "DELETE FROM search_documents WHERE kind = $1 AND id = $2";
    let was_there = tx.execute(sql, params![kind.name(), id]).await? > 0;
    if was_there {
        tables::remove(tx, kind, id).await?;
    }
    Ok(was_there)
}

/// What messages are about, and what depends on it, as the rows have it now.
pub(super) async fn write(tx: &Tx<'_>, step: &SearchIndexWrite) -> Result<()> {
    let mut things = Vec::new();
    for (message, kind) in &step.messages {
        let thing = |kind| IndexedThing { kind, id: message.subject };
        match kind {
            IndexedKind::Post => {
                things.push(thing(IndexedKind::Post));
                things.extend(author(tx, message.subject).await?);
            }
            IndexedKind::Activity | IndexedKind::Sale => {
                things.extend([thing(IndexedKind::Activity), thing(IndexedKind::Sale)]);
            }
            IndexedKind::Person | IndexedKind::Offer => things.push(thing(*kind)),
        }
    }
    // People first and by rising id, as everybody locks.
    things.sort_by_key(|thing| (thing.kind != IndexedKind::Person, *thing));
    things.dedup();
    for thing in things {
        refresh(tx, thing).await?;
    }
    let messages = step.messages.iter().map(|(message, _)| message).collect();
    outbox::finish_given(tx, &step.fence, messages, step.now).await
}

/// The next rows of a kind, and what else is in the index under ids between them.
pub(super) async fn check(tx: &Tx<'_>, step: &SearchIndexCheck) -> Result<SearchIndexChecked> {
    pass_fence(tx, &step.fence).await?;
    let ids =
        tx.all(next_sql(step.kind), params![step.after, step.limit, step.kind.name()], Row::int).await?;
    let next = if ids.len() == step.limit as usize { ids.last().copied() } else { None };
    let mut changed = 0;
    for id in ids {
        changed += u64::from(refresh(tx, IndexedThing { kind: step.kind, id }).await?);
    }
    Ok(SearchIndexChecked { changed, next })
}

/// `$1` is the id to go on after, `$2` how many, `$3` the kind.
fn next_sql(kind: IndexedKind) -> &'static str {
    macro_rules! next_sql {
        ($of:literal) => {
            concat!(
                "SELECT id FROM (SELECT id FROM (SELECT id FROM ",
                $of,
                " AND id > $1 ORDER BY id LIMIT $2) of_rows
                 UNION SELECT id FROM (SELECT id FROM search_documents WHERE kind = $3 AND id > $1
                                       ORDER BY id LIMIT $2) of_index) both_lists
                 ORDER BY id LIMIT $2"
            )
        };
    }
    match kind {
        IndexedKind::Post => next_sql!("posts WHERE state = 'visible'"),
        // Whoever only plays is not found.
        IndexedKind::Person => next_sql!("users WHERE (posts > 0 OR following > 0)"),
        IndexedKind::Activity | IndexedKind::Sale => next_sql!("activities WHERE live_version IS NOT NULL"),
        IndexedKind::Offer => next_sql!("offers WHERE state = 'on'"),
    }
}

/// Whoever publishes shows themselves, and can be found from then on.
async fn author(tx: &Tx<'_>, post: i64) -> Result<Option<IndexedThing>> {
    let sql = "SELECT author_id FROM posts WHERE id = $1 AND author_gone = 0 AND state = 'visible'";
    let author = tx.one(sql, params![post], Row::int).await?;
    Ok(author.map(|id| IndexedThing { kind: IndexedKind::Person, id }))
}

/// Brings the index up to the row; answers whether that changed anything.
async fn refresh(tx: &Tx<'_>, thing: IndexedThing) -> Result<bool> {
    let terms = match sources::read(tx, thing).await? {
        Some(document) => document.terms(),
        None => return forget(tx, thing.kind, thing.id).await,
    };
    let written = tx
        .execute(
            "INSERT INTO search_documents (kind, id, digest) VALUES ($1, $2, $3)
             ON CONFLICT (kind, id) DO UPDATE SET digest = excluded.digest
             WHERE search_documents.digest <> excluded.digest",
            params![thing.kind.name(), thing.id, terms_digest(&terms).0],
        )
        .await?;
    if written > 0 {
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        tables::write(tx, thing.kind, thing.id, &terms.join(" ")).await?;
    }
    Ok(written > 0)
}
