//! Units of a prize mid-life.

use domain::Rejection;
use domain::account::Reason;
use domain::activity::{Part, Plan};
use domain::ids::ActivityId;
use domain::ledger::{Command, Key, NOTE_MAX, Note, Outcome as Came, PoolView, TEXT_MAX, TOTAL_MAX, Text};
use domain::lottery::strategy::PrizeId;
use domain::rejection::{FieldProblem, Subject};

use super::published::published_changed;
use crate::failure::{Fault, Outcome};
use crate::flows::inventory::{Asker, stock_rejection};
use crate::ports::{Actor, StockAnswer};
use crate::world::World;

/// More or fewer units of a prize, under an id that makes it safe to repeat.
#[derive(Clone, Debug)]
pub struct Restock {
    pub id: String,
    /// Units to add, or with a minus to take away from what is free.
    pub delta: i64,
    pub reason: String,
}

pub async fn prize_restock(
    world: &World,
    actor: Actor,
    activity: ActivityId,
    prize: u16,
    restock: Restock,
) -> Outcome<PoolView> {
    let prize = prize_known(world, activity, prize).await?;
    let max = TOTAL_MAX.cast_signed();
    if restock.delta == 0 || !(-max..=max).contains(&restock.delta) {
        return Err(Rejection::invalid("delta", FieldProblem::OutOfRange { min: -max, max }).into());
    }
    let name = Part::Prize(prize).pool_name(activity);
    let command = Command::PoolAdjust {
        key: key(activity, prize, "restock", &restock.id)?,
        pool: name.pool(),
        delta: restock.delta,
        note: note(actor, &restock.reason)?,
    };
    let mut answers = world.stock.ask(activity.0, vec![command]).await?;
    let answer = answers.pop().ok_or_else(|| Fault::new("a command without an answer"))?;
    published_changed(world, activity);
    match answer {
        StockAnswer::Accepted(Came::Pool(view)) | StockAnswer::Replayed(Came::Pool(view)) => Ok(view),
        StockAnswer::Refused(refusal) => Err(stock_rejection(&refusal, &name)?.into()),
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) | StockAnswer::Pending => {
            Err(Fault::new("a restock was not answered with its pool").into())
        }
    }
}

/// A prize of the version in place.
async fn prize_known(world: &World, activity: ActivityId, prize: u16) -> Outcome<PrizeId> {
    let unknown = || Rejection::NotFound { what: Subject::Prize };
    let prize = PrizeId::new(prize).ok_or_else(unknown)?;
    let published = world.activities.published_find(activity).await?;
    let published = published.ok_or(Rejection::NotFound { what: Subject::Activity })?;
    let known = match &published.content.plan {
        Plan::Instant(strategy) => strategy.prize(prize).is_some(),
        Plan::Raffle(prizes) => prizes.iter().any(|known| known.id == prize),
    };
    if known { Ok(prize) } else { Err(unknown().into()) }
}

fn key(activity: ActivityId, prize: PrizeId, what: &str, id: &str) -> Result<Key, Rejection> {
    let problem = match id.len() {
        0 => FieldProblem::TooShort { min: 1 },
        long if long > TEXT_MAX => FieldProblem::TooLong { max: TEXT_MAX as u64 },
        _ => FieldProblem::Malformed,
    };
    let id = Text::new(id).ok_or_else(|| Rejection::invalid("id", problem))?;
    Ok(Key::of("prize", activity.0, &format!("{what}/{}/{}", prize.number(), id.as_str())))
}

fn note(actor: Actor, reason: &str) -> Result<Note, Rejection> {
    let reason = Reason::parse(reason)?;
    let too_long = || Rejection::invalid("reason", FieldProblem::TooLong { max: NOTE_MAX as u64 });
    Ok(Asker::from(actor).signed(Note::new(reason.as_str()).ok_or_else(too_long)?))
}
