//! Offers as operators keep them, and as everybody sees them.

use domain::Rejection;
use domain::account::Reason;
use domain::ids::{ApprovalId, CodePoolId, OfferId};
use domain::ledger::play::ActivityState;
use domain::ledger::{Act, Command, Key, NOTE_MAX, Note, TOTAL_MAX};
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use domain::shop::{OfferChange, OfferDraft, OfferKind, OfferState};
use serde_json::{Value as Json, json};
use store::model::{AuditStamp, OfferEdit, OfferEditAnswer, OfferMake, OfferRow, Request, ShopRestock};

use crate::access::approval;
use crate::access::audited;
use crate::access::audited::AuditedAct;
use crate::access::key_admin::principal;
use crate::activity_cache::existence::ensure_activity_exists;
use crate::caller::Repeat;
use crate::failure::{Failure, Fault, Result};
use crate::fulfilment::redeem_codes::code_pool_find;
use crate::inventory::{Asker, text};
use crate::people::entry::once;
use crate::ports::StockAnswer;
use crate::shop::buy::unknown;
use crate::shop::shelf;
use crate::world::World;

/// The command that brings what an offer begins with.
const FIRST_STOCK: &str = "first stock";

/// An offer, and how many units of it there are.
#[derive(Clone, Debug)]
pub struct OfferView {
    pub row: OfferRow,
    pub left: u64,
    pub sold: u64,
    /// What was asked for and waits for a second person.
    pub asked: Option<ApprovalId>,
}

/// What is offered, and how many there are of it.
#[derive(Clone, Debug)]
pub struct NewOffer {
    pub draft: OfferDraft,
    pub stock: i64,
}

/// It begins as a draft.
pub async fn offer_make(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    given: NewOffer,
) -> Result<OfferView> {
    let terms = given.draft.check()?;
    let max = TOTAL_MAX.cast_signed();
    if !(0..=max).contains(&given.stock) {
        return Err(Rejection::invalid("stock", FieldProblem::OutOfRange { min: 0, max }).into());
    }
    match terms.gives {
        OfferKind::Chances { activity, .. } => ensure_activity_exists(world, activity).await?,
        OfferKind::Code { pool } => drop(check_pool(world, pool).await?),
        OfferKind::Text | OfferKind::Coupon | OfferKind::Parcel => {}
    }
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let handout = terms.gives.handout(given.stock);
    let handout = (handout, world.handout_alone(handout, signed.at));
    let step = OfferMake { id: OfferId(world.next_id()), terms, handout, once, signed: signed.clone() };
    let id = OfferId(world.db.offer_make(step).await?.id);
    let row = offer_find(world, id).await?;
    shelf::laid_out(world, &row).await?;
    // Under a key of its own: a repetition that comes after a crash brings what is missing, and nothing twice.
    let mut asked = None;
    if given.stock > 0 {
        let signed = AuditStamp { audit_id: world.next_id(), ..signed };
        asked = change_stock(world, &row, FIRST_STOCK, given.stock, signed).await?;
    }
    Ok(OfferView { asked, ..offer_view(world, row).await? })
}

async fn check_pool(world: &World, pool: CodePoolId) -> Result<()> {
    code_pool_find(world, pool).await.map(drop)
}

/// On top of the edition that was looked at, and of no other. A lower price puts what is left out anew: beyond what one person
/// may, it waits for a second one, and the rest of the change is done.
pub async fn offer_edit(
    world: &World,
    signed: AuditStamp,
    id: OfferId,
    edition: u32,
    change: OfferChange,
) -> Result<OfferView> {
    let left = shelf::view(world, id).await?.map_or(0, |view| view.available);
    let left = i64::try_from(left).unwrap_or(i64::MAX);
    let row = offer_find(world, id).await?;
    let alone = world.handout_alone(row.terms.gives.handout(left), signed.at);
    let second = world.second_person();
    let step = OfferEdit { id, edition, change, left, alone, second, signed };
    let OfferEditAnswer { row, asked } = world.db.offer_edit(step).await?;
    shelf::laid_out(world, &row).await?;
    Ok(OfferView { asked, ..offer_view(world, row).await? })
}

/// More units, or fewer of those that are free. `command` makes it safe to repeat. More than one person may put out in a day
/// wait for a second one.
pub async fn offer_restock(
    world: &World,
    signed: AuditStamp,
    id: OfferId,
    command: &str,
    delta: i64,
) -> Result<OfferView> {
    let row = offer_find(world, id).await?;
    let command = text("id", command)?;
    let max = TOTAL_MAX.cast_signed();
    if delta == 0 {
        return Err(Rejection::invalid("delta", FieldProblem::NOT_ZERO).into());
    }
    if !(-max..=max).contains(&delta) {
        return Err(Rejection::invalid("delta", FieldProblem::OutOfRange { min: -max, max }).into());
    }
    Reason::parse(&signed.reason)?;
    shelf::laid_out(world, &row).await?;
    let asked = change_stock(world, &row, &format!("restock {}", command.as_str()), delta, signed).await?;
    Ok(OfferView { asked, ..offer_view(world, row).await? })
}

