//! Prizes of a published activity, mid-life: more units or fewer, withdrawn, put out again. And the switch that stops every
//! activity at once.
//!
//! All of it is the ledger's to decide, so that a draw and a withdrawal cannot pass each other. Who asked and why is in
//! the ledger's own event, and in the audit log.

use domain::Rejection;
use domain::access::Handout;
use domain::account::Reason;
use domain::activity::{LifeState, Plan, PoolUse};
use domain::ids::ActivityId;
use domain::ledger::play::PlayOutcome;
use domain::ledger::{
    Act, Command, Effect, Key, NOTE_MAX, Note, PlayRefusal, PoolView, Refusal, TEXT_MAX, TOTAL_MAX, Text,
};
use domain::lottery::strategy::PrizeId;
use domain::rejection::{FieldProblem, MissingThing};
use serde_json::{Value as Json, json};
use store::model::{Actor, AuditStamp};

use crate::access::audited;
use crate::access::audited::AuditedAct;
use crate::access::key_admin::principal;
use crate::activities::queries::activity_get;
use crate::activity_cache::forget_published;
use crate::caller::Repeat;
use crate::caught_up;
use crate::failure::{Fault, Result};
use crate::inventory::{Asker, stock_rejection};
use crate::ports::{Lane, StockAnswer};
use crate::world::World;

/// What the audit log calls the press that stops everything.
pub(crate) const HALT_ACTION: &str = "ledger.halt";
/// Where the switch for everything waits.
const HALT_LANE: Lane = 2;

/// More or fewer units of a prize, under an id that makes it safe to repeat.
#[derive(Clone, Debug)]
pub struct Restock {
    pub id: String,
    /// Units to add, or with a minus to take away from what is free.
    pub delta: i64,
}

pub async fn prize_restock(
    world: &World,
    signed: AuditStamp,
    activity: ActivityId,
    prize: u16,
    restock: Restock,
) -> Result<PoolView> {
    let prize = prize_get(world, activity, prize).await?;
    let max = TOTAL_MAX.cast_signed();
    let delta = restock.delta;
    if delta == 0 || !(-max..=max).contains(&delta) {
        return Err(Rejection::invalid("delta", FieldProblem::OutOfRange { min: -max, max }).into());
    }
    let name = PoolUse::Prize(prize).pool_name(activity);
    let key = key(activity, prize, "restock", &restock.id)?;
    let command = Command::direct(key, note(&signed)?, Act::PoolAdjust { pool: name.pool(), delta });
    let after = json!({ "prize": prize.number(), "delta": delta });
    ensure_restockable(world, activity, &command).await?;
    let act = AuditedAct::new("activity.restock", subject(activity), Json::Null, after);
    // How many there are was reviewed; beyond what one person may add there is another version to review.
    let answer = if delta > 0 {
        audited::ask_handout(world, activity.0, command, Handout::Pieces(delta), act, signed).await?
    } else {
        audited::ask_stop(world, activity.0, command, act, signed).await?
    };
    forget_published(world, activity);
    match answer {
        StockAnswer::Accepted(Effect::Pool(view)) | StockAnswer::Replayed(Effect::Pool(view)) => Ok(view),
        StockAnswer::Refused(refusal) => Err(stock_rejection(&refusal, &name)?.into()),
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Err(unexpected_answer()),
    }
}

/// Refuses to add to what is closed, or to take from it. What was done before is answered again.
pub(crate) async fn ensure_restockable(world: &World, id: ActivityId, command: &Command) -> Result<()> {
    let row = activity_get(world, id).await?;
    if row.life.state == LifeState::Closed && !audited::is_known(world, command).await? {
        return Err(Rejection::Ended.into());
    }
    Ok(())
}

