//! What came of messages, with what follows for the prizes they give.
//!
//! Everything goes by a message's lane, moment, id and attempts: one that was tried or moved meanwhile is not there under
//! them, and is passed over with all that would have followed.

use domain::fulfilment::{FulfilmentSource, FulfilmentState};
use domain::ids::FulfilmentId;
use domain::outbox::{ATTEMPTS_KEPT, ERROR_MAX};
use domain::time::Timestamp;
use domain::webhook::EventKind;

use super::lanes::pass_fence;
use crate::each::count_each;
use crate::failure::Result;
use crate::model::{CHANCES, DeliveryOutcome, FULFIL, Finish, FulfilMessage, GRANT, LaneFence, Message};
use crate::params;
use crate::steps::events::{NewEvent, is_wanted, tell};
use crate::steps::{orders, shop};
use crate::tx::Tx;
use crate::value::Value;

pub(crate) async fn finish(tx: &Tx<'_>, step: &Finish) -> Result<()> {
    pass_fence(tx, &step.fence).await?;
    let of = |wanted: fn(&DeliveryOutcome) -> bool| {
        step.came.iter().filter(move |(_, came)| wanted(came)).map(|(message, _)| message).collect()
    };
    done(tx, of(|came| *came == DeliveryOutcome::Done), FulfilmentState::Given, step.now).await?;
    done(tx, of(|came| *came == DeliveryOutcome::HandedOver), FulfilmentState::HandedOver, step.now).await?;
    for (message, came) in &step.came {
        match came {
            DeliveryOutcome::Done | DeliveryOutcome::HandedOver => {}
            DeliveryOutcome::Again { due, error } => again(tx, message, *due, error, step.now).await?,
            DeliveryOutcome::Dead { error } => dead(tx, message, error, step.now).await?,
        }
    }
    Ok(())
}

/// A message that nobody is to carry out: it is a dead letter.
pub(crate) async fn discard(tx: &Tx<'_>, message: &Message, why: &str, now: Timestamp) -> Result<()> {
    dead(tx, message, why, now).await
}

/// Messages whose handler gives in this very transaction.
pub(crate) async fn finish_given(
    tx: &Tx<'_>,
    fence: &LaneFence,
    messages: Vec<&Message>,
    now: Timestamp,
) -> Result<()> {
    pass_fence(tx, fence).await?;
    done(tx, messages, FulfilmentState::Given, now).await
}

/// Messages that are carried out go. What they give moves on from `ready`, the only state that leads there: the table of
/// `domain::fulfilment` says so, and the condition is its compare-and-set for thousands at once.
async fn done(tx: &Tx<'_>, messages: Vec<&Message>, to: FulfilmentState, now: Timestamp) -> Result<()> {
    let gone = count_each(
        tx,
        "DELETE FROM outbox WHERE lane = $1 AND due_ms = $2 AND id = $3 AND attempts = $4",
        messages.iter().map(|message| key(message)),
    )
    .await?;
    let gone: Vec<&Message> =
        messages.into_iter().zip(gone).filter(|(_, rows)| *rows > 0).map(|(message, _)| message).collect();
    count_each(
        tx,
        "DELETE FROM outbox_attempts WHERE message_id = $1",
        gone.iter().filter(|message| message.attempts > 0).map(|message| [message.id.into()]),
    )
    .await?;
    let granted = gone.iter().filter(|message| message.kind == GRANT);
    let granted = granted.map(|message| -> [Value; 2] { [message.subject.into(), now.into()] });
    count_each(tx, "UPDATE grants SET given_ms = $2 WHERE id = $1", granted).await?;
    let given = gone.iter().filter(|message| message.kind == FULFIL);
    let rows = given.map(|message| -> [Value; 4] {
        [message.subject.into(), FulfilmentState::Ready.name().into(), to.name().into(), now.into()]
    });
    let sql = "UPDATE fulfilments SET state = $3, changed_ms = $4 WHERE id = $1 AND state = $2";
    let moved = count_each(tx, sql, rows).await?;
    if to == FulfilmentState::Given {
        let ordered = gone.iter().filter(|message| message.kind == FULFIL && is_ordered(message));
        for message in ordered {
            orders::mark_given(tx, FulfilmentId(message.subject), now).await?;
        }
        let bought = gone.iter().filter(|message| message.kind == FULFIL && is_bought(message));
        let bought: Vec<FulfilmentId> = bought.map(|message| FulfilmentId(message.subject)).collect();
        shop::tell_given(tx, &bought, now).await?;
    }
    if to != FulfilmentState::Given || !is_wanted(tx, EventKind::WinGiven).await? {
        return Ok(());
    }
    let given = gone.iter().filter(|message| message.kind == FULFIL).zip(moved);
    let given = given.filter(|(_, rows)| *rows > 0);
    let events: Vec<NewEvent> =
        given.filter_map(|(message, _)| move_event(message, EventKind::WinGiven, None, now)).collect();
    tell(tx, &events).await
}

