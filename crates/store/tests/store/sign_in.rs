//! Signing in and registering.

use domain::account::{CODE_LIFE_MS, CodePurpose};
use domain::ids::UserId;
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::fixtures::*;

fn register(n: u8, user: i64, session: i64) -> Register {
    let try_ = try_(n, CodePurpose::Register, RIGHT, T0);
    let user = NewUser { password_hash: Some("hash".into()), ..new_user(user) };
    Register { try_, user, session: new_session(session), once: None }
}

fn by_password(user: i64, password_hash: &str, session: i64) -> SignInByPassword {
    SignInByPassword {
        user: UserId(user),
        password_hash: password_hash.into(),
        rehashed: None,
        second: None,
        session: new_session(session),
        now: T0,
        once: None,
    }
}

on_both! {
    the_first_sign_in_makes_the_account,
    a_banned_user_gets_no_session,
    registering_needs_a_phone_without_an_account,
    a_password_counts_only_while_it_is_still_the_one_that_was_seen,
    a_repeated_sign_in_gives_the_first_answer,
    a_refused_key_may_be_tried_again,
    one_key_makes_one_session_for_fifty_requests,
    two_ways_in_at_once_make_one_account,
    the_twenty_first_session_ends_the_oldest,
}

async fn the_first_sign_in_makes_the_account(db: &Db) {
    assert_eq!(session(db, 1, 10, T0).await, UserId(1_000));
    assert_eq!(session(db, 1, 11, T0 + 60_000).await, UserId(1_000), "the second finds it");
    let account = db.account(UserId(1_000)).await.unwrap().unwrap();
    assert_eq!((account.profile.name.as_str(), account.profile.level), ("Player 1000", 1));
    assert_eq!(
        (account.phone_index, account.phone_sealed, account.created),
        (Some(phone(1)), Some(vec![9]), T0)
    );
    assert_eq!(live_sessions(db, UserId(1_000)).await, [11, 10]);
}

/// The code is spent, so that it cannot be used to ask again.
async fn a_banned_user_gets_no_session(db: &Db) {
    let user = user(db, 1, &[]).await;
    ban(db, user).await;
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    for expected in ["banned", "code_spent"] {
        assert_eq!(said(db.sign_in_by_code(sign_in(1, 5, 5, RIGHT, T0)).await), expected);
    }
    assert_eq!(live_sessions(db, user).await, [] as [i64; 0]);
}

async fn registering_needs_a_phone_without_an_account(db: &Db) {
    db.code_issue(issue(1, CodePurpose::Register, T0)).await.unwrap();
    assert_eq!(db.register(register(1, 1, 1)).await.unwrap(), CreateOutcome::now(1));
    let account = db.account(UserId(1)).await.unwrap().unwrap();
    assert_eq!(account.password_hash.as_deref(), Some("hash"));

    // Told only after a right code, and only once per code.
    for (issued, expected) in [(false, "code_spent"), (true, "phone_taken"), (false, "code_spent")] {
        if issued {
            db.code_issue(issue(1, CodePurpose::Register, T0 + 60_000)).await.unwrap();
        }
        assert_eq!(said(db.register(register(1, 2, 2)).await), expected);
    }
    assert!(db.account(UserId(2)).await.unwrap().is_none());
}

async fn a_password_counts_only_while_it_is_still_the_one_that_was_seen(db: &Db) {
    db.code_issue(issue(1, CodePurpose::Register, T0)).await.unwrap();
    db.register(register(1, 1, 1)).await.unwrap();
    for (user, seen, session, expected) in
        [(1, "hash", 2, "ok"), (1, "older", 3, "credentials_wrong"), (9, "hash", 4, "credentials_wrong")]
    {
        assert_eq!(said(db.sign_in_by_password(by_password(user, seen, session)).await), expected);
    }
    let dearer = SignInByPassword { rehashed: Some("dearer".into()), ..by_password(1, "hash", 6) };
    assert_eq!(said(db.sign_in_by_password(dearer).await), "ok");
    assert_eq!(said(db.sign_in_by_password(by_password(1, "hash", 7)).await), "credentials_wrong");
    ban(db, UserId(1)).await;
    assert_eq!(said(db.sign_in_by_password(by_password(1, "dearer", 5)).await), "banned");
    assert_eq!(live_sessions(db, UserId(1)).await, [] as [i64; 0]);
}

async fn a_repeated_sign_in_gives_the_first_answer(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    let first = SignInByCode { once: once("k", "body"), ..sign_in(1, 1, 1, RIGHT, T0) };
    let again = SignInByCode { once: once("k", "body"), ..sign_in(1, 2, 2, RIGHT, T0) };
    let other = SignInByCode { once: once("k", "other"), ..sign_in(1, 3, 3, RIGHT, T0) };
    assert_eq!(db.sign_in_by_code(first).await.unwrap(), CreateOutcome::now(1));
    let replayed = Some(Some(b"body".to_vec()));
    assert_eq!(db.sign_in_by_code(again).await.unwrap(), CreateOutcome { id: 1, replayed });
    // Another body under the key is a guess at the code, and a late repetition opens no door any more.
    assert_eq!(said(db.sign_in_by_code(other).await), "code_spent");
    let late = SignInByCode { once: once("k", "body"), ..sign_in(1, 4, 4, RIGHT, T0 + CODE_LIFE_MS + 1) };
    assert_eq!(said(db.sign_in_by_code(late).await), "code_spent");
    assert_eq!(live_sessions(db, UserId(1)).await, [1]);
}

/// A refusal is not kept: the key is still good.
async fn a_refused_key_may_be_tried_again(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    for (code, expected) in [(WRONG, "code_wrong"), (RIGHT, "ok")] {
        let step = SignInByCode { once: once("k", "body"), ..sign_in(1, 1, 1, code, T0) };
        assert_eq!(said(db.sign_in_by_code(step).await), expected);
    }
}

/// All fifty are answered alike: the first makes, the others hear what it made.
async fn one_key_makes_one_session_for_fifty_requests(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    let requests = (1..=50)
        .map(|n| db.sign_in_by_code(SignInByCode { once: once("k", "body"), ..sign_in(1, n, n, RIGHT, T0) }));
    let made: Vec<CreateOutcome> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(made.iter().filter(|made| made.replayed.is_none()).count(), 1);
    assert!(made.iter().all(|one| one.id == made[0].id));
    assert_eq!(live_sessions(db, UserId(made[0].id)).await.len(), 1);
}

async fn two_ways_in_at_once_make_one_account(db: &Db) {
    db.code_issue(issue(1, CodePurpose::SignIn, T0)).await.unwrap();
    db.code_issue(issue(1, CodePurpose::Register, T0)).await.unwrap();
    let (signed_in, registered) =
        tokio::join!(db.sign_in_by_code(sign_in(1, 1, 1, RIGHT, T0)), db.register(register(1, 2, 2)));
    let user = db.account_by_phone(phone(1)).await.unwrap().unwrap().profile.id;
    assert_eq!(signed_in.unwrap().id, user.0);
    assert_eq!(said(registered), if user == UserId(2) { "ok" } else { "phone_taken" });
}

async fn the_twenty_first_session_ends_the_oldest(db: &Db) {
    db.code_issue(issue(1, CodePurpose::Register, T0)).await.unwrap();
    db.register(register(1, 1, 1)).await.unwrap();
    for session in 2..=21 {
        db.sign_in_by_password(by_password(1, "hash", session)).await.unwrap();
    }
    let expected: Vec<i64> = (2..=21).rev().collect();
    assert_eq!(live_sessions(db, UserId(1)).await, expected);
}
