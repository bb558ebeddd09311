//! The row every other step stands on: found, locked, made.

use domain::Rejection;
use domain::access::{Role, Roles};
use domain::account::{Ban, fold_name};
use domain::ids::{SessionId, UserId};
use domain::rejection::{BanEnd, MissingThing};
use domain::time::Timestamp;

use super::former_accounts;
use crate::failure::{Fault, Result};
use crate::model::{AccountMark, AccountRow, PhoneIndex, Profile};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// How "never" is stored among the ends of bans.
const NEVER: i64 = i64::MAX;

/// `SELECT` of a whole user, to be read with [`read`].
macro_rules! user_sql {
    ($($rest:literal),+) => {
        concat!(
            "SELECT id, created, name, avatar, level, sign_up_day, posts, followers, following,
                    phone_index, phone_sealed, external_id, password_hash, roles,
                    ban_reason, ban_since, ban_until, epoch, deleted_at, revived_at,
                    (SELECT COUNT(*) FROM second_factors f WHERE f.user_id = users.id AND f.confirmed_at IS NOT NULL)
             FROM users ",
            $($rest),+
        )
    };
}
pub(crate) use user_sql;

#[derive(Debug)]
pub(crate) struct User {
    pub account: AccountRow,
    pub epoch: i64,
    /// When the account came back after a deletion.
    pub revived: Option<Timestamp>,
}

impl User {
    pub fn id(&self) -> UserId {
        self.account.profile.id
    }
}

/// Whoever has this id, deleted or not.
pub(crate) async fn find(tx: &Tx<'_>, user: UserId) -> Result<Option<User>> {
    tx.one(user_sql!("WHERE id = $1"), params![user], read).await
}

/// Locks an account that is there, until the transaction ends. Everything that a user may have only so
/// many of is counted under this lock.
pub(crate) async fn lock(tx: &Tx<'_>, user: UserId) -> Result<User> {
    Ok(find_locked(tx, user).await?.ok_or(Rejection::NotFound { what: MissingThing::User })?)
}

/// The same for those who answer a missing account in their own words.
pub(crate) async fn find_locked(tx: &Tx<'_>, user: UserId) -> Result<Option<User>> {
    tx.one(user_sql!("WHERE id = $1 AND deleted_at IS NULL FOR UPDATE"), params![user], read).await
}

/// By phone. A deleted account has none any more.
pub(crate) async fn lock_by_phone(tx: &Tx<'_>, phone: &PhoneIndex) -> Result<Option<User>> {
    tx.one(user_sql!("WHERE phone_index = $1 FOR UPDATE"), params![phone], read).await
}

/// An account as it begins.
#[derive(Debug)]
pub(crate) struct Creation<'a> {
    pub id: UserId,
    pub name: &'a str,
    pub phone: Option<(&'a PhoneIndex, &'a [u8])>,
    pub password_hash: Option<&'a str>,
    pub external_id: Option<&'a str>,
    /// Of the phone or external id: the id of a deleted account comes back by it.
    pub mark: Option<&'a AccountMark>,
    pub roles: Roles,
    pub sign_up_day: i64,
    pub now: Timestamp,
}

/// The id that an account begins with, and the epoch of its sessions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CreatedUser {
    pub id: UserId,
    pub epoch: i64,
}

/// Makes the account. Where the mark leads to a deleted one its id comes back, and with it every limit that counts by id:
/// nothing else of it is left.
pub(crate) async fn create(tx: &Tx<'_>, new: &Creation<'_>) -> Result<CreatedUser> {
    if let Some(mark) = new.mark
        && let Some(former) = former_accounts::take(tx, mark, new.now).await?
        && let Some(created) = revive(tx, former.user, new).await?
    {
        former_accounts::label_again(tx, &former, new.now).await?;
        return Ok(created);
    }
    tx.execute(
        "INSERT INTO users (id, created, name, name_folded, phone_index, phone_sealed, password_hash,
                            external_id, roles, sign_up_day)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        params![
            new.id,
            new.now,
            new.name,
            fold_case(new.name),
            new.phone.map(|(index, _)| index),
            new.phone.map(|(_, sealed)| sealed),
            new.password_hash,
            new.external_id,
            new.roles,
            new.sign_up_day,
        ],
    )
    .await?;
    Ok(CreatedUser { id: new.id, epoch: 0 })
}

