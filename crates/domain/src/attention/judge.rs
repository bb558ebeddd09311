//! Figures become items.

use super::facts::{AttentionFacts, AttentionLimits, LedgerFact, PoolFact, PrizeFact};
use super::{AttentionItem, AttentionKind, AttentionLevel};
use crate::fulfilment::{FulfilmentState, PrizeKind};
use crate::time::{SECOND_MS, Timestamp};

/// What needs somebody at this moment: the urgent first, then in the order of the list of kinds, each in the order of its
/// subjects.
pub fn judge(facts: &AttentionFacts, limits: AttentionLimits, now: Timestamp) -> Vec<AttentionItem> {
    let mut items = Vec::new();
    judge_prizes(facts, limits, now, &mut items);
    judge_pools(facts, &mut items);
    judge_ledger(&facts.ledger, limits, &mut items);
    for lane in &facts.lanes {
        let item = urgent(AttentionKind::DeadLetters, &lane.lane);
        items.push(AttentionItem {
            name: lane.lane.clone(),
            count: lane.count,
            since: Some(lane.oldest),
            ..item
        });
    }
    for low in &facts.stock {
        let prize = low.prize.map(|prize| format!("/{}", prize.number())).unwrap_or_default();
        items.push(AttentionItem {
            name: low.name.clone(),
            count: low.left,
            of: low.total,
            since: Some(low.since),
            ..soon(AttentionKind::StockLow, &format!("{}{prize}", low.activity))
        });
    }
    judge_webhooks(facts, &mut items);
    for job in &facts.jobs {
        let about = |kind| AttentionItem { name: job.name.clone(), count: 1, ..soon(kind, &job.name) };
        if job.paused {
            items.push(about(AttentionKind::JobPaused));
        } else if job.failed.is_some() {
            items.push(AttentionItem { since: job.failed, ..about(AttentionKind::JobFailing) });
        }
    }
    for disk in facts.disks.iter().filter(|disk| disk.free_bytes < limits.disk_free_min_bytes) {
        let item = urgent(AttentionKind::DiskLow, &disk.folder);
        items.push(AttentionItem {
            name: disk.folder.clone(),
            count: disk.free_bytes,
            of: disk.total_bytes,
            ..item
        });
    }
    push_count(&mut items, soon(AttentionKind::SecondFactorMissing, ""), facts.staff_without_second_factor);
    push_count(&mut items, soon(AttentionKind::RefundsDue, ""), facts.refunds_due);
    push_count(&mut items, urgent(AttentionKind::Quarantine, ""), facts.quarantined);
    items.sort_by(|a, b| (a.level, a.kind, &a.subject).cmp(&(b.level, b.kind, &b.subject)));
    items
}

/// Prizes that do not move, each for the first reason there is.
fn judge_prizes(
    facts: &AttentionFacts,
    limits: AttentionLimits,
    now: Timestamp,
    items: &mut Vec<AttentionItem>,
) {
    let pool_of = |fact: &PrizeFact| facts.code_pools.iter().find(|pool| Some(pool.id) == fact.pool);
    for fact in facts.prizes.iter().filter(|fact| fact.count > 0) {
        let item = match (fact.state, fact.kind) {
            (FulfilmentState::Failed, kind) => AttentionItem {
                name: kind.name().to_owned(),
                ..urgent(AttentionKind::PrizesFailed, kind.name())
            },
            (FulfilmentState::Ready, PrizeKind::Code) if pool_of(fact).is_some_and(|pool| pool.left == 0) => {
                let (id, name) =
                    pool_of(fact).map(|pool| (pool.id.to_string(), pool.name.clone())).unwrap_or_default();
                AttentionItem { name, ..urgent(AttentionKind::CodesMissing, &id) }
            }
            (FulfilmentState::Ready, PrizeKind::Coupon) if !facts.coupons_issued => {
                urgent(AttentionKind::IssuerMissing, "")
            }
            (FulfilmentState::Ready, kind) if now.since_ms(fact.oldest) > limits.ready_max_ms => {
                AttentionItem {
                    name: kind.name().to_owned(),
                    ..urgent(AttentionKind::PrizesStuck, kind.name())
                }
            }
            (FulfilmentState::Waiting, _) => todo(AttentionKind::ToRelease),
            (FulfilmentState::ToShip, _) => todo(AttentionKind::ToShip),
            _ => continue,
        };
        let item = AttentionItem { count: fact.count, since: Some(fact.oldest), ..item };
        // Pools and kinds share an item where the subject is the same.
        match items.iter_mut().find(|known| (known.kind, &known.subject) == (item.kind, &item.subject)) {
            Some(known) => {
                known.count = known.count.saturating_add(item.count);
                known.since = known.since.min(item.since);
            }
            None => items.push(item),
        }
    }
}

/// What was promised says more than a threshold: a pool has one of the two.
fn judge_pools(facts: &AttentionFacts, items: &mut Vec<AttentionItem>) {
    for pool in &facts.code_pools {
        let PoolFact { id, name, left, promised, is_low, low_since } = pool;
        let about = |kind, of| {
            let level = if *left == 0 { AttentionLevel::Urgent } else { AttentionLevel::Soon };
            let item = soon(kind, &id.to_string());
            AttentionItem { level, name: name.clone(), count: *left, of, since: *low_since, ..item }
        };
        if promised > left {
            items.push(about(AttentionKind::CodesShort, *promised));
        } else if *is_low {
            items.push(AttentionItem { level: AttentionLevel::Soon, ..about(AttentionKind::CodesLow, 0) });
        }
    }
}

fn judge_ledger(ledger: &LedgerFact, limits: AttentionLimits, items: &mut Vec<AttentionItem>) {
    push_count(items, urgent(AttentionKind::LedgerStopped, ""), u64::from(ledger.stopped));
    if ledger.lag > limits.lag_max {
        push_count(items, urgent(AttentionKind::LedgerBehind, ""), ledger.lag);
    }
    push_count(items, urgent(AttentionKind::LedgerDiffers, ""), ledger.differences);
    let behind_s = ledger.behind_ms.div_ceil(SECOND_MS.unsigned_abs());
    push_count(items, urgent(AttentionKind::ClockBehind, ""), behind_s);
}

fn judge_webhooks(facts: &AttentionFacts, items: &mut Vec<AttentionItem>) {
    for hook in &facts.webhooks {
        let (kind, since) = match (hook.off_since, hook.failing_since) {
            (Some(off), _) => (urgent(AttentionKind::WebhookOff, &hook.id.to_string()), off),
            (None, Some(failing)) => (soon(AttentionKind::WebhookFailing, &hook.id.to_string()), failing),
            (None, None) => continue,
        };
        items.push(AttentionItem {
            name: hook.name.clone(),
            count: hook.failures,
            since: Some(since),
            ..kind
        });
    }
}

fn push_count(items: &mut Vec<AttentionItem>, item: AttentionItem, count: u64) {
    if count > 0 {
        items.push(AttentionItem { count, ..item });
    }
}

fn urgent(kind: AttentionKind, subject: &str) -> AttentionItem {
    let (level, subject) = (AttentionLevel::Urgent, subject.to_owned());
    AttentionItem { kind, level, subject, name: String::new(), count: 0, of: 0, since: None }
}

fn soon(kind: AttentionKind, subject: &str) -> AttentionItem {
    AttentionItem { level: AttentionLevel::Soon, ..urgent(kind, subject) }
}

fn todo(kind: AttentionKind) -> AttentionItem {
    AttentionItem { level: AttentionLevel::Todo, ..urgent(kind, "") }
}
