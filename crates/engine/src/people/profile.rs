//! One's own account, and what others see of it.

use domain::Rejection;
use domain::account::{Avatar, Name, Phone};
use domain::ids::UserId;
use domain::rejection::MissingThing;
use store::model::{AccountRow, Profile, ProfileEdit};

use crate::failure::{Fault, Result};
use crate::people::words::check_name;
use crate::ports::SealContext;
use crate::world::World;

/// An account with its phone opened, for its owner and for staff.
#[derive(Clone, Debug)]
pub struct OpenAccount {
    pub account: AccountRow,
    pub phone: Option<Phone>,
}

pub async fn my_account(world: &World, user: UserId) -> Result<OpenAccount> {
    let account = world.db.account(user).await?.ok_or(Rejection::NotFound { what: MissingThing::User })?;
    open(world, account)
}

pub fn open(world: &World, account: AccountRow) -> Result<OpenAccount> {
    let phone = phone_of(world, &account)?;
    Ok(OpenAccount { account, phone })
}

/// What everybody may see; a deleted account is not there.
pub async fn public_profile(world: &World, user: UserId) -> Result<Profile> {
    match world.db.account(user).await? {
        Some(account) if !account.deleted => Ok(account.profile),
        _ => Err(Rejection::NotFound { what: MissingThing::User }.into()),
    }
}

pub async fn profile_edit(
    world: &World,
    user: UserId,
    name: Option<&str>,
    avatar: Option<&str>,
) -> Result<OpenAccount> {
    let name = name.map(Name::parse).transpose()?.map(|name| name.as_str().to_owned());
    if let Some(name) = &name {
        check_name(world, name).await?;
    }
    let avatar = avatar.map(Avatar::parse).transpose()?.map(|avatar| avatar.as_str().to_owned());
    world.db.profile_edit(ProfileEdit { user, name, avatar, now: world.now() }).await?;
    my_account(world, user).await
}

pub(crate) fn phone_of(world: &World, account: &AccountRow) -> Result<Option<Phone>> {
    let Some(sealed) = &account.phone_sealed else { return Ok(None) };
    let plain = world.outside.vault.open(SealContext::Phone, sealed)?;
    let text = String::from_utf8(plain).map_err(|error| Fault::caused("a stored phone", error))?;
    Ok(Some(Phone::stored(&text).ok_or_else(|| Fault::new("a stored phone of no form"))?))
}
