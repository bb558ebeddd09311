//! Statistics: counts that only grow by union, and people by dense numbers.

use std::collections::BTreeSet;

use domain::civil_date::CivilDate;
use domain::fingerprint::Fingerprint;
use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::{ActivityId, UserId};
use domain::snowflake::first_id;
use domain::statistics::{CountedStep, DayRange, DistinctCount};
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::model::*;
use store::{Db, params};

use crate::community::fixtures::post;
use crate::fixtures::*;
use crate::fulfilments::prize;
use crate::jobs::{claim, defaults};

on_both! {
    counts_are_united_and_the_same_again_counts_nothing,
    fifty_at_once_lose_nothing,
    hole_59_people_with_the_largest_ids_take_a_bit_each,
    people_are_new_once_and_come_again,
    a_deleted_account_has_no_number,
    a_lost_lease_adds_nothing,
    what_is_kept_no_longer_goes_day_by_day,
    days_have_the_sums_of_their_rows,
    winners_claimed_once_each,
}

/// So many days after the first one of these stories.
fn day(n: i64) -> CivilDate {
    CivilDate::from_days(20_000 + n).unwrap()
}

fn range(from: i64, to: i64) -> DayRange {
    DayRange::parse(Some(&day(from).to_string()), Some(&day(to).to_string()), day(0)).unwrap()
}

/// Visitors by their numbers.
fn visitors(numbers: impl IntoIterator<Item = u64>) -> DistinctCount {
    let mut count = DistinctCount::default();
    for number in numbers {
        let hash = Fingerprint::of(&[&number.to_be_bytes()]).0;
        count.insert(u64::from_be_bytes(*hash.first_chunk().unwrap()));
    }
    count
}

fn at(subject: VisitSubject, n: i64) -> VisitPlace {
    VisitPlace { subject, step: CountedStep::Visitors, day: day(n) }
}

fn add(
    db: &Db,
    place: VisitPlace,
    counted: DistinctCount,
) -> impl Future<Output = store::failure::Result<()>> {
    db.visits_add(VisitsAdd { fence: None, counts: vec![(place, counted)] })
}

async fn came(db: &Db, n: i64, people: &[i64]) {
    let people = people.iter().copied().map(UserId).collect();
    db.people_add(PeopleAdd { fence: None, day: day(n), people }).await.unwrap();
}

/// Accounts with these ids.
async fn people(db: &Db, ids: impl IntoIterator<Item = i64>) {
    for id in ids {
        assert_eq!(db.external_user(external(&id.to_string(), id)).await.unwrap(), UserId(id));
    }
}

async fn site(db: &Db, from: i64, to: i64) -> u64 {
    db.visit_union(VisitsFind::Site(range(from, to))).await.unwrap().count()
}

async fn counts_are_united_and_the_same_again_counts_nothing(db: &Db) {
    let (first, second) = (VisitSubject::Round(ActivityId(7), 1), VisitSubject::Round(ActivityId(7), 2));
    for _ in 0..2 {
        add(db, at(VisitSubject::Site, 0), visitors(0..600)).await.unwrap();
        add(db, at(VisitSubject::Site, 0), visitors(500..700)).await.unwrap();
        add(db, at(VisitSubject::Site, 1), visitors(650..900)).await.unwrap();
        // Beyond what is counted exactly.
        add(db, at(VisitSubject::Site, 3), visitors(0..20_000)).await.unwrap();
        add(db, at(first, 0), visitors(0..10)).await.unwrap();
        add(db, at(first, 1), visitors(5..15)).await.unwrap();
        add(db, at(second, 1), visitors(10..30)).await.unwrap();
    }
    assert_eq!((site(db, 0, 0).await, site(db, 0, 2).await, site(db, 1, 2).await), (700, 900, 250));
    let all = db.visit_union(VisitsFind::Site(range(0, 3))).await.unwrap();
    assert_eq!(all, visitors(0..20_000), "as if all had come on one day");
    let days = db.visit_days(range(-5, 5)).await.unwrap();
    let counts: Vec<_> = days.iter().map(|(day, count)| (day.days() - 20_000, count.is_exact())).collect();
    assert_eq!(counts, [(0, true), (1, true), (3, false)]);
    let round = |find| async move { db.visit_union(find).await.unwrap().count() };
    let step = CountedStep::Visitors;
    assert_eq!(round(VisitsFind::Round(ActivityId(7), 1, step)).await, 15);
    assert_eq!(round(VisitsFind::Round(ActivityId(7), 2, step)).await, 20);
    assert_eq!(round(VisitsFind::Rounds(ActivityId(7), step)).await, 30);
    assert_eq!(round(VisitsFind::Rounds(ActivityId(7), CountedStep::Attempted)).await, 0);
    assert_eq!(round(VisitsFind::Rounds(ActivityId(8), step)).await, 0);
    // More days than are read at once.
    for n in 10..150 {
        add(db, at(first, n), visitors([1_000 + n.unsigned_abs()])).await.unwrap();
    }
    assert_eq!(round(VisitsFind::Round(ActivityId(7), 1, step)).await, 155);
}