/// The day of signing up stays the first one: what is for new users is not for those who return.
async fn revive(tx: &Tx<'_>, user: UserId, new: &Creation<'_>) -> Result<Option<CreatedUser>> {
    tx.one(
        "UPDATE users SET name = $2, name_folded = $3, phone_index = $4, phone_sealed = $5, password_hash = $6,
                external_id = $7, roles = $8, epoch = epoch + 1, deleted_at = NULL, revived_at = $9
         WHERE id = $1 AND deleted_at IS NOT NULL RETURNING id, epoch",
        params![
            user,
            new.name,
            fold_case(new.name),
            new.phone.map(|(index, _)| index),
            new.phone.map(|(_, sealed)| sealed),
            new.password_hash,
            new.external_id,
            new.roles,
            new.now,
        ],
        |row| Ok(CreatedUser { id: UserId(row.int()?), epoch: row.int()? }),
    )
    .await
}

/// Ends every session of a user at once: those that were kept, and those that nodes have cached.
pub(crate) async fn raise_epoch(tx: &Tx<'_>, user: UserId) -> Result<()> {
    tx.execute("UPDATE users SET epoch = epoch + 1 WHERE id = $1", params![user]).await?;
    tx.execute("DELETE FROM sessions WHERE user_id = $1", params![user]).await?;
    tx.execute("DELETE FROM devices WHERE user_id = $1", params![user]).await?;
    tx.execute("DELETE FROM links WHERE user_id = $1", params![user]).await?;
    Ok(())
}

/// The same for all sessions but one.
pub(crate) async fn raise_epoch_but(tx: &Tx<'_>, user: UserId, keep: SessionId) -> Result<()> {
    tx.execute("UPDATE users SET epoch = epoch + 1 WHERE id = $1", params![user]).await?;
    tx.execute("DELETE FROM sessions WHERE user_id = $1 AND id <> $2", params![user, keep]).await?;
    tx.execute("DELETE FROM links WHERE user_id = $1", params![user]).await?;
    Ok(())
}

/// Refuses to take away the last admin who can act: one who is banned cannot. Two admins who leave at the same time
/// queue up here.
pub(crate) async fn spare_last_admin(tx: &Tx<'_>, leaving: &User, now: Timestamp) -> Result<()> {
    if !leaving.account.roles.has(Role::Admin) {
        return Ok(());
    }
    tx.exclusive("admins").await?;
    let others = tx
        .count(
            "SELECT COUNT(*) FROM users WHERE roles <> 0 AND (roles & $1) = $1 AND id <> $2
                AND (ban_until IS NULL OR ban_until <= $3)",
            params![Roles::of(&[Role::Admin]), leaving.id(), now],
        )
        .await?;
    if others == 0 { Err(Rejection::LastAdmin.into()) } else { Ok(()) }
}

/// What a search compares: case does not count.
pub(crate) fn fold_case(name: &str) -> String {
    fold_name(name)
}

/// The three columns of a ban.
pub(crate) fn ban_columns(ban: Option<&Ban>) -> (Option<&str>, Option<Timestamp>, Option<i64>) {
    let until = ban.map(|ban| match ban.until {
        BanEnd::Never => NEVER,
        BanEnd::At(end) => end.0,
    });
    (ban.map(|ban| ban.reason.as_str()), ban.map(|ban| ban.since), until)
}

pub(crate) fn read(row: &mut Row) -> Result<User, Fault> {
    let (id, created) = (UserId(row.int()?), row.time()?);
    let profile = Profile {
        id,
        name: row.text()?,
        avatar: row.text()?,
        level: row.int()?,
        sign_up_day: row.int()?,
        posts: row.int()?,
        followers: row.int()?,
        following: row.int()?,
    };
    let account = AccountRow {
        profile,
        phone_index: row.opt_hash()?,
        phone_sealed: row.opt_bytes()?,
        external_id: row.opt_text()?,
        password_hash: row.opt_text()?,
        roles: Roles::from_bits(row.int()?),
        ban: read_ban(row)?,
        deleted: false,
        created,
        second_factor: false,
    };
    let (epoch, deleted_at, revived) = (row.int()?, row.opt_time()?, row.opt_time()?);
    let second_factor = row.int()? > 0;
    Ok(User {
        account: AccountRow { deleted: deleted_at.is_some(), second_factor, ..account },
        epoch,
        revived,
    })
}

fn read_ban(row: &mut Row) -> Result<Option<Ban>, Fault> {
    let (reason, since, until) = (row.opt_text()?, row.opt_time()?, row.opt_int()?);
    let end = |until| if until == NEVER { BanEnd::Never } else { BanEnd::At(Timestamp(until)) };
    Ok(reason.zip(since).zip(until).map(|((reason, since), until)| Ban { reason, since, until: end(until) }))
}
