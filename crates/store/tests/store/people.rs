//! What staff do with accounts.

use domain::access::{Role, Roles};
use domain::account::Ban;
use domain::ids::UserId;
use domain::page::PageRequest;
use domain::rejection::BanEnd;
use domain::time::Timestamp;
use store::Db;
use store::model::*;

use crate::fixtures::*;

async fn found(db: &Db, query: UserQuery) -> Vec<i64> {
    let page = db.user_list(UserQuery { now: T0, ..query }, PageRequest::default()).await.unwrap();
    page.items.into_iter().map(|account| account.profile.id.0 / 1_000).collect()
}

fn ban_step(user: UserId, reason: Option<&str>, until: BanEnd, actor: Actor, audit: i64) -> UserBan {
    // When a ban was said does not make it another one.
    let ban = reason.map(|reason| Ban { reason: reason.into(), since: Timestamp(audit), until });
    UserBan { user, ban, signed: signed(actor, audit) }
}

on_both! {
    a_phone_that_has_an_account_answers_it,
    people_are_found_by_every_filter,
    pages_hold_while_rows_are_added,
    a_ban_ends_sessions_and_is_recorded_once,
    the_last_admin_who_can_act_is_not_banned,
    signing_somebody_out_is_recorded,
    the_audit_log_says_who_what_before_and_after,
}

async fn a_phone_that_has_an_account_answers_it(db: &Db) {
    let first = user(db, 1, &[Role::Admin]).await;
    let again = UserCreate {
        user: new_user(77),
        phone: Some(phone(1)),
        roles: Roles::PLAYER,
        signed: signed(Actor::Console, 78),
    };
    assert_eq!(db.user_create(again).await.unwrap(), UserMade { user: first, new: false });
    assert!(db.account(first).await.unwrap().unwrap().roles.has(Role::Admin), "and leaves it alone");
    assert_eq!(audited(db, &format!("user:{first}")).await, ["user.create"]);
    assert_eq!(audited(db, "user:77").await, [] as [&str; 0]);
}

async fn people_are_found_by_every_filter(db: &Db) {
    for (n, name, roles) in [
        (1, "Ann_Lee", &[][..]),
        (2, "annabel", &[Role::Operator][..]),
        (3, "100%", &[Role::Operator, Role::Admin][..]),
    ] {
        let user = user(db, n, roles).await;
        db.profile_edit(ProfileEdit { user, name: Some(name.into()), avatar: None, now: T0 }).await.unwrap();
    }
    let external = ExternalUser { name: "Éva".into(), ..external("crm", 4_000) };
    db.external_user(external).await.unwrap();
    ban(db, UserId(2_000)).await;
    let lapsed = ban_step(UserId(1_000), Some("spam"), BanEnd::At(T0), Actor::Console, 9);
    db.user_ban(lapsed).await.unwrap();
    let name = |part: &str| UserQuery { name: Some(part.into()), ..UserQuery::default() };
    let roles = |roles: &[Role]| UserQuery { roles: Roles::of(roles), ..UserQuery::default() };
    let phone = |n| UserQuery { phone: Some(phone(n)), ..UserQuery::default() };
    let external = |id: &str| UserQuery { external_id: Some(id.into()), ..UserQuery::default() };
    for (query, expected) in [
        (UserQuery::default(), vec![4, 3, 2, 1]),
        (name("ANN"), vec![2, 1]),
        (name("n_l"), vec![1]),
        (name("%"), vec![3]),
        (name("éVA"), vec![4]),
        (roles(&[Role::Operator]), vec![3, 2]),
        (roles(&[Role::Operator, Role::Admin]), vec![3]),
        (phone(2), vec![2]),
        (phone(9), vec![]),
        (external("crm"), vec![4]),
        (external("x"), vec![]),
        (UserQuery { name: Some("zzz".into()), ..phone(2) }, vec![]),
        (UserQuery { external_id: Some("crm".into()), ..phone(2) }, vec![]),
        (UserQuery { banned: true, ..UserQuery::default() }, vec![2]),
        (UserQuery { banned: true, ..name("ann") }, vec![2]),
    ] {
        assert_eq!(found(db, query.clone()).await, expected, "{query:?}");
    }
}

/// New rows in between neither repeat nor push anybody out.
async fn pages_hold_while_rows_are_added(db: &Db) {
    for n in 1..=5 {
        user(db, n, &[]).await;
    }
    let (mut seen, mut request) = (Vec::new(), PageRequest::first(2));
    loop {
        let page = db.user_list(UserQuery::default(), request).await.unwrap();
        seen.extend(page.items.iter().map(|account| account.profile.id.0 / 1_000));
        user(db, 10 + u8::try_from(seen.len()).unwrap(), &[]).await;
        match page.next {
            None => break,
            after => request.after = after,
        }
    }
    assert_eq!(seen, [5, 4, 3, 2, 1]);
}

