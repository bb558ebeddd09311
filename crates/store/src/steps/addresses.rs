//! Address books: sealed entries, at most one of them the default.

use domain::Rejection;
use domain::account::ADDRESSES_MAX;
use domain::ids::{AddressId, UserId};
use domain::rejection::MissingThing;

use super::users;
use crate::failure::Result;
use crate::model::{AddressRow, AddressSave, CreateOutcome};
use crate::tx::Tx;
use crate::{once, params};

/// In the order they were added.
pub(crate) async fn list(tx: &Tx<'_>, user: &UserId) -> Result<Vec<AddressRow>> {
    tx.all(
        "SELECT id, sealed, is_default FROM addresses WHERE user_id = $1 ORDER BY id",
        params![*user],
        |row| Ok(AddressRow { id: AddressId(row.int()?), sealed: row.bytes()?, default: row.flag()? }),
    )
    .await
}

pub(crate) async fn add(tx: &Tx<'_>, step: &AddressSave) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    users::lock(tx, step.user).await?;
    let entries = tx.count("SELECT COUNT(*) FROM addresses WHERE user_id = $1", params![step.user]).await?;
    if entries >= i64::from(ADDRESSES_MAX) {
        return Err(Rejection::AddressBookFull { max: ADDRESSES_MAX }.into());
    }
    make_room_for_default(tx, step).await?;
    let AddressRow { id, sealed, default } = &step.address;
    // The first one is the one to take when none is named.
    let default = *default || entries == 0;
    tx.execute(
        "INSERT INTO addresses (user_id, id, sealed, is_default, created) VALUES ($1, $2, $3, $4, $5)",
        params![step.user, *id, sealed, default, step.now],
    )
    .await?;
    once::record(tx, step.once.as_ref(), id.0, step.now).await
}

pub(crate) async fn replace(tx: &Tx<'_>, step: &AddressSave) -> Result<()> {
    users::lock(tx, step.user).await?;
    make_room_for_default(tx, step).await?;
    let AddressRow { id, sealed, default } = &step.address;
    let touched = tx
        .execute(
            "UPDATE addresses SET sealed = $3, is_default = $4 WHERE user_id = $1 AND id = $2",
            params![step.user, *id, sealed, *default],
        )
        .await?;
    ensure_found(touched)
}

pub(crate) async fn remove(tx: &Tx<'_>, (user, address): &(UserId, AddressId)) -> Result<()> {
    let touched =
        tx.execute("DELETE FROM addresses WHERE user_id = $1 AND id = $2", params![*user, *address]).await?;
    ensure_found(touched)
}

/// A new default takes the mark from the old one.
async fn make_room_for_default(tx: &Tx<'_>, step: &AddressSave) -> Result<()> {
    if step.address.default {
        tx.execute(
            "UPDATE addresses SET is_default = 0 WHERE user_id = $1 AND is_default = 1",
            params![step.user],
        )
        .await?;
    }
    Ok(())
}

fn ensure_found(touched: u64) -> Result<()> {
    if touched == 0 { Err(Rejection::NotFound { what: MissingThing::Address }.into()) } else { Ok(()) }
}