async fn fifty_at_once_lose_nothing(db: &Db) {
    people(db, 1..=50).await;
    let visits = (0..50).map(|n| add(db, at(VisitSubject::Site, 0), visitors(n * 10..n * 10 + 15)));
    let people = (1..=50).map(|n| {
        let people = vec![UserId(n), UserId(n % 50 + 1)];
        db.people_add(PeopleAdd { fence: None, day: day(0), people })
    });
    let (visits, people) = futures::future::join(join_all(visits), join_all(people)).await;
    assert!(visits.iter().chain(&people).all(|added| added.is_ok()));
    assert_eq!(site(db, 0, 0).await, 505);
    let found = db.active_days(range(0, 0)).await.unwrap();
    assert_eq!(found[&day(0)], ActiveDay { people: 50, new_people: 50 });
}

async fn hole_59_people_with_the_largest_ids_take_a_bit_each(db: &Db) {
    let ids: Vec<i64> = (0..40).map(|n| i64::MAX - n * 1_000_000_007).collect();
    people(db, ids.iter().copied()).await;
    came(db, 0, &ids).await;
    came(db, 1, &ids[..20]).await;
    let days = db.active_days(range(0, 1)).await.unwrap();
    assert_eq!(days[&day(0)], ActiveDay { people: 40, new_people: 40 });
    assert_eq!(days[&day(1)], ActiveDay { people: 20, new_people: 0 });
    assert_eq!(db.active_union(range(0, 1)).await.unwrap(), 40);
}

async fn people_are_new_once_and_come_again(db: &Db) {
    people(db, 1..=9).await;
    for _ in 0..2 {
        came(db, 0, &[1, 2, 3, 4]).await;
        came(db, 1, &[1, 5, 6]).await;
        came(db, 7, &[1, 2, 5]).await;
        came(db, 8, &[6]).await;
        came(db, 30, &[3, 7]).await;
    }
    let cohort = |n, new_people, again| CohortRow { day: day(n), new_people, again };
    let found = db.cohorts(range(0, 40)).await.unwrap();
    assert_eq!(found, [cohort(0, 4, [1, 2, 1]), cohort(1, 2, [0, 1, 0]), cohort(30, 1, [0, 0, 0])]);
    for (from, to, people) in [(0, 0, 4), (0, 1, 6), (7, 8, 4), (0, 40, 7), (2, 6, 0)] {
        assert_eq!(db.active_union(range(from, to)).await.unwrap(), people, "{from} to {to}");
    }
}

/// Nothing leads from a day to an account that was deleted, and what was counted stays counted.
async fn a_deleted_account_has_no_number(db: &Db) {
    people(db, [1, 2]).await;
    came(db, 0, &[1, 2]).await;
    db.account_delete(delete_by_company(UserId(1), mark_of("1"))).await.unwrap();
    // What it did before was still under way.
    came(db, 0, &[1]).await;
    came(db, 1, &[1, 2]).await;
    let days = db.active_days(range(0, 1)).await.unwrap();
    assert_eq!(days[&day(0)], ActiveDay { people: 2, new_people: 2 });
    assert_eq!(days[&day(1)], ActiveDay { people: 1, new_people: 0 });
    // Another person gets another number.
    people(db, [3]).await;
    came(db, 2, &[3]).await;
    assert_eq!(db.active_union(range(0, 2)).await.unwrap(), 3);
}

