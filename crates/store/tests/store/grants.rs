//! Grants by rule: recorded once, counted by period, capped under concurrency, taken back once.

use domain::grants::{Behaviour, GrantKind, GrantRefusal, Period, RuleChange, RuleDraft};
use domain::ids::{ActivityId, GrantId, GrantRuleId, UserId};
use domain::page::PageRequest;
use domain::points::NEVER;
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::fixtures::*;

const WHEEL: ActivityId = ActivityId(77);

fn draft(behaviour: &str) -> RuleDraft {
    RuleDraft {
        name: behaviour.to_owned(),
        campaign: None,
        behaviour: behaviour.to_owned(),
        gives: GrantKind::Points { expiry: None },
        amount: 5,
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

async fn rule(db: &Db, id: i64, draft: RuleDraft) -> GrantRuleId {
    let signed = signed(Actor::Console, 500_000 + id);
    let step = GrantRuleMake {
        id: GrantRuleId(id),
        terms: draft.check().unwrap(),
        caps: giving_caps(id, 0),
        once: None,
        signed,
    };
    GrantRuleId(db.grant_rule_make(step).await.unwrap().id)
}

fn record(user: UserId, kind: &str, key: &str, at: Timestamp, ids: &[i64]) -> BehaviourRecord {
    let calendar = Calendar { day: day_in, expires: |_, _, _| Some(NEVER), site_expires: NEVER };
    BehaviourRecord {
        behaviour: Behaviour::new(user, (kind, key, None), Some(at), at).unwrap(),
        ids: ids.iter().copied().map(GrantId).collect(),
        calendar,
        now: T0,
        told_by: None,
    }
}

/// What came of it: grants and reasons, in short.
async fn tell(db: &Db, user: UserId, key: &str, at: Timestamp, id: i64) -> String {
    match db.behaviour_record(record(user, "check_in", key, at, &[id])).await {
        Ok(Recording::Done(came)) => {
            let grants = came.grants.iter().map(|grant| format!("{}/{}", grant.period, grant.n));
            let passed = came.passed.iter().map(|(_, why)| why.name().to_owned());
            let again = came.repeated.then(|| "again".to_owned());
            grants.chain(passed).chain(again).collect::<Vec<_>>().join(" ")
        }
        Ok(Recording::MoreIds(more)) => format!("{more} ids"),
        Err(failure) => failure.code().unwrap().to_owned(),
    }
}

/// How many messages wait in a lane.
async fn waiting(db: &Db, lane: &str) -> u64 {
    db.lane_figures(lane.to_owned(), T0 + DAY_MS).await.unwrap().waiting
}

async fn all(db: &Db, search: GrantSearch) -> Vec<GrantRow> {
    db.grant_list(search, PageRequest::first(200)).await.unwrap().items
}

/// The day of a moment in a zone by its name, as yyyymmdd.
fn day_in(zone: &str, at: Timestamp) -> Option<i64> {
    let moment = jiff::Timestamp::from_millisecond(at.0).ok()?;
    let date = moment.in_tz(zone).ok()?.date();
    Some(i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day()))
}

on_both! {
    a_behaviour_is_recorded_once,
    periods_end_where_the_zone_says,
    every_rule_of_the_kind_is_asked,
    budgets_hold_when_hundreds_come_at_once,
    one_place_is_taken_by_one,
    a_rule_is_changed_on_top_of_what_was_seen,
    points_go_back_once_and_the_place_stays_taken,
    chances_go_back_as_far_as_the_ledger_says,
    a_grant_is_given_with_its_message_and_not_before,
    rules_of_one_behaviour_are_bounded,
}

async fn a_behaviour_is_recorded_once(db: &Db) {
    let (ann, ben) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    rule(db, 1, draft("check_in")).await;
    for (who, key, id, said) in [
        (ann, "a", 10, "20231115/1"),
        (ann, "a", 11, "20231115/1 again"),
        (ann, "a", 12, "20231115/1 again"),
        (ben, "a", 13, "conflict"),
        (ann, "b", 14, "times_reached"),
        (ann, "b", 15, "times_reached again"),
        (ben, "c", 16, "20231115/1"),
        (UserId(9), "d", 17, "not_found"),
    ] {
        assert_eq!(tell(db, who, key, T0, id).await, said, "{who} {key}");
    }
    let (given, messages) = (all(db, GrantSearch::default()).await, waiting(db, "points").await);
    assert_eq!((given.len(), messages), (2, 2));
    assert_eq!(all(db, GrantSearch { user: Some(ann), rule: None }).await.len(), 1);
    assert_eq!(all(db, GrantSearch { user: None, rule: Some(GrantRuleId(1)) }).await.len(), 2);
    let known = db.behaviour_look("check_in".into(), "b".into()).await.unwrap().unwrap();
    assert_eq!(known.passed, [(GrantRuleId(1), GrantRefusal::TimesReached)]);
}

/// The first moment of 2023-11-16 in Shanghai, which is 16:00 of the day before in UTC.
const SIXTEENTH: Timestamp = Timestamp(1_700_064_000_000);

/// Days and months end at their midnight, not at that of UTC.
async fn periods_end_where_the_zone_says(db: &Db) {
    let ann = user(db, 1, &[]).await;
    rule(db, 1, draft("check_in")).await;
    for (key, at, said) in [
        ("a", SIXTEENTH - 1, "20231115/1"),
        ("b", SIXTEENTH, "20231116/1"),
        ("c", SIXTEENTH + DAY_MS - 1, "times_reached"),
        // Told late: the day it happened on counts.
        ("d", SIXTEENTH - 2 * DAY_MS, "20231114/1"),
    ] {
        assert_eq!(tell(db, ann, key, at, key.as_bytes()[0].into()).await, said, "{at}");
    }
    rule(db, 2, RuleDraft { period: Period::Month, times: 2, ..draft("invite") }).await;
    for (key, at, periods) in [
        ("a", SIXTEENTH + 15 * DAY_MS - 1, "202311/1"),
        ("b", SIXTEENTH + 15 * DAY_MS, "202312/1"),
        ("c", SIXTEENTH + 46 * DAY_MS - 1, "202312/2"),
        ("d", SIXTEENTH + 46 * DAY_MS, "202401/1"),
    ] {
        let step = record(ann, "invite", key, at, &[i64::from(key.as_bytes()[0]) + 1_000]);
        let Recording::Done(came) = db.behaviour_record(step).await.unwrap() else { panic!("{key}") };
        assert_eq!(format!("{}/{}", came.grants[0].period, came.grants[0].n), periods, "{at}");
    }
}

async fn every_rule_of_the_kind_is_asked(db: &Db) {
    let ann = user(db, 1, &[]).await;
    rule(db, 1, draft("check_in")).await;
    let chances = RuleDraft { gives: GrantKind::Chances { activity: WHEEL }, amount: 2, ..draft("check_in") };
    rule(db, 2, RuleDraft { period: Period::Once, ..chances }).await;
    rule(db, 3, RuleDraft { on: false, ..draft("check_in") }).await;
    rule(db, 4, RuleDraft { until: Some(T0), ..draft("check_in") }).await;
    rule(db, 5, RuleDraft { from: Some(T0 + 1), ..draft("check_in") }).await;
    rule(db, 6, draft("share")).await;
    let ask = |ids: &[i64]| db.behaviour_record(record(ann, "check_in", "a", T0, ids));
    assert_eq!(ask(&[10]).await.unwrap(), Recording::MoreIds(4));
    assert_eq!(all(db, GrantSearch::default()).await, []);
    let Recording::Done(came) = ask(&[10, 11, 12, 13, 14]).await.unwrap() else { panic!("enough ids") };
    let rules: Vec<i64> = came.grants.iter().map(|grant| grant.rule.0).collect();
    assert_eq!(rules, [1, 2]);
    assert_eq!(came.passed, [(GrantRuleId(4), GrantRefusal::Over), (GrantRuleId(5), GrantRefusal::NotYet)]);
    assert_eq!((waiting(db, "points").await, waiting(db, "chances").await), (1, 1));
    assert_eq!(came.grants[1].gives, GrantedReward::Chances { activity: WHEEL, chances: 2 });
}

/// Sixty people at once, five each, and a budget of 101: twenty get theirs, and one point is left.
async fn budgets_hold_when_hundreds_come_at_once(db: &Db) {
    rule(db, 1, RuleDraft { cap_total: Some(101), ..draft("check_in") }).await;
    let mut people = Vec::new();
    for n in 1..=60 {
        people.push(user(db, n, &[]).await);
    }
    let asked = people.iter().map(|who| {
        let ids = [who.0 + 7];
        let (who, key) = (*who, who.to_string());
        async move { db.behaviour_record(record(who, "check_in", &key, T0, &ids)).await.unwrap() }
    });
    let came = join_all(asked).await;
    let given = came.iter().filter(|came| matches!(came, Recording::Done(done) if done.grants.len() == 1));
    assert_eq!(given.count(), 20);
    assert_eq!(db.grant_rule(GrantRuleId(1)).await.unwrap().unwrap().given, 100);
    assert_eq!((all(db, GrantSearch::default()).await.len(), waiting(db, "points").await), (20, 20));
}

/// One user, many behaviours at once: as many as the period has, and no more than the user may have in all.
async fn one_place_is_taken_by_one(db: &Db) {
    let ann = user(db, 1, &[]).await;
    rule(db, 1, RuleDraft { times: 3, cap_user: Some(22), ..draft("check_in") }).await;
    for (day, total) in [(0, 3), (1, 4), (2, 4)] {
        let asked = (0..12).map(|n| {
            let (key, at) = (format!("{day} {n}"), T0 + day * DAY_MS);
            async move { tell(db, ann, &key, at, 100 + day * 20 + n).await }
        });
        join_all(asked).await;
        let given = all(db, GrantSearch::default()).await;
        assert_eq!(given.len(), total, "after day {day}");
        let mut places: Vec<_> = given.iter().map(|grant| (&grant.period, grant.n)).collect();
        places.sort();
        places.dedup();
        assert_eq!(places.len(), total);
    }
    // The same behaviour, many times at once.
    let again = join_all((0..8).map(|n| tell(db, ann, "0 0", T0, 900 + n))).await;
    assert!(again.iter().all(|said| said.ends_with("again")), "{again:?}");
}

async fn a_rule_is_changed_on_top_of_what_was_seen(db: &Db) {
    rule(db, 1, draft("check_in")).await;
    let edit = |edition, change| {
        let signed = signed(Actor::Console, 700_000 + i64::from(edition));
        db.grant_rule_edit(GrantRuleEdit {
            id: GrantRuleId(1),
            edition,
            change,
            caps: giving_caps(1, 0),
            signed,
        })
    };
    let cap = |cap| RuleChange { cap_total: Some(cap), ..RuleChange::default() };
    assert_eq!(edit(1, cap(Some(9))).await.unwrap().edition, 2);
    assert_eq!(said(edit(1, cap(None)).await), "edited_meanwhile");
    assert_eq!(edit(2, cap(Some(9))).await.unwrap().edition, 2, "nothing changed");
    let row = edit(2, cap(None)).await.unwrap();
    assert_eq!((row.edition, row.terms.cap_total), (3, None));
    assert_eq!(db.grant_rule(GrantRuleId(1)).await.unwrap(), Some(row));
    assert_eq!(said(edit(3, cap(Some(0))).await), "invalid_field");
    let lines = audited(db, "grant_rule:1").await;
    assert_eq!(lines, ["grant_rule.make", "grant_rule.edit", "grant_rule.edit"]);
}

async fn points_go_back_once_and_the_place_stays_taken(db: &Db) {
    let ann = user(db, 1, &[]).await;
    rule(db, 1, RuleDraft { cap_total: Some(10), ..draft("check_in") }).await;
    tell(db, ann, "a", T0, 10).await;
    // The message is still under way: it posts nothing more.
    let back = |n: i64| GrantReverse {
        id: GrantId(10),
        chances_taken: 0,
        signed: signed(Actor::Console, 800_000 + n),
    };
    let first = db.grant_reverse(back(1)).await.unwrap();
    assert_eq!(first.reversed.as_ref().map(|reversed| reversed.taken), Some(5));
    assert_eq!(db.grant_reverse(back(2)).await.unwrap(), first);
    assert_eq!(waiting(db, "points").await, 0);
    let rows = crate::points::statement(db, ann).await;
    assert_eq!(rows.iter().map(|row| row.entry.delta).collect::<Vec<_>>(), [5, -5]);
    assert_eq!(tell(db, ann, "b", T0, 11).await, "times_reached", "the day's place stays taken");
    assert_eq!(tell(db, ann, "c", T0 + DAY_MS, 12).await, "20231116/1");
    assert_eq!(tell(db, ann, "d", T0 + 2 * DAY_MS, 13).await, "cap_total", "and so does the budget");
    let lines = audited(db, &format!("user:{ann}")).await;
    assert_eq!(lines.iter().filter(|line| *line == "grant.reverse").count(), 1);
    let missing = GrantReverse { id: GrantId(99), ..back(3) };
    assert_eq!(said(db.grant_reverse(missing).await), "not_found");
    db.behaviour_undo("check_in".into(), "a".into(), signed(Actor::Console, 9)).await.unwrap();
    let known = db.behaviour_look("check_in".into(), "a".into()).await.unwrap().unwrap();
    assert!(known.undone && known.grants[0].reversed.is_some());
}

async fn chances_go_back_as_far_as_the_ledger_says(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let chances = RuleDraft { gives: GrantKind::Chances { activity: WHEEL }, amount: 3, ..draft("check_in") };
    rule(db, 1, chances).await;
    tell(db, ann, "a", T0, 10).await;
    let signed = signed(Actor::Console, 800_000);
    let row = db.grant_reverse(GrantReverse { id: GrantId(10), chances_taken: 2, signed }).await.unwrap();
    assert_eq!(row.reversed.map(|reversed| reversed.taken), Some(2));
    assert_eq!(waiting(db, "chances").await, 0, "nobody puts it back");
}

async fn a_grant_is_given_with_its_message_and_not_before(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let chances = RuleDraft { gives: GrantKind::Chances { activity: WHEEL }, amount: 3, ..draft("check_in") };
    rule(db, 1, chances).await;
    let lane = crate::outbox::hold_lane(db, CHANCES).await;
    for (id, came, expected) in [
        (10, DeliveryOutcome::Done, "given"),
        (11, DeliveryOutcome::Dead { error: "ended".into() }, "failed"),
        (12, DeliveryOutcome::Again { due: T0 + DAY_MS, error: "busy".into() }, "ready"),
    ] {
        tell(db, ann, &id.to_string(), T0 + (id - 10) * DAY_MS, id).await;
        let state = || async { db.grant(GrantId(id)).await.unwrap().unwrap().state() };
        assert_eq!(state().await, "ready", "{came:?}");
        let due = db.outbox_due(lane.clone(), T0, MESSAGES_MAX).await.unwrap();
        let message = due.iter().find(|message| message.id == id).unwrap();
        crate::outbox::finish(db, &lane, message, came.clone(), T0 + 5).await;
        assert_eq!(state().await, expected, "{came:?}");
    }
}

async fn rules_of_one_behaviour_are_bounded(db: &Db) {
    for id in 1..=i64::from(RULES_OF_BEHAVIOUR_MAX) {
        rule(db, id, draft("check_in")).await;
    }
    let make = |id, draft: RuleDraft| {
        let signed = signed(Actor::Console, 500_000 + id);
        let (id, terms) = (GrantRuleId(id), draft.check().unwrap());
        db.grant_rule_make(GrantRuleMake { id, terms, caps: giving_caps(id.0, 0), once: None, signed })
    };
    assert_eq!(said(make(50, draft("check_in")).await), "grant_rules_full");
    assert_eq!(said(make(50, RuleDraft { on: false, ..draft("check_in") }).await), "ok");
    assert_eq!(said(make(51, draft("share")).await), "ok");
    let change = RuleChange { on: Some(true), ..RuleChange::default() };
    let signed = signed(Actor::Console, 1);
    let on = GrantRuleEdit { id: GrantRuleId(50), edition: 1, change, caps: giving_caps(50, 0), signed };
    assert_eq!(said(db.grant_rule_edit(on).await), "grant_rules_full");
}
