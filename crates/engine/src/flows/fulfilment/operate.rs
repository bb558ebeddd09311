//! What operators do with a prize on its way, and what another system reports of it.

use domain::Rejection;
use domain::account::{Address, Reason};
use domain::fulfilment::{Shipment, Step, report_note};
use domain::ids::{ApprovalId, FulfilmentId, ShopOrderId};
use domain::rejection::Subject;

use crate::failure::{Fault, Outcome};
use crate::flows::Repeat;
use crate::flows::address_book::unseal;
use crate::flows::approval;
use crate::flows::entry::once;
use crate::flows::key_admin::principal;
use crate::ports::{FulfilmentAct, FulfilmentRow, Signed, Source, StepDetails};
use crate::world::World;

/// A prize on its way as operators see it.
#[derive(Clone, Debug)]
pub struct FulfilmentTold {
    pub row: FulfilmentRow,
    /// What the prize is called now; nothing where the version in place has no such prize.
    pub prize_name: Option<String>,
}

pub async fn told(world: &World, row: FulfilmentRow) -> Outcome<FulfilmentTold> {
    if row.source == Source::Shop {
        // Of several things the order has the first one's id.
        let order = world.shop.order(ShopOrderId(row.id.0)).await?;
        return Ok(FulfilmentTold { row, prize_name: order.map(|order| order.name) });
    }
    let prize_name = match world.plays.find(world, row.activity).await? {
        None => None,
        Some(live) => {
            let titles = world.plays.titles(world, row.activity, live.version).await?;
            titles.get(row.prize).map(|title| title.name.clone())
        }
    };
    Ok(FulfilmentTold { row, prize_name })
}

/// With the address, which only those see who send the parcel.
pub async fn detail(world: &World, id: FulfilmentId) -> Outcome<(FulfilmentTold, Option<Address>)> {
    let row = world.fulfilments.fulfilment(id).await?;
    let row = row.ok_or(Rejection::NotFound { what: Subject::Win })?;
    let address = row.address.as_deref().map(|sealed| unseal(world, sealed)).transpose()?;
    Ok((told(world, row).await?, address))
}

/// A step that says nothing beside its reason: release, deliver, redrive.
pub async fn step(
    world: &World,
    signed: Signed,
    repeat: Option<Repeat>,
    id: FulfilmentId,
    step: Step,
) -> Outcome<FulfilmentTold> {
    match step {
        Step::Release | Step::Redrive => drop(Reason::parse(&signed.reason)?),
        Step::Deliver => {}
        other => return Err(Fault::new(format!("{} is not for operators", other.name())).into()),
    }
    act(world, signed, repeat, id, (step, StepDetails::default())).await
}

/// Also to correct what was said of it before.
pub async fn ship(
    world: &World,
    signed: Signed,
    repeat: Option<Repeat>,
    id: FulfilmentId,
    (carrier, tracking): (&str, &str),
) -> Outcome<FulfilmentTold> {
    let Shipment { carrier, tracking } = Shipment::new(carrier, tracking)?;
    let details = StepDetails { carrier: Some(carrier), tracking: Some(tracking), ..StepDetails::default() };
    act(world, signed, repeat, id, (Step::Ship, details)).await
}

/// What the system says that was told to give it. It may say so as often as it likes.
pub async fn report(
    world: &World,
    signed: Signed,
    repeat: Option<Repeat>,
    id: FulfilmentId,
    (given, note): (bool, &str),
) -> Outcome<FulfilmentTold> {
    let details = StepDetails { note: report_note(note)?, ..StepDetails::default() };
    let step = if given { Step::ReportGiven } else { Step::ReportFailed };
    act(world, signed, repeat, id, (step, details)).await
}

/// Nothing changes until somebody else approves.
pub async fn void_ask(
    world: &World,
    signed: Signed,
    repeat: Option<Repeat>,
    id: FulfilmentId,
) -> Outcome<ApprovalId> {
    approval::void_ask(world, signed, repeat, id).await
}

async fn act(
    world: &World,
    signed: Signed,
    repeat: Option<Repeat>,
    id: FulfilmentId,
    (step, details): (Step, StepDetails),
) -> Outcome<FulfilmentTold> {
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let row = world.fulfilments.fulfilment_act(FulfilmentAct { id, step, details, once, signed }).await?;
    told(world, row).await
}
