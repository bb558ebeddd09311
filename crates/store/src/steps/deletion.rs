//! Deleting an account: whatever leads to a person goes, the id stays so that the ledger still adds up.
//!
//! Limits and blocks count by id and stay too. A mark, which is a keyed hash, leads whoever returns back to them, and has the
//! risk labels beside it.

use domain::Rejection;
use domain::rejection::CodeField;
use serde_json::json;

use super::former_accounts::{self, FormerAccount};
use super::{codes, community, erasure, fulfilments, keys, points, second_factors, users};
use crate::db::Judged;
use crate::failure::Result;
use crate::model::{AccountDelete, DeletionProof};
use crate::tx::Tx;
use crate::{audit, params};

/// What others see where a name stood.
pub(crate) const DELETED_NAME: &str = "deleted user";

/// What stands where a reason stood that may have told of the person.
const NO_REASON: &str = "—";

/// What belongs to a user and goes with the person.
const BELONGINGS: [&str; 13] = [
    "DELETE FROM sessions WHERE user_id = $1",
    "DELETE FROM links WHERE user_id = $1",
    "DELETE FROM devices WHERE user_id = $1",
    "DELETE FROM order_addresses WHERE order_id IN (SELECT id FROM orders WHERE user_id = $1)",
    "DELETE FROM addresses WHERE user_id = $1",
    "DELETE FROM consents WHERE user_id = $1",
    "DELETE FROM facts WHERE user_id = $1",
    // What they won stays theirs; where it was to be sent does not.
    "UPDATE fulfilments SET address = NULL WHERE user_id = $1",
    // What receivers were told has the company's own id of the person in it. What still waits is told all the same.
    "DELETE FROM deliveries WHERE user_id = $1",
    "DELETE FROM outbox_attempts WHERE message_id IN (
         SELECT id FROM dead_letters WHERE user_id = $1 AND lane LIKE 'hook:%')",
    "DELETE FROM dead_letters WHERE user_id = $1 AND lane LIKE 'hook:%'",
    "DELETE FROM reminders WHERE user_id = $1",
    // The days on which the account was active keep a bit that leads to nobody.
    "DELETE FROM active_people WHERE user_id = $1",
];

pub(crate) async fn account_delete(tx: &Tx<'_>, step: &AccountDelete) -> Result<Judged<()>> {
    let user = users::lock(tx, step.user).await?;
    // Before the code, which an admin will need again once there is another one.
    users::spare_last_admin(tx, &user, step.now).await?;
    let mark = match (&user.account.phone_index, &step.proof) {
        (Some(phone), DeletionProof::Code(try_)) if *phone == try_.phone => {
            if let Err(rejection) = codes::spend(tx, try_).await? {
                return Ok(Err(rejection));
            }
            *phone
        }
        // The proof is of another number than the account has now.
        (Some(_), DeletionProof::Code(_)) => {
            return Err(Rejection::CodeSpent { at: CodeField("code") }.into());
        }
        (None, DeletionProof::Code(_)) => return Err(Rejection::DeletionByCompany.into()),
        (Some(_), DeletionProof::Company { .. }) => return Err(Rejection::PeopleOnly.into()),
        (None, DeletionProof::Company { .. }) if user.account.roles.staff() => {
            return Err(Rejection::PeopleOnly.into());
        }
        (None, DeletionProof::Company { mark, .. }) => *mark,
    };
    let labels = former_accounts::labels_of(tx, user.id()).await?;
    let former = FormerAccount { user: user.id(), until: step.limits_kept_until, labels };
    former_accounts::leave(tx, &mark, former).await?;
    if let Some(phone) = user.account.phone_index {
        tx.execute("DELETE FROM codes WHERE phone_index = $1", params![phone]).await?;
    }
    // First what people wrote goes; why a parcel ends with its account is nobody's words and stays.
    erasure::erase_words_about(tx, step.user).await?;
    fulfilments::nobodys(tx, step.user, step.now).await?;
    keys::revoke_made_by(tx, step.user, step.now).await?;
    points::forfeit::forfeit(tx, step.user, step.now).await?;
    community::leave(tx, step.user).await?;
    for sql in BELONGINGS {
        tx.execute(sql, params![user.id()]).await?;
    }
    // A block stays, since its owner may return; why it was made may tell of the person.
    let sql = "UPDATE block_list SET reason = $2 WHERE user_id = $1";
    tx.execute(sql, params![user.id(), NO_REASON]).await?;
    tx.execute(
        "UPDATE users SET name = $2, name_folded = $2, avatar = '', phone_index = NULL, phone_sealed = NULL,
                password_hash = NULL, external_id = NULL, roles = 0, epoch = epoch + 1, deleted_at = $3,
                ban_reason = CASE WHEN ban_reason IS NULL THEN NULL ELSE $4 END
         WHERE id = $1",
        params![user.id(), DELETED_NAME, step.now, NO_REASON],
    )
    .await?;
    second_factors::delete(tx, step.user).await?;
    if let DeletionProof::Company { signed, .. } = &step.proof {
        let subject = audit::user_subject(step.user);
        let (before, after) = (json!({ "deleted": false }), json!({ "deleted": true }));
        audit::write(tx, signed, "user.delete", &subject, &before, &after).await?;
    }
    Ok(Ok(()))
}
