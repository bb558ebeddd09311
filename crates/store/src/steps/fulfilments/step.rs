//! One step of one prize: the row is locked, `domain` says what follows, and row, message and audit line are written
//! together.

use domain::Rejection;
use domain::access::own_account;
use domain::community::{NotificationKind, NotificationSubject};
use domain::fulfilment::{FulfilmentSource, FulfilmentState, FulfilmentStep};
use domain::ids::{ActivityId, FulfilmentId, UserId};
use domain::lottery::strategy::PrizeId;
use domain::rejection::{FieldProblem, MissingThing};
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::json;

use super::begin::message;
use super::columns::{fulfilment_sql, read};
use super::take_back;
use crate::failure::Result;
use crate::model::{AuditStamp, FULFIL, FulfilmentAct, FulfilmentClaim, FulfilmentRow, StepDetails};
use crate::steps::events::{NewEvent, tell};
use crate::steps::notifications::{NewNotification, notify};
use crate::steps::{orders, outbox, shop};
use crate::tx::Tx;
use crate::{audit, once, params};

/// Nobody learns of a win that is not theirs. Whoever claims again hears how it stands, and may name another address
/// until the parcel is sent.
pub(super) async fn claim(tx: &Tx<'_>, step: &FulfilmentClaim) -> Result<FulfilmentRow> {
    if once::replay(tx, step.once.as_ref()).await?.is_some() {
        return lock(tx, step.id).await;
    }
    let row = lock(tx, step.id).await?;
    if row.user != step.user {
        return Err(unknown().into());
    }
    if row.claimed.is_some() {
        return change_address(tx, row, step).await;
    }
    // Where it stands comes first: nobody is asked for an address for what cannot be claimed.
    row.standing.take(FulfilmentStep::Claim, step.now)?;
    let address = step.address.clone().filter(|_| row.standing.kind.needs_address());
    if row.standing.kind.needs_address() && address.is_none() {
        return Err(Rejection::invalid("address", FieldProblem::Missing).into());
    }
    let details = StepDetails { address, ..StepDetails::default() };
    let row = take(tx, row, FulfilmentStep::Claim, &details, step.now).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.now).await?;
    Ok(row)
}

/// A parcel whose buyer said where it goes before it was there.
pub(crate) async fn send_to(tx: &Tx<'_>, id: FulfilmentId, address: &[u8], now: Timestamp) -> Result<()> {
    let row = lock(tx, id).await?;
    let details = StepDetails { address: Some(address.to_vec()), ..StepDetails::default() };
    take(tx, row, FulfilmentStep::Claim, &details, now).await.map(drop)
}

async fn change_address(tx: &Tx<'_>, row: FulfilmentRow, step: &FulfilmentClaim) -> Result<FulfilmentRow> {
    let Some(address) = step.address.as_ref().filter(|_| row.standing.kind.needs_address()) else {
        return Ok(row);
    };
    if row.standing.state != FulfilmentState::ToShip {
        // Sent, or nobody's any more: an address that would be dropped is refused.
        row.standing.take(FulfilmentStep::Claim, step.now)?;
    }
    tx.execute(
        "UPDATE fulfilments SET address = $2, changed_ms = $3 WHERE id = $1",
        params![step.id.0, Some(address), step.now],
    )
    .await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.now).await?;
    lock(tx, step.id).await
}

pub(super) async fn act(tx: &Tx<'_>, step: &FulfilmentAct) -> Result<FulfilmentRow> {
    if once::replay(tx, step.once.as_ref()).await?.is_some() {
        return lock(tx, step.id).await;
    }
    let row = lock(tx, step.id).await?;
    // Whoever won it does not move it on: not past its wait, and not to where it counts as given.
    own_account(step.signed.responsible, row.user)?;
    if is_there(&row, step) {
        return Ok(row);
    }
    if step.step == FulfilmentStep::ReportFailed
        && row.standing.kind.failure_needs_note()
        && step.details.note.is_none()
    {
        // Lost or come back: whoever sends it again, or voids it, has to know which.
        row.standing.take(step.step, step.signed.at)?;
        return Err(Rejection::invalid("note", FieldProblem::Missing).into());
    }
    let row = act_by_hand(tx, row, step.step, &step.details, &step.signed).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await?;
    Ok(row)
}

