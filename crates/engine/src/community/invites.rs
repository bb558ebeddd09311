//! Invitations: my code, whose code it is, and who invited me.

use domain::Rejection;
use domain::account::mask_name;
use domain::community::InviteCode;
use domain::ids::UserId;
use domain::rejection::MissingThing;
use store::model::{InviteAccept, InviteCodeMake, InvitesRow};

use crate::failure::Result;
use crate::world::World;

/// What came of my invitations, and the link to pass on where there is one.
#[derive(Clone, Debug)]
pub struct InvitesView {
    pub row: InvitesRow,
    pub link: Option<String>,
}

pub async fn my_invites(world: &World, user: UserId) -> Result<InvitesView> {
    let row = world.db.invites_find(user).await?;
    let link = row.code.as_ref().map(|code| format!("{}/invite/{code}", world.settings.public_url));
    Ok(InvitesView { row, link })
}

/// Makes sure that I have a code. Again is the same.
pub async fn invite_code_make(world: &World, user: UserId) -> Result<InvitesView> {
    let code = InviteCode::from_bytes(world.bytes());
    world.db.invite_code_make(InviteCodeMake { user, code, now: world.now() }).await?;
    my_invites(world, user).await
}

/// Who invites with a code, by the first character of their name.
pub async fn inviter(world: &World, code: &str) -> Result<String> {
    let missing = Rejection::NotFound { what: MissingThing::Invite };
    let code = InviteCode::parse(code)?;
    let found = world.db.inviter_find(code.as_str().to_owned(), world.now()).await?;
    let Some(inviter) = found else { return Err(missing.into()) };
    let account = world.db.account(inviter).await?.ok_or(missing)?;
    Ok(mask_name(&account.profile.name))
}

/// Says who invited me. Again is the same.
pub async fn invite_accept(world: &World, user: UserId, code: &str) -> Result<()> {
    let code = InviteCode::parse(code)?;
    world.db.invite_accept(InviteAccept { user, code, now: world.now() }).await
}
