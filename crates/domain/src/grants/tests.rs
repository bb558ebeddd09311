//! Rules as tables: what they take, what they give, and why not.

use proptest::prelude::*;

use super::*;
use crate::Rejection;
use crate::ids::{ActivityId, UserId};
use crate::time::{DAY_MS, Timestamp};

fn draft() -> RuleDraft {
    RuleDraft {
        name: "daily check-in".to_owned(),
        campaign: None,
        behaviour: "check_in".to_owned(),
        gives: GrantKind::Chances { activity: ActivityId(7) },
        amount: 2,
        period: Period::Day,
        zone: "Asia/Shanghai".to_owned(),
        times: 1,
        cap_user: None,
        cap_total: None,
        from: None,
        until: None,
        on: true,
    }
}

fn rule() -> RuleTerms {
    draft().check().unwrap()
}

#[test]
fn what_a_rule_gives() {
    let rule = RuleTerms {
        times: 2,
        cap_user: Some(9),
        cap_total: Some(100),
        from: Some(Timestamp(10)),
        until: Some(Timestamp(20)),
        ..rule()
    };
    let counted = |in_period, user, total| GrantCounts { in_period, user, total };
    for (at, counted, expected) in [
        (9, counted(0, 0, 0), Err(GrantRefusal::NotYet)),
        (10, counted(0, 0, 0), Ok(1)),
        (19, counted(1, 2, 2), Ok(2)),
        (20, counted(0, 0, 0), Err(GrantRefusal::Over)),
        (15, counted(2, 4, 4), Err(GrantRefusal::TimesReached)),
        (15, counted(9, 4, 4), Err(GrantRefusal::TimesReached)),
        (15, counted(0, 7, 98), Ok(1)),
        // All of it or nothing: a single one is left.
        (15, counted(0, 8, 8), Err(GrantRefusal::CapUser)),
        (15, counted(0, 0, 99), Err(GrantRefusal::CapTotal)),
        (15, counted(0, i64::MAX, 0), Err(GrantRefusal::CapUser)),
        (15, counted(0, 8, 99), Err(GrantRefusal::CapUser)),
    ] {
        assert_eq!(decide(&rule, Timestamp(at), counted), expected, "{at} {counted:?}");
    }
}

#[test]
fn periods_by_day_month_and_behaviour() {
    for (period, day, key, slot) in [
        (Period::Once, 20_261_115, "a", ""),
        (Period::Day, 20_261_115, "a", "20261115"),
        (Period::Day, 20_261_116, "a", "20261116"),
        (Period::Month, 20_261_130, "a", "202611"),
        (Period::Month, 20_261_201, "a", "202612"),
        (Period::Month, 20_271_101, "a", "202711"),
        (Period::Each, 20_261_115, "a", "a"),
        (Period::Each, 20_261_115, "b", "b"),
    ] {
        assert_eq!(period.slot(day, key), slot, "{period:?} {day} {key}");
        assert_eq!(Period::parse(period.name()), Some(period));
    }
    assert_eq!(Period::ALL.map(Period::name).join(", "), Period::NAMES);
    for why in GrantRefusal::ALL {
        assert_eq!(GrantRefusal::parse(why.name()), Some(why));
    }
}

#[test]
fn drafts_that_are_no_rules() {
    let check = |field: Option<&str>, wrong: RuleDraft| {
        let got = wrong.clone().check();
        assert_eq!(got.as_ref().err().and_then(Rejection::field), field, "{wrong:?}");
    };
    check(None, draft());
    check(Some("name"), RuleDraft { name: " ".to_owned(), ..draft() });
    check(Some("name"), RuleDraft { name: "x".repeat(81), ..draft() });
    for (kind, fits) in [
        ("check_in", true),
        ("task:first_post", true),
        ("a-b2", true),
        ("", false),
        ("Check", false),
        ("task:", false),
        (":x", false),
        ("a:b:c", false),
        ("2day", false),
        ("签到", false),
        ("x234567890123456789012345678901234567890x", false),
    ] {
        check((!fits).then_some("behaviour"), RuleDraft { behaviour: kind.to_owned(), ..draft() });
    }
    check(Some("amount"), RuleDraft { amount: 0, ..draft() });
    check(Some("amount"), RuleDraft { amount: 101, ..draft() });
    check(None, RuleDraft { amount: 101, gives: GrantKind::Points { expiry: None }, ..draft() });
    check(Some("times"), RuleDraft { times: 0, ..draft() });
    check(Some("times"), RuleDraft { times: 1_001, ..draft() });
    check(Some("cap_user"), RuleDraft { cap_user: Some(0), ..draft() });
    check(Some("cap_total"), RuleDraft { cap_total: Some(-1), ..draft() });
    // Below one grant's worth it would never give anything.
    check(Some("cap_user"), RuleDraft { amount: 5, cap_user: Some(4), ..draft() });
    check(Some("cap_total"), RuleDraft { amount: 5, cap_total: Some(4), ..draft() });
    check(None, RuleDraft { amount: 5, cap_user: Some(5), cap_total: Some(5), ..draft() });
    check(Some("zone"), RuleDraft { zone: "localtime".to_owned(), ..draft() });
    let (from, until) = (Some(Timestamp(5)), Some(Timestamp(5)));
    check(Some("until"), RuleDraft { from, until, ..draft() });
}

