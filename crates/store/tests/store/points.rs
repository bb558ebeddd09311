//! Points: postings one by one and in batches, side by side, repeated, reversed and expired.

use domain::access::DailyAllowance;
use domain::ids::UserId;
use domain::page::PageRequest;
use domain::points::{Amount, EntryKind, Move, NEVER};
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::fixtures::*;
use crate::jobs::{claim, defaults};

const ANN: UserId = UserId(1_000);

fn posting(user: UserId, asked: Move, key: &str, at: i64) -> Posting {
    Posting { user, asked, key: key.into(), reason: "because".into(), at: T0 + at }
}

fn amount(points: i64) -> Amount {
    Amount::new(points).unwrap()
}

fn credit(points: i64) -> Move {
    Move::Credit { amount: amount(points), expires: NEVER }
}

fn until(points: i64, expires: i64) -> Move {
    Move::Credit { amount: amount(points), expires: T0 + expires }
}

fn spend(points: i64) -> Move {
    Move::Spend { amount: amount(points) }
}

fn reverse(n: i64) -> Move {
    Move::Reverse { n }
}

/// The number of the row and the balance after it, or the refusal; `again` for a repetition.
async fn ask(db: &Db, asked: Move, key: &str, at: i64) -> String {
    let answers = db.points_post(vec![posting(ANN, asked, key, at)]).await.unwrap();
    match answers.into_iter().next().unwrap() {
        Ok(PostedEntry { n, balance, replayed: false, .. }) => format!("{n}: {balance}"),
        Ok(PostedEntry { n, balance, replayed: true, .. }) => format!("{n}: {balance} again"),
        Err(rejection) => rejection.code().to_owned(),
    }
}

/// The statement, oldest first; it must add up to the account, page by page.
pub async fn statement(db: &Db, user: UserId) -> Vec<PointsRow> {
    let (mut rows, mut page) = (Vec::new(), PageRequest::first(3));
    loop {
        let found = db.points_statement(user, page).await.unwrap();
        rows.extend(found.items);
        if found.next.is_none() {
            break;
        }
        page.after = found.next;
    }
    rows.reverse();
    let mut balance = 0;
    for (n, row) in (1..).zip(&rows) {
        balance += row.entry.delta;
        assert_eq!((row.entry.n, row.entry.balance), (n, balance), "{row:?}");
    }
    let account = db.points_of(user).await.unwrap();
    let left: i64 = account.lots.values().map(|lot| lot.left).sum();
    assert_eq!((account.balance, left), (balance, balance.max(0)));
    let first = account.lots.keys().next().copied().unwrap_or(NEVER);
    assert_eq!((account.rows, account.next), (i64::try_from(rows.len()).unwrap(), first));
    rows
}

pub async fn fence(db: &Db) -> Fence {
    db.jobs_declare(defaults(&["points_expiry"])).await.unwrap();
    db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence
}

on_both! {
    levels_follow_what_was_ever_earned,
    a_life_as_rows,
    a_batch_is_a_life_too,
    refused_postings_leave_nothing_behind,
    fifty_at_once_spend_no_point_twice,
    one_key_at_once_is_one_row,
    batches_that_meet_all_arrive,
    what_is_due_expires_in_bounded_steps,
    a_worker_without_its_lease_expires_nothing,
    an_adjustment_is_repeatable_and_on_record,
    what_one_person_does_in_a_day_is_counted,
    a_deleted_account_keeps_its_rows,
    a_statement_tells_what_was_taken_back,
}

/// What is asked, under which key, after how many milliseconds, and what is said.
fn life() -> Vec<(Move, &'static str, i64, &'static str)> {
    vec![
        (spend(1), "order:1", 0, "points_short"),
        (credit(10), "win:1", 0, "1: 10"),
        (credit(10), "win:1", 9, "1: 10 again"),
        (credit(11), "win:1", 0, "conflict"),
        (spend(10), "win:1", 0, "conflict"),
        (until(5, 50), "win:2", 0, "2: 15"),
        (until(5, 60), "win:2", 1, "2: 15 again"),
        (spend(7), "order:1", 1, "3: 8"),
        (spend(7), "order:1", 1, "3: 8 again"),
        (spend(9), "order:2", 1, "points_short"),
        (reverse(3), "back:1", 2, "4: 15"),
        (reverse(3), "back:1", 2, "4: 15 again"),
        (reverse(3), "back:2", 2, "points_reversed"),
        (reverse(4), "back:3", 2, "points_final"),
        (reverse(99), "back:4", 2, "not_found"),
        // Five came back to the lot that ends at 50.
        (spend(11), "order:3", 50, "points_short"),
        (spend(10), "order:3", 50, "6: 0"),
        (reverse(5), "back:5", 50, "points_final"),
        // All ten are spent, and the five that lapsed are not taken again.
        (reverse(2), "back:6", 51, "7: 0"),
        (reverse(1), "back:7", 51, "8: -10"),
        (credit(4), "win:3", 52, "9: -6"),
        (until(9, 99), "win:4", 52, "10: 3"),
        (spend(3), "order:4", 53, "11: 0"),
    ]
}

