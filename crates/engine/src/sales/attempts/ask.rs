//! Making an attempt, and what is told of it.
//!
//! What is refused here made no attempt, and may be tried again. What is taken in has a number at once; its decision is the
//! ledger's, in the background.

use std::collections::HashSet;
use std::time::Duration;

use domain::Rejection;
use domain::ids::{ActivityId, OrderId, UserId};
use domain::rejection::{FieldProblem, MissingThing};
use domain::sale::{AttemptState, CART_LINES_MAX, ORDER_UNITS_MAX, Policy, SalePlan, ask_again_ms, hold_key};
use store::model::SaleOrder;
use tokio::sync::watch;

use crate::caught_up;
use crate::failure::{Failure, Result};
use crate::sales::attempts::reserve::{plan, price_changed};
use crate::sales::attempts::{Attempt, AttemptLine, AttemptStart, find_order_under};
use crate::sales::gate;
use crate::sales::gate::{Admitted, Buyer};
use crate::world::World;

/// One line of what somebody wants, as it was sent.
#[derive(Clone, Debug)]
pub struct RequestedLine {
    /// Its place in a cart; nothing for an attempt at one sale.
    pub line: Option<usize>,
    pub sale: ActivityId,
    pub quantity: i64,
    pub token: Option<String>,
    /// What they were shown that one unit costs, if they say so.
    pub price_minor: Option<u64>,
}

