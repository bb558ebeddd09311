//! Moving to another phone.

use domain::account::CodePurpose;
use domain::ids::{SessionId, UserId};
use store::Db;
use store::model::*;

use crate::fixtures::*;

fn change(user: UserId, old: [u8; 32], new: [u8; 32]) -> PhoneChange {
    PhoneChange {
        user,
        old: try_(1, CodePurpose::ConfirmPhone, old, T0),
        new: try_(2, CodePurpose::NewPhone, new, T0),
        new_sealed: vec![2],
        keep: SessionId(7),
    }
}

on_both! {
    both_numbers_are_proved_in_one_step,
    a_number_that_somebody_has_is_refused,
    all_other_sessions_end,
    phones_that_are_exchanged_keep_their_ids,
}

/// A wrong code costs a try of its own and leaves the other one whole.
async fn both_numbers_are_proved_in_one_step(db: &Db) {
    let user = user(db, 1, &[]).await;
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.code_issue(issue(2, CodePurpose::NewPhone, T0)).await.unwrap();
    for (old, new, expected) in [
        (RIGHT, WRONG, "The code is wrong; 4 tries left."),
        (RIGHT, WRONG, "The code is wrong; 3 tries left."),
        (WRONG, RIGHT, "The code is wrong; 4 tries left."),
        (WRONG, WRONG, "The code is wrong; 3 tries left."),
    ] {
        assert_eq!(db.phone_change(change(user, old, new)).await.unwrap_err().to_string(), expected);
    }
    assert_eq!(said(db.phone_change(change(user, RIGHT, RIGHT)).await), "ok");
    let account = db.account(user).await.unwrap().unwrap();
    assert_eq!((account.phone_index, account.phone_sealed), (Some(phone(2)), Some(vec![2])));
    assert_eq!(
        said(db.phone_change(change(user, RIGHT, RIGHT)).await),
        "code_spent",
        "it is another number now"
    );
}

async fn a_number_that_somebody_has_is_refused(db: &Db) {
    let (mover, owner) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.code_issue(issue(2, CodePurpose::NewPhone, T0)).await.unwrap();
    for expected in ["phone_taken", "code_spent"] {
        assert_eq!(said(db.phone_change(change(mover, RIGHT, RIGHT)).await), expected);
    }
    for (user, n) in [(mover, 1), (owner, 2)] {
        assert_eq!(db.account(user).await.unwrap().unwrap().phone_index, Some(phone(n)));
    }
}

async fn all_other_sessions_end(db: &Db) {
    let mover = session(db, 1, 7, T0).await;
    for other in [8, 9] {
        let later = T0 + other * 60_000;
        session(db, 1, other, later).await;
    }
    assert_eq!(live_sessions(db, mover).await, [9, 8, 7]);
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.code_issue(issue(2, CodePurpose::NewPhone, T0)).await.unwrap();
    assert_eq!(said(db.phone_change(change(mover, RIGHT, RIGHT)).await), "ok");
    assert_eq!(live_sessions(db, mover).await, [7], "the one it was done in");
}

/// An account that moves away from a phone leaves there what the other phone led to: with two phones nobody has more
/// than two ids, whatever is deleted and exchanged.
async fn phones_that_are_exchanged_keep_their_ids(db: &Db) {
    let (first, second) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    db.code_issue(issue(2, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    assert_eq!(said(db.account_delete(delete_by_code(second, 2, RIGHT)).await), "ok");
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.code_issue(issue(2, CodePurpose::NewPhone, T0)).await.unwrap();
    assert_eq!(said(db.phone_change(change(first, RIGHT, RIGHT)).await), "ok");
    let back = session(db, 1, 50, T0).await;
    assert_eq!(back, second, "the phone that was left leads to the account that was deleted");
}
