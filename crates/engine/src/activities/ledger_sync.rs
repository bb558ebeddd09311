//! Carrying an activity's state to the ledger, until the ledger has it.
//!
//! What is sent follows from where the activity stands and from what the ledger was last known to have, not from the
//! steps that led there. Every command has a key made of the activity and of what it brings about (a round, a version, a
//! step), so that sending it again after a crash changes nothing. One at a time: a carrier that was slow could otherwise
//! put an older state over a newer one.

use domain::activity::{LifeState, Plan, PoolUse};
use domain::ids::ActivityId;
use domain::ledger::play::{ActivityState, Terms};
use domain::ledger::{Act, Command, Key, Note, PlayRefusal, PoolRefusal, Refusal};
use domain::lottery::chain::PublishedChain;
use store::model::{Carry, LedgerMark, LedgerSynced, StockChange};

use crate::activity_cache::forget_published;
use crate::failure::{Fault, Result};
use crate::ports::StockAnswer;
use crate::world::World;

/// Changes of pools in one ask.
const CHANGES_MAX: usize = 500;
/// How often a reduction is tried while units are drawn at the same time.
const REDUCE_TRIES_MAX: u32 = 10;

/// Answers whether the ledger has everything now.
pub async fn sync_with_ledger(world: &World, id: ActivityId) -> Result<bool> {
    let _turn = world.ledger.syncing.lock().await;
    let Some(carry) = world.db.carry_find(id).await? else { return Ok(true) };
    stock(world, &carry).await?;
    limit(world, &carry).await?;
    let ledger = round(world, &carry).await?;
    let carried = world.db.ledger_synced(LedgerSynced { activity: id, step: carry.step, ledger }).await?;
    forget_published(world, id);
    Ok(carried)
}

/// Pools first, so that a draw never meets a prize without one.
async fn stock(world: &World, carry: &Carry) -> Result<()> {
    for changes in carry.stock.chunks(CHANGES_MAX) {
        let commands = changes.iter().map(|change| stock_command(carry, *change, change.units)).collect();
        let answers = world.ledger.stock.ask(carry.activity.0, commands).await?;
        for (change, answer) in changes.iter().zip(answers) {
            match answer {
                StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => {}
                // Done before, with fewer units than were asked for.
                StockAnswer::Refused(Refusal::Conflict) => {}
                StockAnswer::Refused(Refusal::Pool(PoolRefusal::NotFree { free, .. })) => {
                    reduce(world, carry, *change, free).await?;
                }
                StockAnswer::Refused(refusal) => return Err(stuck(carry, &refusal)),
            }
        }
    }
    Ok(())
}

/// A version with fewer units takes away what is still there, and no more: what was won stays won.
async fn reduce(world: &World, carry: &Carry, change: StockChange, mut free: u64) -> Result<()> {
    for _ in 0..REDUCE_TRIES_MAX {
        let units = i64::try_from(free).map_err(|_| Fault::new("more units than a pool holds"))?;
        if units == 0 {
            return Ok(());
        }
        match ask(world, carry, stock_command(carry, change, -units)).await? {
            StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => return Ok(()),
            StockAnswer::Refused(Refusal::Conflict) => return Ok(()),
            StockAnswer::Refused(Refusal::Pool(PoolRefusal::NotFree { free: fewer, .. })) => free = fewer,
            StockAnswer::Refused(refusal) => return Err(stuck(carry, &refusal)),
        }
    }
    Err(Fault::new(format!(
        "activity {}: units are drawn faster than they can be taken away",
        carry.activity
    ))
    .into())
}

fn stock_command(carry: &Carry, change: StockChange, units: i64) -> Command {
    let name = change.part.pool_name(carry.activity);
    let pool = name.pool();
    let key = key(carry, &format!("stock/{}/{}", change.version, name.as_str()));
    let note = note(&format!("version {}", change.version));
    match u64::try_from(units) {
        Ok(total) if change.opens => {
            let owner_max = carry.content.owner_max(change.part);
            Command::direct(key, note, Act::PoolOpen { pool, name, round: 1, total, owner_max })
        }
        _ => Command::direct(key, note, Act::PoolAdjust { pool, delta: units }),
    }
}

/// How much one person may have of a sale, where a version may say otherwise than the one before it. What they have stays
/// theirs. A pool that this version opens has its limit from the beginning.
async fn limit(world: &World, carry: &Carry) -> Result<()> {
    let opens = |change: &StockChange| change.opens && change.version == carry.version;
    let known = carry.ledger.is_some_and(|mark| mark.version >= carry.version);
    if !matches!(carry.content.plan, Plan::Sale(_)) || known || carry.stock.iter().any(opens) {
        return Ok(());
    }
    let command = Command::direct(
        key(carry, &format!("limit/{}", carry.version)),
        note(&format!("version {}", carry.version)),
        Act::PoolLimit {
            pool: PoolUse::Sale.pool_name(carry.activity).pool(),
            owner_max: carry.content.owner_max(PoolUse::Sale),
        },
    );
    match ask(world, carry, command).await? {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Ok(()),
        StockAnswer::Refused(refusal) => Err(stuck(carry, &refusal)),
    }
}