async fn a_life_as_rows(db: &Db) {
    for (line, (asked, key, at, expected)) in life().into_iter().enumerate() {
        assert_eq!(ask(db, asked, key, at).await, expected, "row {line}");
        statement(db, ANN).await;
    }
    let kinds: Vec<_> = statement(db, ANN).await.iter().map(|row| row.entry.kind).collect();
    use EntryKind::*;
    assert_eq!(
        kinds,
        [Credit, Credit, Spend, Reverse, Expire, Spend, Reverse, Reverse, Credit, Credit, Spend]
    );
}

/// The same in one transaction, beside somebody else: the same rows and the same answers.
async fn a_batch_is_a_life_too(db: &Db) {
    let life = life();
    let ben = UserId(2);
    let mut postings = Vec::new();
    for (asked, key, at, _) in &life {
        postings.push(posting(ANN, *asked, key, *at));
        postings.push(posting(ben, credit(1), key, *at));
    }
    let answers = db.points_post(postings).await.unwrap();
    for (line, ((_, _, _, expected), answer)) in life.iter().zip(answers.iter().step_by(2)).enumerate() {
        let said = match answer {
            Ok(PostedEntry { n, balance, replayed, .. }) => {
                format!("{n}: {balance}{}", if *replayed { " again" } else { "" })
            }
            Err(rejection) => rejection.code().to_owned(),
        };
        assert_eq!(said, *expected, "row {line}");
    }
    assert_eq!(statement(db, ANN).await.len(), 11);
    let keys: std::collections::BTreeSet<_> = life.iter().map(|row| row.1).collect();
    assert_eq!(statement(db, ben).await.len(), keys.len(), "one row per key");
}

async fn refused_postings_leave_nothing_behind(db: &Db) {
    ask(db, until(5, 50), "win:1", 0).await;
    assert_eq!(ask(db, spend(6), "order:1", 60).await, "points_short");
    assert_eq!(statement(db, ANN).await.len(), 1, "not even the expiry");
    assert_eq!(db.points_of(UserId(404)).await.unwrap(), domain::points::PointsAccount::default());
    let many = vec![posting(ANN, credit(1), "k", 0); POINTS_BATCH_MAX + 1];
    assert!(db.points_post(many).await.is_err());
}

/// Ten points, fifty who want one each: ten get one.
async fn fifty_at_once_spend_no_point_twice(db: &Db) {
    ask(db, until(4, DAY_MS), "win:1", 0).await;
    ask(db, credit(6), "win:2", 0).await;
    let asks = (0..50).map(|n| db.points_post(vec![posting(ANN, spend(1), &format!("order:{n}"), 1)]));
    let answers: Vec<_> = join_all(asks).await.into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 10);
    assert_eq!(statement(db, ANN).await.len(), 12);
    assert_eq!(db.points_of(ANN).await.unwrap().balance, 0);
}

async fn one_key_at_once_is_one_row(db: &Db) {
    for (asked, key) in [(credit(9), "win:1"), (spend(5), "order:1"), (reverse(2), "back:1")] {
        let asks = (0..20).map(|_| db.points_post(vec![posting(ANN, asked, key, 1)]));
        let answers: Vec<_> = join_all(asks).await.into_iter().flat_map(Result::unwrap).collect();
        assert!(answers.iter().all(Result::is_ok), "{key}: {answers:?}");
        assert_eq!(answers.iter().flatten().filter(|posted| !posted.replayed).count(), 1, "{key}");
    }
    let asks = (0..20).map(|n| db.points_post(vec![posting(ANN, reverse(1), &format!("again:{n}"), 1)]));
    let answers: Vec<_> = join_all(asks).await.into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "taken back once");
    assert_eq!(statement(db, ANN).await.len(), 4);
}

/// Batches that name the same people in another order wait for each other and all arrive.
async fn batches_that_meet_all_arrive(db: &Db) {
    let batch = |batch: i64| {
        let user = |n: i64| UserId(1 + if batch % 2 == 0 { n } else { 29 - n });
        let postings = (0..30).map(|n| posting(user(n), credit(1), &format!("win:{batch}"), 0)).collect();
        db.points_post(postings)
    };
    for answers in join_all((0..16).map(batch)).await {
        assert!(answers.unwrap().iter().all(Result::is_ok));
    }
    for n in 1..=30 {
        assert_eq!(statement(db, UserId(n)).await.len(), 16);
    }
}

