//! Drawing: one command to the ledger, with everything the rules read.

use std::sync::Arc;

use domain::Rejection;
use domain::ids::{ActivityId, TreeId, UserId};
use domain::ledger::play::{DRAWS_MAX, Draw, Draws, PlayOutcome};
use domain::ledger::{Command, Effect, Key};
use domain::lottery::random::ClientValue;
use domain::lottery::rule_path::RulePath;
use domain::rejection::{FieldProblem, MissingThing};
use domain::tree::{Leaf, TreePurpose};

use crate::activity_cache::{Offer, PublishedActivity};
use crate::draws::admission::{live, standing_of};
use crate::draws::answer::{ChancesLeft, DrawAnswer, ticket};
use crate::draws::refusal::{Next, next};
use crate::failure::{Fault, Result};
use crate::inventory::text;
use crate::people::facts::facts_for;
use crate::ports::StockAnswer;
use crate::trees::tree_find;
use crate::world::World;

/// How often a draw is tried again because the version, the round or the day changed meanwhile.
const TRIES_MAX: u32 = 5;

#[derive(Clone, Debug)]
pub struct DrawAsk {
    pub user: UserId,
    /// The player's own id for it: the same id gives the same answer.
    pub id: String,
    /// One or ten.
    pub draws: u32,
    pub client: Option<ClientValue>,
}

pub async fn draw(world: &World, activity: ActivityId, ask: &DrawAsk) -> Result<DrawAnswer> {
    draw_once(world, activity, ask, RulePath::NONE).await
}

/// `routed` is the path by which a tree picked the activity. It is kept with the draw, unless the activity has a tree of
/// its own, whose path is.
async fn draw_once(
    world: &World,
    activity: ActivityId,
    ask: &DrawAsk,
    routed: RulePath,
) -> Result<DrawAnswer> {
    world.caches.refusals.watch(activity, draw_again(world, activity, ask, routed).await)
}

/// Tries as often as what it was asked with changes meanwhile.
async fn draw_again(
    world: &World,
    activity: ActivityId,
    ask: &DrawAsk,
    routed: RulePath,
) -> Result<DrawAnswer> {
    let (key, draws) = (ticket_key(ask.user, &ask.id)?, count(ask.draws)?);
    for _ in 0..TRIES_MAX {
        let live = live(world, activity).await?;
        let Offer::Draw { table, ten } = &live.offer else { return Err(live.offer.instead().into()) };
        if draws.count() > 1 && !ten && world.ledger.stock.ticket(key).await?.is_none() {
            return Err(Rejection::invalid("draws", FieldProblem::NotOneOf { allowed: "1" }).into());
        }
        let mut standing = standing_of(world, &live, ask.user, key).await?;
        if live.tree().is_none() {
            standing.rule_path = routed;
        }
        let command = Command::Draw(Box::new(Draw {
            key,
            activity,
            round: live.life.round,
            user: ask.user,
            draws,
            day: live.day(world.now()),
            client: ask.client,
            standing,
            table: Arc::clone(table),
        }));
        if let Some(told) = ask_ledger(world, &live, command).await? {
            return Ok(told);
        }
    }
    Err(Rejection::Overloaded { retry_after_s: 1 }.into())
}

/// The tree picks the activity, then draws. Whoever asks again hears of the draw that was made, even if the tree would by
/// now send them elsewhere.
pub async fn draw_by_tree(world: &World, tree: TreeId, ask: &DrawAsk) -> Result<DrawAnswer> {
    if let Some((made, _)) = world.ledger.stock.ticket(ticket_key(ask.user, &ask.id)?).await? {
        return draw(world, made.activity, ask).await;
    }
    let (activity, path) = route(world, tree, ask.user).await?;
    draw_once(world, activity, ask, path).await
}

/// The activity that a routing tree picks for somebody now, and the path to it.
pub async fn route(world: &World, tree: TreeId, user: UserId) -> Result<(ActivityId, RulePath)> {
    let kept = tree_find(world, tree, None).await?;
    if kept.draft.purpose != TreePurpose::Routing {
        return Err(Rejection::NotFound { what: MissingThing::Tree }.into());
    }
    let tree = kept.draft.check().map_err(|problems| {
        Fault::new(format!("rule tree {tree} was saved and cannot work: {problems:?}"))
    })?;
    let verdict = tree.evaluate(&facts_for(world, user, tree.facts().into_keys()).await?);
    match verdict.leaf {
        Leaf::Activity(activity) => Ok((activity, (&verdict.path).into())),
        Leaf::Deny => Err(Rejection::NotEligible.into()),
        Leaf::Allow => Err(Rejection::NotFound { what: MissingThing::Tree }.into()),
    }
}

/// Asks the ledger; nothing when what was asked with is no longer true.
pub(crate) async fn ask_ledger(
    world: &World,
    live: &PublishedActivity,
    command: Command,
) -> Result<Option<DrawAnswer>> {
    world.caches.crowd.came();
    let answer = world.ledger.stock.ask(live.activity.0, vec![command]).await?.pop();
    let (came, again) = match answer.ok_or_else(|| Fault::new("a draw without an answer"))? {
        StockAnswer::Accepted(came) => (came, false),
        StockAnswer::Replayed(came) => (came, true),
        StockAnswer::Refused(refusal) => {
            return match next(&refusal)? {
                Next::Tell(rejection) => Err(rejection.into()),
                Next::Again => {
                    world.caches.activities.forget(live.activity);
                    Ok(None)
                }
            };
        }
    };
    let Effect::Play(PlayOutcome::Ticket { ticket: view, account }) = came else {
        return Err(Fault::new("a draw was answered with something else").into());
    };
    let limits = live.content.configuration.chances().limits();
    let chances = ChancesLeft::of(&account, &limits, live.day(world.now()).number);
    Ok(Some(DrawAnswer { ticket: ticket(world, &view).await?, chances, again }))
}

/// What a player's own id stands for: theirs alone.
pub(crate) fn ticket_key(user: UserId, id: &str) -> Result<Key, Rejection> {
    text("id", id).map(|id| Key::of("draw", user.0, id.as_str()))
}

pub(crate) fn count(draws: u32) -> Result<Draws, Rejection> {
    let one_or_ten = Draws::new(draws).filter(|draws| matches!(draws.count(), 1 | DRAWS_MAX));
    one_or_ten.ok_or(Rejection::invalid("draws", FieldProblem::NotOneOf { allowed: "1, 10" }))
}
