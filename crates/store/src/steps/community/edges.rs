//! Who follows and blocks whom. The counts on both accounts move exactly when a row does, under the locks on both.

use domain::Rejection;
use domain::account::Ban;
use domain::community::edge::check_other;
use domain::community::{
    BLOCKS_MAX, DailyAct, EdgeFacts, FollowsVersion, NotificationKind, NotificationSubject, may_follow,
};
use domain::grants::OwnBehaviour;
use domain::ids::UserId;
use domain::rejection::MissingThing;
use domain::search::IndexedKind;
use domain::time::Timestamp;

use super::{acts, gate};
use crate::failure::Result;
use crate::model::{FollowOutcome, FollowSet, Relation};
use crate::params;
use crate::row::Row;
use crate::steps::notifications::{NewNotification, notify};
use crate::steps::{search, users};
use crate::tx::Tx;

/// Follows. Again is the same.
pub(super) async fn follow(tx: &Tx<'_>, step: &FollowSet) -> Result<FollowOutcome> {
    check_other(step.user, step.other)?;
    lock_both(tx, step.user, step.other).await?;
    let (me, newcomer) = gate::lock_writer(tx, step.user, step.day.now).await?;
    let other = users::find(tx, step.other).await?.map(|other| other.account);
    let is_there = other
        .as_ref()
        .is_some_and(|other| !other.deleted && Ban::check(other.ban.as_ref(), step.day.now).is_ok());
    let between = relation(tx, &(step.user, step.other)).await?;
    if between.follows {
        return Ok(FollowOutcome { relation: between, made: None });
    }
    may_follow(&EdgeFacts {
        me: step.user,
        other: step.other,
        is_there,
        blocked_by_me: between.blocked_by_me,
        blocks_me: between.blocks_me,
        following: me.account.profile.following,
        following_max: step.following_max,
    })?;
    gate::count_act(tx, (step.user, newcomer), DailyAct::Follow, &step.day).await?;
    let sql = "INSERT INTO follows (user_id, followed_id, at_ms) VALUES ($1, $2, $3)";
    tx.execute(sql, params![step.user, step.other, step.day.now]).await?;
    count_edge(tx, step.user, step.other, 1).await?;
    if me.account.profile.following == 0 {
        // Whoever follows somebody shows themselves, and can be found from then on.
        search::mark(tx, IndexedKind::Person, step.user.0, step.day.now).await?;
    }
    let followed = acts::on_person(OwnBehaviour::Follow, step.user, step.other, step.day.now);
    acts::report_towards(tx, followed, newcomer, step.other, step.day.day).await?;
    let new = NewNotification {
        recipient: step.other,
        kind: NotificationKind::Follow,
        actor: Some(step.user),
        object: step.other.0,
        about: (NotificationSubject::Person, step.other.0),
        post: None,
        at: step.day.now,
    };
    notify(tx, &[new]).await?;
    outcome(tx, step.user, step.other, true).await
}

/// Does not follow any more. Again is the same.
pub(super) async fn unfollow(
    tx: &Tx<'_>,
    (user, other, now): &(UserId, UserId, Timestamp),
) -> Result<FollowOutcome> {
    check_other(*user, *other)?;
    lock_both(tx, *user, *other).await?;
    let is_cut = leave(tx, *user, *other, *now).await?;
    outcome(tx, *user, *other, is_cut).await
}

/// What stands between two people now, and the version of the follows that this step made.
async fn outcome(tx: &Tx<'_>, user: UserId, other: UserId, is_changed: bool) -> Result<FollowOutcome> {
    let relation = relation(tx, &(user, other)).await?;
    let version = tx.count("SELECT follows_version FROM users WHERE id = $1", params![user]).await?;
    Ok(FollowOutcome { relation, made: is_changed.then_some(FollowsVersion(version)) })
}

