//! Invitations: once per phone, worth something once, one level only.

use std::sync::Arc;

use domain::account::CodePurpose;
use domain::civil_date::CivilDate;
use domain::community::invite::INVITE_ACCEPT_MS;
use domain::community::{CheckInTerms, InviteCode};
use domain::ids::UserId;
use domain::points::NEVER;
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use super::own_behaviours::{rules, waiting_in};
use crate::fixtures::*;

on_both! {
    an_invitation_is_accepted_once,
    a_phone_is_invited_once_whatever_becomes_of_the_account,
    the_first_act_that_counts_is_told_to_one_level,
}

/// Accounts of the fixtures were made at T0, or at a moment close to it.
const SOON: Timestamp = Timestamp(T0.0 + DAY_MS / 2);

fn code(n: u8) -> InviteCode {
    InviteCode::from_bytes([n; 8])
}

async fn make(db: &Db, user: UserId, n: u8) {
    db.invite_code_make(InviteCodeMake { user, code: code(n), now: SOON }).await.unwrap();
}

fn accept(db: &Db, user: UserId, n: u8, now: Timestamp) -> impl Future<Output = Result<()>> {
    db.invite_accept(InviteAccept { user, code: code(n), now })
}

async fn check_in(db: &Db, user: UserId, now: Timestamp) {
    let terms =
        CheckInTerms { make_up_points: 0, make_up_days: 0, make_ups_monthly_max: 0, milestones: Vec::new() };
    let today = CivilDate::from_days(now.0 / DAY_MS).unwrap();
    let day = CheckInDay { today, terms: Arc::new(terms), points_expire: NEVER, now };
    db.check_in(CheckIn { user, day }).await.unwrap();
}

async fn row(db: &Db, user: UserId) -> (i64, i64) {
    let row = db.invites_find(user).await.unwrap();
    (row.accepted, row.qualified)
}

async fn an_invitation_is_accepted_once(db: &Db) {
    let (ann, bob, eve) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    make(db, ann, 1).await;
    make(db, ann, 9).await;
    assert_eq!(db.invites_find(ann).await.unwrap().code.as_deref(), Some(code(1).as_str()), "one each");
    make(db, eve, 3).await;
    assert_eq!(said(accept(db, ann, 1, SOON).await), "yourself");
    assert_eq!(said(accept(db, bob, 9, SOON).await), "not_found");
    for done in join_all((0..20).map(|_| accept(db, bob, 1, SOON))).await {
        done.unwrap();
    }
    assert_eq!(said(accept(db, bob, 3, SOON).await), "invite_known", "by somebody else");
    assert_eq!((row(db, ann).await, row(db, eve).await), ((1, 0), (0, 0)));
    let late = Timestamp(T0.0 + INVITE_ACCEPT_MS);
    assert_eq!(said(accept(db, eve, 1, late).await), "invite_late");
    ban(db, ann).await;
    assert_eq!(said(accept(db, eve, 1, SOON).await), "not_found");
}

async fn a_phone_is_invited_once_whatever_becomes_of_the_account(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    make(db, ann, 1).await;
    make(db, bob, 2).await;
    accept(db, bob, 1, SOON).await.unwrap();
    db.code_issue(issue(2, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(bob, 2, RIGHT)).await.unwrap();
    assert_eq!(db.inviter_find(code(2).as_str().to_owned(), SOON).await.unwrap(), None);
    // The mark of the account is kept for a day; then the same phone is a new account, and was invited all the same.
    let later = T0 + 3 * DAY_MS;
    db.code_issue(issue(2, CodePurpose::SignIn, later)).await.unwrap();
    let again = UserId(db.sign_in_by_code(sign_in(2, 77_000, 7, RIGHT, later)).await.unwrap().id);
    assert_ne!(again, bob);
    assert_eq!(said(accept(db, again, 1, later + 1).await), "invite_known");
}

async fn the_first_act_that_counts_is_told_to_one_level(db: &Db) {
    let (ann, bob, eve) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    rules(db, &["invite"]).await;
    make(db, ann, 1).await;
    make(db, bob, 2).await;
    accept(db, bob, 1, SOON).await.unwrap();
    accept(db, eve, 2, SOON).await.unwrap();
    // Too new: it counts nothing yet.
    check_in(db, eve, SOON).await;
    assert_eq!((row(db, bob).await, waiting_in(db, BEHAVIOURS).await), ((1, 0), 0));
    for days in 1..4 {
        check_in(db, eve, T0 + days * DAY_MS).await;
    }
    // Once, for the one who invited her, and nothing for the one behind them.
    assert_eq!((row(db, bob).await, row(db, ann).await), ((1, 1), (1, 0)));
    assert_eq!(waiting_in(db, BEHAVIOURS).await, 1);
}
