//! Activities to try steps on: a small content, steps by people at a moment, and where things stand afterwards.

use domain::access::Decider;
use domain::activity::*;
use domain::fulfilment::{Gift, PrizeKind};
use domain::ids::{ActivityId, UserId};
use domain::ledger::PoolId;
use domain::ledger::play::ActivityState;
use domain::lottery::random::DrawSecret;
use domain::lottery::strategy::{
    Budget, Mode, OddsSlice, OddsTable, Prize, PrizeId, PrizeStock, SlotIndex, Strategy,
};
use domain::time::Timestamp;
use store::Db;
use store::failure::Result;
use store::model::*;

use crate::fixtures::*;
use crate::jobs::{claim, defaults};

pub const ANN: UserId = UserId(1_000);
pub const BOB: UserId = UserId(2_000);
/// The window of [`content`] begins and ends so long after T0.
pub const FROM_MS: i64 = 1_000;
pub const UNTIL_MS: i64 = 2_000;
/// What the ledger has once the first version of the first round is open.
pub const MARK: LedgerMark = LedgerMark { round: 1, version: 1, state: ActivityState::Open };

pub fn seen(number: u32, edition: u32) -> SeenEdition {
    SeenEdition { number, edition }
}

pub fn prize_id(number: u16) -> PrizeId {
    PrizeId::new(number).unwrap()
}

/// Two prizes: 10 of the first, no end of the second. 100 entries.
pub fn content() -> Content {
    with_units(10, Some(100))
}

pub fn with_units(units: u64, entries: Option<u64>) -> Content {
    let draft = ActivityDraft {
        name: "Spring Wheel".to_owned(),
        description: "Spin.".to_owned(),
        from: T0 + FROM_MS,
        until: T0 + UNTIL_MS,
        zone: "UTC".to_owned(),
        kind: KindSettings::Instant { ten: true },
        entries,
        chances: Chances { total: 5, month: None, day: Some(2) },
        presentation: Presentation::default(),
        tree: None,
    };
    let prize = |number, stock| Prize {
        id: prize_id(number),
        name: format!("prize {number}"),
        slot: SlotIndex(number),
        stock,
        cost_minor: 0,
        unlock: None,
        win_cap: None,
        release: Vec::new(),
        hourly_cap: None,
        withdrawn_for: Vec::new(),
    };
    let slice = |number| OddsSlice { prize: prize_id(number), odds: 1_000 };
    let card = |number, kind, amount| Card {
        details: "d".into(),
        picture: "🎁".into(),
        ..Card::plain(prize_id(number), Gift::new(kind, amount).unwrap())
    };
    Content {
        configuration: draft.check().unwrap(),
        plan: Plan::Instant(Strategy {
            version: 1,
            whole: 1_000_000,
            mode: Mode::Fixed,
            prizes: vec![
                prize(1, PrizeStock::Pool { pool: PoolId(0), units }),
                prize(2, PrizeStock::Unlimited),
            ],
            tables: vec![OddsTable { slices: vec![slice(1), slice(2)] }],
            miss_slot: SlotIndex(0),
            tiers: None,
            consolation: None,
            fallback: None,
            pity: None,
            budget: Budget::default(),
        }),
        cards: vec![card(1, PrizeKind::Parcel, None), card(2, PrizeKind::Points, Some(7))],
    }
}

pub fn raffle() -> Content {
    let mut draft = content().configuration.draft();
    draft.kind = KindSettings::Raffle { draw_at: T0 + UNTIL_MS, beacon: Some("drand".to_owned()) };
    draft.tree = Some(9);
    let prize = RafflePrize { id: prize_id(3), name: "大奖".to_owned(), units: 2 };
    Content { configuration: draft.check().unwrap(), plan: Plan::Raffle(vec![prize]), cards: Vec::new() }
}

/// With the window moved by so much.
pub fn later(content: Content, ms: i64) -> Content {
    let mut draft = content.configuration.draft();
    (draft.from, draft.until) = (draft.from + ms, draft.until + ms);
    Content { configuration: draft.check().unwrap(), ..content }
}

fn at(actor: Actor, audit: i64, after_ms: i64) -> AuditStamp {
    AuditStamp { at: T0 + after_ms, ..signed(actor, audit) }
}

pub async fn create(db: &Db, id: i64, content: Content) -> ActivityId {
    let content = content.placed(ActivityId(id), 1);
    let signed = at(Actor::Person(ANN), id * 1_000, 0);
    let step = ActivityCreate { id: ActivityId(id), content, cloned_from: None, once: None, signed };
    ActivityId(db.activity_create(step).await.unwrap().id)
}

pub async fn edit(
    db: &Db,
    id: ActivityId,
    by: UserId,
    seen: SeenEdition,
    content: Content,
) -> Result<CreateOutcome> {
    let content = content.placed(id, seen.number);
    let audit = id.0 * 1_000 + 500 + i64::from(seen.number) * 20 + i64::from(seen.edition);
    let signed = at(Actor::Person(by), audit, 0);
    let SeenEdition { number, edition } = seen;
    db.activity_edit(ActivityEdit { id, edition, number, content, once: None, signed }).await
}

pub fn act(id: ActivityId, by: UserId, action: Action, after_ms: i64) -> ActivityAct {
    // Every line of the audit log has an id of its own: what happens at another moment is another line.
    let audit = id.0 * 1_000_000 + after_ms * 100 + action as i64;
    let secret = DrawSecret::new([u8::try_from(after_ms % 251).unwrap(); 32]);
    ActivityAct {
        id,
        action,
        by: Decider::Person(by),
        seen: None,
        tree_version: None,
        secret: Some(NewSecret { sealed: vec![7; 40], commitment: secret.commitment() }),
        once: None,
        signed: at(Actor::Person(by), audit, after_ms),
    }
}

/// Submitted by Ann and approved by Bob, so long after T0.
pub async fn publish(db: &Db, id: ActivityId, after_ms: i64) {
    db.activity_act(act(id, ANN, Action::Submit, after_ms)).await.unwrap();
    db.activity_act(act(id, BOB, Action::Approve, after_ms)).await.unwrap();
}

pub async fn row(db: &Db, id: ActivityId) -> ActivityRow {
    db.activity_find(id).await.unwrap().unwrap()
}

/// State and round.
pub async fn life(db: &Db, id: ActivityId) -> (LifeState, u32) {
    let Life { state, round } = row(db, id).await.life;
    (state, round)
}

pub async fn fence(db: &Db) -> Fence {
    db.jobs_declare(defaults(&["activities"])).await.unwrap();
    db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence
}

/// What the job does with its walk, page by page, without the ledger; answers how many there were.
pub async fn walk(db: &Db, fence: &Fence, after_ms: i64, page: u32) -> Vec<i64> {
    let (mut after, mut seen) = (i64::MIN, Vec::new());
    loop {
        let due = db.activities_due(T0 + after_ms, after, page).await.unwrap();
        let Some(last) = due.last() else { return seen };
        after = last.0;
        for id in due {
            let signed = at(Actor::System, id.0 * 7_000_000 + after_ms, after_ms);
            db.activity_tick(fence.clone(), id, signed).await.unwrap();
            seen.push(id.0);
        }
    }
}

pub fn moment(after_ms: i64) -> Timestamp {
    T0 + after_ms
}
