//! Checking in: a row a day, made up for points, rewarded once.

use std::sync::Arc;

use domain::access::DailyAllowance;
use domain::account::CodePurpose;
use domain::civil_date::{CivilDate, CivilMonth};
use domain::community::check_in::streak;
use domain::community::{CheckInTerms, Milestone};
use domain::ids::UserId;
use domain::points::{Amount, Move, NEVER};
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use crate::fixtures::*;

on_both! {
    hole_57_fifty_check_ins_at_once_are_one,
    a_made_up_day_costs_points_once_and_mends_the_streak,
    days_that_cannot_be_made_up,
    a_milestone_is_given_once_per_account,
    days_go_with_the_account_and_milestones_stay,
}

/// Accounts of the fixtures signed up on 2023-11-14.
const SIGN_UP: &str = "2023-11-14";

fn date(text: &str) -> CivilDate {
    CivilDate::parse(text).unwrap()
}

fn on(today: &str) -> CheckInDay {
    let milestones = vec![Milestone { days: 3, points: 10 }, Milestone { days: 5, points: 50 }];
    let terms = CheckInTerms { make_up_points: 20, make_up_days: 7, make_ups_monthly_max: 3, milestones };
    let now = Timestamp(date(today).days() * DAY_MS);
    CheckInDay { today: date(today), terms: Arc::new(terms), points_expire: NEVER, now }
}

fn check(db: &Db, user: UserId, today: &str) -> impl Future<Output = Result<bool>> {
    db.check_in(CheckIn { user, day: on(today) })
}

fn make_up(db: &Db, user: UserId, missed: &str, today: &str) -> impl Future<Output = Result<bool>> {
    let (missed, revived) = (date(missed), date("1970-01-01"));
    db.check_in_make_up(CheckInMakeUp { user, missed, revived, day: on(today) })
}

async fn find(db: &Db, user: UserId, today: &str) -> CheckInsRow {
    let month = date(today).month();
    db.check_ins_find(CheckInsFind { user, month, today: date(today) }).await.unwrap()
}

async fn streak_on(db: &Db, user: UserId, today: &str) -> u32 {
    streak(&find(db, user, today).await.recent, date(today))
}

async fn balance(db: &Db, user: UserId) -> i64 {
    db.points_of(user).await.unwrap().balance
}

async fn give(db: &Db, user: UserId, points: i64) {
    let asked = Move::Credit { amount: Amount::new(points).unwrap(), expires: NEVER };
    let posting = Posting { user, asked, key: format!("gift:{points}"), reason: "gift".into(), at: T0 };
    let alone = DailyAllowance { day: 20_231_114, max: i64::MAX };
    let step = PointsAdjust { posting, alone, once: None, signed: signed(Actor::Console, user.0 + points) };
    db.points_adjust(step).await.unwrap();
}

async fn hole_57_fifty_check_ins_at_once_are_one(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let all = join_all((0..50).map(|_| check(db, ann, "2026-10-31"))).await;
    assert_eq!(all.into_iter().filter(|first| *first.as_ref().unwrap()).count(), 1);
    // The next days are other keys, across the end of a month and of a year.
    for day in ["2026-11-01", "2026-11-02", "2026-12-30", "2026-12-31", "2027-01-01"] {
        assert!(check(db, ann, day).await.unwrap(), "{day}");
        assert!(!check(db, ann, day).await.unwrap(), "{day} again");
    }
    for (today, expected) in [
        ("2026-10-31", 1),
        ("2026-11-02", 3),
        ("2026-11-03", 3),
        ("2026-11-04", 0),
        ("2027-01-01", 3),
        ("2027-01-02", 3),
    ] {
        assert_eq!(streak_on(db, ann, today).await, expected, "{today}");
    }
    let november = find(db, ann, "2026-11-18").await.days;
    let expected = ["2026-11-01", "2026-11-02"].map(|day| CheckedDay { day: date(day), made_up: false });
    assert_eq!(november, expected);
    let nobody = db.check_in(CheckIn { user: UserId(99), day: on("2026-11-01") }).await;
    assert_eq!(said(nobody), "not_found");
}