async fn a_lost_lease_adds_nothing(db: &Db) {
    db.jobs_declare(defaults(&["statistics"])).await.unwrap();
    let fence = db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence;
    let with = |fence: &Fence| {
        let counts = vec![(at(VisitSubject::Site, 0), visitors(0..5))];
        db.visits_add(VisitsAdd { fence: Some(fence.clone()), counts })
    };
    assert_eq!(said(with(&fence).await), "ok");
    db.leases_end().await.unwrap();
    let later = Fence { term: fence.term + 1, ..fence.clone() };
    assert_eq!(said(with(&later).await), "lease_lost");
    people(db, [1]).await;
    let people = PeopleAdd { fence: Some(later), day: day(0), people: vec![UserId(1)] };
    assert_eq!(said(db.people_add(people).await), "lease_lost");
    assert_eq!((site(db, 0, 0).await, db.active_union(range(0, 0)).await.unwrap()), (5, 0));
}

async fn what_is_kept_no_longer_goes_day_by_day(db: &Db) {
    people(db, [1]).await;
    for n in 0..4 {
        add(db, at(VisitSubject::Site, n), visitors(0..3)).await.unwrap();
        came(db, n, &[1]).await;
    }
    db.jobs_declare(defaults(&["sweep"])).await.unwrap();
    let fence = db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence;
    let past = Sweep::Statistics { day_before: day(2).days() };
    let mut taken = Vec::new();
    while taken.last() != Some(&0) {
        taken.push(db.sweep(fence.clone(), past, 2).await.unwrap());
    }
    // Two counts, two days of people, and who was new on the first one.
    assert_eq!(taken, [2, 2, 1, 0]);
    let kept: BTreeSet<i64> =
        db.visit_days(range(0, 9)).await.unwrap().keys().map(|day| day.days()).collect();
    assert_eq!(kept, BTreeSet::from([20_002, 20_003]));
    assert_eq!(db.active_days(range(0, 9)).await.unwrap().len(), 2);
    came(db, 4, &[1]).await;
    assert_eq!(db.active_days(range(4, 4)).await.unwrap()[&day(4)].new_people, 0, "known as before");
}

async fn days_have_the_sums_of_their_rows(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let noon = Timestamp(1_800_000_000_000);
    for (n, ms) in [(0, 0), (1, 1), (2, DAY_MS - 1), (3, DAY_MS)] {
        post(db, first_id(noon + ms) + n, ann).await;
    }
    let span = |from, until| SiteDay { from: noon + from, until: noon + until };
    let spans = vec![span(-DAY_MS, 0), span(0, DAY_MS), span(DAY_MS, 2 * DAY_MS)];
    let totals = db.day_totals(spans).await.unwrap();
    assert_eq!(totals.iter().map(|total| total.posts).collect::<Vec<_>>(), [0, 3, 1]);
    assert!(totals.iter().all(|total| (total.draws, total.orders, total.paid) == (0, 0, 0)));
}

/// Whoever has to ask for a prize and did not, or lost it, has claimed none; one prize is enough, and some need no claim.
async fn winners_claimed_once_each(db: &Db) {
    use FulfilmentState::{Claimable, Given, ToShip, Unclaimed, Voided};
    for (id, user, round, state) in [
        (1, 1, 1, Some(Claimable)),
        (2, 1, 1, Some(Given)),
        (3, 2, 1, Some(Unclaimed)),
        (4, 3, 1, Some(Voided)),
        (5, 4, 1, Some(ToShip)),
        (6, 5, 1, None),
        (7, 5, 1, None),
        (8, 6, 2, None),
    ] {
        win(db, id, user, round).await;
        if let Some(state) = state {
            prize(db, id, PrizeKind::Parcel, state).await;
        }
    }
    for (round, claimed) in [(1, 3), (2, 1), (3, 0)] {
        assert_eq!(db.claimed_count((ActivityId(500), round)).await.unwrap(), claimed, "round {round}");
    }
}

async fn win(db: &Db, id: i64, user: i64, round: i64) {
    db.write((id, user, round), |tx, (id, user, round)| {
        Box::pin(async move {
            tx.execute(
                "INSERT INTO wins (id, user_id, activity_id, round, version, draw_no, prize_id, points, cost_minor, at_ms)
                 VALUES ($1, $2, 500, $3, 1, 0, 1, 0, 0, 1)",
                params![*id, *user, *round],
            )
            .await
        })
    })
    .await
    .unwrap();
}