async fn again(tx: &Tx<'_>, message: &Message, due: Timestamp, error: &str, now: Timestamp) -> Result<()> {
    let [lane, was, id, attempts] = key(message);
    let moved = tx
        .execute(
            "UPDATE outbox SET due_ms = $5, attempts = attempts + 1
             WHERE lane = $1 AND due_ms = $2 AND id = $3 AND attempts = $4",
            &[lane, was, id, attempts, due.into()],
        )
        .await?;
    if moved > 0 { note(tx, message, error, now).await } else { Ok(()) }
}

async fn dead(tx: &Tx<'_>, message: &Message, error: &str, now: Timestamp) -> Result<()> {
    let sql = "DELETE FROM outbox WHERE lane = $1 AND due_ms = $2 AND id = $3 AND attempts = $4";
    if tx.execute(sql, &key(message)).await? == 0 {
        return Ok(());
    }
    if message.kind == FULFIL && message.lane == CHANCES && is_bought(message) {
        // The ledger will never grant them: nobody has to find the letter for the points to come back.
        if shop::refund_not_given(tx, FulfilmentId(message.subject), now).await? {
            let sql = "DELETE FROM outbox_attempts WHERE message_id = $1";
            return tx.execute(sql, params![message.id]).await.map(drop);
        }
    }
    note(tx, message, error, now).await?;
    tx.execute(
        "INSERT INTO dead_letters (id, lane, user_id, attempts, kind, subject, body, made_ms, died_ms, error)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        params![
            message.id,
            &message.lane,
            message.user.map_or(0, |user| user.0),
            message.attempts.saturating_add(1),
            &message.kind,
            message.subject,
            &message.body,
            message.made,
            now,
            cut(error)
        ],
    )
    .await?;
    if message.kind == FULFIL {
        let failed = tx
            .execute(
                "UPDATE fulfilments SET state = $3, changed_ms = $4, note = $5 WHERE id = $1 AND state = $2",
                params![
                    message.subject,
                    FulfilmentState::Ready.name(),
                    FulfilmentState::Failed.name(),
                    now,
                    cut(error)
                ],
            )
            .await?;
        if failed > 0 {
            let event = move_event(message, EventKind::WinFailed, Some(&cut(error)), now);
            tell(tx, event.as_slice()).await?;
        }
    }
    Ok(())
}

/// What the message gives something for.
fn source(message: &Message) -> Option<FulfilmentSource> {
    serde_json::from_str::<FulfilMessage>(&message.body).ok().map(|body| body.source)
}

/// Whether it gives what was ordered in a sale.
fn is_ordered(message: &Message) -> bool {
    matches!(source(message), Some(FulfilmentSource::Order { .. }))
}

/// Whether it gives what was bought in the shop.
fn is_bought(message: &Message) -> bool {
    matches!(source(message), Some(FulfilmentSource::ShopOrder { .. }))
}

/// Of a prize, whose message says what prize it is.
fn move_event(message: &Message, kind: EventKind, note: Option<&str>, now: Timestamp) -> Option<NewEvent> {
    let FulfilmentSource::Win { activity, prize } = source(message)? else { return None };
    let whose = (FulfilmentId(message.subject), message.user);
    Some(NewEvent::moved(kind, whose, (activity, prize), note, now))
}

/// A failed attempt, numbered on across redrives; the oldest go.
async fn note(tx: &Tx<'_>, message: &Message, error: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        "INSERT INTO outbox_attempts (message_id, n, at_ms, error)
         VALUES ($1, COALESCE((SELECT MAX(n) FROM outbox_attempts WHERE message_id = $1), 0) + 1, $2, $3)",
        params![message.id, now, cut(error)],
    )
    .await?;
    tx.execute(
        "DELETE FROM outbox_attempts
         WHERE message_id = $1 AND n <= (SELECT MAX(n) FROM outbox_attempts WHERE message_id = $1) - $2",
        params![message.id, ATTEMPTS_KEPT],
    )
    .await?;
    Ok(())
}

fn key(message: &Message) -> [Value; 4] {
    [(&message.lane).into(), message.due.into(), message.id.into(), message.attempts.into()]
}

fn cut(error: &str) -> String {
    error.chars().take(ERROR_MAX).collect()
}
