//! Deciding attempts: those that wait go to the ledger together, lane by lane, and each gets its answer.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use domain::Rejection;
use domain::ids::OrderId;
use domain::ledger::play::check_running;
use domain::ledger::{Command, Effect, PoolRefusal, Refusal};
use domain::sale::{AttemptState, Money, Policy, hold_key, order_of};
use futures::future::join_all;
use store::model::{OrderLine, OrderOpen};
use tokio::sync::Semaphore;

use crate::activity_cache::PublishedActivity;
use crate::caught_up;
use crate::draws::refusal::Next;
use crate::failure::{Failure, Fault, Result};
use crate::ports::StockAnswer;
use crate::sales::attempts::memory::{Attempt, Job};
use crate::sales::attempts::reserve::{next, plan, pool, price_changed, reserve};
use crate::sales::gate::Admitted;
use crate::world::World;

/// Attempts that are taken to the ledger together.
const BATCH_MAX: usize = 512;
/// Batches under way at once: while one is written to the disk the next is decided.
const BATCHES_MAX: usize = 8;
/// How often an attempt is asked for anew because the version or the round changed meanwhile.
const TRIES_MAX: u32 = 5;
/// How often a ledger that takes nothing in is asked before the attempt is refused for it.
const BUSY_MAX: u32 = 30;
/// Before a ledger that is busy, or that left the outcome open, is asked again.
const PAUSE: Duration = Duration::from_millis(500);

/// Decides until `stop` resolves; what waits by then is decided first.
pub async fn run_until(world: Arc<World>, stop: impl Future<Output = ()>) {
    let Some(mut queue) = world.sales.attempts.take_queue() else { return };
    let places = Arc::new(Semaphore::new(BATCHES_MAX));
    tokio::pin!(stop);
    let mut stopping = false;
    loop {
        // The place first: what comes while all are taken goes together in the next batch.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let mut jobs = Vec::new();
        let came = tokio::select! {
            biased;
            came = queue.recv_many(&mut jobs, BATCH_MAX) => came,
            () = &mut stop, if !stopping => {
                stopping = true;
                queue.close();
                continue;
            }
        };
        if came == 0 {
            break;
        }
        let world = Arc::clone(&world);
        tokio::spawn(async move {
            decide(&world, jobs).await;
            drop(place);
        });
    }
    // Those under way have their answers before the ledger closes.
    drop(places.acquire_many(u32::try_from(BATCHES_MAX).unwrap_or(u32::MAX)).await);
}

async fn decide(world: &World, jobs: Vec<Job>) {
    let mut lanes: HashMap<i64, Vec<Job>> = HashMap::new();
    let mut at_payment = Vec::new();
    for job in jobs {
        let first = job.admitted.first().map(|admitted| &admitted.live);
        match first.map(|live| (live.activity.0, plan(live).map(|plan| plan.policy))) {
            Some((lane, Ok(Policy::AtOrder))) => lanes.entry(lane).or_default().push(job),
            Some((_, Ok(Policy::AtPayment))) => at_payment.push(job),
            Some((_, Err(_))) | None => refuse(world, &job, Rejection::AttemptLost),
        }
    }
    let held = join_all(lanes.into_iter().map(|(lane, jobs)| in_lane(world, lane, jobs)));
    let opened = join_all(at_payment.into_iter().map(|job| async move { open_order(world, &job).await }));
    futures::future::join(held, opened).await;
}