/// Opens the round, puts the version's terms in place, and sets the state.
async fn round(world: &World, carry: &Carry) -> Result<LedgerMark> {
    let wanted = wanted_state(carry.life.state);
    let last = carry.ledger.map_or(0, |mark| mark.round);
    let mut known = carry.ledger.filter(|mark| mark.round == carry.life.round);
    // Rounds that came and went without the ledger hearing of them are opened too: it counts them one by one.
    for round in last + 1..=carry.life.round {
        known = open(world, carry, round).await?;
    }
    if wanted != ActivityState::Closed && known.is_none_or(|mark| mark.version < carry.version) {
        terms(world, carry).await?;
    }
    if known.is_none_or(|mark| mark.state != wanted) {
        state(world, carry, wanted, &format!("state/{}", carry.step)).await?;
    }
    Ok(LedgerMark { round: carry.life.round, version: carry.version, state: wanted })
}

fn wanted_state(state: LifeState) -> ActivityState {
    state.in_ledger().unwrap_or(ActivityState::Closed)
}

/// Answers what the ledger has then; nothing when it had opened the round before and may have gone on since.
async fn open(world: &World, carry: &Carry, round: u32) -> Result<Option<LedgerMark>> {
    // Asked first, and closed only when that is what it takes: a round that is open already must not be closed by the
    // repetition of a close that was meant for the one before.
    for close_first in [false, true] {
        if close_first {
            state(world, carry, ActivityState::Closed, &format!("close-before/{round}")).await?;
        }
        let command = Command::direct(
            key(carry, &format!("open/{round}")),
            note(&format!("round {round}, version {}", carry.version)),
            Act::ActivityOpen { activity: carry.activity, round, terms: terms_of(carry, round) },
        );
        match ask(world, carry, command).await? {
            StockAnswer::Accepted(_) => {
                let (version, state) = (carry.version, ActivityState::Open);
                return Ok(Some(LedgerMark { round, version, state }));
            }
            StockAnswer::Replayed(_) | StockAnswer::Refused(Refusal::Conflict) => return Ok(None),
            StockAnswer::Refused(Refusal::Play(PlayRefusal::RoundStale { .. })) if !close_first => {}
            StockAnswer::Refused(refusal) => return Err(stuck(carry, &refusal)),
        }
    }
    Err(Fault::new(format!("activity {}: round {round} cannot be opened", carry.activity)).into())
}

/// Puts the version in place of an older one. A newer one is never put back.
async fn terms(world: &World, carry: &Carry) -> Result<()> {
    let round = carry.life.round;
    let command = Command::direct(
        key(carry, &format!("terms/{round}/{}", carry.version)),
        note(&format!("version {}", carry.version)),
        Act::ActivityTerms { activity: carry.activity, round, terms: terms_of(carry, round) },
    );
    match ask(world, carry, command).await? {
        StockAnswer::Accepted(_)
        | StockAnswer::Replayed(_)
        | StockAnswer::Refused(Refusal::Play(PlayRefusal::VersionStale { .. })) => Ok(()),
        StockAnswer::Refused(refusal) => Err(stuck(carry, &refusal)),
    }
}

async fn state(world: &World, carry: &Carry, wanted: ActivityState, part: &str) -> Result<()> {
    let command = Command::direct(
        key(carry, part),
        note(&format!("step {}", carry.step)),
        Act::ActivityState { activity: carry.activity, state: wanted },
    );
    match ask(world, carry, command).await? {
        StockAnswer::Accepted(_) | StockAnswer::Replayed(_) => Ok(()),
        StockAnswer::Refused(Refusal::Play(PlayRefusal::Ended { .. })) if wanted == ActivityState::Closed => {
            Ok(())
        }
        StockAnswer::Refused(refusal) => Err(stuck(carry, &refusal)),
    }
}

fn terms_of(carry: &Carry, round: u32) -> Terms {
    let configuration = &carry.content.configuration;
    let window = configuration.window();
    let entries = configuration.entries().map(|_| PoolUse::Entries.pool_name(carry.activity).pool());
    let (activity, version) = (carry.activity, carry.version);
    let (commitment, strategy) = (carry.commitment, carry.strategy);
    let begin = match carry.content.plan {
        Plan::Instant(_) => Some(PublishedChain { activity, round, version, commitment, strategy }.link()),
        Plan::Raffle(_) | Plan::Sale(_) => None,
    };
    let (from, until) = (window.from, window.until);
    Terms { version, from, until, entries, limits: configuration.chances().limits(), begin }
}

async fn ask(world: &World, carry: &Carry, command: Command) -> Result<StockAnswer> {
    let mut answers = world.ledger.stock.ask(carry.activity.0, vec![command]).await?;
    Ok(answers.pop().ok_or_else(|| Fault::new("a command without an answer"))?)
}

fn key(carry: &Carry, part: &str) -> Key {
    Key::of("activity", carry.activity.0, part)
}

fn note(text: &str) -> Note {
    Note::new(text).unwrap_or_default()
}

fn stuck(carry: &Carry, refusal: &Refusal) -> crate::failure::Failure {
    let name = refusal.name();
    Fault::new(format!("activity {}: the ledger refused step {} as {name}", carry.activity, carry.step))
        .into()
}
