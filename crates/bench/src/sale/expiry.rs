//! Very many holds that end in the same second, while draws and sales go on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use domain::activity::sale_pool;
use domain::ids::{OrderId, UserId};
use domain::ledger::{Command, Line, MustRun, Quantity};
use domain::sale::{SALES_CALLER, hold_id, hold_key, owner};
use domain::time::Timestamp;
use engine::ports::StockAnswer;
use tokio::task::JoinSet;

use super::caller::{AttemptCaller, ExpectedAttempt};
use super::market::Market;
use crate::draw::{CallerSlot, DrawCaller, wait_until_projected};
use crate::load::{self, LoadPlan, LoadReport};

/// Commands asked for together.
const BATCH: usize = 1_000;
/// Batches under way at once.
const BATCHES: usize = 8;
/// From making the holds to their end: they are all made, and in the database, long before.
const AHEAD: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long the end may take before the bench gives up.
const GIVE_UP: Duration = Duration::from_secs(120);

/// What goes on beside it.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    pub connections: usize,
    pub draws_per_s: f64,
    pub attempts_per_s: f64,
    pub duration: Duration,
}

#[derive(Debug)]
pub struct ExpiryRow {
    pub draws: LoadReport,
    pub attempts: LoadReport,
}

/// Draws and attempts at fixed rates, each on connections of their own.
pub async fn steady(market: &Market, beside: Beside, row: u32) -> anyhow::Result<ExpiryRow> {
    let Beside { connections, draws_per_s, attempts_per_s, duration } = beside;
    let address = market.running.address;
    let plan = |rate| LoadPlan {
        address,
        connections,
        warmup: Duration::from_secs(1),
        duration,
        target_rate: Some(rate),
    };
    let sessions: Arc<[String]> = market.buyers.iter().map(|buyer| buyer.session.clone()).collect();
    // A token is one attempt: as many as are due, and a few more.
    let needed = (attempts_per_s * (duration.as_secs_f64() + 2.0)).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rate times seconds is small"
    )]
    let tickets = market.tickets(market.steady, needed as usize).await?;
    let wheel = market.wheel.to_string();
    let (draw_plan, attempt_plan) = (plan(draws_per_s), plan(attempts_per_s));
    let draws = load::run(
        &draw_plan,
        |connection| DrawCaller::new(address, &wheel, &sessions, CallerSlot { row, connection, connections }),
        |_| {},
    );
    let attempts = load::run(
        &attempt_plan,
        |connection| {
            AttemptCaller::new(
                address,
                market.steady,
                &tickets,
                (connection, connections),
                ExpectedAttempt::TakenIn,
            )
        },
        |_| {},
    );
    let (draws, attempts) = tokio::try_join!(draws, attempts)?;
    Ok(ExpiryRow { draws, attempts })
}

/// So many orders, unpaid, whose time is over at one moment, which is the answer.
pub async fn hold(market: &Market, holds: u32) -> anyhow::Result<Timestamp> {
    let world = market.world();
    let live = world.caches.activities.find(world, market.held).await?.context("the sale of the bench")?;
    let gate = MustRun { activity: market.held, round: live.life.round, version: live.version };
    let line = Line {
        pool: sale_pool(market.held).pool(),
        quantity: Quantity::new(1).context("one is a quantity")?,
    };
    let over = world.now() + i64::try_from(AHEAD.as_millis())?;
    let mut commands = Vec::with_capacity(BATCH);
    let mut tasks = JoinSet::new();
    for nth in 0..holds {
        let order = OrderId(world.next_id());
        let user = market.buyers[nth as usize % market.buyers.len()].user;
        commands.push((order, user));
        if commands.len() == BATCH || nth + 1 == holds {
            let batch = std::mem::take(&mut commands);
            let world = Arc::clone(world);
            tasks.spawn(async move {
                let ttl_ms = over.since_ms(world.now());
                let reserve = |(order, user): (OrderId, UserId)| reserve(order, user, line, gate, ttl_ms);
                let asked: Option<Vec<Command>> = batch.into_iter().map(reserve).collect();
                let answers =
                    world.ledger.stock.ask(gate.activity.0, asked.context("a name for an order")?).await?;
                let held = answers.iter().all(|answer| matches!(answer, StockAnswer::Accepted(_)));
                ensure!(held, "a hold of the bench was refused");
                Ok(())
            });
            if tasks.len() >= BATCHES
                && let Some(done) = tasks.join_next().await
            {
                done??;
            }
        }
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    wait_until_projected(&market.running).await;
    ensure!(world.now() < over, "making {holds} holds took longer than {AHEAD:?}");
    Ok(over)
}

fn reserve(order: OrderId, user: UserId, line: Line, gate: MustRun, ttl_ms: i64) -> Option<Command> {
    Some(Command::Reserve {
        key: hold_key(order, user, None),
        id: hold_id(order)?,
        caller: SALES_CALLER,
        owner: Some(owner(user)?),
        lines: vec![line],
        ttl_ms,
        gates: vec![gate],
    })
}

/// How long after that moment every unit is free again.
pub async fn wait_until_returned(market: &Market, over: Timestamp) -> anyhow::Result<Duration> {
    let world = market.world();
    let wait = over.since_ms(world.now());
    tokio::time::sleep(Duration::from_millis(wait.unsigned_abs())).await;
    let began = Instant::now();
    loop {
        let pool =
            world.ledger.stock.pool(sale_pool(market.held).pool()).await?.context("the pool of the bench")?;
        if pool.held == 0 {
            return Ok(began.elapsed());
        }
        ensure!(began.elapsed() < GIVE_UP, "{} units are still held", pool.held);
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
