//! What an account says of its owner.

use domain::Rejection;
use domain::ids::UserId;
use domain::rejection::MissingThing;
use domain::search::IndexedKind;

use super::search;
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
    if touched == 0 {
        return Err(Rejection::NotFound { what: MissingThing::User }.into());
    }
    // Whoever only plays is not found by name.
    let sql = "SELECT COUNT(*) FROM users WHERE id = $1 AND (posts > 0 OR following > 0)";
    if step.name.is_some() && tx.count(sql, params![step.user]).await? > 0 {
        search::mark(tx, IndexedKind::Person, step.user.0, step.now).await?;
    }
    Ok(())
}

pub(crate) async fn account(tx: &Tx<'_>, user: &UserId) -> Result<Option<AccountRow>> {
    Ok(users::find(tx, *user).await?.map(|user| user.account))
}

pub(crate) async fn account_by_phone(tx: &Tx<'_>, phone: &PhoneIndex) -> Result<Option<AccountRow>> {
    let found = tx.one(user_sql!("WHERE phone_index = $1"), params![phone], users::read).await?;
    Ok(found.map(|user| user.account))
}
