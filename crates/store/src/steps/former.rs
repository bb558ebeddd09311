//! Marks of deleted accounts: a keyed hash of a phone or of the company's own id leads to the id that has the limits.
//!
//! What always holds: a phone or external id has at most one id, of a live account or of a deleted one. A new id is made
//! only where there is none, so nobody gets more ids, and with them more limits, than they have phones.

use domain::ids::UserId;
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::AccountMark;

use crate::params;
use crate::tx::Tx;

/// A deleted account that its mark still leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FormerAccount {
    pub user: UserId,
    pub until: Timestamp,
}

/// Leaves the mark of an account that is deleted now.
pub(crate) async fn leave(tx: &Tx<'_>, mark: &AccountMark, former: FormerAccount) -> Outcome<()> {
    tx.execute(
        "INSERT INTO former_accounts (mark, user_id, until_ms) VALUES ($1, $2, $3)
         ON CONFLICT (mark) DO UPDATE SET user_id = excluded.user_id, until_ms = excluded.until_ms",
        params![mark, former.user, former.until],
    )
    .await?;
    Ok(())
}

/// Takes the mark away and returns where it led. One past its time leads nowhere.
pub(crate) async fn take(tx: &Tx<'_>, mark: &AccountMark, now: Timestamp) -> Outcome<Option<FormerAccount>> {
    let found = tx
        .one(
            "DELETE FROM former_accounts WHERE mark = $1 RETURNING user_id, until_ms",
            params![mark],
            |row| Ok(FormerAccount { user: UserId(row.int()?), until: row.time()? }),
        )
        .await?;
    Ok(found.filter(|former| now < former.until))
}

/// An account moves from one phone to another. Where the other led to a deleted account, the phone that is left leads
/// there now: two phones that are exchanged still have two ids between them.
pub(crate) async fn exchange(
    tx: &Tx<'_>,
    left: &AccountMark,
    taken: &AccountMark,
    now: Timestamp,
) -> Outcome<()> {
    match take(tx, taken, now).await? {
        Some(former) => leave(tx, left, former).await,
        None => Ok(()),
    }
}
