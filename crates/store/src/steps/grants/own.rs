//! What Windfall sees people do: a message in the transaction of the row that was written, so that what was told is recorded and
//! rewarded however late the relay comes to it, and what was rolled back never is.
//!
//! A message is written only where a rule could make something of it. What is taken back or removed is undone the same way;
//! the ids of the messages see to it that a person's undoing is handled after what it undoes.

use domain::civil_date::CivilDate;
use domain::community::Newcomer;
use domain::grants::{OwnBehaviour, counts};
use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::{Fault, Result};
use crate::model::{BEHAVIOUR, BEHAVIOUR_UNDO, BEHAVIOURS, BehaviourMessage, NewMessage};
use crate::params;
use crate::row::Row;
use crate::steps::events::behaviour_message_id;
use crate::steps::outbox;
use crate::tx::Tx;

/// Something that somebody did.
#[derive(Clone, Debug)]
pub(crate) struct OwnAct {
    pub kind: OwnBehaviour,
    pub user: UserId,
    /// What it was done to, such as `post:7`.
    pub object: String,
    /// The date that it counts for, whatever a rule's zone is.
    pub date: Option<CivilDate>,
    pub at: Timestamp,
}

/// Something that somebody did towards somebody else.
#[derive(Clone, Debug)]
pub(crate) struct SocialAct {
    pub act: OwnAct,
    pub account: Newcomer,
    /// Whose the object is; nobody's where it is an activity, or its author is gone.
    pub author: Option<UserId>,
    /// The day in the site's zone.
    pub day: i64,
}

/// Reports an act, if a rule is there for it.
pub(crate) async fn report(tx: &Tx<'_>, act: OwnAct) -> Result<()> {
    if !has_rule(tx, act.kind).await? {
        return Ok(());
    }
    send(tx, BEHAVIOUR, &act).await
}

/// The same for an act towards others: it counts once a day per author, so that a circle of friends cannot be milked.
pub(crate) async fn report_social(tx: &Tx<'_>, social: SocialAct) -> Result<()> {
    let SocialAct { act, account, author, day } = social;
    if !counts(act.user, account, author, act.at) {
        return Ok(());
    }
    qualify(tx, act.user, account, act.at).await?;
    if !has_rule(tx, act.kind).await? {
        return Ok(());
    }
    if let Some(author) = author {
        let sql = "INSERT INTO social_acts (user_id, kind, author_id, day) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (user_id, kind, author_id) DO UPDATE SET day = excluded.day
                   WHERE social_acts.day <> excluded.day";
        if tx.execute(sql, params![act.user, act.kind.name(), author, day]).await? == 0 {
            return Ok(());
        }
    }
    send(tx, BEHAVIOUR, &act).await
}

/// Somebody did something that counts. For whoever invited them that is a behaviour, once, and not while the account is new.
pub(crate) async fn qualify(tx: &Tx<'_>, user: UserId, account: Newcomer, at: Timestamp) -> Result<()> {
    if account.is_new(at) {
        return Ok(());
    }
    let sql = "UPDATE invitations SET qualified_ms = $2 WHERE invitee_id = $1 AND qualified_ms IS NULL
               RETURNING inviter_id";
    let Some(inviter) = tx.one(sql, params![user, at], Row::int).await? else { return Ok(()) };
    let sql = "SELECT COUNT(*) FROM users
               WHERE id = $1 AND deleted_at IS NULL AND (ban_until IS NULL OR ban_until <= $2)";
    if tx.count(sql, params![inviter, at]).await? == 0 {
        return Ok(());
    }
    let object = format!("person:{user}");
    report(tx, OwnAct { kind: OwnBehaviour::Invite, user: UserId(inviter), object, date: None, at }).await
}

/// Undoes an act, and what it was given for, if there is or was a rule for it.
pub(crate) async fn report_undone(tx: &Tx<'_>, act: OwnAct) -> Result<()> {
    let sql = "SELECT COUNT(*) FROM grant_rules WHERE behaviour = $1";
    if tx.count(sql, params![act.kind.name()]).await? == 0 {
        return Ok(());
    }
    send(tx, BEHAVIOUR_UNDO, &act).await
}

async fn has_rule(tx: &Tx<'_>, kind: OwnBehaviour) -> Result<bool> {
    let sql = "SELECT COUNT(*) FROM grant_rules WHERE behaviour = $1 AND is_on = 1 AND approval IS NULL";
    Ok(tx.count(sql, params![kind.name()]).await? > 0)
}

async fn send(tx: &Tx<'_>, what: &'static str, act: &OwnAct) -> Result<()> {
    let OwnAct { kind, user, object, date, at } = act;
    let key = OwnBehaviour::key(*user, object);
    let id = behaviour_message_id(what == BEHAVIOUR_UNDO, kind.name(), &key, *at);
    let body = BehaviourMessage {
        behaviour: kind.name().to_owned(),
        key,
        object: object.clone(),
        day: date.map(CivilDate::number),
    };
    let body = serde_json::to_string(&body).map_err(|error| Fault::caused("writing a message", error))?;
    let message = NewMessage {
        id,
        lane: BEHAVIOURS.to_owned(),
        user: Some(*user),
        kind: what,
        subject: user.0,
        body,
        made: *at,
        due: *at,
    };
    outbox::put_once(tx, &[message]).await
}
