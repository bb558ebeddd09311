//! What jobs clear away and seal anew, a bounded number at a time.

use domain::account::CodePurpose;
use domain::activity::Action;
use domain::ids::AddressId;
use domain::time::{DAY_MS, Timestamp};
use store::Db;
use store::model::*;

use crate::activity_fixtures::{BOB, act, content, create, publish};
use crate::fixtures::*;
use crate::jobs::{claim, defaults};

async fn fence(db: &Db) -> Fence {
    db.jobs_declare(defaults(&["sweep"])).await.unwrap();
    db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence
}

/// Sweeps with a limit until nothing is left; answers what each step took.
async fn sweep(db: &Db, fence: &Fence, sweep: Sweep, limit: u32) -> Vec<u64> {
    let mut taken = Vec::new();
    while taken.last() != Some(&0) {
        taken.push(db.sweep(fence.clone(), sweep, limit).await.unwrap());
    }
    taken
}

on_both! {
    sessions_past_either_end_go,
    codes_and_counters_share_one_limit,
    links_and_answers_go_by_age,
    runs_go_unless_under_way,
    sealed_values_are_walked_in_order,
    a_value_changed_meanwhile_is_left_alone,
}

async fn sessions_past_either_end_go(db: &Db) {
    let fence = fence(db).await;
    for n in 1..=3 {
        session(db, n, i64::from(n), T0).await;
    }
    db.session_touch(domain::ids::SessionId(3), T0 + DAY_MS).await.unwrap();
    let idle = Sweep::Sessions { idle_before: T0 + 1, started_before: T0 };
    assert_eq!(sweep(db, &fence, idle, 1).await, [1, 1, 0]);
    let old = Sweep::Sessions { idle_before: T0, started_before: T0 + 1 };
    assert_eq!(sweep(db, &fence, old, 9).await, [1, 0]);
}

async fn codes_and_counters_share_one_limit(db: &Db) {
    let fence = fence(db).await;
    for n in 1..=3 {
        db.code_issue(issue(n, CodePurpose::SignIn, T0)).await.unwrap();
    }
    // Three codes, two counters for each phone, one of the network they share, and the one of the site.
    let past = Sweep::Codes { sent_before: T0 + 1, day_before: 20_231_115 };
    assert_eq!(sweep(db, &fence, past, 3).await, [3, 3, 3, 2, 0]);
    let none = Sweep::Codes { sent_before: T0, day_before: 20_231_114 };
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    assert_eq!(sweep(db, &fence, none, 2).await, [0]);
}

async fn links_and_answers_go_by_age(db: &Db) {
    let fence = fence(db).await;
    let user = user(db, 1, &[]).await;
    for n in 1..=3 {
        db.link_create(LinkCreate { token_hash: hash(n), user, expires: T0 + n }).await.unwrap();
        let address = AddressRow { id: AddressId(n), sealed: vec![], default: false };
        let once = once(&format!("k{n}"), "b");
        db.address_add(AddressSave { user, address, now: T0 + n, once }).await.unwrap();
    }
    assert_eq!(sweep(db, &fence, Sweep::Links { expired_before: T0 + 3 }, 9).await, [2, 0]);
    assert_eq!(sweep(db, &fence, Sweep::Answers { made_before: T0 + 3 }, 1).await, [1, 1, 0]);
}

/// Dead ones too, but never the run that is under way.
async fn runs_go_unless_under_way(db: &Db) {
    db.jobs_declare(defaults(&["a"])).await.unwrap();
    db.job_claim(claim("dead", 1, 0)).await.unwrap().unwrap();
    let run = db.job_claim(claim("w", 2, 1_000)).await.unwrap().unwrap();
    let all = Sweep::Runs { started_before: Timestamp(i64::MAX) };
    assert_eq!(sweep(db, &run.fence, all, 9).await, [1, 0]);
}

async fn sealed_values_are_walked_in_order(db: &Db) {
    for n in 1..=3 {
        let user = user(db, n, &[]).await;
        for id in 1..=2 {
            let address = AddressRow { id: AddressId(id), sealed: vec![n], default: false };
            db.address_add(AddressSave { user, address, now: T0, once: None }).await.unwrap();
        }
    }
    for id in [1_000, 2_000] {
        let id = create(db, id, content()).await;
        publish(db, id, 0).await;
        db.activity_act(act(id, BOB, Action::Close, 1)).await.unwrap();
        db.activity_act(act(id, BOB, Action::Reopen, 2)).await.unwrap();
    }
    let (first, second) = ((1 << 32) + 1, (2 << 32) + 1);
    for (kind, limit, expected) in [
        (SealedColumn::Phone, 2, vec![(1, 0), (2, 0), (3, 0)]),
        (SealedColumn::Address, 4, vec![(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]),
        (SealedColumn::Secret, 3, vec![(1, first), (1, second), (2, first), (2, second)]),
    ] {
        let (mut seen, mut after) = (Vec::new(), (0, 0));
        loop {
            let rows = db.sealed_rows(kind, after, limit).await.unwrap();
            let Some(last) = rows.last() else { break };
            after = (last.user, last.id);
            seen.extend(rows.iter().map(|row| (row.user / 1_000, row.id)));
        }
        assert_eq!(seen, expected, "{kind:?}");
    }
}

async fn a_value_changed_meanwhile_is_left_alone(db: &Db) {
    let fence = fence(db).await;
    let user = user(db, 1, &[]).await;
    let address = AddressRow { id: AddressId(5), sealed: vec![1], default: false };
    db.address_add(AddressSave { user, address, now: T0, once: None }).await.unwrap();
    for (kind, id, seen) in [(SealedColumn::Phone, 0, vec![9]), (SealedColumn::Address, 5, vec![1])] {
        let row = SealedRow { kind, user: user.0, id, sealed: seen };
        for changed in [true, false] {
            assert_eq!(db.reseal(fence.clone(), row.clone(), vec![7]).await.unwrap(), changed, "{kind:?}");
        }
        assert_eq!(db.sealed_rows(kind, (0, 0), 9).await.unwrap()[0].sealed, [7]);
    }
    let id = create(db, 1, content()).await;
    publish(db, id, 0).await;
    let secret = db.sealed_rows(SealedColumn::Secret, (0, 0), 9).await.unwrap().pop().unwrap();
    for changed in [true, false] {
        assert_eq!(db.reseal(fence.clone(), secret.clone(), vec![7]).await.unwrap(), changed);
    }
    assert_eq!(db.secret_list(id).await.unwrap()[0].sealed, [7]);
}
