//! An activity as players see it: what there is to win, with which odds, and what was published for checking.

use axum::Json;
use axum::extract::State;
use domain::activity::{Game, KindSettings, Plan};
use domain::hex::hex;
use domain::ids::ActivityId;
use domain::lottery::strategy::{PrizeId, Release, Strategy, TierBy};
use domain::rejection::MissingThing;
use domain::{Rejection, time::Timestamp};
use engine::activity_cache::{PinnedTree, PublishedActivity, Titles};
use engine::draws::sold_out::list_sold_out;
use serde::Serialize;
use store::model::ActivityRow;
use utoipa::ToSchema;

use super::super::Path;
use super::super::imprint::ImprintBody;
use super::wire::PrizeBody;
use crate::app::App;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

/// An activity in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayRowBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    /// `approved` (it will start), `running`, `paused`, `closed` or `reopened`.
    pub state: &'static str,
    /// `instant`, `raffle` or `sale`.
    pub kind: &'static str,
    pub from_ms: i64,
    pub until_ms: i64,
}

impl PlayRowBody {
    fn of(row: ActivityRow, now: Timestamp) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name,
            name_en: row.name_en,
            state: row.life.at(row.window, now).state.name(),
            kind: row.kind.name(),
            from_ms: row.window.from.0,
            until_ms: row.window.until.0,
        }
    }
}

/// Activities that were published, newest first
#[utoipa::path(get, path = "/play/activities", tag = "play",
    params(PageQuery), responses((status = 200, body = PageBody<PlayRowBody>)))]
pub async fn play_activity_list(
    State(app): State<App>,
    Paged(page): Paged,
) -> Result<Json<PageBody<PlayRowBody>>, Problem> {
    let now = app.world.now();
    let rows = engine::activities::published_list(&app.world, page).await?;
    Ok(Json(PageBody::of(rows, |row| PlayRowBody::of(row, now))))
}

/// An activity with its odds, as they are published.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    pub description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description_en: String,
    pub state: &'static str,
    /// `instant`, `raffle` or `sale`.
    pub kind: &'static str,
    /// The game that its operator chose; absent where any that fits will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<&'static str>,
    pub from_ms: i64,
    pub until_ms: i64,
    /// When it ended, which may be before `until_ms`; absent while it is not closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<i64>,
    /// The time zone that its days and months are counted in.
    pub zone: String,
    /// Chances everybody has.
    pub chances: ChancesGivenBody,
    pub round: u32,
    pub version: u32,
    pub prizes: Vec<PlayPrizeBody>,
    /// For an activity that one draws from at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<OddsBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raffle: Option<RaffleBody>,
    /// SHA-256 of the secret that its draws come from, published before the first.
    pub commitment: String,
    /// SHA-256 of the strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy_hash: Option<String>,
    /// The rule tree that says who may take part; absent where everybody may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<PlayTreeBody>,
    /// Who runs it, its rules and whom to ask.
    pub imprint: ImprintBody,
}

