//! What an account says of its owner.

use domain::Rejection;
use domain::ids::UserId;
use domain::rejection::MissingThing;

use super::users::{self, user_sql};
use crate::failure::Result;
use crate::model::{AccountRow, PhoneIndex, ProfileEdit};
use crate::params;
use crate::tx::Tx;

pub(crate) async fn edit(tx: &Tx<'_>, step: &ProfileEdit) -> Result<()> {
    let folded = step.name.as_deref().map(users::fold_case);
    let touched = tx
        .execute(
            "UPDATE users SET name = COALESCE($2, name), name_folded = COALESCE($3, name_folded),
                    avatar = COALESCE($4, avatar)
             WHERE id = $1 AND deleted_at IS NULL",
            params![step.user, step.name.as_ref(), folded, step.avatar.as_ref()],
        )
        .await?;
    if touched == 0 { Err(Rejection::NotFound { what: MissingThing::User }.into()) } else { Ok(()) }
}

pub(crate) async fn account(tx: &Tx<'_>, user: &UserId) -> Result<Option<AccountRow>> {
    Ok(users::find(tx, *user).await?.map(|user| user.account))
}

pub(crate) async fn account_by_phone(tx: &Tx<'_>, phone: &PhoneIndex) -> Result<Option<AccountRow>> {
    let found = tx.one(user_sql!("WHERE phone_index = $1"), params![phone], users::read).await?;
    Ok(found.map(|user| user.account))
}
