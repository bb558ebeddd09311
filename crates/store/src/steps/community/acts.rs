//! What people do in the community, as behaviours that grant rules may reward. A message is written in the transaction of the row.

use domain::community::Newcomer;
use domain::grants::{OwnBehaviour, counts};
use domain::ids::{PostId, UserId};
use domain::time::Timestamp;

use crate::failure::Result;
use crate::steps::grants::own::{self, OwnAct, SocialAct};
use crate::tx::Tx;

pub(super) fn on_post(kind: OwnBehaviour, user: UserId, post: PostId, at: Timestamp) -> OwnAct {
    OwnAct { kind, user, object: format!("post:{post}"), date: None, at }
}

pub(super) fn on_person(kind: OwnBehaviour, user: UserId, other: UserId, at: Timestamp) -> OwnAct {
    OwnAct { kind, user, object: format!("person:{other}"), date: None, at }
}

/// Something that was done to what is another's.
pub(super) async fn report_towards(
    tx: &Tx<'_>,
    act: OwnAct,
    account: Newcomer,
    author: UserId,
    day: i64,
) -> Result<()> {
    own::report_social(tx, SocialAct { act, account, author: Some(author), day }).await
}

/// A post counts for its author, unless the account is new.
pub(super) async fn report_post(
    tx: &Tx<'_>,
    author: UserId,
    account: Newcomer,
    post: PostId,
    now: Timestamp,
) -> Result<()> {
    if counts(author, account, None, now) {
        own::qualify(tx, author, account, now).await?;
        own::report(tx, on_post(OwnBehaviour::Post, author, post, now)).await?;
    }
    Ok(())
}

/// What is taken back or removed is worth nothing any more.
pub(super) async fn take_back(tx: &Tx<'_>, act: OwnAct) -> Result<()> {
    own::report_undone(tx, act).await
}