async fn a_made_up_day_costs_points_once_and_mends_the_streak(db: &Db) {
    let ann = user(db, 1, &[]).await;
    for day in ["2026-11-14", "2026-11-16", "2026-11-17"] {
        check(db, ann, day).await.unwrap();
    }
    assert_eq!(streak_on(db, ann, "2026-11-17").await, 2);
    assert_eq!(said(make_up(db, ann, "2026-11-15", "2026-11-17").await), "points_short");
    assert_eq!(streak_on(db, ann, "2026-11-17").await, 2, "a refusal leaves nothing behind");
    give(db, ann, 100).await;
    let all = join_all((0..20).map(|_| make_up(db, ann, "2026-11-15", "2026-11-17"))).await;
    assert_eq!(all.into_iter().filter(|first| *first.as_ref().unwrap()).count(), 1);
    assert_eq!(streak_on(db, ann, "2026-11-17").await, 4);
    // 100, less 20, and the milestone that the mended streak has come to.
    assert_eq!(balance(db, ann).await, 90);
    let row = find(db, ann, "2026-11-17").await;
    assert_eq!((row.made_up_this_month, row.reached), (1, vec![3]));
    assert_eq!(row.days[1], CheckedDay { day: date("2026-11-15"), made_up: true });
}

async fn days_that_cannot_be_made_up(db: &Db) {
    let ann = user(db, 1, &[]).await;
    give(db, ann, 1_000).await;
    for (missed, today, expected) in [
        ("2026-11-18", "2026-11-18", "make_up_day"),
        ("2026-11-10", "2026-11-18", "make_up_day"),
        ("2026-11-11", "2026-11-18", "ok"),
        ("2026-11-13", "2026-11-18", "ok"),
        ("2026-11-15", "2026-11-18", "ok"),
        ("2026-11-17", "2026-11-18", "make_ups_spent"),
        // Another month, also for a day of the last one.
        ("2026-11-29", "2026-12-01", "ok"),
    ] {
        assert_eq!(said(make_up(db, ann, missed, today).await), expected, "{missed} on {today}");
    }
    let day_before = date(SIGN_UP).minus(1).to_string();
    assert_eq!(said(make_up(db, ann, &day_before, "2023-11-15").await), "make_up_day");
    assert_eq!(said(make_up(db, ann, SIGN_UP, "2023-11-15").await), "ok");
    // Of an account that came back, not before it did.
    let step = CheckInMakeUp {
        user: ann,
        missed: date("2027-01-02"),
        revived: date("2027-01-03"),
        day: on("2027-01-05"),
    };
    assert_eq!(said(db.check_in_make_up(step).await), "make_up_day");
}

async fn a_milestone_is_given_once_per_account(db: &Db) {
    let ann = user(db, 1, &[]).await;
    for day in 1..=6 {
        check(db, ann, &format!("2026-11-{day:02}")).await.unwrap();
    }
    assert_eq!((find(db, ann, "2026-11-06").await.reached, balance(db, ann).await), (vec![3, 5], 60));
    for day in 20..=25 {
        check(db, ann, &format!("2026-11-{day}")).await.unwrap();
    }
    assert_eq!((streak_on(db, ann, "2026-11-25").await, balance(db, ann).await), (6, 60));
}

async fn days_go_with_the_account_and_milestones_stay(db: &Db) {
    let ann = user(db, 1, &[]).await;
    for day in 1..=3 {
        check(db, ann, &format!("2026-11-{day:02}")).await.unwrap();
    }
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(ann, 1, RIGHT)).await.unwrap();
    let month = CivilMonth::parse("2026-11").unwrap();
    let today = date("2026-11-03");
    let row = db.check_ins_find(CheckInsFind { user: ann, month, today }).await.unwrap();
    assert_eq!((row.days, row.recent.len(), row.reached), (vec![], 0, vec![3]));
    assert_eq!(said(check(db, ann, "2026-11-04").await), "not_found");
}