/// What a second person approved. The approval has its line in the audit log.
pub async fn restock_apply(world: &World, id: OfferId, restock: ShopRestock) -> Result<()> {
    let row = offer_find(world, id).await?;
    shelf::laid_out(world, &row).await?;
    let command = restock_command(id, &restock.command, restock.delta, note(&restock.reason)?)?;
    settle(shelf::ask(world, id, command).await?, &row)
}

/// Puts pieces on the shelf or takes them away; answers the request to a second person if it takes one.
async fn change_stock(
    world: &World,
    row: &OfferRow,
    command: &str,
    delta: i64,
    signed: AuditStamp,
) -> Result<Option<ApprovalId>> {
    let note = Asker::from(signed.actor).signed(note(&signed.reason)?);
    let adjust = restock_command(row.id, command, delta, note)?;
    let act =
        AuditedAct::new("offer.restock", format!("offer:{}", row.id), Json::Null, json!({ "delta": delta }));
    let handout = row.terms.gives.handout(delta.max(0));
    match audited::ask_handout(world, row.id.0, adjust, handout, act, signed.clone()).await {
        Ok(answer) => settle(answer, row).map(|()| None),
        Err(Failure::Rejected(Rejection::ChancesAloneMax { .. } | Rejection::PiecesAloneMax { .. }))
            if !signed.by_key() =>
        {
            let request = Request::RestockOffer {
                offer: row.id,
                command: command.to_owned(),
                delta,
                terms: row.summary(),
            };
            approval::ask(world, signed, None, request).await.map(Some)
        }
        Err(failure) => Err(failure),
    }
}

fn restock_command(id: OfferId, command: &str, delta: i64, note: Note) -> Result<Command, Fault> {
    Ok(Command::direct(
        Key::of("shop", id.0, command),
        note,
        Act::PoolAdjust { pool: shelf::pool(id)?, delta },
    ))
}

fn note(reason: &str) -> Result<Note, Rejection> {
    let too_long = || Rejection::invalid("reason", FieldProblem::TooLong { max: NOTE_MAX as u64 });
    Note::new(reason).ok_or_else(too_long)
}

fn settle(answer: StockAnswer, row: &OfferRow) -> Result<()> {
    match answer {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Ok(()),
        StockAnswer::Refused(refusal) => Err(shelf::to_rejection(&refusal, &row.terms.name)?.into()),
    }
}

/// One offer for operators, whatever its state.
pub async fn offer_list(
    world: &World,
    state: Option<OfferState>,
    page: PageRequest,
) -> Result<Page<OfferView>> {
    let Page { items, next } = world.db.offer_list(state, page).await?;
    let mut all = Vec::with_capacity(items.len());
    for row in items {
        all.push(offer_view(world, row).await?);
    }
    Ok(Page { items: all, next })
}

/// What everybody sees: offers that are on and not over.
pub async fn on_sale(world: &World, page: PageRequest) -> Result<Page<OfferView>> {
    let now = world.now();
    let mut page = offer_list(world, Some(OfferState::On), page).await?;
    let mut items = Vec::with_capacity(page.items.len());
    for offer in page.items {
        let ended = offer.row.terms.until.is_some_and(|until| now >= until);
        if !ended && !is_over(world, &offer.row).await? {
            items.push(offer);
        }
    }
    page.items = items;
    Ok(page)
}

/// Whether it gives chances of an activity in which nobody can use them any more.
pub(crate) async fn is_over(world: &World, row: &OfferRow) -> Result<bool> {
    let OfferKind::Chances { activity, .. } = row.terms.gives else { return Ok(false) };
    let Some((view, _)) = world.ledger.stock.round(activity).await? else { return Ok(false) };
    Ok(view.state == ActivityState::Closed || world.now() >= view.terms.until)
}

/// One of those that everybody sees; one that is over can still be looked at, and nothing of it is left. What gives chances
/// of an activity that is over is over too.
pub async fn offer_look(world: &World, id: OfferId) -> Result<OfferView> {
    let row = offer_on_sale(world, id).await?;
    let over = row.terms.until.is_some_and(|until| world.now() >= until) || is_over(world, &row).await?;
    let told = offer_view(world, row).await?;
    Ok(if over { OfferView { left: 0, ..told } } else { told })
}

/// A draft is nobody's to know of.
pub(crate) async fn offer_on_sale(world: &World, id: OfferId) -> Result<OfferRow> {
    let row = offer_find(world, id).await?;
    if row.terms.state == OfferState::Draft { Err(unknown().into()) } else { Ok(row) }
}

async fn offer_find(world: &World, id: OfferId) -> Result<OfferRow> {
    Ok(world.db.offer(id).await?.ok_or(Rejection::NotFound { what: MissingThing::Offer })?)
}

async fn offer_view(world: &World, row: OfferRow) -> Result<OfferView> {
    let view = shelf::view(world, row.id).await?;
    let (left, sold) = view.map_or((0, 0), |view| (view.available, view.taken));
    Ok(OfferView { row, left, sold, asked: None })
}