/// Takes a prize back for the rest of the round, or puts it out again. `id` makes it safe to repeat.
pub async fn prize_switch(
    world: &World,
    signed: AuditStamp,
    activity: ActivityId,
    prize: u16,
    id: &str,
    withdrawn: bool,
) -> Result<()> {
    let prize = prize_get(world, activity, prize).await?;
    let key = key(activity, prize, "state", id)?;
    let command = Command::direct(key, note(&signed)?, Act::PrizeState { activity, prize, withdrawn });
    let action = if withdrawn { "activity.prize_withdraw" } else { "activity.prize_restore" };
    let was = world
        .ledger
        .stock
        .round(activity)
        .await?
        .is_some_and(|(_, round)| round.tally.prize(prize).withdrawn);
    let state = |withdrawn: bool| json!({ "prize": prize.number(), "withdrawn": withdrawn });
    let act = AuditedAct::new(action, subject(activity), state(was), state(withdrawn));
    let answer = if withdrawn && !was {
        audited::ask_stop(world, activity.0, command, act, signed).await?
    } else {
        audited::ask(world, activity.0, command, act, signed).await?
    };
    forget_published(world, activity);
    match answer {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Ok(()),
        StockAnswer::Refused(Refusal::Conflict) => Err(Rejection::IdConflict.into()),
        StockAnswer::Refused(Refusal::Play(PlayRefusal::Ended { .. })) => Err(Rejection::Ended.into()),
        // Approved a moment ago: the ledger is about to hear of it.
        StockAnswer::Refused(Refusal::Play(PlayRefusal::Unknown { .. })) => Err(Rejection::NotRunning.into()),
        StockAnswer::Refused(refusal) => {
            Err(Fault::new(format!("a prize could not be switched: {}", refusal.name())).into())
        }
    }
}

/// Stops every activity at once, or lets all go on that were not paused by themselves. Answers how the switch is.
pub async fn halt(world: &World, signed: AuditStamp, repeat: Option<Repeat>, on: bool) -> Result<bool> {
    // Without a key of the caller's each press is one of its own: it says how the switch shall be, not that it turns.
    let id = repeat.map_or_else(|| world.next_id().to_string(), |repeat| repeat.key);
    let key = Key::of("halt", 0, &format!("{}/{id}", principal(signed.actor)));
    let command = Command::direct(key, note(&signed)?, Act::Halt { on });
    let action = if on { HALT_ACTION } else { "ledger.go_on" };
    let (before, after) = (json!({ "halted": is_halted(world).await? }), json!({ "halted": on }));
    let act = AuditedAct::new(action, "ledger".to_owned(), before, after);
    let answer = audited::ask(world, HALT_LANE, command, act, signed).await?;
    // Whoever reads the switch from the database is told as soon as whoever pressed it.
    caught_up::everything(world).await;
    world.caches.activities.forget_halt();
    match answer {
        StockAnswer::Accepted(Effect::Play(PlayOutcome::Halt { on }))
        | StockAnswer::Replayed(Effect::Play(PlayOutcome::Halt { on })) => Ok(on),
        StockAnswer::Refused(Refusal::Conflict) => Err(Rejection::IdempotencyConflict.into()),
        StockAnswer::Refused(refusal) => {
            Err(Fault::new(format!("the switch for everything: {}", refusal.name())).into())
        }
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Err(unexpected_answer()),
    }
}

/// How the switch is, as far as the database has followed the ledger.
pub async fn is_halted(world: &World) -> Result<bool> {
    world.db.is_halted().await
}

/// What lines of the audit log about an activity name.
pub(crate) fn subject(activity: ActivityId) -> String {
    format!("activity:{activity}")
}

pub(crate) fn unexpected_answer() -> crate::failure::Failure {
    Fault::new("the ledger answered about something else").into()
}

/// A prize of the version in place.
async fn prize_get(world: &World, activity: ActivityId, prize: u16) -> Result<PrizeId> {
    let unknown = || Rejection::NotFound { what: MissingThing::Prize };
    let prize = PrizeId::new(prize).ok_or_else(unknown)?;
    let published = world.db.published_find(activity).await?;
    let published = published.ok_or(Rejection::NotFound { what: MissingThing::Activity })?;
    let known = match &published.content.plan {
        Plan::Instant(strategy) => strategy.prize(prize).is_some(),
        Plan::Raffle(prizes) => prizes.iter().any(|known| known.id == prize),
        Plan::Sale(_) => false,
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

pub(crate) fn note(signed: &AuditStamp) -> Result<Note, Rejection> {
    let reason = Reason::parse(&signed.reason)?;
    let too_long = || Rejection::invalid("reason", FieldProblem::TooLong { max: NOTE_MAX as u64 });
    let actor: Actor = signed.actor;
    Ok(Asker::from(actor).signed(Note::new(reason.as_str()).ok_or_else(too_long)?))
}