/// Carried out by the approval of a second person.
pub(crate) async fn apply_void(tx: &Tx<'_>, id: FulfilmentId, note: &str, signed: &AuditStamp) -> Result<()> {
    let row = lock(tx, id).await?;
    own_account(signed.responsible, row.user)?;
    let given = row.standing.state == FulfilmentState::Given;
    let details = StepDetails { note: Some(note.to_owned()), ..StepDetails::default() };
    let row = act_by_hand(tx, row, FulfilmentStep::Void, &details, signed).await?;
    if given { take_back::begin(tx, &row, signed).await } else { Ok(()) }
}

/// A dead letter is put back; the line in the audit log is about the letter.
pub(crate) async fn redriven(
    tx: &Tx<'_>,
    id: FulfilmentId,
    step: FulfilmentStep,
    now: Timestamp,
) -> Result<()> {
    let row = lock(tx, id).await?;
    take(tx, row, step, &StepDetails::default(), now).await.map(drop)
}

/// What was bought waits for its order, which lets it go or voids it: nobody else does.
pub(crate) async fn of_order(
    tx: &Tx<'_>,
    id: FulfilmentId,
    step: FulfilmentStep,
    note: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let row = lock(tx, id).await?;
    if row.standing.state == FulfilmentState::Voided {
        // Its buyer has left between paying and this.
        return Ok(());
    }
    let details = StepDetails { note: note.map(str::to_owned), ..StepDetails::default() };
    take(tx, row, step, &details, now).await.map(drop)
}

/// Voids what its buyer does not have yet, and leaves what they have. A message that still waits (for a
/// code to be imported, say) goes with it: whoever has the money back is not given the thing later.
pub(crate) async fn void_open(tx: &Tx<'_>, id: FulfilmentId, note: &str, now: Timestamp) -> Result<()> {
    let row = lock(tx, id).await?;
    if row.standing.state == FulfilmentState::Ready {
        return void_ready(tx, id, note, now).await;
    }
    if row.standing.take(FulfilmentStep::Void, now).is_err() {
        return Ok(());
    }
    let details = StepDetails { note: Some(note.to_owned()), ..StepDetails::default() };
    take(tx, row, FulfilmentStep::Void, &details, now).await.map(drop)
}

/// The same for what was bought in the shop. Answers whether nobody has it or will: its units can be sold again. Chances that
/// are under way are refused: whether they were granted would be anybody's guess.
pub(crate) async fn void_bought(tx: &Tx<'_>, id: FulfilmentId, note: &str, now: Timestamp) -> Result<bool> {
    let row = lock(tx, id).await?;
    let details = StepDetails { note: Some(note.to_owned()), ..StepDetails::default() };
    match row.standing.state {
        FulfilmentState::Waiting
        | FulfilmentState::Claimable
        | FulfilmentState::ToShip
        | FulfilmentState::Failed => take(tx, row, FulfilmentStep::Void, &details, now).await.map(|_| true),
        FulfilmentState::HandedOver => {
            take(tx, row, FulfilmentStep::Void, &details, now).await.map(|_| false)
        }
        FulfilmentState::Ready if row.standing.kind.returnable().is_some() => {
            Err(Rejection::FulfilmentStepIllegal {
                state: FulfilmentState::Ready,
                step: FulfilmentStep::Void,
            }
            .into())
        }
        FulfilmentState::Ready => void_ready(tx, id, note, now).await.map(|()| true),
        FulfilmentState::Shipped
        | FulfilmentState::Given
        | FulfilmentState::Unclaimed
        | FulfilmentState::Voided => Ok(false),
    }
}

/// What is under way, together with its message.
pub(crate) async fn void_ready(tx: &Tx<'_>, id: FulfilmentId, note: &str, now: Timestamp) -> Result<()> {
    let row = lock(tx, id).await?;
    tx.execute(
        "DELETE FROM outbox WHERE subject = $1 AND kind = $2 AND lane = $3",
        params![id, FULFIL, row.standing.kind.lane()],
    )
    .await?;
    let sql = "UPDATE fulfilments SET state = $2, changed_ms = $3, note = $4 WHERE id = $1 AND state = $5";
    tx.execute(sql, params![id, FulfilmentState::Voided.name(), now, note, FulfilmentState::Ready.name()])
        .await
        .map(drop)
}

/// Why a prize of somebody who left is voided.
const LEFT: &str = "account deleted";

