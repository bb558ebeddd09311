//! A user's postal addresses, encrypted whole.

use domain::Rejection;
use domain::account::Address;
use domain::ids::{AddressId, UserId};
use domain::rejection::MissingThing;
use serde::{Deserialize, Serialize};
use store::model::{AddressRow, AddressSave};

use crate::caller::Repeat;
use crate::failure::{Fault, Result};
use crate::people::entry::once;
use crate::ports::SealContext;
use crate::world::World;

#[derive(Clone, Debug)]
pub struct BookEntry {
    pub id: AddressId,
    pub address: Address,
    pub default: bool,
}

/// The sealed form. Fields are only ever added, with a default.
#[derive(Serialize, Deserialize)]
struct AddressV1 {
    recipient: String,
    phone: String,
    region: String,
    street: String,
    postcode: String,
}

pub async fn address_list(world: &World, user: UserId) -> Result<Vec<BookEntry>> {
    let rows = world.db.address_list(user).await?;
    rows.iter().map(|row| open(world, row)).collect()
}

pub async fn address_add(
    world: &World,
    user: UserId,
    repeat: Option<Repeat>,
    address: Address,
    default: bool,
) -> Result<BookEntry> {
    let id = AddressId(world.next_id());
    let once = repeat.map(|repeat| once(world, format!("user:{user}"), repeat, None));
    let row = AddressRow { id, sealed: seal(world, &address)?, default };
    let made = world.db.address_add(AddressSave { user, address: row, now: world.now(), once }).await?;
    find(world, user, AddressId(made.id)).await
}

pub async fn address_replace(
    world: &World,
    user: UserId,
    id: AddressId,
    address: Address,
    default: bool,
) -> Result<BookEntry> {
    let row = AddressRow { id, sealed: seal(world, &address)?, default };
    world.db.address_replace(AddressSave { user, address: row, now: world.now(), once: None }).await?;
    find(world, user, id).await
}

async fn find(world: &World, user: UserId, id: AddressId) -> Result<BookEntry> {
    let book = address_list(world, user).await?;
    let entry = book.into_iter().find(|entry| entry.id == id);
    Ok(entry.ok_or(Rejection::NotFound { what: MissingThing::Address })?)
}

pub(crate) fn seal(world: &World, address: &Address) -> Result<Vec<u8>> {
    let Address { recipient, phone, region, street, postcode } = address.clone();
    let plain = serde_json::to_vec(&AddressV1 { recipient, phone, region, street, postcode })
        .map_err(|error| Fault::caused("writing an address", error))?;
    Ok(world.outside.vault.seal(SealContext::Address, &plain))
}

fn open(world: &World, row: &AddressRow) -> Result<BookEntry> {
    Ok(BookEntry { id: row.id, address: unseal(world, &row.sealed)?, default: row.default })
}

pub(crate) fn unseal(world: &World, sealed: &[u8]) -> Result<Address> {
    let plain = world.outside.vault.open(SealContext::Address, sealed)?;
    let AddressV1 { recipient, phone, region, street, postcode } =
        serde_json::from_slice(&plain).map_err(|error| Fault::caused("a stored address", error))?;
    Ok(Address { recipient, phone, region, street, postcode })
}

pub async fn address_remove(world: &World, user: UserId, address: AddressId) -> Result<()> {
    world.db.address_remove(user, address).await
}
