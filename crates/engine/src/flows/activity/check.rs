//! Whether a version can work, asked when it is submitted: every reason why not, at once.

use domain::Rejection;
use domain::activity::{Content, Kind, Plan, RafflePrize, card_flaws, diff};
use domain::flaw::Flaw;
use domain::ids::TreeId;
use domain::lottery::check::{self, Flaw as StrategyFlaw, Problem};
use domain::lottery::strategy::Strategy;
use domain::rejection::FieldProblem;
use jiff::tz::TimeZone;

use crate::failure::Outcome;
use crate::ports::VersionRow;
use crate::world::World;

/// Where a field of a strategy is in whatever its author wrote.
pub type FieldNames = fn(&Strategy, &str) -> String;

/// Answers the version of the tree that is pinned by submitting.
pub(super) async fn check(
    world: &World,
    draft: &VersionRow,
    live: Option<&VersionRow>,
    names: FieldNames,
) -> Outcome<Option<u32>> {
    let content = &draft.content;
    let mut flaws = plan_flaws(content, names);
    flaws.extend(card_flaws(&content.configuration, &content.cards));
    let configuration = &content.configuration;
    if TimeZone::get(configuration.zone()).is_err() {
        flaws.push(Rejection::invalid("zone", FieldProblem::Malformed).into());
    }
    let tree = match configuration.tree() {
        None => None,
        Some(tree) => {
            let newest = tree_newest(world, tree).await?;
            if newest.is_none() {
                flaws.push(Flaw::new(
                    "tree",
                    "tree_unknown",
                    "There is no such rule tree.",
                    "没有这个规则树。",
                ));
            }
            newest
        }
    };
    if let Some(live) = live {
        flaws.extend(changed_kind(&live.content, content));
        flaws.extend(changed_zone(&live.content, content));
    }
    Rejection::of_flaws(flaws)?;
    match live {
        Some(live) if diff(&live.content, content).is_empty() => Err(Rejection::VersionUnchanged.into()),
        Some(_) | None => Ok(tree),
    }
}

/// The newest version of a rule tree, if there is such a tree.
async fn tree_newest(world: &World, tree: i64) -> Outcome<Option<u32>> {
    Ok(world.trees.tree_find(TreeId(tree), None).await?.map(|tree| tree.version))
}

fn plan_flaws(content: &Content, names: FieldNames) -> Vec<Flaw> {
    let configuration = &content.configuration;
    match (&content.plan, configuration.kind()) {
        (Plan::Instant(strategy), Kind::Instant { .. }) => {
            let problems = check::check(strategy, Some(&configuration.chances().limits()));
            let named = |problem: Problem| Problem { field: names(strategy, &problem.field), ..problem };
            problems.into_iter().map(|problem| named(problem).into()).collect()
        }
        (Plan::Raffle(prizes), Kind::Raffle { .. }) => raffle_flaws(prizes),
        (Plan::Instant(_), Kind::Raffle { .. }) | (Plan::Raffle(_), Kind::Instant { .. }) => {
            vec![Rejection::invalid("kind", FieldProblem::Malformed).into()]
        }
    }
}

fn raffle_flaws(prizes: &[RafflePrize]) -> Vec<Flaw> {
    let problem = |flaw, field: String| Flaw::from(Problem { flaw, field });
    if prizes.is_empty() {
        return vec![problem(StrategyFlaw::PrizesNone, "prizes".to_owned())];
    }
    let without = prizes.iter().enumerate().filter(|(_, prize)| prize.units == 0);
    without.map(|(at, _)| problem(StrategyFlaw::StockZero, format!("prizes[{at}].units"))).collect()
}

/// Who entered a raffle did not draw, and the other way round: no version makes one of the other.
/// In another zone it would be another day at once, with chances of its own.
fn changed_zone(live: &Content, next: &Content) -> Option<Flaw> {
    (live.configuration.zone() != next.configuration.zone()).then(|| {
        Flaw::new(
            "zone",
            "zone_changed",
            "A new version keeps the time zone of its activity.",
            "新版本不能改变活动的时区。",
        )
    })
}

fn changed_kind(live: &Content, next: &Content) -> Option<Flaw> {
    let raffle = |content: &Content| matches!(content.configuration.kind(), Kind::Raffle { .. });
    (raffle(live) != raffle(next)).then(|| {
        Flaw::new(
            "kind",
            "kind_changed",
            "A new version keeps the kind of its activity.",
            "新版本不能改变活动的类型。",
        )
    })
}
