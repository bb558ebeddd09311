//! What operators do with a prize on its way, and what another system reports of it.

use domain::Rejection;
use domain::account::{Address, Reason};
use domain::activity::Plan;
use domain::fulfilment::{FulfilmentSource, FulfilmentState, FulfilmentStep, Shipment, report_note};
use domain::ids::{ApprovalId, FulfilmentId};
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use store::model::FulfilmentSearch;
use store::model::{Actor, AuditStamp, FulfilmentAct, FulfilmentRow, StepDetails};

use crate::access::approval;
use crate::access::key_admin::principal;
use crate::caller::Repeat;
use crate::failure::{Fault, Result};
use crate::fulfilment::waits::Missing;
use crate::people::address_book::unseal;
use crate::people::entry::once;
use crate::people::external_ids::external_ids;
use crate::world::World;

/// A prize on its way as operators see it.
#[derive(Clone, Debug)]
pub struct FulfilmentView {
    pub row: FulfilmentRow,
    /// The company's own id of the winner, where there is one.
    pub external_id: Option<String>,
    /// What the prize is called now; nothing where the version in place has no such prize.
    pub prize_name: Option<String>,
    /// Of what was voided after it had been given: how much could be taken back, once that is known.
    pub taken_back: Option<u64>,
    /// What it waits for that nobody has brought yet.
    pub waits_for: Option<&'static str>,
}

pub async fn fulfilment_view(world: &World, row: FulfilmentRow) -> Result<FulfilmentView> {
    let external_id = external_ids(world, [row.user]).await?.remove(&row.user);
    one(world, row, external_id, None).await
}

/// The same for those that somebody looks at: with what they wait for.
pub async fn fulfilment_views(world: &World, rows: Vec<FulfilmentRow>) -> Result<Vec<FulfilmentView>> {
    let missing = Missing::of(world, &rows).await?;
    let known = external_ids(world, rows.iter().map(|row| row.user)).await?;
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        let (external_id, waits_for) = (known.get(&row.user).cloned(), missing.waits_for(&row));
        all.push(one(world, row, external_id, waits_for).await?);
    }
    Ok(all)
}

async fn one(
    world: &World,
    row: FulfilmentRow,
    external_id: Option<String>,
    waits_for: Option<&'static str>,
) -> Result<FulfilmentView> {
    let prize_name = name(world, &row).await?;
    let taken_back = match row.standing.state {
        FulfilmentState::Voided => world.db.taken_back_of(vec![row.id]).await?.into_iter().flatten().next(),
        _ => None,
    };
    Ok(FulfilmentView { row, external_id, prize_name, taken_back, waits_for })
}

async fn name(world: &World, row: &FulfilmentRow) -> Result<Option<String>> {
    let activities = &world.caches.activities;
    match row.source {
        FulfilmentSource::Win { activity, prize } => {
            let Some(live) = activities.find(world, activity).await? else { return Ok(None) };
            let titles = activities.titles(world, activity, live.version).await?;
            Ok(titles.get(prize).map(|title| title.name.clone()))
        }
        FulfilmentSource::ShopOrder { .. } => {
            let order = world.db.orders_of(vec![row.id]).await?.pop().flatten();
            Ok(order.map(|order| order.name))
        }
        FulfilmentSource::Order { sale } => {
            Ok(activities.find(world, sale).await?.and_then(|live| match &live.content.plan {
                Plan::Sale(plan) => Some(plan.name.clone()),
                Plan::Instant(_) | Plan::Raffle(_) => None,
            }))
        }
    }
}

/// With the address, which only those see who send the parcel: a key sees it from when it is to be sent until it has arrived.
/// Whoever sees one is in the audit log before.
pub async fn detail(
    world: &World,
    signed: AuditStamp,
    id: FulfilmentId,
) -> Result<(FulfilmentView, Option<Address>)> {
    let row = world.db.fulfilment(id).await?;
    let row = row.ok_or(Rejection::NotFound { what: MissingThing::Win })?;
    let is_sending = matches!(row.standing.state, FulfilmentState::ToShip | FulfilmentState::Shipped);
    let may_see = is_sending || !matches!(signed.actor, Actor::Key(_));
    let sealed = row.address.as_deref().filter(|_| may_see);
    if sealed.is_some() {
        world.db.fulfilment_look(id, signed).await?;
    }
    let address = sealed.map(|sealed| unseal(world, sealed)).transpose()?;
    let told =
        fulfilment_views(world, vec![row]).await?.pop().ok_or_else(|| Fault::new("a prize that is gone"))?;
    Ok((told, address))
}

/// A step that says nothing beside its reason: release, deliver, redrive.
pub async fn step(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: FulfilmentId,
    step: FulfilmentStep,
) -> Result<FulfilmentView> {
    match step {
        FulfilmentStep::Release | FulfilmentStep::Redrive => drop(Reason::parse(&signed.reason)?),
        FulfilmentStep::Deliver => {}
        other => return Err(Fault::new(format!("{} is not for operators", other.name())).into()),
    }
    act(world, signed, repeat, id, (step, StepDetails::default())).await
}

/// Also to correct what was said of it before.
pub async fn ship(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: FulfilmentId,
    (carrier, tracking): (&str, &str),
) -> Result<FulfilmentView> {
    let Shipment { carrier, tracking } = Shipment::new(carrier, tracking)?;
    let details = StepDetails { carrier: Some(carrier), tracking: Some(tracking), ..StepDetails::default() };
    act(world, signed, repeat, id, (FulfilmentStep::Ship, details)).await
}

/// What the system says that was told to give it, of one try or of the newest. It may say so as often as it likes.
pub async fn report(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: FulfilmentId,
    (given, note, redriven): (bool, &str, Option<u32>),
) -> Result<FulfilmentView> {
    let details = StepDetails { note: report_note(note)?, redriven, ..StepDetails::default() };
    let step = if given { FulfilmentStep::ReportGiven } else { FulfilmentStep::ReportFailed };
    act(world, signed, repeat, id, (step, details)).await
}

/// Nothing changes until somebody else approves.
pub async fn void_ask(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: FulfilmentId,
) -> Result<ApprovalId> {
    approval::void_ask(world, signed, repeat, id).await
}

async fn act(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: FulfilmentId,
    (step, details): (FulfilmentStep, StepDetails),
) -> Result<FulfilmentView> {
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let row = world.db.fulfilment_act(FulfilmentAct { id, step, details, once, signed }).await?;
    fulfilment_view(world, row).await
}

/// What is or was to be given, the newest first.
pub async fn fulfilment_list(
    world: &World,
    search: FulfilmentSearch,
    page: PageRequest,
) -> Result<Page<FulfilmentView>> {
    let Page { items, next } = world.db.fulfilment_list(search, page).await?;
    Ok(Page { items: fulfilment_views(world, items).await?, next })
}
