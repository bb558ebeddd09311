//! One row per reason: the figures, and what is said about them.

use super::*;
use crate::Lang;
use crate::fulfilment::{FulfilmentState, PrizeKind};
use crate::ids::{ActivityId, CodePoolId, WebhookId};
use crate::lottery::strategy::PrizeId;

const NOW: Timestamp = Timestamp(10_000_000);
const LIMITS: AttentionLimits =
    AttentionLimits { disk_free_min_bytes: 2 << 30, lag_max: 1_000, ready_max_ms: 600_000 };

fn prizes(
    state: FulfilmentState,
    kind: PrizeKind,
    pool: Option<i64>,
    count: u64,
    oldest: i64,
) -> AttentionFacts {
    let fact = PrizeFact { state, kind, pool: pool.map(CodePoolId), count, oldest: Timestamp(oldest) };
    AttentionFacts { prizes: vec![fact], ..AttentionFacts::default() }
}

fn pool(left: u64, promised: u64, is_low: bool) -> PoolFact {
    PoolFact { id: CodePoolId(7), name: "Tea".to_owned(), left, promised, is_low, low_since: None }
}

fn with_pool(facts: AttentionFacts, pool: PoolFact) -> AttentionFacts {
    AttentionFacts { code_pools: vec![pool], ..facts }
}

fn job(paused: bool, failed: Option<i64>) -> AttentionFacts {
    let job = JobFact { name: "grants".to_owned(), paused, failed: failed.map(Timestamp) };
    AttentionFacts { jobs: vec![job], ..AttentionFacts::default() }
}

fn hook(off: Option<i64>, failing: Option<i64>) -> AttentionFacts {
    let (off_since, failing_since) = (off.map(Timestamp), failing.map(Timestamp));
    let hook =
        WebhookFact { id: WebhookId(3), name: "shop".to_owned(), off_since, failing_since, failures: 4 };
    AttentionFacts { webhooks: vec![hook], ..AttentionFacts::default() }
}

fn ledger(ledger: LedgerFact) -> AttentionFacts {
    AttentionFacts { ledger, ..AttentionFacts::default() }
}

fn told(facts: &AttentionFacts) -> Vec<String> {
    let tell = |item: &AttentionItem| {
        format!("{} {} {}: {}", item.level.name(), item.kind.name(), item.subject, item.text(Lang::En))
    };
    judge(facts, LIMITS, NOW).iter().map(tell).collect()
}

