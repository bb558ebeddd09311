//! Setting and changing passwords.

use domain::account::CodePurpose;
use domain::ids::{SessionId, UserId};
use store::Db;
use store::model::*;

use crate::fixtures::*;

fn reset(n: u8, code: [u8; 32]) -> PasswordReset {
    PasswordReset { try_: try_(n, CodePurpose::ResetPassword, code, T0), password_hash: "new".into() }
}

fn change(keep: i64, seen: Option<&str>, new: &str) -> PasswordChange {
    PasswordChange {
        user: UserId(1_000),
        keep: SessionId(keep),
        seen_hash: seen.map(str::to_owned),
        password_hash: new.into(),
        now: T0,
    }
}

on_both! {
    a_reset_sets_the_password_and_ends_every_session,
    a_reset_for_an_unknown_phone_looks_like_a_missing_code,
    a_change_keeps_one_session,
    nobody_has_no_password,
}

async fn a_reset_sets_the_password_and_ends_every_session(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    db.code_issue(issue(1, CodePurpose::ResetPassword, T0)).await.unwrap();
    for (code, expected) in [(WRONG, "code_wrong"), (RIGHT, "ok"), (RIGHT, "code_spent")] {
        assert_eq!(said(db.password_reset(reset(1, code)).await), expected);
    }
    assert_eq!(db.account(user).await.unwrap().unwrap().password_hash.as_deref(), Some("new"));
    assert_eq!(db.standing(user).await.unwrap().unwrap().epoch, 1);
    assert!(db.session_find(hash(1)).await.unwrap().is_none());
}

async fn a_reset_for_an_unknown_phone_looks_like_a_missing_code(db: &Db) {
    db.code_issue(issue(7, CodePurpose::ResetPassword, T0)).await.unwrap();
    assert_eq!(said(db.password_reset(reset(7, RIGHT)).await), "code_spent");
}

async fn a_change_keeps_one_session(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    session(db, 1, 2, T0 + 60_000).await;
    for (seen, new, expected) in [
        (Some("unseen"), "a", "credentials_wrong"),
        (None, "a", "ok"),
        (None, "b", "credentials_wrong"),
        (Some("a"), "b", "ok"),
    ] {
        assert_eq!(said(db.password_change(change(2, seen, new)).await), expected, "{seen:?} {new}");
    }
    assert_eq!(live_sessions(db, user).await, [2]);
    let kept = db.session_find(hash(2)).await.unwrap().unwrap();
    assert_eq!(kept.epoch, db.standing(user).await.unwrap().unwrap().epoch);
}

async fn nobody_has_no_password(db: &Db) {
    assert_eq!(said(db.password_change(change(1, None, "a")).await), "not_found");
}
