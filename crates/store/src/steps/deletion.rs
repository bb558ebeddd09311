//! Deleting an account: whatever leads to a person goes, the id stays so that the ledger still adds up.

use domain::Rejection;
use domain::rejection::CodeField;
use engine::Outcome;
use engine::ports::AccountDelete;

use super::{codes, fulfilments, keys, users};
use crate::db::Judged;
use crate::params;
use crate::tx::Tx;

/// What others see where a name stood.
pub(crate) const DELETED_NAME: &str = "deleted user";

/// What belongs to a user and goes with the person.
const BELONGINGS: [&str; 10] = [
    "DELETE FROM sessions WHERE user_id = $1",
    "DELETE FROM links WHERE user_id = $1",
    "DELETE FROM addresses WHERE user_id = $1",
    "DELETE FROM facts WHERE user_id = $1",
    // What they won stays theirs; where it was to be sent does not.
    "UPDATE fulfilments SET address = NULL WHERE user_id = $1",
    // What receivers were told has the company's own id of the person in it. What still waits is told all the same.
    "DELETE FROM deliveries WHERE user_id = $1",
    "DELETE FROM outbox_attempts WHERE message_id IN (
         SELECT id FROM dead_letters WHERE user_id = $1 AND lane LIKE 'hook:%')",
    "DELETE FROM dead_letters WHERE user_id = $1 AND lane LIKE 'hook:%'",
    // The reason may tell of the person; nobody draws with a deleted account.
    "DELETE FROM block_list WHERE user_id = $1",
    "DELETE FROM reminders WHERE user_id = $1",
];

pub(crate) async fn account_delete(tx: &Tx<'_>, step: &AccountDelete) -> Outcome<Judged<()>> {
    let user = users::lock(tx, step.user).await?;
    // Before the code, which an admin will need again once there is another one.
    users::spare_last_admin(tx, &user, step.now).await?;
    match (&user.account.phone_index, &step.try_) {
        (None, _) => {}
        (Some(phone), Some(try_)) if *phone == try_.phone => {
            if let Err(rejection) = codes::spend(tx, try_).await? {
                return Ok(Err(rejection));
            }
        }
        // The proof is of another number than the account has now.
        (Some(_), Some(_) | None) => return Err(Rejection::CodeSpent { at: CodeField("code") }.into()),
    }
    if let Some(phone) = user.account.phone_index {
        tx.execute("DELETE FROM codes WHERE phone_index = $1", params![phone]).await?;
    }
    fulfilments::nobodys(tx, step.user, step.now).await?;
    keys::revoke_made_by(tx, step.user, step.now).await?;
    for sql in BELONGINGS {
        tx.execute(sql, params![user.id()]).await?;
    }
    tx.execute(
        "UPDATE users SET name = $2, name_folded = $2, avatar = '', phone_index = NULL, phone_sealed = NULL,
                password_hash = NULL, external_id = NULL, roles = 0, epoch = epoch + 1, deleted_at = $3
         WHERE id = $1",
        params![user.id(), DELETED_NAME, step.now],
    )
    .await?;
    Ok(Ok(()))
}
