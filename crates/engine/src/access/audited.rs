//! Commands of the ledger that are administrative acts: each has its line in the audit log, whatever happens in between.
//!
//! The line is written as an intent, the ledger is asked, and the line is told with what it answered. If the process dies
//! before that, or the database fails, the job `audit_trail` finds the intent and asks whether the command was carried out.

use domain::Rejection;
use domain::access::{DailyAllowance, Handout};
use domain::ledger::play::PlayOutcome;
use domain::ledger::{Act, Command, Directive, Effect, PoolView};
use serde_json::{Value as Json, json};
use store::model::{AuditIntent, AuditStamp, IntentClose, IntentEnd};

use crate::caught_up;
use crate::failure::{Failure, Fault, Result};
use crate::ports::{Lane, StockAnswer};
use crate::world::World;

/// What the audit log says of a command.
#[derive(Clone, Debug)]
pub(crate) struct AuditedAct {
    pub action: &'static str,
    pub subject: String,
    pub before: Json,
    pub after: Json,
    /// What it puts out by hand, and what one person may in a day.
    pub handout: Option<(Handout, DailyAllowance)>,
}

impl AuditedAct {
    pub fn new(action: &'static str, subject: String, before: Json, after: Json) -> Self {
        Self { action, subject, before, after, handout: None }
    }
}

/// One command that puts something out by hand. What was done before answers the same, however full the day is.
pub(crate) async fn ask_handout(
    world: &World,
    lane: Lane,
    command: Command,
    handout: Handout,
    act: AuditedAct,
    signed: AuditStamp,
) -> Result<StockAnswer> {
    let act = AuditedAct { handout: Some((handout, world.handout_alone(handout, signed.at))), ..act };
    let asked = ask(world, lane, command.clone(), act, signed).await;
    let full = matches!(
        &asked,
        Err(Failure::Rejected(
            Rejection::ChancesAloneMax { .. }
                | Rejection::PiecesAloneMax { .. }
                | Rejection::KeyStopsMax { .. }
                | Rejection::KeyBarsMax { .. }
        ))
    );
    if full && is_known(world, &command).await? {
        let again = world.ledger.stock.ask(lane, vec![command]).await?.pop();
        return Ok(again.ok_or_else(|| Fault::new("a command without an answer"))?);
    }
    asked
}

/// One command that stops something players have. Keys stop only so much in a day.
pub(crate) async fn ask_stop(
    world: &World,
    lane: Lane,
    command: Command,
    act: AuditedAct,
    signed: AuditStamp,
) -> Result<StockAnswer> {
    if signed.by_key() {
        ask_handout(world, lane, command, Handout::Stop, act, signed).await
    } else {
        ask(world, lane, command, act, signed).await
    }
}

/// Whether the rows have it.
pub(crate) async fn is_known(world: &World, command: &Command) -> Result<bool> {
    let Some(key) = command.key() else { return Ok(false) };
    caught_up::everything(world).await;
    Ok(world.db.id_find(key).await?.stored.is_some())
}

/// One command, as an act of whoever signed.
pub(crate) async fn ask(
    world: &World,
    lane: Lane,
    command: Command,
    act: AuditedAct,
    signed: AuditStamp,
) -> Result<StockAnswer> {
    let mut answers = ask_all(world, lane, vec![command], vec![Some((act, signed))]).await?;
    Ok(answers.pop().ok_or_else(|| Fault::new("a command without an answer"))?)
}

/// Several commands in one step; those that are acts come with what is told of them.
pub(crate) async fn ask_all(
    world: &World,
    lane: Lane,
    commands: Vec<Command>,
    acts: Vec<Option<(AuditedAct, AuditStamp)>>,
) -> Result<Vec<StockAnswer>> {
    let mut ids = Vec::with_capacity(acts.len());
    let mut intents = Vec::new();
    for (command, act) in commands.iter().zip(acts) {
        let intent = act.zip(command.key()).map(|((act, signed), key)| AuditIntent {
            key,
            action: act.action,
            subject: act.subject,
            before: act.before,
            after: act.after,
            handout: act.handout,
            signed,
        });
        ids.push(intent.as_ref().map(|intent| intent.signed.audit_id));
        intents.extend(intent);
    }
    if intents.is_empty() {
        return world.ledger.stock.ask(lane, commands).await;
    }
    let after: Vec<Json> = intents.iter().map(|intent| intent.after.clone()).collect();
    world.db.intents_open(intents).await?;
    let told = world.ledger.stock.ask(lane, commands.clone()).await;
    let mut closes = Vec::new();
    let mut after = after.into_iter();
    for (at, audit_id) in ids.into_iter().enumerate() {
        let Some(audit_id) = audit_id else { continue };
        let meant = after.next().unwrap_or_default();
        let end = match &told {
            Ok(answers) => answers.get(at).map(|answer| intent_end(&commands[at], answer, meant)),
            // Nothing was taken in.
            Err(Failure::Rejected(Rejection::Overloaded { .. } | Rejection::LedgerUnavailable { .. })) => {
                Some(IntentEnd::Dropped)
            }
            Err(_) => None,
        };
        closes.extend(end.map(|end| IntentClose { audit_id, end }));
    }
    // What is done is done: a line that could not be told now is told by the job.
    if let Err(failure) = world.db.intents_close(closes).await {
        tracing::error!(%failure, "lines of the audit log wait for the job audit_trail");
    }
    told
}

fn intent_end(command: &Command, answer: &StockAnswer, meant: Json) -> IntentEnd {
    match answer {
        StockAnswer::Accepted(came) => {
            let (before, after) = read_change(command, came);
            let after = after.map(|after| merge(meant, after));
            IntentEnd::Told { before, after }
        }
        // The first to ask for it has the line.
        StockAnswer::Replayed(_) | StockAnswer::Refused(_) => IntentEnd::Dropped,
    }
}

/// What the ledger's answer says of before and after.
fn read_change(command: &Command, came: &Effect) -> (Option<Json>, Option<Json>) {
    match (command, came) {
        (Command::Direct(Directive { act: Act::PoolAdjust { delta, .. }, .. }), Effect::Pool(view)) => {
            let less = |units: u64| i128::from(units) - i128::from(*delta);
            let before = json!({
                "total": i64::try_from(less(view.total)).unwrap_or_default(),
                "available": i64::try_from(less(view.available)).unwrap_or_default(),
            });
            (Some(before), Some(counters(view)))
        }
        (_, Effect::Pool(view)) => (None, Some(counters(view))),
        (_, Effect::Play(PlayOutcome::Chances { account, .. })) => {
            (None, Some(json!({ "bonus": account.bonus })))
        }
        (_, _) => (None, None),
    }
}

pub(crate) fn counters(view: &PoolView) -> Json {
    json!({
        "total": view.total,
        "available": view.available,
        "held": view.held,
        "taken": view.taken,
        "owner_max": view.owner_max,
        "state": view.state.name(),
    })
}

fn merge(mut meant: Json, observed: Json) -> Json {
    if let (Some(meant), Json::Object(observed)) = (meant.as_object_mut(), observed) {
        meant.extend(observed);
    }
    meant
}