/// What somebody who leaves can no longer have, and nobody has sent: it ends, and its units go back to where they came from. Money that was paid for one is given back by whoever refunds its order.
pub(crate) async fn nobodys(tx: &Tx<'_>, user: UserId, now: Timestamp) -> Result<()> {
    let sql = fulfilment_sql!(
        "WHERE user_id = $1 AND state IN ('waiting', 'claimable', 'to_ship', 'failed') ORDER BY id FOR UPDATE"
    );
    let details = StepDetails { note: Some(LEFT.to_owned()), ..StepDetails::default() };
    let open = tx.all(sql, params![user], read).await?;
    for row in open.into_iter().filter(|row| row.standing.kind.ends_with_account()) {
        let row = take(tx, row, FulfilmentStep::Void, &details, now).await?;
        if matches!(row.source, FulfilmentSource::ShopOrder { .. }) {
            shop::return_units(tx, row.id, now).await?;
        }
    }
    Ok(())
}

/// By hand, what was bought is not released and not voided.
fn by_hand(row: &FulfilmentRow, step: FulfilmentStep) -> Result<(), Rejection> {
    let orders = !row.source.is_win() && matches!(step, FulfilmentStep::Release | FulfilmentStep::Void);
    if orders { Err(Rejection::FulfilmentStepIllegal { state: row.standing.state, step }) } else { Ok(()) }
}

/// Whether a step may be taken now; nothing is written.
pub(crate) async fn may(
    tx: &Tx<'_>,
    id: FulfilmentId,
    step: FulfilmentStep,
    signed: &AuditStamp,
) -> Result<()> {
    let row = lock(tx, id).await?;
    own_account(signed.responsible, row.user)?;
    by_hand(&row, step)?;
    row.standing.take(step, signed.at)?;
    Ok(())
}

/// Another system reports until it is heard: the same again is no news.
fn is_there(row: &FulfilmentRow, step: &FulfilmentAct) -> bool {
    match step.step {
        FulfilmentStep::ReportGiven | FulfilmentStep::Deliver => row.standing.state == FulfilmentState::Given,
        // Of an earlier try, which is long over: it undoes nothing of a newer one.
        FulfilmentStep::ReportFailed
            if step.details.redriven.is_some_and(|redriven| redriven < row.redriven) =>
        {
            true
        }
        FulfilmentStep::ReportFailed => row.standing.state == FulfilmentState::Failed,
        FulfilmentStep::Ship => {
            let details = &step.details;
            row.standing.state == FulfilmentState::Shipped
                && (&row.carrier, &row.tracking) == (&details.carrier, &details.tracking)
        }
        FulfilmentStep::Release
        | FulfilmentStep::Due
        | FulfilmentStep::Claim
        | FulfilmentStep::Give
        | FulfilmentStep::HandOver
        | FulfilmentStep::Lapse
        | FulfilmentStep::Fail
        | FulfilmentStep::Redrive
        | FulfilmentStep::Void => false,
    }
}

async fn act_by_hand(
    tx: &Tx<'_>,
    row: FulfilmentRow,
    step: FulfilmentStep,
    details: &StepDetails,
    signed: &AuditStamp,
) -> Result<FulfilmentRow> {
    by_hand(&row, step)?;
    let before = to_json(&row);
    let row = take(tx, row, step, details, signed.at).await?;
    let (action, subject) = (format!("fulfilment.{}", step.name()), format!("fulfilment:{}", row.id));
    audit::write(tx, signed, &action, &subject, &before, &to_json(&row)).await?;
    Ok(row)
}

fn to_json(row: &FulfilmentRow) -> serde_json::Value {
    json!({
        "state": row.standing.state.name(),
        "carrier": row.carrier,
        "tracking": row.tracking,
        "note": row.note,
    })
}

/// The step itself: decided, written, and told to whoever has to know.
pub(super) async fn take(
    tx: &Tx<'_>,
    row: FulfilmentRow,
    step: FulfilmentStep,
    details: &StepDetails,
    now: Timestamp,
) -> Result<FulfilmentRow> {
    let standing = row.standing.take(step, now)?;
    let claimed = if step == FulfilmentStep::Claim { Some(now) } else { row.claimed };
    // What was said of the last try says nothing of the next.
    let anew = step == FulfilmentStep::Redrive;
    let kept = |new: &Option<String>, old: Option<String>| new.clone().or(old.filter(|_| !anew));
    let row = FulfilmentRow {
        standing,
        changed: now,
        claimed,
        address: details.address.clone().or(row.address),
        carrier: kept(&details.carrier, row.carrier),
        tracking: kept(&details.tracking, row.tracking),
        note: kept(&details.note, row.note),
        redriven: row.redriven + u32::from(anew),
        ..row
    };
    tx.execute(
        "UPDATE fulfilments SET state = $2, changed_ms = $3, claim_until_ms = $4, claimed_ms = $5, address = $6,
                carrier = $7, tracking = $8, note = $9, redriven = $10
         WHERE id = $1",
        params![
            row.id,
            standing.state.name(),
            now,
            standing.claim_until,
            row.claimed,
            row.address.as_ref(),
            row.carrier.as_ref(),
            row.tracking.as_ref(),
            row.note.as_ref(),
            row.redriven
        ],
    )
    .await?;
    if matches!(step, FulfilmentStep::Redrive | FulfilmentStep::Void) {
        outbox::forget(tx, row.message_id()).await?;
    }
    if let Some(message) = message(&row, now)? {
        outbox::put(tx, &[message]).await?;
    }
    tell_step(tx, &row, step).await?;
    if row.standing.state == FulfilmentState::Shipped {
        notify(tx, &[shipping_notification(&row)]).await?;
    }
    Ok(row)
}

