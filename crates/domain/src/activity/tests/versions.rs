//! What a new version says it changes, what pools follow from a version, and that plans come back as they were.

use super::fields::{draft, raffle};
use crate::activity::*;
use crate::fulfilment::{Gift, Grant, PrizeKind};
use crate::ids::{ActivityId, CodePoolId};
use crate::ledger::PoolId;
use crate::lottery::strategy::{
    Budget, Fallback, Mode, OddsSlice, OddsTable, Pity, Prize, PrizeId, PrizeStock, Release, SlotIndex,
    Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope,
};
use crate::time::Timestamp;

fn id(number: u16) -> PrizeId {
    PrizeId::new(number).unwrap()
}

fn prize(number: u16, stock: PrizeStock) -> Prize {
    Prize {
        id: id(number),
        name: format!("prize {number}"),
        slot: SlotIndex(number),
        stock,
        cost_minor: 5,
        unlock: None,
        win_cap: None,
        release: Vec::new(),
        hourly_cap: None,
        withdrawn_for: Vec::new(),
    }
}

fn strategy() -> Strategy {
    Strategy {
        version: 1,
        whole: 1_000_000,
        mode: Mode::Fixed,
        prizes: vec![
            prize(1, PrizeStock::Pool { pool: PoolId(0), units: 10 }),
            prize(2, PrizeStock::Unlimited),
        ],
        tables: vec![OddsTable {
            slices: vec![OddsSlice { prize: id(1), odds: 100 }, OddsSlice { prize: id(2), odds: 200 }],
        }],
        miss_slot: SlotIndex(0),
        tiers: None,
        consolation: None,
        fallback: None,
        pity: None,
        budget: Budget::default(),
    }
}

fn card(number: u16, kind: PrizeKind, amount: Option<u64>) -> Card {
    let gift = Gift::new(kind, amount).unwrap();
    Card { details: "by post".to_owned(), picture: "🎁".to_owned(), ..Card::plain(id(number), gift) }
}

fn content() -> Content {
    Content {
        configuration: draft().check().unwrap(),
        plan: Plan::Instant(strategy()),
        cards: vec![card(1, PrizeKind::Parcel, None), card(2, PrizeKind::Points, Some(5))],
    }
}

fn raffle_plan() -> Plan {
    Plan::Raffle(vec![RafflePrize { id: id(3), name: "大奖".to_owned(), units: 2 }])
}

type Row<'a> = (&'a str, Option<&'a str>, Option<&'a str>);