async fn what_is_due_expires_in_bounded_steps(db: &Db) {
    let fence = fence(db).await;
    for n in 1..=5 {
        let user = UserId(n);
        let postings = [(until(3, 10 * n), "win:1"), (until(2, 10 * n + 1), "win:2"), (credit(7), "win:3")];
        let postings = postings.map(|(asked, key)| posting(user, asked, key, 0));
        assert!(db.points_post(postings.to_vec()).await.unwrap().iter().all(Result::is_ok));
    }
    let expire = async |at: i64| db.points_expire(fence.clone(), T0 + at, 2).await.unwrap();
    for (at, taken) in [(9, 0), (10, 1), (10, 0), (41, 2), (41, 2), (41, 0), (1_000, 1), (1_000, 0)] {
        assert_eq!(expire(at).await, taken, "at {at}");
    }
    for n in 1..=5 {
        let rows = statement(db, UserId(n)).await;
        let expired: i64 =
            rows.iter().filter(|row| row.entry.kind == EntryKind::Expire).map(|row| row.entry.delta).sum();
        assert_eq!((expired, rows.last().unwrap().entry.balance), (-5, 7), "user {n}");
    }
}

async fn a_worker_without_its_lease_expires_nothing(db: &Db) {
    let fence = fence(db).await;
    ask(db, until(3, 10), "win:1", 0).await;
    let old = Fence { term: fence.term - 1, ..fence };
    assert_eq!(said(db.points_expire(old, T0 + 99, 9).await), "lease_lost");
    assert_eq!(statement(db, ANN).await.len(), 1);
}

async fn an_adjustment_is_repeatable_and_on_record(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let adjust = |asked, key: &str, body: &str, audit| PointsAdjust {
        posting: posting(ann, asked, key, 0),
        alone: DailyAllowance { day: 1, max: 1_000 },
        once: once(key, body),
        signed: signed(Actor::Console, audit),
    };
    for (step, expected) in [
        (adjust(credit(9), "a", "9", 10), "ok"),
        (adjust(credit(9), "a", "9", 11), "ok"),
        (adjust(credit(8), "a", "8", 12), "idempotency_conflict"),
        (adjust(spend(99), "b", "99", 13), "points_short"),
        (adjust(spend(2), "c", "2", 14), "ok"),
        (adjust(reverse(2), "d", "2", 15), "ok"),
        (adjust(reverse(2), "d", "2", 16), "ok"),
        (adjust(reverse(2), "e", "2", 17), "points_reversed"),
    ] {
        let key = step.posting.key.clone();
        assert_eq!(said(db.points_adjust(step).await), expected, "{key}");
    }
    assert_eq!(statement(db, ann).await.len(), 3);
    let of_points: Vec<_> =
        audited(db, "user:1000").await.into_iter().filter(|action| action.starts_with("points")).collect();
    assert_eq!(of_points, ["points.adjust", "points.adjust", "points.reverse"]);
    let nobody =
        PointsAdjust { posting: posting(UserId(404), credit(1), "x", 0), ..adjust(credit(1), "x", "x", 18) };
    assert_eq!(said(db.points_adjust(nobody).await), "not_found");
}

/// Who, on which day, does what to whom; and whether a second person is needed, of at most 100 a day.
async fn what_one_person_does_in_a_day_is_counted(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let (oper, other) = (Actor::Person(UserId(8_000)), Actor::Person(UserId(8_001)));
    for (audit, (who, day, to, asked, key, expected)) in (20..).zip([
        (oper, 1, ann, credit(101), "a", "second"),
        (oper, 1, ann, credit(60), "b", "60"),
        (oper, 1, bob, credit(41), "c", "second"),
        (oper, 1, bob, credit(20), "c", "20"),
        (oper, 1, ann, spend(21), "d", "second"),
        (oper, 1, ann, spend(20), "e", "40"),
        (oper, 1, ann, spend(20), "e", "40"),
        (oper, 1, ann, reverse(2), "f", "second"),
        (other, 1, ann, reverse(2), "f", "60"),
        (other, 1, ann, spend(99), "g", "second"),
        (other, 1, ann, spend(90), "g", "second"),
        // What is refused does not count.
        (other, 1, ann, spend(61), "h", "points_short"),
        (other, 1, ann, spend(60), "h", "0"),
        (other, 1, ann, reverse(99), "i", "not_found"),
        (other, 1, ann, credit(21), "j", "second"),
        (oper, 2, ann, credit(100), "k", "100"),
        (oper, 2, ann, credit(1), "l", "second"),
    ]) {
        let (posting, alone) = (posting(to, asked, key, 0), DailyAllowance { day, max: 100 });
        let step = PointsAdjust { posting, alone, once: None, signed: signed(who, audit) };
        let said = match db.points_adjust(step).await {
            Ok(ByHand::Posted(posted)) => posted.balance.to_string(),
            Ok(ByHand::NeedsASecond) => "second".to_owned(),
            Err(failure) => failure.code().unwrap().to_owned(),
        };
        assert_eq!(said, expected, "{key} {asked:?}");
    }
    // Asked of a second person under a key yesterday: it is not done alone today.
    let step = |day, audit| PointsAdjust {
        posting: posting(ann, credit(100), "adjust:m", 0),
        alone: DailyAllowance { day, max: 100 },
        once: once("m", "100"),
        signed: signed(oper, audit),
    };
    assert_eq!(db.points_adjust(step(2, 50)).await.unwrap(), ByHand::NeedsASecond);
    let request = Request::AdjustPoints { user: ann, points: 100 };
    let ask = ApprovalAsk {
        id: domain::ids::ApprovalId(9),
        request,
        once: once("m", "100"),
        signed: signed(oper, 51),
    };
    db.approval_ask(ask).await.unwrap();
    assert_eq!(db.points_adjust(step(3, 52)).await.unwrap(), ByHand::NeedsASecond);
}