/// Blocks: both edges go. Again is the same.
pub(super) async fn block(tx: &Tx<'_>, (user, other, now): &(UserId, UserId, Timestamp)) -> Result<Relation> {
    check_other(*user, *other)?;
    lock_both(tx, *user, *other).await?;
    let between = relation(tx, &(*user, *other)).await?;
    if between.blocked_by_me {
        return Ok(between);
    }
    let is_there = users::find(tx, *other).await?.is_some_and(|other| !other.account.deleted);
    if !is_there {
        return Err(Rejection::NotFound { what: MissingThing::User }.into());
    }
    let blocked = tx.count("SELECT COUNT(*) FROM blocks WHERE user_id = $1", params![*user]).await?;
    if blocked >= i64::from(BLOCKS_MAX) {
        return Err(Rejection::BlocksFull { max: BLOCKS_MAX }.into());
    }
    let sql = "INSERT INTO blocks (user_id, blocked_id, at_ms) VALUES ($1, $2, $3)";
    tx.execute(sql, params![*user, *other, *now]).await?;
    leave(tx, *user, *other, *now).await?;
    cut_edge(tx, *other, *user).await?;
    relation(tx, &(*user, *other)).await
}

/// Ends a block. The edges that it removed stay removed.
pub(super) async fn unblock(tx: &Tx<'_>, (user, other): &(UserId, UserId)) -> Result<Relation> {
    check_other(*user, *other)?;
    lock_both(tx, *user, *other).await?;
    let sql = "DELETE FROM blocks WHERE user_id = $1 AND blocked_id = $2";
    tx.execute(sql, params![*user, *other]).await?;
    relation(tx, &(*user, *other)).await
}

/// What stands between two people.
pub(crate) async fn relation(tx: &Tx<'_>, (user, other): &(UserId, UserId)) -> Result<Relation> {
    let found = tx
        .one(
            "SELECT (SELECT COUNT(*) FROM follows WHERE user_id = $1 AND followed_id = $2),
                    (SELECT COUNT(*) FROM follows WHERE user_id = $2 AND followed_id = $1),
                    (SELECT COUNT(*) FROM blocks WHERE user_id = $1 AND blocked_id = $2),
                    (SELECT COUNT(*) FROM blocks WHERE user_id = $2 AND blocked_id = $1),
                    followers
             FROM users WHERE id = $2",
            params![*user, *other],
            |row| {
                Ok(Relation {
                    follows: row.int()? > 0,
                    followed: row.int()? > 0,
                    blocked_by_me: row.int()? > 0,
                    blocks_me: row.int()? > 0,
                    followers: row.int()?,
                })
            },
        )
        .await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::User })?)
}

/// Locks two accounts in the order of their ids, so that two people who meet do not wait for each other for ever.
pub(crate) async fn lock_both(tx: &Tx<'_>, one: UserId, other: UserId) -> Result<()> {
    for user in [one.min(other), one.max(other)] {
        tx.one("SELECT id FROM users WHERE id = $1 FOR UPDATE", params![user], Row::int).await?;
    }
    Ok(())
}

/// Ends an edge by the will of the one who follows: it is worth nothing any more. Answers whether there was one.
async fn leave(tx: &Tx<'_>, user: UserId, followed: UserId, now: Timestamp) -> Result<bool> {
    let is_cut = cut_edge(tx, user, followed).await?;
    if is_cut {
        acts::take_back(tx, acts::on_person(OwnBehaviour::Follow, user, followed, now)).await?;
    }
    Ok(is_cut)
}

/// Answers whether there was an edge.
async fn cut_edge(tx: &Tx<'_>, user: UserId, followed: UserId) -> Result<bool> {
    let sql = "DELETE FROM follows WHERE user_id = $1 AND followed_id = $2";
    let was_there = tx.execute(sql, params![user, followed]).await? > 0;
    if was_there {
        count_edge(tx, user, followed, -1).await?;
    }
    Ok(was_there)
}

async fn count_edge(tx: &Tx<'_>, user: UserId, followed: UserId, delta: i64) -> Result<()> {
    let sql =
        "UPDATE users SET following = following + $2, follows_version = follows_version + 1 WHERE id = $1";
    tx.execute(sql, params![user, delta]).await?;
    tx.execute("UPDATE users SET followers = followers + $2 WHERE id = $1", params![followed, delta]).await?;
    Ok(())
}
