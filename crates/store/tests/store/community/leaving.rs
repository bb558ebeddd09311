//! What stays of somebody who deleted the account.

use domain::account::CodePurpose;
use domain::community::AuthorState;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    posts_stay_without_a_name_and_counts_go_down,
}

async fn posts_stay_without_a_name_and_counts_go_down(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let (by_ann, by_bob) = (post(db, 1, ann).await, post(db, 2, bob).await);
    follow(db, ann, bob).await.unwrap();
    follow(db, bob, ann).await.unwrap();
    like(db, by_bob, ann, true).await.unwrap();
    vote(db, by_bob, ann, LATER).await.unwrap();
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(ann, 1, RIGHT)).await.unwrap();
    assert_eq!((counts(db, ann).await, counts(db, bob).await), ((0, 0, 0), (1, 0, 0)));
    let row_ = row(db, by_bob, None).await;
    assert_eq!((row_.likes, row_.votes), (0, 2), "a vote is final");
    let left = row(db, by_ann, Some(ann)).await;
    assert_eq!((left.author, left.author_state), (None, AuthorState::Gone));
    assert_eq!(listed(db, PostList::Latest, Some(bob)).await, [2, 1]);
    assert!(listed(db, PostList::By(ann), Some(bob)).await.is_empty());
    assert_eq!(said(db.post_delete(by_ann, ann, LATER).await), "not_found");
}