fn check(change: impl FnOnce(&mut Content), expected: &[Row<'_>]) {
    let published = Version::first(content());
    let mut changed = content();
    change(&mut changed);
    let (next, changes) = published.next(changed).expect("something changed");
    let got: Vec<Row<'_>> = changes
        .iter()
        .map(|change| (change.field.as_str(), change.before.as_deref(), change.after.as_deref()))
        .collect();
    assert_eq!(got, expected);
    assert_eq!((next.number(), published.number()), (2, 1));
    assert_eq!(diff(published.content(), next.content()), changes);
}

fn field(change: fn(&mut ActivityDraft), expected: &[Row<'_>]) {
    let mut changed = draft();
    change(&mut changed);
    check(|content| content.configuration = changed.check().unwrap(), expected);
}

fn rule(change: fn(&mut Strategy), expected: &[Row<'_>]) {
    let mut changed = strategy();
    change(&mut changed);
    check(|content| content.plan = Plan::Instant(changed), expected);
}

#[test]
fn a_version_says_which_fields_it_changes() {
    field(|d| d.name = "Wheel".into(), &[("name", Some("Spring wheel"), Some("Wheel"))]);
    field(|d| d.description = String::new(), &[("description", Some("Spin.\nWin."), Some(""))]);
    field(
        |d| d.from = Timestamp(900),
        &[("from", Some("1970-01-01T00:00:01Z"), Some("1970-01-01T00:00:00.900Z"))],
    );
    field(
        |d| d.until = Timestamp(3_000),
        &[("until", Some("1970-01-01T00:00:02Z"), Some("1970-01-01T00:00:03Z"))],
    );
    field(|d| d.zone = "UTC".into(), &[("zone", Some("Asia/Shanghai"), Some("UTC"))]);
    field(|d| d.kind = KindSettings::Instant { ten: false }, &[("ten", Some("true"), Some("false"))]);
    field(
        |d| d.kind = raffle(2_500, Some("b")),
        &[
            ("kind", Some("instant"), Some("raffle")),
            ("ten", Some("true"), None),
            ("draw_at", None, Some("1970-01-01T00:00:02.500Z")),
            ("beacon", None, Some("b")),
        ],
    );
    field(|d| d.entries = None, &[("entries", Some("100"), None)]);
    field(
        |d| d.chances = Chances { total: 40, month: None, day: Some(4) },
        &[
            ("chances.total", Some("30"), Some("40")),
            ("chances.month", Some("20"), None),
            ("chances.day", Some("3"), Some("4")),
        ],
    );
    field(|d| d.tree = Some(5), &[("tree", None, Some("5"))]);
}

#[test]
fn a_version_says_which_prizes_and_rules_it_changes() {
    rule(|s| s.whole = 10_000, &[("whole", Some("1000000"), Some("10000"))]);
    rule(|s| s.mode = Mode::Renormalised, &[("mode", Some("fixed"), Some("renormalised"))]);
    rule(|s| s.miss_slot = SlotIndex(9), &[("miss_slot", Some("0"), Some("9"))]);
    rule(|s| s.prizes[0].name = "car".into(), &[("prizes.1.name", Some("prize 1"), Some("car"))]);
    rule(|s| s.prizes[1].slot = SlotIndex(7), &[("prizes.2.slot", Some("2"), Some("7"))]);
    rule(
        |s| s.prizes[0].stock = PrizeStock::Pool { pool: PoolId(9), units: 11 },
        &[("prizes.1.units", Some("10"), Some("11"))],
    );
    rule(|s| s.prizes[0].stock = PrizeStock::Unlimited, &[("prizes.1.units", Some("10"), None)]);
    rule(|s| s.prizes[0].cost_minor = 6, &[("prizes.1.cost_minor", Some("5"), Some("6"))]);
    rule(
        |s| {
            s.prizes[0].unlock = Some(Unlock { draws: 3, scope: UnlockScope::Today, current_counts: true });
        },
        &[
            ("prizes.1.unlock.draws", None, Some("3")),
            ("prizes.1.unlock.scope", None, Some("today")),
            ("prizes.1.unlock.current_counts", None, Some("true")),
        ],
    );
    rule(|s| s.prizes[0].win_cap = Some(1), &[("prizes.1.win_cap", None, Some("1"))]);
    rule(|s| s.prizes[0].hourly_cap = Some(2), &[("prizes.1.hourly_cap", None, Some("2"))]);
    rule(
        |s| s.prizes[0].release = vec![Release { at: Timestamp(5), units: 4 }],
        &[("prizes.1.release", None, Some("4 from 1970-01-01T00:00:00.005Z"))],
    );
    rule(|s| s.tables[0].slices[1].odds = 300, &[("prizes.2.odds", Some("200"), Some("300"))]);
    rule(|s| s.tables[0].slices.swap(0, 1), &[("slices", Some("1, 2"), Some("2, 1"))]);
    rule(
        |s| s.tables.push(OddsTable { slices: vec![OddsSlice { prize: id(1), odds: 9 }] }),
        &[("tables.1.prizes.1.odds", None, Some("9")), ("tables.1.slices", None, Some("1"))],
    );
    rule(
        |s| s.tiers = Some(Tiers { by: TierBy::Draws, steps: vec![Tier { from: 0, table: 0 }] }),
        &[("tiers.by", None, Some("draws")), ("tiers", None, Some("0:0"))],
    );
    rule(|s| s.consolation = Some(id(2)), &[("consolation", None, Some("2"))]);
    rule(
        |s| {
            let (amount_min, amount_max, budget_amount) = (1, 2, 100);
            s.fallback = Some(Fallback { prize: id(2), amount_min, amount_max, budget_amount });
        },
        &[
            ("fallback.prize", None, Some("2")),
            ("fallback.amount_min", None, Some("1")),
            ("fallback.amount_max", None, Some("2")),
            ("fallback.budget_amount", None, Some("100")),
        ],
    );
    rule(
        |s| s.pity = Some(Pity { prize: id(1), misses: 9 }),
        &[("pity.prize", None, Some("1")), ("pity.misses", None, Some("9"))],
    );
    rule(|s| s.budget.total_minor = Some(50), &[("budget.total_minor", None, Some("50"))]);
    rule(|s| s.budget.day_minor = Some(5), &[("budget.day_minor", None, Some("5"))]);
    check(
        |content| content.cards[1] = card(2, PrizeKind::Chances, Some(1)),
        &[("prizes.2.kind", Some("points"), Some("chances")), ("prizes.2.amount", Some("5"), Some("1"))],
    );
    check(
        |content| content.cards[0].picture = "🚗".to_owned(),
        &[("prizes.1.picture", Some("🎁"), Some("🚗"))],
    );
    check(
        |content| content.cards[0].grant = Grant::ByHand,
        &[("prizes.1.grant", Some("now"), Some("by_hand"))],
    );
    check(
        |content| content.cards[0].grant = Grant::At(Timestamp(7)),
        &[("prizes.1.grant", Some("now"), Some("7"))],
    );
    check(
        |content| content.cards[0].claim_within_ms = Some(60_000),
        &[("prizes.1.claim_within_ms", None, Some("60000"))],
    );
    check(|content| content.cards[0].pool = Some(CodePoolId(5)), &[("prizes.1.pool", None, Some("5"))]);
}

#[test]
fn no_change_is_no_version() {
    let published = Version::first(content());
    let mut padded = content();
    padded.configuration = ActivityDraft { name: " Spring wheel ".to_owned(), ..draft() }.check().unwrap();
    assert_eq!(published.next(padded), None, "what is trimmed away is no change");
    assert_eq!(published.next(content().placed(ActivityId(9), 2)), None, "its place is no change");
    let changed = Content { plan: raffle_plan(), ..content() };
    assert!(published.next(changed.clone()).is_some());
    assert_eq!(Version::restore(u32::MAX, content()).next(changed), None, "there is no number left");
}

#[test]
fn every_counted_prize_has_the_activitys_own_pool() {
    let placed = content().placed(ActivityId(42), 3);
    let Plan::Instant(strategy) = &placed.plan else { panic!("still instant") };
    let name = PoolUse::Prize(id(1)).pool_name(ActivityId(42));
    assert_eq!(name.as_str(), "prize/42/1");
    assert_eq!(strategy.version, 3);
    assert_eq!(strategy.prizes[0].stock, PrizeStock::Pool { pool: name.pool(), units: 10 });
    assert_eq!(placed.stock(), [(PoolUse::Entries, 100), (PoolUse::Prize(id(1)), 10)]);
    assert_eq!(PoolUse::Entries.pool_name(ActivityId(42)).as_str(), "entries/42");
    assert_eq!(Content { plan: raffle_plan(), ..content() }.stock(), [(PoolUse::Entries, 100)]);
}

#[test]
fn plans_come_back_as_they_were() {
    for plan in [content().plan, raffle_plan(), Plan::Raffle(Vec::new())] {
        let bytes = plan.encode();
        assert_eq!(Plan::decode(&bytes).as_ref(), Ok(&plan));
        for cut in 0..bytes.len() {
            assert!(Plan::decode(&bytes[..cut]).is_err(), "{cut}");
        }
        assert!(Plan::decode(&[&bytes[..], &[0]].concat()).is_err());
    }
    let Plan::Instant(strategy) = content().plan else { panic!("still instant") };
    assert_eq!(content().plan.hash(), strategy.hash());
    // Published before the first entry: the bytes never change.
    let expected = "5752010001000300 06 e5a4a7e5a596 00000002".replace(' ', "");
    let hex: String = raffle_plan().encode().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, expected);
}

/// What the clock has made of it, whoever was late to carry it out; and under a newer version's window.
#[test]
fn where_it_stands_by_the_clock() {
    use LifeState::{Approved, Closed, Editing, Paused, Reopened, Running};
    let window = Window { from: Timestamp(10), until: Timestamp(20) };
    for (state, now, by_the_clock, renewed) in [
        (Editing, 15, Editing, Editing),
        (Approved, 9, Approved, Approved),
        (Approved, 10, Running, Running),
        (Reopened, 19, Running, Running),
        (Approved, 20, Closed, Closed),
        (Running, 9, Running, Approved),
        (Running, 19, Running, Running),
        (Running, 20, Closed, Closed),
        (Paused, 9, Paused, Paused),
        (Paused, 20, Closed, Closed),
        (Closed, 15, Closed, Closed),
    ] {
        let life = Life { state, round: 1 };
        let now = Timestamp(now);
        assert_eq!(life.at(window, now).state, by_the_clock, "{state:?} at {now:?}");
        assert_eq!(life.renew(window, now).state, renewed, "{state:?} renewed at {now:?}");
    }
}

/// Units are a difference: applied to the pool at approval, and nobody loses what they have.
#[test]
fn units_are_told_as_a_difference() {
    let with = |units: Option<u64>| {
        let mut content = content();
        let Plan::Instant(strategy) = &mut content.plan else { panic!("instant") };
        strategy.prizes[0].stock =
            units.map_or(PrizeStock::Unlimited, |units| PrizeStock::Pool { pool: PoolId(0), units });
        content
    };
    for (before, after, change, words) in [
        (Some(30), Some(50), Some(20), ["At approval 20 are added", "增加 20 件"]),
        (Some(50), Some(30), Some(-20), ["At approval 20 are taken from what is still", "扣减 20 件"]),
        (None, Some(5), Some(5), ["At approval 5 are added", "增加 5 件"]),
        (Some(5), None, None, ["No longer counted", "不再计数"]),
    ] {
        let diff = stock_diff(&with(before), &with(after));
        assert_eq!(diff, [StockDiff { part: PoolUse::Prize(id(1)), before, after }]);
        assert_eq!(diff[0].change(), change);
        for (lang, words) in crate::Lang::ALL.into_iter().zip(words) {
            assert!(diff[0].text(lang).contains(words), "{}", diff[0].text(lang));
        }
    }
    assert_eq!(stock_diff(&with(Some(5)), &with(Some(5))), []);
}
