//! From wins to rows and messages, in the transaction that writes the wins.
//!
//! The cards of a version are read once per batch. What is granted at once and is a mere text needs no row.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use domain::activity::Card;
use domain::community::{NotificationKind, NotificationSubject};
use domain::fulfilment::{FollowUp, FulfilmentSource, FulfilmentState, FulfilmentStatus, PrizeKind};
use domain::ids::{ActivityId, FulfilmentId};
use domain::lottery::strategy::PrizeId;
use domain::time::Timestamp;

use crate::each::once_each;
use crate::failure::{Fault, Result};
use crate::model::{FULFIL, FulfilMessage, FulfilmentRow, NewMessage, RETURN, RETURNS, Win};
use crate::steps::activities::columns::cards;
use crate::steps::events::{NewEvent, tell};
use crate::steps::notifications::{NewNotification, notify};
use crate::steps::outbox;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

pub(crate) async fn begin(tx: &Tx<'_>, wins: &[Win]) -> Result<()> {
    let mut known: HashMap<(ActivityId, u32), HashMap<PrizeId, Card>> = HashMap::new();
    let mut rows = Vec::new();
    for win in wins {
        let version = (win.activity, win.version);
        let cards = match known.entry(version) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let cards = cards(tx, win.activity, win.version).await?;
                place.insert(cards.into_iter().map(|card| (card.prize, card)).collect())
            }
        };
        rows.extend(cards.get(&win.prize).and_then(|card| row(win, card)));
    }
    insert(tx, &rows).await?;
    let mut messages = Vec::new();
    for row in &rows {
        messages.extend(message(row, row.made)?);
    }
    outbox::put(tx, &messages).await?;
    let news: Vec<NewNotification> = rows.iter().filter_map(win_notification).collect();
    notify(tx, &news).await?;
    let won: Vec<NewEvent> = wins.iter().map(NewEvent::won).collect();
    tell(tx, &won).await
}

/// A prize that is more than points or chances, which are there at once.
fn win_notification(row: &FulfilmentRow) -> Option<NewNotification> {
    let is_small = matches!(row.standing.kind, PrizeKind::Points | PrizeKind::Chances);
    let activity = row.source.activity().filter(|_| !is_small)?;
    Some(NewNotification {
        recipient: row.user,
        kind: NotificationKind::Win,
        actor: None,
        object: row.id.0,
        about: (NotificationSubject::Activity, activity.0),
        post: None,
        at: row.made,
    })
}

/// Nothing where there is nothing to give, or nothing left to do.
fn row(win: &Win, card: &Card) -> Option<FulfilmentRow> {
    let kind = card.gift.kind();
    // How many points the fallback gives was drawn.
    let drawn = (kind == PrizeKind::Points && win.points > 0).then_some(win.points);
    let amount = drawn.or(card.gift.amount()).unwrap_or(1);
    let standing = FulfilmentStatus::begin(kind, card.grant, card.claim_within_ms, win.at);
    (amount > 0 && standing.state != FulfilmentState::Given).then_some(FulfilmentRow {
        id: FulfilmentId(win.id),
        source: FulfilmentSource::Win { activity: win.activity, prize: win.prize },
        user: win.user,
        amount,
        pool: card.pool,
        standing,
        made: win.at,
        changed: win.at,
        claimed: None,
        address: None,
        carrier: None,
        tracking: None,
        note: None,
        redriven: 0,
    })
}

/// New rows as they are; their messages are the caller's.
pub(crate) async fn insert(tx: &Tx<'_>, rows: &[FulfilmentRow]) -> Result<()> {
    let rows = rows.iter().map(|row| -> [Value; 14] {
        let FulfilmentStatus { kind, state, due, claim_within_ms, claim_until } = row.standing;
        [
            row.id.into(),
            row.source.name().into(),
            row.user.into(),
            // What was bought has no prize, and few of it an activity: the columns then hold 0, which is not read.
            row.source.activity().unwrap_or(ActivityId(0)).into(),
            u32::from(row.source.prize().map_or(0, PrizeId::number)).into(),
            kind.name().into(),
            as_i64(row.amount).into(),
            row.pool.into(),
            state.name().into(),
            row.made.into(),
            row.changed.into(),
            due.into(),
            claim_within_ms.into(),
            claim_until.into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO fulfilments (id, source, user_id, activity_id, prize_id, kind, amount, pool_id, state, made_ms,
                                  changed_ms, due_ms, claim_within_ms, claim_until_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        rows,
    )
    .await
}

/// What has to be told when a prize has come to where it stands.
pub(crate) fn message(row: &FulfilmentRow, now: Timestamp) -> Result<Option<NewMessage>, Fault> {
    let (id, lane, user, kind) = match row.standing.follows() {
        None => return Ok(None),
        Some(FollowUp::Message(lane)) => (row.message_id(), lane, Some(row.user), FULFIL),
        // What was bought is given back where it was bought.
        Some(FollowUp::Return) if !row.source.is_win() => return Ok(None),
        Some(FollowUp::Return) => (row.return_id(), RETURNS, None, RETURN),
    };
    let body = serde_json::to_string::<FulfilMessage>(&row.body())
        .map_err(|error| Fault::caused("writing a message", error))?;
    let (lane, subject) = (lane.to_owned(), row.id.0);
    Ok(Some(NewMessage { id, lane, user, kind, subject, body, made: now, due: now }))
}
