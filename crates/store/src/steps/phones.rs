//! Moving an account to another phone: both numbers are proved in one step.

use domain::Rejection;
use domain::account::CodeVerdict;

use super::{codes, former_accounts, sessions, users};
use crate::db::Judged;
use crate::failure::Result;
use crate::model::PhoneChange;
use crate::params;
use crate::tx::Tx;

/// Both codes are judged before either is touched: a typing error in one does not cost the other.
pub(crate) async fn change(tx: &Tx<'_>, step: &PhoneChange) -> Result<Judged<()>> {
    let user = users::lock(tx, step.user).await?;
    if user.account.phone_index != Some(step.old.phone) {
        // The number was changed a moment ago: what the old one proves is worth nothing now.
        return Err(Rejection::CodeSpent { at: step.old.at }.into());
    }
    let (old, new) = (codes::judge(tx, &step.old).await?, codes::judge(tx, &step.new).await?);
    if old != CodeVerdict::Accept {
        return codes::carry_out(tx, &step.old, old).await;
    }
    if new != CodeVerdict::Accept {
        return codes::carry_out(tx, &step.new, new).await;
    }
    codes::carry_out(tx, &step.old, old).await??;
    codes::carry_out(tx, &step.new, new).await??;
    if users::lock_by_phone(tx, &step.new.phone).await?.is_some() {
        return Ok(Err(Rejection::PhoneTaken));
    }
    tx.execute(
        "UPDATE users SET phone_index = $2, phone_sealed = $3 WHERE id = $1",
        params![user.id(), step.new.phone, &step.new_sealed],
    )
    .await?;
    former_accounts::exchange(tx, &step.old.phone, &step.new.phone, step.new.now).await?;
    // Whoever still has a session from before may not be the one who has the new phone.
    sessions::end_others(tx, &user, step.keep).await?;
    Ok(Ok(()))
}