async fn the_last_admin_who_can_act_is_not_banned(db: &Db) {
    let (one, two) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[Role::Admin]).await);
    let (admin, console) = (Actor::Person(UserId(404)), Actor::Console);
    for (user, until, actor, audit, expected) in [
        (one, BanEnd::Never, admin, 1, "ok"),
        (two, BanEnd::Never, admin, 2, "last_admin"),
        (one, BanEnd::At(T0), admin, 3, "ok"),
        // A ban that is over counts no more.
        (two, BanEnd::Never, admin, 4, "ok"),
        (one, BanEnd::Never, admin, 5, "last_admin"),
        // Whoever has the machine has the last word.
        (one, BanEnd::Never, console, 6, "ok"),
    ] {
        assert_eq!(
            said(db.user_ban(ban_step(user, Some("spam"), until, actor, audit)).await),
            expected,
            "{audit}"
        );
    }
}

async fn signing_somebody_out_is_recorded(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    db.user_sign_out(user, signed(Actor::Console, 9)).await.unwrap();
    assert_eq!(live_sessions(db, user).await, [] as [i64; 0]);
    assert_eq!(audited(db, &format!("user:{user}")).await, ["user.sign_out"]);
    assert_eq!(said(db.user_sign_out(UserId(404), signed(Actor::Console, 10)).await), "not_found");
}

async fn a_ban_ends_sessions_and_is_recorded_once(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    let (never, end) = (BanEnd::Never, BanEnd::At(T0 + 1));
    let console = Actor::Console;
    for (reason, until, actor, audit, expected) in [
        (Some("spam"), never, Actor::Person(user), 1, "self_ban"),
        (Some("spam"), never, console, 2, "ok"),
        (Some("spam"), never, console, 3, "ok"),
        (Some("spam"), end, console, 4, "ok"),
        (None, never, console, 5, "ok"),
        (None, never, console, 6, "ok"),
    ] {
        assert_eq!(said(db.user_ban(ban_step(user, reason, until, actor, audit)).await), expected, "{audit}");
    }
    assert_eq!(audited(db, &format!("user:{user}")).await, ["user.ban", "user.ban", "user.unban"]);
    assert_eq!(live_sessions(db, user).await, [] as [i64; 0]);
    let standing = db.standing(user).await.unwrap().unwrap();
    assert_eq!((standing.epoch, standing.ban), (3, None));
    let nobody = ban_step(UserId(404), Some("x"), never, console, 7);
    assert_eq!(said(db.user_ban(nobody).await), "not_found");
}

async fn the_audit_log_says_who_what_before_and_after(db: &Db) {
    let (ann, bob) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[]).await);
    let step = ban_step(bob, Some("spam"), BanEnd::At(T0 + 5), Actor::Person(ann), 2_500);
    db.user_ban(step).await.unwrap();
    let line = |query| async {
        let page = db.audit_list(query, PageRequest::first(1)).await.unwrap();
        (page.items[0].clone(), page.next)
    };
    let (newest, next) = line(AuditQuery::default()).await;
    assert_eq!(next, Some(2_500));
    assert_eq!((newest.actor, newest.action.as_str()), (Actor::Person(ann), "user.ban"));
    assert_eq!(
        (newest.subject, newest.reason, newest.request_id),
        ("user:2000".into(), "because".into(), "2500".into())
    );
    let until = (T0 + 5).0;
    assert_eq!(
        (newest.before.as_str(), newest.after),
        ("", format!(r#"{{"reason":"spam","since":2500,"until":{until}}}"#))
    );
    for (query, id) in [
        (AuditQuery { actor: Some(ann), ..AuditQuery::default() }, 2_500),
        (AuditQuery { action: Some("user.create".into()), ..AuditQuery::default() }, 2_001),
        (AuditQuery { subject: Some("user:1000".into()), ..AuditQuery::default() }, 1_001),
        (
            AuditQuery {
                actor: Some(ann),
                action: Some("user.ban".into()),
                subject: Some("user:2000".into()),
            },
            2_500,
        ),
    ] {
        assert_eq!(line(query).await.0.id.0, id);
    }
    let both = AuditQuery { actor: Some(ann), action: Some("user.create".into()), subject: None };
    assert!(db.audit_list(both, PageRequest::default()).await.unwrap().items.is_empty());
}
