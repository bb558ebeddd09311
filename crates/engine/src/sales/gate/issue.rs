//! Giving out tokens.

use domain::Rejection;
use domain::ids::ActivityId;
use domain::sale::challenge::Challenge;
use domain::sale::room::QueuePosition;
use domain::sale::token::{GateToken, TOKEN_LIFE_MS};
use domain::time::Timestamp;

use crate::failure::{Failure, Result};
use crate::sales::gate::Buyer;
use crate::sales::gate::pace::{Asks, count};
use crate::sales::gate::room::{not_yet, room_tick};
use crate::sales::gate::sale::Sale;
use crate::world::World;

/// A picture, and what somebody says it shows.
#[derive(Clone, Copy, Debug)]
pub struct SolvedCaptcha<'a> {
    pub challenge: &'a str,
    pub answer: &'a str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedToken {
    pub token: String,
    pub expires: Timestamp,
}

/// A token, after the start and after everything the sale asks for. Asking again gives another one, or the same while one's
/// turn lasts: with a waiting room, one turn is one token.
pub async fn token_give(
    world: &World,
    buyer: Buyer,
    sale: ActivityId,
    answered: Option<SolvedCaptcha<'_>>,
) -> Result<IssuedToken> {
    count(world, buyer, Asks::Gate).await?;
    let sale = Sale::find(world, sale).await?;
    let given = give(world, buyer, &sale, answered).await;
    match &given {
        // A step on the way in is no refusal.
        Err(Failure::Rejected(
            Rejection::CaptchaNeeded | Rejection::PlaceNeeded | Rejection::NotYourTurn { .. },
        ))
        | Ok(_) => given,
        Err(_) => world.caches.refusals.watch(sale.id(), given),
    }
}

async fn give(
    world: &World,
    buyer: Buyer,
    sale: &Sale,
    answered: Option<SolvedCaptcha<'_>>,
) -> Result<IssuedToken> {
    sale.check_running(world.now(), 0)?;
    world.caches.activities.ensure_not_halted(world).await?;
    sale.lets_in(world, buyer.user).await?;
    sale.has_units(world).await?;
    let Some(plan) = sale.plan() else { return Err(sale.sold_out().into()) };
    // The turn comes before the picture, so that nobody answers one for nothing.
    let expires = match plan.gate.room {
        Some(_) => turn(world, buyer, sale).await?,
        None => world.now() + TOKEN_LIFE_MS,
    };
    if plan.gate.captcha {
        answer(world, buyer, sale, answered)?;
    }
    let token = GateToken { user: buyer.user, sale: sale.id(), round: sale.round(), expires };
    Ok(IssuedToken { token: token.text(&world.sales.gate.key), expires })
}

/// Until when it is their turn.
async fn turn(world: &World, buyer: Buyer, sale: &Sale) -> Result<Timestamp> {
    let kept = room_tick(world, sale).await?;
    match kept.look(buyer.user, world.now()) {
        QueuePosition::Admitted { until, .. } => Ok(until),
        QueuePosition::Waiting { number, ahead } => Err(not_yet(&kept.line(), number, ahead).into()),
        QueuePosition::Nowhere => Err(Rejection::PlaceNeeded.into()),
    }
}

/// A picture is answered once, rightly or wrongly.
fn answer(
    world: &World,
    buyer: Buyer,
    sale: &Sale,
    answered: Option<SolvedCaptcha<'_>>,
) -> Result<(), Rejection> {
    let SolvedCaptcha { challenge, answer } = answered.ok_or(Rejection::CaptchaNeeded)?;
    let gate = &world.sales.gate;
    let now = world.now();
    let challenge = Challenge::check(&gate.key, challenge, (buyer.user, sale.id()), now)?;
    if !gate.pictures.use_up(challenge.nonce, challenge.expires, now)? {
        return Err(Rejection::CaptchaSpent);
    }
    if challenge.is_answer(&gate.key, answer) { Ok(()) } else { Err(Rejection::CaptchaWrong) }
}
