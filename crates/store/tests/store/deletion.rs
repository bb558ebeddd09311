//! Deleting an account.

use domain::access::Role;
use domain::account::{CodePurpose, FactKey, FactValue};
use domain::ids::{AddressId, UserId};
use domain::rejection::BanEnd;
use domain::time::DAY_MS;
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::fixtures::*;

async fn furnish(db: &Db, user: UserId) {
    let address = AddressRow { id: AddressId(1), sealed: vec![1], default: true };
    db.address_add(AddressSave { user, address, now: T0, once: None }).await.unwrap();
    let facts = vec![(FactKey::parse("vip").unwrap(), Some(FactValue::Flag(true)))];
    db.facts_set(FactsPut { user, facts, signed: signed(Actor::Console, 70) }).await.unwrap();
    db.link_create(LinkCreate { token_hash: hash(1), user, expires: T0 + 1_000 }).await.unwrap();
    db.profile_edit(ProfileEdit { user, name: None, avatar: Some("/a.png".into()), now: T0 }).await.unwrap();
}

on_both! {
    whatever_leads_to_a_person_goes,
    after_a_while_a_phone_begins_anew,
    whoever_returns_is_still_banned,
    the_company_deletes_its_own_users_only,
    the_last_admin_stays,
    of_twenty_admins_who_leave_at_once_one_stays,
}

async fn whatever_leads_to_a_person_goes(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    furnish(db, user).await;
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    for (n, code, expected) in
        [(2, RIGHT, "code_spent"), (1, WRONG, "code_wrong"), (1, RIGHT, "ok"), (1, RIGHT, "not_found")]
    {
        assert_eq!(said(db.account_delete(delete_by_code(user, n, code)).await), expected, "{n}");
    }
    let account = db.account(user).await.unwrap().unwrap();
    assert_eq!((account.profile.name.as_str(), account.profile.avatar.as_str()), ("deleted user", ""));
    assert!(account.deleted && account.phone_index.is_none() && account.phone_sealed.is_none());
    assert!(account.password_hash.is_none() && account.external_id.is_none());
    assert!(db.standing(user).await.unwrap().unwrap().deleted);
    assert!(db.account_by_phone(phone(1)).await.unwrap().is_none());
    assert!(db.session_find(hash(1)).await.unwrap().is_none());
    assert!(db.address_list(user).await.unwrap().is_empty());
    assert!(db.facts_of(user).await.unwrap().is_empty());
    let redeem = LinkRedeem { token_hash: hash(1), session: new_session(2), now: T0 };
    assert_eq!(said(db.link_redeem(redeem).await), "link_spent");

    db.code_issue(issue(1, CodePurpose::SignIn, T0 + 60_000)).await.unwrap();
    let back = db.sign_in_by_code(sign_in(1, 55, 55, RIGHT, T0 + 60_000)).await.unwrap();
    assert_eq!(back.id, user.0, "and with it the limits that count by it");
    let account = db.account(user).await.unwrap().unwrap();
    assert_eq!(
        (account.profile.name.as_str(), account.deleted),
        ("Player 55", false),
        "nothing else comes back"
    );
    assert_eq!(live_sessions(db, user).await, [55]);
    assert_eq!(db.standing(user).await.unwrap().unwrap().revived, Some(T0 + 60_000));
}

/// When its time is over a mark leads nowhere, swept or not.
async fn after_a_while_a_phone_begins_anew(db: &Db) {
    let gone = user(db, 1, &[]).await;
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(gone, 1, RIGHT)).await.unwrap();
    let later = T0 + DAY_MS;
    db.code_issue(issue(1, CodePurpose::SignIn, later)).await.unwrap();
    assert_eq!(db.sign_in_by_code(sign_in(1, 55, 55, RIGHT, later)).await.unwrap().id, 55);
}

/// A ban is no less a ban for a deletion in between; why it was made is gone.
async fn whoever_returns_is_still_banned(db: &Db) {
    let gone = db.external_user(external("crm-1", 9)).await.unwrap();
    ban(db, gone).await;
    db.account_delete(delete_by_company(gone, mark_of("crm-1"))).await.unwrap();
    let back = db.external_user(external("crm-1", 10)).await.unwrap();
    let ban = db.standing(back).await.unwrap().unwrap().ban.unwrap();
    assert_eq!((back, ban.until, ban.reason.as_str()), (gone, BanEnd::Never, "—"));
}

/// Whose proof it is must fit whose account it is.
async fn the_company_deletes_its_own_users_only(db: &Db) {
    let (own, company) = (user(db, 1, &[]).await, db.external_user(external("crm-1", 9)).await.unwrap());
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    let by_company = |user| delete_by_company(user, mark_of("crm-1"));
    assert_eq!(said(db.account_delete(by_company(own)).await), "people_only");
    assert_eq!(said(db.account_delete(delete_by_code(company, 1, RIGHT)).await), "deletion_by_company");
    assert_eq!(said(db.account_delete(by_company(company)).await), "ok");
    assert_eq!(audited(db, &format!("user:{company}")).await, ["user.delete"]);
}

/// Before the code is spent: it will be needed once there is another admin.
async fn the_last_admin_stays(db: &Db) {
    let (last, other) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[Role::Admin]).await);
    for (n, user, expected) in [(2, other, "ok"), (1, last, "last_admin"), (1, last, "last_admin")] {
        let _ = db.code_issue(issue(n, CodePurpose::ConfirmPhone, T0)).await;
        assert_eq!(said(db.account_delete(delete_by_code(user, n, RIGHT)).await), expected);
    }
}

async fn of_twenty_admins_who_leave_at_once_one_stays(db: &Db) {
    let mut leaving = Vec::new();
    for n in 1..=20 {
        let admin = user(db, n, &[Role::Admin]).await;
        db.code_issue(issue(n, CodePurpose::ConfirmPhone, T0)).await.unwrap();
        leaving.push(delete_by_code(admin, n, RIGHT));
    }
    let heard = join_all(leaving.into_iter().map(|step| db.account_delete(step))).await;
    let (left, stayed): (Vec<_>, Vec<_>) = heard.into_iter().map(said).partition(|heard| *heard == "ok");
    assert_eq!((left.len(), stayed), (19, vec!["last_admin"]));
}