impl RequestedLine {
    /// A field of this line by its name in the request.
    fn field(&self, name: &str) -> String {
        self.line.map_or_else(|| name.to_owned(), |at| format!("lines[{at}].{name}"))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptView {
    pub id: OrderId,
    pub state: AttemptState,
    /// How many wait for a decision, this one among them.
    pub waiting: u64,
    /// When to ask again; nothing once there is an answer.
    pub ask_again_ms: Option<u64>,
}

/// Answers whether it was made before, under the same key.
pub async fn attempt(
    world: &World,
    buyer: Buyer,
    asked: Vec<RequestedLine>,
    key: Option<String>,
) -> Result<(AttemptView, bool)> {
    let lines = lines(&asked)?;
    if let Some(before) = world.sales.attempts.under(buyer.user, key.as_deref(), &lines)? {
        return Ok((attempt_view(world, before.id, before.state()), true));
    }
    if let Some(told) = find_earlier(world, buyer.user, key.as_deref(), &lines).await? {
        return Ok((told, true));
    }
    let admitted = admit_lines(world, buyer, &asked).await.inspect_err(|failure| {
        if let Failure::Rejected(rejection) = failure {
            asked.iter().for_each(|line| world.caches.refusals.count(line.sale, rejection));
        }
    })?;
    let attempt =
        match world.sales.attempts.begin(Attempt::new(OrderId(world.next_id()), buyer.user, key, lines))? {
            AttemptStart::New(attempt) => attempt,
            AttemptStart::Again(before) => return Ok((attempt_view(world, before.id, before.state()), true)),
        };
    for admitted in &admitted {
        if let Err(spent) = admitted.spend(world) {
            world.sales.attempts.withdraw(&attempt);
            return Err(spent.into());
        }
    }
    world.caches.crowd.came();
    count_attempts(world, buyer, &admitted);
    let id = attempt.id;
    world.sales.attempts.queue(attempt, admitted)?;
    metrics::counter!("windfall_attempts_total").increment(1);
    Ok((attempt_view(world, id, AttemptState::Queued), false))
}

/// For the funnel of each sale: a "no" is written nowhere else.
fn count_attempts(world: &World, buyer: Buyer, admitted: &[Admitted]) {
    if world.settings.statistics.enabled {
        for Admitted { live, .. } in admitted {
            let round = (live.activity, live.life.round);
            world.statistics.count_attempt(round, buyer.user, world.now(), &world.settings.site_zone);
        }
    }
}

/// Everything that is judged before an attempt is made.
async fn admit_lines(world: &World, buyer: Buyer, asked: &[RequestedLine]) -> Result<Vec<Admitted>> {
    let tries: Vec<(ActivityId, Option<&str>)> =
        asked.iter().map(|line| (line.sale, line.token.as_deref())).collect();
    let admitted = match tries.as_slice() {
        [(sale, token)] => vec![gate::admit(world, buyer, *sale, *token).await?],
        many => gate::admit_all(world, buyer, many).await?,
    };
    for (line, admitted) in asked.iter().zip(&admitted) {
        as_shown(line, plan(&admitted.live)?)?;
    }
    check_together(&admitted)?;
    Ok(admitted)
}

/// Not more than one person may have, and at the price they were shown.
fn as_shown(line: &RequestedLine, plan: &SalePlan) -> Result<(), Rejection> {
    if plan.per_user > 0 && line.quantity > i64::from(plan.per_user) {
        let range = FieldProblem::OutOfRange { min: 1, max: i64::from(plan.per_user) };
        return Err(Rejection::invalid(&line.field("quantity"), range));
    }
    match line.price_minor {
        Some(shown) if shown != plan.price.minor => Err(price_changed(plan)),
        Some(_) | None => Ok(()),
    }
}

/// What was made under a key that this process knows nothing of, because it was restarted or has forgotten. Whoever repeats
/// hears of the attempt that was made, by its own number, and of no other: an order has its attempt's number for good. With
/// other lines their key is a conflict, as always.
async fn find_earlier(
    world: &World,
    user: UserId,
    key: Option<&str>,
    lines: &[AttemptLine],
) -> Result<Option<AttemptView>> {
    let Some(key) = key else { return Ok(None) };
    let hold = hold_key(OrderId(0), user, Some(key));
    let found = if world.ledger.stock.may_know(hold).await? {
        let asked = Attempt::new(OrderId(0), user, Some(key.to_owned()), lines.to_vec());
        find_order_under(world, &asked).await?
    } else if at_payment(world, lines).await? {
        // The ledger hears of such an order when it is paid.
        world.db.sale_order_under(hold).await?
    } else {
        None
    };
    let Some(id) = found else { return Ok(None) };
    let same = |order: &SaleOrder| {
        let ordered: HashSet<_> = order.lines.iter().map(|line| (line.sale, line.quantity)).collect();
        ordered == lines.iter().map(|line| (line.sale, line.quantity)).collect()
    };
    match world.db.sale_order(id).await? {
        Some(order) if !same(&order) => Err(Rejection::IdempotencyConflict.into()),
        Some(_) | None => Ok(Some(attempt_view(world, id, AttemptState::Ordered(id)))),
    }
}

/// Whether any of it is deducted at payment.
async fn at_payment(world: &World, lines: &[AttemptLine]) -> Result<bool> {
    for line in lines {
        let live = world.caches.activities.find(world, line.sale).await?;
        let policy = live.and_then(|live| plan(&live).map(|plan| plan.policy).ok());
        if policy == Some(Policy::AtPayment) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn lines(asked: &[RequestedLine]) -> Result<Vec<AttemptLine>, Rejection> {
    let max = i64::try_from(CART_LINES_MAX).unwrap_or(i64::MAX);
    if asked.is_empty() || asked.len() > CART_LINES_MAX {
        return Err(Rejection::invalid("lines", FieldProblem::OutOfRange { min: 1, max }));
    }
    let mut sales = HashSet::new();
    let mut lines = Vec::with_capacity(asked.len());
    for line in asked {
        if !sales.insert(line.sale) {
            return Err(Rejection::invalid(&line.field("sale"), FieldProblem::Duplicate));
        }
        let range = FieldProblem::OutOfRange { min: 1, max: i64::from(ORDER_UNITS_MAX) };
        let quantity =
            u32::try_from(line.quantity).ok().filter(|units| (1..=ORDER_UNITS_MAX).contains(units));
        let quantity = quantity.ok_or_else(|| Rejection::invalid(&line.field("quantity"), range))?;
        lines.push(AttemptLine { sale: line.sale, quantity });
    }
    Ok(lines)
}

/// One order has one currency, and its units are held together or not at all.
fn check_together(admitted: &[Admitted]) -> Result<()> {
    let [first, others @ ..] = admitted else { return Ok(()) };
    let currency = plan(&first.live)?.price.currency;
    for other in others {
        if plan(&other.live)?.price.currency != currency {
            return Err(Rejection::CartCurrencies.into());
        }
    }
    if !others.is_empty() {
        for one in admitted {
            let plan = plan(&one.live)?;
            if plan.policy == Policy::AtPayment {
                return Err(Rejection::CartAtPayment { name: plan.name.clone() }.into());
            }
        }
    }
    Ok(())
}

/// What is known of an attempt of one's own; waits for its answer for so long.
pub async fn attempt_look(world: &World, user: UserId, id: OrderId, wait: Duration) -> Result<AttemptView> {
    let mut state = attempt_follow(world, user, id).await?;
    let answered = tokio::time::timeout(wait, state.wait_for(AttemptState::is_final)).await;
    drop(answered);
    let state = state.borrow().clone();
    Ok(attempt_view(world, id, state))
}

/// What is known of an attempt of one's own, and what will be.
pub async fn attempt_follow(
    world: &World,
    user: UserId,
    id: OrderId,
) -> Result<watch::Receiver<AttemptState>> {
    // Nobody was ever told such a number.
    if id.0 <= 0 {
        return Err(Rejection::NotFound { what: MissingThing::Attempt }.into());
    }
    if let Some(attempt) = world.sales.attempts.find(id) {
        if attempt.user != user {
            return Err(Rejection::NotFound { what: MissingThing::Attempt }.into());
        }
        return Ok(attempt.follow());
    }
    Ok(watch::channel(recall(world, user, id).await?).1)
}

/// Of an attempt that has left memory: it is an order, or nothing will ever come of it. As long as the rows are behind the
/// ledger nobody can tell.
async fn recall(world: &World, user: UserId, id: OrderId) -> Result<AttemptState> {
    for complete in [false, true] {
        if complete && !caught_up::everything(world).await {
            return Ok(AttemptState::Queued);
        }
        match world.db.sale_order(id).await? {
            Some(order) if order.user == user => return Ok(AttemptState::Ordered(id)),
            Some(_) => return Err(Rejection::NotFound { what: MissingThing::Attempt }.into()),
            None => {}
        }
    }
    Ok(AttemptState::Refused(Rejection::AttemptLost))
}

/// Where an attempt stands, with when to ask again.
pub fn attempt_view(world: &World, id: OrderId, state: AttemptState) -> AttemptView {
    let waiting = world.sales.attempts.waiting();
    let ask_again_ms = (!state.is_final()).then(|| ask_again_ms(waiting, id));
    AttemptView { id, state, waiting, ask_again_ms }
}
