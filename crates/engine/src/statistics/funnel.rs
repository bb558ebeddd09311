//! How far people got in a campaign. What the ledger's rows know comes from them and is exact; what they do not know was
//! counted as it happened, and is united over all days.

use domain::Rejection;
use domain::activity::{ActivityKind, Plan};
use domain::ids::ActivityId;
use domain::rejection::MissingThing;
use domain::statistics::{CountedStep, FunnelStep};
use store::model::{BuyerCounts, RoundCounts, VisitsFind};

use crate::activity_cache::PublishedActivity;
use crate::draws::mine::check_round;
use crate::failure::Result;
use crate::world::World;

#[derive(Clone, Debug)]
pub struct CampaignFunnel {
    pub activity: ActivityId,
    pub kind: ActivityKind,
    /// Of a sale all of its rounds are told together.
    pub round: Option<u32>,
    pub steps: Vec<FunnelCount>,
}

/// How many got to a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunnelCount {
    pub step: FunnelStep,
    pub count: u64,
    /// An estimate otherwise.
    pub is_exact: bool,
}

/// A round of an activity, the current one unless told, or a sale.
pub async fn campaign_funnel(world: &World, id: ActivityId, round: Option<u32>) -> Result<CampaignFunnel> {
    let live = world.caches.activities.find(world, id).await?;
    let live = live.ok_or(Rejection::NotFound { what: MissingThing::Activity })?;
    let kind = live.content.configuration.kind().is();
    let round = check_round(live.life.round, round)?;
    let round = match kind {
        ActivityKind::Instant | ActivityKind::Raffle => Some(round),
        ActivityKind::Sale => None,
    };
    let known = known_counts(world, &live, round).await?;
    let mut steps = Vec::new();
    for step in FunnelStep::of(kind) {
        let exact = |count| FunnelCount { step: *step, count, is_exact: true };
        steps.push(match step {
            FunnelStep::Visitors => counted(world, id, round, *step, CountedStep::Visitors).await?,
            FunnelStep::SignedIn => counted(world, id, round, *step, CountedStep::SignedIn).await?,
            FunnelStep::Attempted => counted(world, id, round, *step, CountedStep::Attempted).await?,
            FunnelStep::Played => exact(known.round.players),
            FunnelStep::Won => exact(known.round.winners),
            FunnelStep::Claimed => exact(known.claimed),
            FunnelStep::Ordered => exact(known.buyers.ordered),
            FunnelStep::Paid => exact(known.buyers.paid),
        });
    }
    Ok(CampaignFunnel { activity: id, kind, round, steps })
}

async fn counted(
    world: &World,
    id: ActivityId,
    round: Option<u32>,
    step: FunnelStep,
    counted: CountedStep,
) -> Result<FunnelCount> {
    let find = match round {
        Some(round) => VisitsFind::Round(id, round, counted),
        None => VisitsFind::Rounds(id, counted),
    };
    let united = world.db.visit_union(find).await?;
    Ok(FunnelCount { step, count: united.count(), is_exact: united.is_exact() })
}

/// What rows tell.
#[derive(Default)]
struct KnownCounts {
    round: RoundCounts,
    claimed: u64,
    buyers: BuyerCounts,
}

async fn known_counts(world: &World, live: &PublishedActivity, round: Option<u32>) -> Result<KnownCounts> {
    let Some(round) = round else {
        let buyers = world.db.buyers_count(live.activity).await?;
        return Ok(KnownCounts { buyers, ..KnownCounts::default() });
    };
    let key = (live.activity, round);
    let mut counts = world.db.round_find(key).await?.map(|stored| stored.counts).unwrap_or_default();
    match &live.content.plan {
        Plan::Instant(_) | Plan::Sale(_) => {}
        // The ledger knows who entered; the drawing is its own rows, and everybody wins once at most.
        Plan::Raffle(_) => {
            let given = world.db.raffle_count_given(key).await?;
            counts.winners += given.iter().map(|(_, units)| units).sum::<u64>();
        }
    }
    let claimed = world.db.claimed_count(key).await?;
    Ok(KnownCounts { round: counts, claimed, buyers: BuyerCounts::default() })
}