#[test]
fn a_change_names_what_it_changes() {
    let before = RuleTerms { cap_user: Some(5), from: Some(Timestamp(5)), ..rule() };
    assert_eq!(before.changed(&RuleChange::default()), Ok(before.clone()));
    let change = RuleChange {
        cap_user: Some(None),
        cap_total: Some(Some(9)),
        on: Some(false),
        ..RuleChange::default()
    };
    let after = before.changed(&change).unwrap();
    assert_eq!((after.cap_user, after.cap_total, after.on, after.from), (None, Some(9), false, before.from));
    for (field, change) in [
        ("until", RuleChange { until: Some(Some(Timestamp(5))), ..RuleChange::default() }),
        ("amount", RuleChange { amount: Some(101), ..RuleChange::default() }),
        ("times", RuleChange { times: Some(i64::MAX), ..RuleChange::default() }),
    ] {
        assert_eq!(before.changed(&change).unwrap_err().field(), Some(field));
    }
}

#[test]
fn behaviours_are_named_and_not_from_another_age() {
    let now = Timestamp(1_000 * DAY_MS);
    for (kind, key, object, at, field) in [
        ("check_in", "a", None, None, None),
        ("check_in", "a", Some("post-5"), Some(now - 366 * DAY_MS), None),
        ("check_in", "a", None, Some(now + 300_000), None),
        ("check_in", "a", None, Some(now + 300_001), Some("at_ms")),
        ("check_in", "a", None, Some(now - 366 * DAY_MS - 1), Some("at_ms")),
        ("Check", "a", None, None, Some("kind")),
        ("check_in", "", None, None, Some("id")),
        ("check_in", " a", None, None, Some("id")),
        ("check_in", "a", Some(""), None, Some("object")),
    ] {
        let got = Behaviour::new(UserId(1), (kind, key, object), at, now);
        assert_eq!(got.as_ref().err().and_then(Rejection::field), field, "{kind} {key} {at:?}");
    }
}

proptest! {
    /// Whatever happens in whatever order, nobody gets more than a period, a user or the budget has.
    #[test]
    fn caps_hold_in_any_order(
        amount in 1..5_i64,
        times in 1..4_u32,
        caps in (prop::option::of(1..20_i64), prop::option::of(1..40_i64)),
        happened in prop::collection::vec((0..3_usize, 0..3_usize), 0..60),
    ) {
        let (cap_user, cap_total) = caps;
        let rule = RuleTerms { amount, times, cap_user, cap_total, ..rule() };
        let (mut in_period, mut user_has, mut total) = ([[0_u32; 3]; 3], [0; 3], 0);
        for (user, period) in happened {
            let counted = GrantCounts { in_period: in_period[user][period], user: user_has[user], total };
            if let Ok(n) = decide(&rule, Timestamp(0), counted) {
                prop_assert_eq!(n, in_period[user][period] + 1);
                in_period[user][period] = n;
                user_has[user] += amount;
                total += amount;
            }
        }
        prop_assert!(in_period.iter().flatten().all(|n| *n <= times));
        prop_assert!(cap_user.is_none_or(|cap| user_has.iter().all(|has| *has <= cap)));
        prop_assert!(cap_total.is_none_or(|cap| total <= cap));
    }
}
