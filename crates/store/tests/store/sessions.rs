//! Sessions and standing.

use domain::ids::{SessionId, UserId};
use domain::time::DAY_MS;
use store::Db;
use store::model::*;

use crate::fixtures::*;

on_both! {
    a_session_is_found_by_its_token_and_moves_forward,
    a_list_shows_those_alive,
    one_is_ended_by_its_owner_alone,
    all_end_at_once,
    nobody_has_no_standing,
    a_profile_is_edited_in_part,
}

async fn a_session_is_found_by_its_token_and_moves_forward(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    for (seen, expected) in [(5_000, 5_000), (3_000, 5_000), (6_000, 6_000)] {
        db.session_touch(SessionId(1), T0 + seen).await.unwrap();
        let row = db.session_find(hash(1)).await.unwrap().unwrap();
        assert_eq!(
            (row.user, row.id, row.times.started, row.times.seen),
            (user, SessionId(1), T0, T0 + expected)
        );
    }
    assert!(db.session_find(hash(2)).await.unwrap().is_none());
}

async fn a_list_shows_those_alive(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    session(db, 1, 2, T0 + 60_000).await;
    for (after_ms, expected) in [(0, vec![2, 1]), (DAY_MS, vec![2]), (DAY_MS + 60_000, vec![])] {
        let rows = db.session_list(user, POLICY, T0 + after_ms).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.id.0).collect::<Vec<_>>(), expected, "{after_ms}");
    }
}

async fn one_is_ended_by_its_owner_alone(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    let stranger = session(db, 2, 2, T0).await;
    for (who, session, expected) in [(stranger, 1, None), (user, 1, Some(hash(1))), (user, 1, None)] {
        assert_eq!(db.session_end(who, SessionId(session)).await.unwrap(), expected);
    }
    assert_eq!(live_sessions(db, stranger).await, [2]);
}

async fn all_end_at_once(db: &Db) {
    let user = session(db, 1, 1, T0).await;
    db.sessions_end_all(user).await.unwrap();
    assert_eq!(live_sessions(db, user).await, [] as [i64; 0]);
    assert_eq!(db.standing(user).await.unwrap().unwrap().epoch, 1);
    session(db, 1, 2, T0 + 60_000).await;
    assert_eq!(db.session_find(hash(2)).await.unwrap().unwrap().epoch, 1, "the next one is of the new epoch");
}

async fn nobody_has_no_standing(db: &Db) {
    assert!(db.standing(UserId(404)).await.unwrap().is_none());
    assert!(db.account(UserId(404)).await.unwrap().is_none());
}

async fn a_profile_is_edited_in_part(db: &Db) {
    let user = user(db, 1, &[]).await;
    for (name, avatar, expected) in [
        (Some("Ann"), None, ("Ann", "")),
        (None, Some("/a.png"), ("Ann", "/a.png")),
        (None, Some(""), ("Ann", "")),
    ] {
        let edit = ProfileEdit { user, name: name.map(Into::into), avatar: avatar.map(Into::into), now: T0 };
        db.profile_edit(edit).await.unwrap();
        let profile = db.account(user).await.unwrap().unwrap().profile;
        assert_eq!((profile.name.as_str(), profile.avatar.as_str()), expected);
    }
    let nobody = ProfileEdit { user: UserId(404), name: None, avatar: None, now: T0 };
    assert_eq!(said(db.profile_edit(nobody).await), "not_found");
}
