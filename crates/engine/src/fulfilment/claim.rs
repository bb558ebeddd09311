//! A winner asks for what they won; for a parcel they say where it goes.

use domain::Rejection;
use domain::account::Address;
use domain::ids::{AddressId, FulfilmentId, UserId};
use domain::rejection::MissingThing;
use store::model::{FulfilmentClaim, FulfilmentRow};

use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::address_book::seal;
use crate::people::entry::once;
use crate::world::World;

/// Where a parcel goes.
#[derive(Clone, Debug)]
pub enum ClaimAddress {
    /// An entry of one's own address book; what it says now is kept with the prize.
    Book(AddressId),
    Given(Address),
}

pub async fn claim(
    world: &World,
    user: UserId,
    id: FulfilmentId,
    repeat: Option<Repeat>,
    address: Option<ClaimAddress>,
) -> Result<FulfilmentRow> {
    let address = match address {
        None => None,
        Some(ClaimAddress::Given(address)) => Some(seal(world, &address)?),
        Some(ClaimAddress::Book(entry)) => {
            let book = world.db.address_list(user).await?;
            let row = book.into_iter().find(|row| row.id == entry);
            Some(row.ok_or(Rejection::NotFound { what: MissingThing::Address })?.sealed)
        }
    };
    let once = repeat.map(|repeat| once(world, format!("user:{user}"), repeat, None));
    let step = FulfilmentClaim { id, user, address, now: world.now(), once };
    world.db.fulfilment_claim(step).await
}