/// The sums still add up after the person is gone; nobody adds to them by hand.
async fn a_deleted_account_keeps_its_rows(db: &Db) {
    let user = UserId(9_000);
    db.external_user(external("shop-1", user.0)).await.unwrap();
    db.points_post(vec![posting(user, credit(5), "win:1", 0)]).await.unwrap();
    db.account_delete(delete_by_company(user, mark_of("shop-1"))).await.unwrap();
    assert_eq!(statement(db, user).await.len(), 2);
    assert_eq!(db.points_of(user).await.unwrap().balance, 0, "nobody finds them who returns");
    let step = PointsAdjust {
        posting: posting(user, credit(5), "by hand", 0),
        alone: DailyAllowance { day: 1, max: 100 },
        once: None,
        signed: signed(Actor::Console, 20),
    };
    assert_eq!(said(db.points_adjust(step).await), "not_found");
}

async fn a_statement_tells_what_was_taken_back(db: &Db) {
    for (asked, key) in [(until(5, 50), "win:1"), (spend(2), "order:1"), (reverse(2), "back:1")] {
        ask(db, asked, key, 7).await;
    }
    let rows: Vec<_> = statement(db, ANN)
        .await
        .into_iter()
        .map(|row| (row.key, row.entry.reverses, row.reversed_by, row.entry.expires_at(), row.at))
        .collect();
    let at = Timestamp(T0.0 + 7);
    assert_eq!(
        rows,
        [
            ("win:1".into(), None, None, Some(T0 + 50), at),
            ("order:1".into(), None, Some(3), None, at),
            ("back:1".into(), Some(2), None, None, at),
        ]
    );
}

/// The level of somebody, and what they have ever earned.
async fn level(db: &Db, user: UserId) -> (i64, i64) {
    let account = db.account(user).await.unwrap().unwrap();
    (account.profile.level, db.points_earned(user).await.unwrap())
}

async fn levels_follow_what_was_ever_earned(db: &Db) {
    let ann = user(db, 1, &[]).await;
    assert_eq!(ann, ANN);
    db.level_steps_set(vec![100, 300]).await.unwrap();
    assert_eq!(level(db, ann).await, (1, 0));
    for (asked, key, expected) in [
        (credit(99), "a", (1, 99)),
        (credit(1), "b", (2, 100)),
        // Spending lowers nothing, and what is given back raises nothing.
        (spend(80), "c", (2, 100)),
        (reverse(3), "d", (2, 100)),
        (credit(500), "e", (3, 600)),
        (credit(500), "e", (3, 600)),
        // A credit that is taken back was never earned, also when it was spent.
        (spend(590), "f", (3, 600)),
        (reverse(5), "g", (2, 100)),
        (reverse(5), "g", (2, 100)),
        (reverse(2), "h", (1, 99)),
    ] {
        ask(db, asked, key, 0).await;
        assert_eq!(level(db, ann).await, expected, "{key}");
    }
    // Credited and taken back in one batch.
    let both = vec![posting(ann, credit(400), "i", 0), posting(ann, reverse(9), "j", 0)];
    assert!(db.points_post(both).await.unwrap().iter().all(Result::is_ok));
    assert_eq!(level(db, ann).await, (1, 99));
    // Other steps hold for everybody at once.
    db.level_steps_set(vec![10, 50, 90]).await.unwrap();
    assert_eq!(level(db, ann).await, (4, 99));
    db.level_steps_set(Vec::new()).await.unwrap();
    assert_eq!(level(db, ann).await, (1, 99));
}