/// A parcel that gets another tracking number is heard of once.
fn shipping_notification(row: &FulfilmentRow) -> NewNotification {
    NewNotification {
        recipient: row.user,
        kind: NotificationKind::Shipping,
        actor: None,
        object: row.id.0,
        about: (NotificationSubject::Parcel, row.id.0),
        post: None,
        at: row.changed,
    }
}

/// Others hear of where a prize, or a thing that was bought, has come to.
async fn tell_step(tx: &Tx<'_>, row: &FulfilmentRow, step: FulfilmentStep) -> Result<()> {
    let (state, now) = (row.standing.state, row.changed);
    match (row.source, state) {
        (FulfilmentSource::Win { activity, prize }, _) => {
            let claimed = (step == FulfilmentStep::Claim).then_some(EventKind::WinClaimed);
            let kinds = claimed.into_iter().chain(event_kind(state));
            let events: Vec<NewEvent> = kinds.map(|kind| win_event(row, (activity, prize), kind)).collect();
            tell(tx, &events).await
        }
        (FulfilmentSource::Order { .. }, FulfilmentState::Shipped) => {
            orders::tell_shipped(tx, row, now).await
        }
        (FulfilmentSource::ShopOrder { .. }, FulfilmentState::Shipped) => {
            shop::tell_shipped(tx, row, now).await
        }
        (FulfilmentSource::Order { .. }, FulfilmentState::Given) => orders::mark_given(tx, row.id, now).await,
        (FulfilmentSource::ShopOrder { .. }, FulfilmentState::Given) => {
            shop::tell_given(tx, &[row.id], now).await
        }
        (
            FulfilmentSource::Order { .. } | FulfilmentSource::ShopOrder { .. },
            FulfilmentState::Waiting
            | FulfilmentState::Claimable
            | FulfilmentState::Ready
            | FulfilmentState::ToShip
            | FulfilmentState::HandedOver
            | FulfilmentState::Unclaimed
            | FulfilmentState::Voided
            | FulfilmentState::Failed,
        ) => Ok(()),
    }
}

fn win_event(row: &FulfilmentRow, what: (ActivityId, PrizeId), kind: EventKind) -> NewEvent {
    let whose = (row.id, Some(row.user));
    let mut event = NewEvent::moved(kind, whose, what, row.note.as_deref(), row.changed);
    if kind == EventKind::WinShipped {
        event.data["carrier"] = row.carrier.clone().into();
        event.data["tracking"] = row.tracking.clone().into();
    }
    event
}

/// What others hear of where a prize has come to.
fn event_kind(state: FulfilmentState) -> Option<EventKind> {
    match state {
        FulfilmentState::ToShip => Some(EventKind::WinToShip),
        FulfilmentState::Shipped => Some(EventKind::WinShipped),
        FulfilmentState::Given => Some(EventKind::WinGiven),
        FulfilmentState::Failed => Some(EventKind::WinFailed),
        FulfilmentState::Voided => Some(EventKind::WinVoided),
        FulfilmentState::Unclaimed => Some(EventKind::WinUnclaimed),
        FulfilmentState::Waiting
        | FulfilmentState::Claimable
        | FulfilmentState::Ready
        | FulfilmentState::HandedOver => None,
    }
}

pub(super) async fn lock(tx: &Tx<'_>, id: FulfilmentId) -> Result<FulfilmentRow> {
    let row = tx.one(fulfilment_sql!("WHERE id = $1 FOR UPDATE"), params![id], read).await?;
    Ok(row.ok_or_else(unknown)?)
}

fn unknown() -> Rejection {
    Rejection::NotFound { what: MissingThing::Win }
}