/// Which rule tree: paths in records lead through it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayTreeBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub version: u32,
    /// SHA-256 of its published form.
    pub hash: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ChancesGivenBody {
    pub total: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlayPrizeBody {
    #[serde(flatten)]
    pub prize: PrizeBody,
    /// Its place on the wheel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u16>,
    /// `some`, or `none` when nobody can win it for now: no unit is left, or an operator withdrew it. Its odds stay as
    /// they were published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<&'static str>,
    /// Units there are in a raffle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<u32>,
    /// Units one player may win in a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_cap: Option<u32>,
    /// Can be won only from this draw of yours on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlock: Option<UnlockBody>,
    /// Its units can be won over time: so many in all, from each of these moments on. Empty: all of them from the start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub release: Vec<PlayReleaseBody>,
    /// Units given in one clock hour (UTC) at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hourly_cap: Option<u32>,
    /// Whether it is given only while the activity's budget lasts.
    pub budgeted: bool,
    /// Whether it is withdrawn for accounts with certain risk labels.
    pub labelled: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlayReleaseBody {
    pub from_ms: i64,
    pub units: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UnlockBody {
    /// The first of your draws that can win it.
    pub from_draw: u32,
    /// `today` or `in_all`.
    pub scope: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OddsBody {
    /// All odds are parts of this.
    pub whole: u64,
    /// `fixed`: a prize that is gone keeps its slice. `renormalised`: the rest is weighed anew.
    pub mode: &'static str,
    /// Whether ten at once are offered.
    pub ten: bool,
    pub miss_slot: u16,
    pub tables: Vec<TableBody>,
    /// A prize for certain after so many misses in a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pity: Option<PityBody>,
    /// What is given where a prize that was hit is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<FallbackBody>,
    /// Whether there is a budget for all prizes together, and one for each day.
    pub budget_total: bool,
    pub budget_day: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TableBody {
    /// From so many finished draws (or points spent) on; 0 is everybody.
    pub from: u64,
    /// `draws` or `points_spent`.
    pub by: &'static str,
    pub slices: Vec<SliceBody>,
    /// What the slices leave over.
    pub no_prize: u64,
    /// The same in per cent, exactly, without needless zeros.
    #[schema(example = "37.5")]
    pub no_prize_percent: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SliceBody {
    pub prize: u16,
    pub odds: u64,
    /// The same in per cent, exactly, without needless zeros.
    #[schema(example = "12.5")]
    pub percent: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PityBody {
    pub prize: u16,
    pub misses: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FallbackBody {
    pub prize: u16,
    /// How many points, from and to.
    pub amount_min: u64,
    pub amount_max: u64,
    /// Points that it gives in the round at most, all together.
    pub budget_amount: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RaffleBody {
    pub draw_at_ms: i64,
    /// The public value that the drawing waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<String>,
}

/// An activity, its prizes and its odds
#[utoipa::path(get, path = "/play/activities/{id}", tag = "play", responses((status = 200, body = PlayBody)))]
pub async fn play_activity_get(
    State(app): State<App>,
    Path(id): Path<ActivityId>,
) -> Result<Json<PlayBody>, Problem> {
    let live = app.world.caches.activities.find(&app.world, id).await?;
    let live = live.ok_or(Rejection::NotFound { what: MissingThing::Activity })?;
    let gone = list_sold_out(&app.world, &live).await?;
    Ok(Json(body(&live, &gone, app.world.now())))
}

fn body(live: &PublishedActivity, gone: &[PrizeId], now: Timestamp) -> PlayBody {
    let configuration = &live.content.configuration;
    let (window, chances) = (configuration.window(), configuration.chances());
    let (ten, raffle) = match configuration.kind() {
        KindSettings::Instant { ten } => (*ten, None),
        KindSettings::Raffle { draw_at, beacon } => {
            (false, Some(RaffleBody { draw_at_ms: draw_at.0, beacon: beacon.clone() }))
        }
        KindSettings::Sale => (false, None),
    };
    let (odds, strategy_hash) = match &live.content.plan {
        Plan::Instant(strategy) => (Some(odds(strategy, ten)), Some(hex(&strategy.hash().0))),
        Plan::Raffle(_) | Plan::Sale(_) => (None, None),
    };
    PlayBody {
        id: live.activity.to_string(),
        name: configuration.name().to_owned(),
        name_en: configuration.presentation().name_en.clone(),
        description: configuration.description().to_owned(),
        description_en: configuration.presentation().description_en.clone(),
        state: live.life.at(window, now).state.name(),
        kind: configuration.kind().name(),
        game: configuration.presentation().game.map(Game::name),
        from_ms: window.from.0,
        until_ms: window.until.0,
        ended_ms: live.ended_at(now).map(|at| at.0),
        zone: configuration.zone().to_owned(),
        chances: ChancesGivenBody { total: chances.total, month: chances.month, day: chances.day },
        round: live.life.round,
        version: live.version,
        prizes: prizes(live, gone),
        odds,
        raffle,
        commitment: hex(&live.commitment.0),
        strategy_hash,
        tree: live.pinned_tree().map(tree),
        imprint: configuration.presentation().into(),
    }
}

fn tree(tree: &PinnedTree) -> PlayTreeBody {
    PlayTreeBody { id: tree.id.to_string(), version: tree.version, hash: hex(&tree.hash.0) }
}

fn prizes(live: &PublishedActivity, gone: &[PrizeId]) -> Vec<PlayPrizeBody> {
    let titles = Titles::of(&live.content);
    let title = |id| titles.get(id).cloned().map(PrizeBody::from);
    match &live.content.plan {
        Plan::Instant(strategy) => strategy
            .prizes
            .iter()
            .filter_map(|prize| {
                let unlock = prize.unlock.map(|unlock| UnlockBody {
                    from_draw: unlock.draws + u32::from(!unlock.current_counts),
                    scope: unlock.scope.name(),
                });
                let step = |step: &Release| PlayReleaseBody { from_ms: step.at.0, units: step.units };
                let budget = &strategy.budget;
                let has_budget = budget.total_minor.is_some() || budget.day_minor.is_some();
                Some(PlayPrizeBody {
                    prize: title(prize.id)?,
                    slot: Some(prize.slot.0),
                    left: Some(if gone.contains(&prize.id) { "none" } else { "some" }),
                    units: None,
                    win_cap: prize.win_cap,
                    unlock,
                    release: prize.release.iter().map(step).collect(),
                    hourly_cap: prize.hourly_cap,
                    budgeted: prize.cost_minor > 0 && has_budget,
                    labelled: !prize.withdrawn_for.is_empty(),
                })
            })
            .collect(),
        Plan::Raffle(prizes) => prizes
            .iter()
            .filter_map(|prize| {
                let units = Some(prize.units);
                Some(PlayPrizeBody {
                    prize: title(prize.id)?,
                    slot: None,
                    left: None,
                    units,
                    win_cap: None,
                    unlock: None,
                    release: Vec::new(),
                    hourly_cap: None,
                    budgeted: false,
                    labelled: false,
                })
            })
            .collect(),
        Plan::Sale(_) => Vec::new(),
    }
}

fn odds(strategy: &Strategy, ten: bool) -> OddsBody {
    let tiers: Vec<(u64, &'static str, usize)> = match &strategy.tiers {
        None => vec![(0, TierBy::Draws.name(), 0)],
        Some(tiers) => {
            let by = tiers.by.name();
            let first = tiers.steps.first().is_none_or(|tier| tier.from > 0).then_some((0, by, 0));
            let steps = tiers.steps.iter().map(|tier| (tier.from, by, usize::from(tier.table)));
            first.into_iter().chain(steps).collect()
        }
    };
    let table = |(from, by, at): (u64, &'static str, usize)| {
        let table = &strategy.tables[at];
        let slice = |slice: &domain::lottery::strategy::OddsSlice| SliceBody {
            prize: slice.prize.number(),
            odds: slice.odds,
            percent: percent(slice.odds, strategy.whole),
        };
        let slices = table.slices.iter().map(slice).collect();
        let no_prize = strategy.whole - table.odds();
        TableBody { from, by, slices, no_prize, no_prize_percent: percent(no_prize, strategy.whole) }
    };
    OddsBody {
        whole: strategy.whole,
        mode: strategy.mode.name(),
        ten,
        miss_slot: strategy.miss_slot.0,
        tables: tiers.into_iter().map(table).collect(),
        pity: strategy.pity.map(|pity| PityBody { prize: pity.prize.number(), misses: pity.misses }),
        fallback: strategy.fallback.map(|fallback| FallbackBody {
            prize: fallback.prize.number(),
            amount_min: fallback.amount_min,
            amount_max: fallback.amount_max,
            budget_amount: fallback.budget_amount,
        }),
        budget_total: strategy.budget.total_minor.is_some(),
        budget_day: strategy.budget.day_minor.is_some(),
    }
}

/// Decimal places shown at most; odds that need more are cut, with a sign that says so.
const PLACES_MAX: usize = 12;

/// Parts of a whole in per cent, digit by digit: nothing is rounded away unseen.
fn percent(odds: u64, whole: u64) -> String {
    let (mut rest, whole) = (u128::from(odds) * 100, u128::from(whole));
    let mut text = (rest / whole).to_string();
    rest %= whole;
    if rest > 0 {
        text.push('.');
    }
    for _ in 0..PLACES_MAX {
        if rest == 0 {
            return text;
        }
        rest *= 10;
        text.push_str(&(rest / whole).to_string());
        rest %= whole;
    }
    if rest > 0 {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn per_cent_are_exact() {
        for (odds, whole, text) in [
            (130_000, 1_000_000, "13"),
            (125_000, 1_000_000, "12.5"),
            (1, 1_000_000, "0.0001"),
            (1, 1_000_000_000_000, "0.0000000001"),
            (1, 1, "100"),
            (0, 7, "0"),
            (1, 3, "33.333333333333…"),
        ] {
            assert_eq!(percent(odds, whole), text, "{odds} of {whole}");
        }
    }
}
