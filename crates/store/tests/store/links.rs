//! The company's own users and their sign-in links.

use domain::ids::UserId;
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::fixtures::*;

fn redeem(link: i64, session: i64, after_ms: i64) -> LinkRedeem {
    LinkRedeem { token_hash: hash(link), session: new_session(session), now: T0 + after_ms }
}

on_both! {
    an_external_id_has_one_account,
    a_link_opens_once_and_in_time,
    a_link_opens_for_one_of_fifty,
    a_banned_user_or_nobody_gets_no_link_to_work,
}

async fn an_external_id_has_one_account(db: &Db) {
    let asked = (1..=50).map(|id| db.external_user(external("crm-7", id)));
    let users: Vec<UserId> = join_all(asked).await.into_iter().map(Result::unwrap).collect();
    assert!(users.iter().all(|user| *user == users[0]));
    assert_ne!(db.external_user(external("crm-8", 99)).await.unwrap(), users[0]);
    let account = db.account(users[0]).await.unwrap().unwrap();
    assert_eq!((account.external_id.as_deref(), account.phone_index), (Some("crm-7"), None));
}

async fn a_link_opens_once_and_in_time(db: &Db) {
    let user = db.external_user(external("crm-7", 7)).await.unwrap();
    for link in [1, 2] {
        db.link_create(LinkCreate { token_hash: hash(link), user, expires: T0 + 1_000 }).await.unwrap();
    }
    for (link, session, after_ms, expected) in [
        (1, 1, 999, "ok"),
        (1, 2, 999, "link_spent"),
        (2, 3, 1_000, "link_spent"),
        (2, 4, 0, "link_spent"),
        (3, 5, 0, "link_spent"),
    ] {
        assert_eq!(
            said(db.link_redeem(redeem(link, session, after_ms)).await),
            expected,
            "{link} {after_ms}"
        );
    }
    assert_eq!(live_sessions(db, user).await, [1]);
}

async fn a_link_opens_for_one_of_fifty(db: &Db) {
    let user = db.external_user(external("crm-7", 7)).await.unwrap();
    db.link_create(LinkCreate { token_hash: hash(1), user, expires: T0 + 1_000 }).await.unwrap();
    let redeemed = join_all((1..=50).map(|session| db.link_redeem(redeem(1, session, 0)))).await;
    assert_eq!(redeemed.into_iter().map(said).filter(|heard| *heard == "ok").count(), 1);
    assert_eq!(live_sessions(db, user).await.len(), 1);
}

async fn a_banned_user_or_nobody_gets_no_link_to_work(db: &Db) {
    let user = db.external_user(external("crm-7", 7)).await.unwrap();
    let link = |user| LinkCreate { token_hash: hash(1), user, expires: T0 + 1_000 };
    db.link_create(link(user)).await.unwrap();
    ban(db, user).await;
    // A ban ends the links that were out, and one that comes after it opens nothing.
    assert_eq!(said(db.link_redeem(redeem(1, 1, 0)).await), "link_spent");
    db.link_create(link(user)).await.unwrap();
    for expected in ["banned", "link_spent"] {
        assert_eq!(said(db.link_redeem(redeem(1, 1, 0)).await), expected);
    }
    assert_eq!(said(db.link_create(link(UserId(404))).await), "not_found");
}
