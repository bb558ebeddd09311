//! Gathers the figures and has them judged.

use std::collections::HashMap;

use domain::attention::{
    AttentionFacts, AttentionItem, AttentionLimits, JobFact, LedgerFact, PoolFact, StockFact, WebhookFact,
    judge,
};
use domain::ids::CodePoolId;
use domain::job::RunOutcome;
use domain::time::{MINUTE_MS, Timestamp};
use store::model::{CodePoolRow, JobRow, LOW_POOLS_LISTED_MAX, OffReason, WebhookRow};

use crate::activities::code_promises::count_promises;
use crate::failure::Result;
use crate::fulfilment::relay::coupons::subscribers;
use crate::inventory::auditing::Pass;
use crate::operations::attention::tell_job;
use crate::world::World;

const MIB: u64 = 1 << 20;

/// An item with the moment since when it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttentionSeen {
    pub item: AttentionItem,
    /// Its own, or when those outside were told.
    pub since: Option<Timestamp>,
}

/// What needs somebody now, the most urgent first.
pub async fn attention_list(world: &World) -> Result<Vec<AttentionSeen>> {
    let items = find_items(world).await?;
    let notes = world.db.attention_notes().await?;
    let told = |item: &AttentionItem| {
        notes
            .iter()
            .find(|note| (note.kind, &note.subject) == (item.kind, &item.subject))
            .map(|note| note.since)
    };
    Ok(items
        .into_iter()
        .map(|item| AttentionSeen { since: item.since.or_else(|| told(&item)), item })
        .collect())
}

pub(super) async fn find_items(world: &World) -> Result<Vec<AttentionItem>> {
    let counts = world.db.attention_count().await?;
    let jobs = world.db.job_list().await?;
    let promised = count_promises(world, &counts).await?;
    let quarantine = world.db.quarantine_list().await?;
    let messages: u64 = quarantine.lanes.iter().map(|lane| lane.messages).sum();
    let facts = AttentionFacts {
        coupons_issued: !subscribers(world).await?.is_empty(),
        code_pools: code_pools(world, &promised).await?,
        prizes: counts.prizes,
        lanes: counts.lanes,
        stock: name_prizes(world, counts.stock).await?,
        webhooks: world.db.webhook_list().await?.into_iter().filter_map(webhook).collect(),
        disks: world.outside.disks.list(),
        ledger: ledger(world),
        staff_without_second_factor: counts.staff_without_second_factor,
        refunds_due: counts.refunds_due,
        quarantined: messages + quarantine.code_pools.len() as u64,
        jobs: jobs.iter().map(job).collect(),
    };
    Ok(judge(&facts, limits(&jobs), world.now()))
}

/// As the job's parameters say: one place to set them.
fn limits(jobs: &[JobRow]) -> AttentionLimits {
    let set = jobs.iter().find(|job| job.name == tell_job::ATTENTION.name).map(|job| job.parameters.as_str());
    let value = |parameter: crate::jobs::Parameter| parameter.within(set.unwrap_or("{}"));
    AttentionLimits {
        disk_free_min_bytes: value(tell_job::DISK_FREE_MIN_MIB).unsigned_abs().saturating_mul(MIB),
        lag_max: value(tell_job::LAG_MAX).unsigned_abs(),
        ready_max_ms: value(tell_job::READY_MAX_MINUTES).saturating_mul(MINUTE_MS),
    }
}

/// The activity and the prize: either alone is not enough to find it.
async fn name_prizes(world: &World, mut stock: Vec<StockFact>) -> Result<Vec<StockFact>> {
    for fact in &mut stock {
        let published = world.caches.activities.find(world, fact.activity).await?;
        let prize = published.as_ref().zip(fact.prize).and_then(|(one, prize)| one.content.prize_name(prize));
        if let Some(prize) = prize {
            fact.name = format!("{} · {prize}", fact.name);
        }
    }
    Ok(stock)
}

/// Those that were promised from, and those below their threshold.
async fn code_pools(world: &World, promised: &HashMap<CodePoolId, u64>) -> Result<Vec<PoolFact>> {
    let mut rows = world.db.code_pools_list_low(LOW_POOLS_LISTED_MAX).await?;
    let mut more: Vec<CodePoolId> =
        promised.keys().copied().filter(|id| rows.iter().all(|row| row.id != *id)).collect();
    more.sort_unstable();
    for id in more {
        rows.extend(world.db.code_pool(id).await?);
    }
    let fact = |row: CodePoolRow| PoolFact {
        left: row.left(),
        promised: promised.get(&row.id).copied().unwrap_or(0),
        is_low: row.is_low(),
        low_since: row.low_since,
        id: row.id,
        name: row.name,
    };
    Ok(rows.into_iter().map(fact).collect())
}

/// One that a person switched off is off on purpose.
fn webhook(row: WebhookRow) -> Option<WebhookFact> {
    let off_since = match row.off {
        Some((OffReason::ByHand, _)) => return None,
        Some((OffReason::Failing, at)) => Some(at),
        None => None,
    };
    let (failing_since, failures) = (row.health.failing_since, u64::from(row.health.failures));
    Some(WebhookFact { id: row.id, name: row.name, off_since, failing_since, failures })
}

fn job(row: &JobRow) -> JobFact {
    let failed = row.last_run.as_ref().filter(|run| run.outcome == Some(RunOutcome::Failed));
    JobFact { name: row.name.clone(), paused: row.paused, failed: failed.map(|run| run.started) }
}

fn ledger(world: &World) -> LedgerFact {
    let figures = world.ledger.auditor.figures();
    LedgerFact {
        stopped: figures.trouble.is_some(),
        lag: figures.durable.saturating_sub(figures.projected),
        differences: world.ledger.audits.whole().as_ref().map_or(0, Pass::left),
        behind_ms: world.ledger.stock.clock().behind_ms,
    }
}