/// Asks until each has its answer.
async fn in_lane(world: &World, lane: i64, mut jobs: Vec<Job>) {
    let (mut unknown, mut busy, mut tries) = (false, 0, 0);
    while !jobs.is_empty() {
        let commands = match jobs.iter().map(command).collect::<Result<Vec<Command>, Fault>>() {
            Ok(commands) => commands,
            // Nothing was asked for, and nothing will be.
            Err(fault) => {
                tracing::error!(lane, fault = fault.story(), "attempts cannot be asked for");
                jobs.iter().for_each(|job| refuse(world, job, Rejection::AttemptLost));
                return;
            }
        };
        match world.ledger.stock.ask(lane, commands).await {
            Ok(answers) => {
                tries += 1;
                let mut again = Vec::new();
                for (job, answer) in jobs.into_iter().zip(answers) {
                    again.extend(apply_answer(world, job, answer, tries).await);
                }
                jobs = again;
            }
            // Nothing was done.
            Err(Failure::Rejected(
                no @ (Rejection::Overloaded { .. } | Rejection::LedgerUnavailable { .. }),
            )) if !unknown => {
                busy += 1;
                if busy >= BUSY_MAX {
                    jobs.iter().for_each(|job| refuse(world, job, no.clone()));
                    return;
                }
                tokio::time::sleep(PAUSE).await;
            }
            // Perhaps something was. Under the same id the ledger will say what.
            Err(failure) => {
                unknown = true;
                tracing::warn!(lane, attempts = jobs.len(), %failure, "attempts are asked for again");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

fn command(job: &Job) -> Result<Command, Fault> {
    let attempt = &job.attempt;
    let lines: Vec<_> = job
        .admitted
        .iter()
        .zip(&attempt.lines)
        .map(|(admitted, line)| (admitted.live.as_ref(), line.quantity))
        .collect();
    reserve(attempt.id, attempt.user, attempt.key.as_deref(), &lines)
}

/// Gives it back where it has to be asked for again.
async fn apply_answer(world: &World, job: Job, answer: StockAnswer, tries: u32) -> Option<Job> {
    match answer {
        StockAnswer::Accepted(Effect::Hold(_)) => {
            finish(world, &job, AttemptState::Ordered(job.attempt.id));
            None
        }
        StockAnswer::Replayed(Effect::Hold(_)) => match find_earlier(world, &job).await {
            Ok(Some(order)) => {
                finish(world, &job, AttemptState::Ordered(order));
                None
            }
            // The rows are behind: once more, a moment later.
            Ok(None) | Err(_) => {
                tokio::time::sleep(PAUSE).await;
                Some(job)
            }
        },
        StockAnswer::Refused(refusal) => {
            let name = |asked| {
                let of = |admitted: &&Admitted| pool(&admitted.live) == asked;
                let live = job.admitted.iter().find(of).map(|admitted| &admitted.live);
                live.and_then(|live| plan(live).ok()).map_or_else(String::new, |plan| plan.name.clone())
            };
            match next(&refusal, name) {
                Ok(Next::Again) if tries < TRIES_MAX => match anew(world, job).await {
                    Ok(job) => Some(job),
                    Err((job, rejection)) => {
                        refuse(world, &job, rejection);
                        None
                    }
                },
                Ok(Next::Again) => {
                    refuse(world, &job, Rejection::Overloaded { retry_after_s: 1 });
                    None
                }
                // Nothing was decided but that it cannot be decided now.
                Ok(Next::Tell(Rejection::ClockBehind { .. })) if tries < BUSY_MAX => {
                    tokio::time::sleep(PAUSE).await;
                    Some(job)
                }
                Ok(Next::Tell(rejection)) => {
                    if let Refusal::Pool(PoolRefusal::SoldOut { pool: gone, left }) = refusal {
                        let of = job.admitted.iter().find(|admitted| pool(&admitted.live) == gone);
                        if let Some(admitted) = of {
                            admitted.found(world, left);
                        }
                    }
                    refuse(world, &job, rejection);
                    None
                }
                Err(fault) => {
                    tracing::error!(attempt = job.attempt.id.0, %fault, "an attempt was refused strangely");
                    refuse(world, &job, Rejection::AttemptLost);
                    None
                }
            }
        }
        // Asked for again, the ledger says what came of it.
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Some(job),
    }
}

/// The order that a hold with this key is: this attempt's own, or one of an earlier life of this process.
async fn find_earlier(world: &World, job: &Job) -> Result<Option<OrderId>> {
    let attempt = &job.attempt;
    if attempt.key.is_none() {
        return Ok(Some(attempt.id));
    }
    find_order_under(world, attempt).await
}

/// The order that somebody's key belongs to, whether or not anything is held for it.
pub async fn find_order_under(world: &World, attempt: &Attempt) -> Result<Option<OrderId>> {
    caught_up::for_certain(world).await?;
    let key = hold_key(attempt.id, attempt.user, attempt.key.as_deref());
    let hold = world.db.hold_find(key).await?.hold;
    match hold.and_then(|hold| order_of(hold.caller, &hold.id)) {
        Some(order) => Ok(Some(order)),
        None => world.db.sale_order_under(key).await,
    }
}

/// The sales as they are now. A price that changed meanwhile is not paid by anybody who has not seen it.
async fn anew(world: &World, mut job: Job) -> Result<Job, (Job, Rejection)> {
    for at in 0..job.admitted.len() {
        let before = Arc::clone(&job.admitted[at].live);
        world.caches.activities.forget(before.activity);
        let found = match world.caches.activities.find(world, before.activity).await {
            Ok(Some(live)) => live,
            Ok(None) => return Err((job, Rejection::NotRunning)),
            Err(failure) => {
                tracing::warn!(sale = before.activity.0, %failure, "a sale could not be read");
                return Err((job, Rejection::Overloaded { retry_after_s: 1 }));
            }
        };
        if let Err(rejection) = sells_as(&before, &found) {
            return Err((job, rejection));
        }
        job.admitted[at].live = found;
    }
    Ok(job)
}

/// Nothing is held for a sale that deducts at payment: its order is a row, written by one transaction.
async fn open_order(world: &World, job: &Job) {
    let (mut busy, mut unknown) = (0, false);
    loop {
        match open(world, job, unknown).await {
            Ok(order) => return finish(world, job, AttemptState::Ordered(order)),
            Err(Failure::Rejected(Rejection::OutcomeUnknown | Rejection::TimedOut)) => unknown = true,
            // Nothing was done now; but perhaps before, and then nobody says "no" for being busy.
            Err(Failure::Rejected(no)) if no.is_transient() => {
                busy += 1;
                if busy >= BUSY_MAX && !unknown {
                    return refuse(world, job, no);
                }
            }
            Err(Failure::Rejected(rejection)) => return refuse(world, job, rejection),
            Err(Failure::Fault(fault)) => {
                unknown = true;
                tracing::warn!(attempt = job.attempt.id.0, fault = fault.story(), "an order is opened again");
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// After an `unknown` outcome the order may be there: that is looked for before anything else can be a reason for a "no".
async fn open(world: &World, job: &Job, unknown: bool) -> Result<OrderId> {
    let attempt = &job.attempt;
    let key = hold_key(attempt.id, attempt.user, attempt.key.as_deref());
    if unknown && let Some(order) = world.db.sale_order_under(key).await? {
        return Ok(order);
    }
    let (Some(admitted), Some(line)) = (job.admitted.first(), attempt.lines.first()) else {
        return Err(Rejection::AttemptLost.into());
    };
    let live = ensure_running(world, &admitted.live).await?;
    let plan = plan(&live)?;
    let now = world.now();
    let minor = plan.price.minor.saturating_mul(line.quantity.into());
    let step = OrderOpen {
        id: attempt.id,
        user: attempt.user,
        key,
        line: OrderLine {
            sale: live.activity,
            version: live.version,
            name: plan.name.clone(),
            name_en: plan.name_en.clone(),
            item: plan.item,
            quantity: line.quantity,
            price_minor: plan.price.minor,
        },
        total: Money { minor, currency: plan.price.currency },
        per_user: plan.per_user,
        now,
        due: now + plan.hold_ms,
    };
    Ok(world.db.sale_order_open(step).await?.order)
}

/// The sale as the ledger sees it now: what it would say to a hold, and the version that is in place.
async fn ensure_running(world: &World, live: &Arc<PublishedActivity>) -> Result<Arc<PublishedActivity>> {
    let Some((view, _)) = world.ledger.stock.round(live.activity).await? else {
        return Err(Rejection::NotRunning.into());
    };
    let halted = world.db.is_halted().await?;
    check_running(view.state, view.terms.window(), halted, world.now())
        .map_err(|why| why.rejection(view.terms.from))?;
    if view.round != live.life.round {
        return Err(Rejection::Ended.into());
    }
    let left = world.ledger.stock.pool(pool(live)).await?.map_or(0, |view| view.available);
    if left == 0 {
        return Err(Rejection::SoldOut { pool: plan(live)?.name.clone(), left }.into());
    }
    if view.terms.version == live.version {
        return Ok(Arc::clone(live));
    }
    world.caches.activities.forget(live.activity);
    let found = world.caches.activities.find(world, live.activity).await?.ok_or(Rejection::NotRunning)?;
    sells_as(live, &found)?;
    Ok(found)
}

/// Refuses when something has changed that a buyer was shown the price by.
fn sells_as(before: &PublishedActivity, now: &PublishedActivity) -> Result<(), Rejection> {
    match (plan(before), plan(now)) {
        (Ok(was), Ok(is)) if (was.price, was.policy) == (is.price, is.policy) => Ok(()),
        (_, Ok(is)) => Err(price_changed(is)),
        (_, Err(_)) => Err(Rejection::NotRunning),
    }
}

fn finish(world: &World, job: &Job, answer: AttemptState) {
    let came = answer.name();
    if world.sales.attempts.finish(&job.attempt, answer, world.now()) {
        metrics::counter!("windfall_attempts_decided_total", "came" => came).increment(1);
    }
}

fn refuse(world: &World, job: &Job, rejection: Rejection) {
    for line in &job.attempt.lines {
        world.caches.refusals.count(line.sale, &rejection);
    }
    finish(world, job, AttemptState::Refused(rejection));
}