#[test]
fn every_reason_has_its_row() {
    use FulfilmentState::{Claimable, Failed, Ready, ToShip, Waiting};
    let (fresh, old) = (NOW.0 - 1_000, NOW.0 - 600_001);
    let disk = |free_bytes| AttentionFacts {
        disks: vec![DiskFact { folder: "data".to_owned(), free_bytes, total_bytes: 8 << 30 }],
        ..AttentionFacts::default()
    };
    let stock = |left, prize: Option<u16>| AttentionFacts {
        stock: vec![StockFact {
            activity: ActivityId(5),
            prize: prize.and_then(PrizeId::new),
            name: "Mug".to_owned(),
            left,
            total: 50,
            since: NOW,
        }],
        ..AttentionFacts::default()
    };
    let lane = LaneFact { lane: "coupons".to_owned(), count: 1, oldest: NOW };
    let issued = |facts: AttentionFacts| AttentionFacts { coupons_issued: true, ..facts };
    let rows: Vec<(AttentionFacts, &[&str])> = vec![
        (AttentionFacts::default(), &[]),
        (
            with_pool(prizes(Ready, PrizeKind::Code, Some(7), 9, fresh), pool(0, 9, true)),
            &[
                "urgent codes_missing 7: 9 winners wait for a code: “Tea” is empty",
                "urgent codes_short 7: “Tea” has 0 codes for 9 that were promised",
            ],
        ),
        // On its way, and there are codes.
        (with_pool(prizes(Ready, PrizeKind::Code, Some(7), 9, fresh), pool(9, 9, false)), &[]),
        (
            with_pool(prizes(Ready, PrizeKind::Code, Some(7), 1, old), pool(9, 9, false)),
            &["urgent prizes_stuck code: 1 prize has been on the way for too long (code)"],
        ),
        (
            with_pool(AttentionFacts::default(), pool(1, 50, true)),
            &["soon codes_short 7: “Tea” has 1 code for 50 that were promised"],
        ),
        (
            with_pool(AttentionFacts::default(), pool(2, 2, true)),
            &["soon codes_low 7: “Tea” has only 2 codes left"],
        ),
        (with_pool(AttentionFacts::default(), pool(2, 2, false)), &[]),
        (
            prizes(Ready, PrizeKind::Coupon, None, 2, fresh),
            &["urgent issuer_missing : 2 coupons have to be issued, and no webhook asks for them"],
        ),
        (issued(prizes(Ready, PrizeKind::Coupon, None, 2, fresh)), &[]),
        (
            issued(prizes(Ready, PrizeKind::Coupon, None, 2, old)),
            &["urgent prizes_stuck coupon: 2 prizes have been on the way for too long (coupon)"],
        ),
        (
            prizes(Failed, PrizeKind::Parcel, None, 1, fresh),
            &["urgent prizes_failed parcel: 1 prize could not be given (parcel)"],
        ),
        (
            prizes(Waiting, PrizeKind::Text, None, 3, fresh),
            &["todo to_release : 3 prizes wait for an operator to let go"],
        ),
        (prizes(ToShip, PrizeKind::Parcel, None, 1, fresh), &["todo to_ship : 1 parcel has to be sent"]),
        (prizes(Claimable, PrizeKind::Parcel, None, 1, old), &[]),
        (
            AttentionFacts { lanes: vec![lane], ..AttentionFacts::default() },
            &["urgent dead_letters coupons: 1 message could not be delivered (coupons)"],
        ),
        (stock(3, Some(2)), &["soon stock_low 5/2: “Mug” is nearly gone: 3 of 50 left"]),
        (stock(0, None), &["soon stock_low 5: “Mug” is gone: 0 of 50 left"]),
        (hook(None, None), &[]),
        (hook(None, Some(1)), &["soon webhook_failing 3: The webhook “shop” fails (4 attempts)"]),
        (hook(Some(2), Some(1)), &["urgent webhook_off 3: The webhook “shop” is off: it only failed"]),
        (job(false, None), &[]),
        (job(true, Some(1)), &["soon job_paused grants: The job “grants” is paused"]),
        (job(false, Some(1)), &["soon job_failing grants: The job “grants” failed the last time"]),
        (disk(2 << 30), &[]),
        (
            disk(1 << 30),
            &["urgent disk_low data: The disk of the folder “data” has 1024 MiB free of 8192 MiB"],
        ),
        (ledger(LedgerFact { lag: 1_000, ..LedgerFact::default() }), &[]),
        (
            ledger(LedgerFact { stopped: true, lag: 1_001, differences: 1, behind_ms: 1_500 }),
            &[
                "urgent ledger_stopped : The ledger does not reach the database",
                "urgent ledger_behind : The database is 1001 events behind the ledger",
                "urgent ledger_differs : The last audit left 1 difference",
                "urgent clock_behind : The clock is 2 s behind the ledger: draws and orders are refused",
            ],
        ),
        (
            AttentionFacts {
                staff_without_second_factor: 2,
                refunds_due: 1,
                quarantined: 3,
                ..AttentionFacts::default()
            },
            &[
                "urgent quarantine : 3 messages and code pools wait for a look after a restore",
                "soon second_factor_missing : 2 members of staff sign in without a second factor",
                "soon refunds_due : 1 order has to be refunded",
            ],
        ),
    ];
    for (facts, expected) in &rows {
        assert_eq!(told(facts), *expected, "{facts:?}");
    }
}

#[test]
fn what_is_the_same_is_one_item_with_the_oldest_moment() {
    let mut facts = prizes(FulfilmentState::Waiting, PrizeKind::Text, None, 3, 500);
    facts.prizes.extend(prizes(FulfilmentState::Waiting, PrizeKind::Points, None, 2, 400).prizes);
    let items = judge(&facts, LIMITS, NOW);
    assert_eq!(items.len(), 1);
    assert_eq!((items[0].count, items[0].since), (5, Some(Timestamp(400))));
}

#[test]
fn every_kind_has_words_in_both_languages() {
    for kind in AttentionKind::ALL {
        let (level, subject, name) = (AttentionLevel::Soon, String::new(), "parcel".to_owned());
        let item = AttentionItem { kind, level, subject, name, count: 2, of: 5, since: None };
        let [en, zh] = Lang::ALL.map(|lang| item.text(lang));
        assert!(en.is_ascii() || en.contains('“'), "{en}");
        assert!(zh.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter)), "{zh}");
    }
}
