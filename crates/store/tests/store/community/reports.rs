//! Reports, gathered into cases.

use domain::access::Role;
use domain::community::{ReportReason, ReportState, ReportSubject};
use domain::ids::UserId;
use domain::time::DAY_MS;
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    reports_of_one_thing_are_one_case,
    a_case_opens_again_and_is_sorted_both_ways,
    reports_have_a_daily_maximum,
    a_deleted_account_leaves_no_words_in_reports,
    whoever_was_blocked_reports_nothing_that_they_cannot_read,
}

fn report(
    db: &Db,
    case: i64,
    reporter: UserId,
    (subject, id): (ReportSubject, i64),
    now: domain::time::Timestamp,
) -> impl Future<Output = Result<bool>> {
    let (reason, text) = (ReportReason::Spam, format!("by {reporter}"));
    db.report_create(ReportCreate { case, reporter, subject, id, n: 0, reason, text, now })
}

async fn whoever_was_blocked_reports_nothing_that_they_cannot_read(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    post(db, 7, ann).await;
    let things = [(ReportSubject::Post, 7), (ReportSubject::Person, ann.0)];
    db.block(ann, bob, LATER).await.unwrap();
    for thing in things {
        assert_eq!(said(report(db, 100, bob, thing, LATER).await), "not_found", "{thing:?}");
    }
    db.unblock(ann, bob).await.unwrap();
    // Whoever blocks somebody else may still report them.
    db.block(bob, ann, LATER).await.unwrap();
    for (n, thing) in things.into_iter().enumerate() {
        assert!(report(db, 200 + i64::try_from(n).unwrap(), bob, thing, LATER).await.unwrap(), "{thing:?}");
    }
}

async fn cases(db: &Db, state: ReportState, order: ReportOrder) -> Vec<(i64, i64)> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = FeedRequest { limit: 1, after };
        let found = db.reports_find(ReportsFind { state, order, page }).await.unwrap();
        all.extend(found.items.iter().map(|case| (case.subject_id, case.reports)));
        after = found.next;
        if after.is_none() {
            return all;
        }
    }
}

fn decide(db: &Db, case: i64, judge: UserId, upheld: bool, audit: i64) -> impl Future<Output = Result<()>> {
    db.report_decide(ReportDecide { case, upheld, signed: signed(Actor::Person(judge), audit) })
}

async fn reports_of_one_thing_are_one_case(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    post(db, 7, ann).await;
    let thing = (ReportSubject::Post, 7);
    let made = join_all((0..20).map(|n| report(db, 100 + n, bob, thing, LATER))).await;
    assert_eq!(made.into_iter().filter(|new| *new.as_ref().unwrap()).count(), 1, "one per reporter");
    report(db, 200, carl, thing, LATER + 1).await.unwrap();
    assert_eq!(cases(db, ReportState::Open, ReportOrder::Newest).await, [(7, 2)]);
    assert_eq!(said(report(db, 300, ann, thing, LATER).await), "yourself");
    assert_eq!(said(report(db, 300, bob, (ReportSubject::Post, 8), LATER).await), "not_found");
    db.post_delete(domain::ids::PostId(7), ann, LATER).await.unwrap();
    let eve = user(db, 4, &[]).await;
    assert_eq!(said(report(db, 300, eve, thing, LATER).await), "not_found", "what cannot be read");
}

async fn a_case_opens_again_and_is_sorted_both_ways(db: &Db) {
    let (ann, judge) = (user(db, 1, &[]).await, user(db, 2, &[Role::Moderator]).await);
    let mut reporters = Vec::new();
    for n in 10..15 {
        reporters.push(user(db, n, &[]).await);
    }
    for id in [7, 8, 9] {
        post(db, id, ann).await;
    }
    for (at, (id, by)) in [(7, 0), (7, 1), (7, 2), (8, 0), (9, 0), (9, 1)].into_iter().enumerate() {
        let (at, thing) = (i64::try_from(at).unwrap(), (ReportSubject::Post, id));
        report(db, id * 100, reporters[by], thing, LATER + at).await.unwrap();
    }
    assert_eq!(cases(db, ReportState::Open, ReportOrder::Most).await, [(7, 3), (9, 2), (8, 1)]);
    assert_eq!(cases(db, ReportState::Open, ReportOrder::Newest).await, [(9, 2), (8, 1), (7, 3)]);
    for audit in [50, 51] {
        decide(db, 700, judge, false, audit).await.unwrap();
    }
    assert_eq!(said(decide(db, 700, judge, true, 52).await), "report_closed");
    assert_eq!(said(decide(db, 701, judge, true, 53).await), "not_found");
    assert_eq!(cases(db, ReportState::Dismissed, ReportOrder::Newest).await, [(7, 3)]);
    assert_eq!(audited(db, "report:700").await, ["report.dismissed"]);
    report(db, 999, reporters[3], (ReportSubject::Post, 7), LATER + 9).await.unwrap();
    assert_eq!(cases(db, ReportState::Open, ReportOrder::Newest).await[0], (7, 1), "counted anew");
}

async fn reports_have_a_daily_maximum(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let max = i64::from(domain::community::REPORTS_DAILY_MAX);
    for id in 1..=max + 1 {
        let at = LATER + (id / 40) * 2 * DAY_MS;
        publish(db, id, ann, at).await.unwrap();
    }
    for id in 1..=max {
        report(db, 1_000 + id, bob, (ReportSubject::Post, id), LATER).await.unwrap();
    }
    let one_more = (ReportSubject::Post, max + 1);
    assert_eq!(said(report(db, 5_000, bob, one_more, LATER).await), "daily_cap");
    report(db, 5_001, bob, one_more, LATER + DAY_MS).await.unwrap();
}

async fn a_deleted_account_leaves_no_words_in_reports(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    report(db, 100, ann, (ReportSubject::Person, bob.0), LATER).await.unwrap();
    report(db, 200, carl, (ReportSubject::Person, ann.0), LATER).await.unwrap();
    report(db, 300, carl, (ReportSubject::Person, bob.0), LATER).await.unwrap();
    db.code_issue(issue(1, domain::account::CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(ann, 1, RIGHT)).await.unwrap();
    let page = FeedRequest { limit: 9, after: None };
    let find = ReportsFind { state: ReportState::Open, order: ReportOrder::Newest, page };
    let found = db.reports_find(find).await.unwrap().items;
    let mut texts: Vec<&str> =
        found.iter().flat_map(|case| &case.shown).map(|one| one.text.as_str()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["", "", "by 3000"]);
}
