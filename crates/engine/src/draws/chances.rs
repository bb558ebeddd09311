//! What a player has left, and more of it.

use domain::Rejection;
use domain::access::{Handout, own_account};
use domain::account::Reason;
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{GRANT_MAX, PlayOutcome};
use domain::ledger::{Act, Command, Effect, Key, NOTE_MAX, Note};
use domain::player_number::PlayerNumber;
use domain::rejection::{FieldProblem, MissingThing};
use serde_json::json;
use store::model::AuditStamp;

use crate::access::audited;
use crate::access::audited::AuditedAct;
use crate::draws::admission::live;
use crate::draws::answer::ChancesLeft;
use crate::draws::refusal::{Next, next};
use crate::failure::{Fault, Result};
use crate::inventory::{Asker, text};
use crate::ports::StockAnswer;
use crate::world::World;

/// What a player has left now, and their number in the round once they have one. In an activity that the ledger has not
/// heard of yet it is what everybody has.
pub async fn chances(
    world: &World,
    activity: ActivityId,
    user: UserId,
) -> Result<(ChancesLeft, Option<PlayerNumber>)> {
    let live = live(world, activity).await?;
    let player = world.ledger.stock.player(activity, user).await?.unwrap_or_default();
    let limits = live.content.configuration.chances().limits();
    Ok((ChancesLeft::of(&player.account, &limits, live.day(world.now()).number), player.seat))
}

/// More chances for one player: for a rule, once per period.
#[derive(Clone, Debug)]
pub struct GrantAsk {
    pub activity: ActivityId,
    pub user: UserId,
    /// Why they get it: `check-in`, `invitation`, `support`.
    pub rule: String,
    /// When, in the rule's own words: a day, an order's number. The same rule and period grant once.
    pub period: String,
    pub chances: u32,
}

/// Answers what the player has left, and whether this had been granted before.
pub async fn grant(world: &World, signed: AuditStamp, ask: &GrantAsk) -> Result<(ChancesLeft, bool)> {
    let live = live(world, ask.activity).await?;
    let known = world.db.standing(ask.user).await?.is_some_and(|standing| !standing.deleted);
    if !known {
        return Err(Rejection::NotFound { what: MissingThing::User }.into());
    }
    own_account(signed.responsible, ask.user)?;
    let (rule, period) = (text("rule", &ask.rule)?, text("period", &ask.period)?);
    let range = FieldProblem::OutOfRange { min: 1, max: i64::from(GRANT_MAX) };
    if !(1..=GRANT_MAX).contains(&ask.chances) {
        return Err(Rejection::invalid("chances", range).into());
    }
    let reason = Reason::parse(&signed.reason)?;
    let note = Note::new(reason.as_str())
        .ok_or(Rejection::invalid("reason", FieldProblem::TooLong { max: NOTE_MAX as u64 }))?;
    let (user, round) = (ask.user, live.life.round);
    // Lengths keep two different pairs from becoming the same text.
    let id = format!("{round} {user} {} {} {}", rule.as_str().len(), rule.as_str(), period.as_str());
    let command = Command::direct(
        Key::of("grant", ask.activity.0, &id),
        Asker::from(signed.actor).signed(note),
        Act::Grant { activity: ask.activity, user, chances: ask.chances },
    );
    let bonus = world.ledger.stock.player(ask.activity, user).await?.map_or(0, |player| player.account.bonus);
    let before = json!({ "user": user, "bonus": bonus });
    let after = json!({ "user": user, "chances": ask.chances });
    let act = AuditedAct::new("activity.grant", format!("activity:{}", ask.activity), before, after);
    let handout = Handout::Chances(ask.chances.into());
    let answer = audited::ask_handout(world, ask.activity.0, command, handout, act, signed).await?;
    let (came, again) = match answer {
        StockAnswer::Accepted(came) => (came, false),
        StockAnswer::Replayed(came) => (came, true),
        StockAnswer::Refused(refusal) => {
            return Err(match next(&refusal)? {
                Next::Tell(rejection) => rejection.into(),
                Next::Again => Rejection::Overloaded { retry_after_s: 1 }.into(),
            });
        }
    };
    let Effect::Play(PlayOutcome::Chances { account, .. }) = came else {
        return Err(Fault::new("a grant was answered with something else").into());
    };
    let limits = live.content.configuration.chances().limits();
    Ok((ChancesLeft::of(&account, &limits, live.day(world.now()).number), again))
}
