//! Marks of deleted accounts: a keyed hash of a phone or of the company's own id leads to the id that has the limits, and to the
//! risk labels it had.
//!
//! What always holds: a phone or external id has at most one id, of a live account or of a deleted one. A new id is made
//! only where there is none, so nobody gets more ids, and with them more limits, than they have phones.

use domain::account::RISK_LABELS;
use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::Result;
use crate::model::{AccountMark, Actor};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, params};

/// A deleted account that its mark still leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormerAccount {
    pub user: UserId,
    pub until: Timestamp,
    /// Risk labels, as the fact has them. They withdraw prizes, so they are a limit and come back with the others.
    pub labels: Option<String>,
}

/// The risk labels of an account, for [`FormerAccount::labels`].
pub(crate) async fn labels_of(tx: &Tx<'_>, user: UserId) -> Result<Option<String>> {
    let sql = "SELECT value FROM facts WHERE user_id = $1 AND name = $2";
    tx.one(sql, params![user, RISK_LABELS], Row::text).await
}

/// Gives whoever returns the labels they had.
pub(crate) async fn label_again(tx: &Tx<'_>, former: &FormerAccount, now: Timestamp) -> Result<()> {
    let Some(labels) = &former.labels else { return Ok(()) };
    tx.execute(
        "INSERT INTO facts (user_id, name, value, set_at, set_by) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, name) DO NOTHING",
        params![former.user, RISK_LABELS, labels, now, audit::actor_text(Actor::System)],
    )
    .await
    .map(drop)
}

/// Leaves the mark of an account that is deleted now.
pub(crate) async fn leave(tx: &Tx<'_>, mark: &AccountMark, former: FormerAccount) -> Result<()> {
    tx.execute(
        "INSERT INTO former_accounts (mark, user_id, until_ms, labels) VALUES ($1, $2, $3, $4)
         ON CONFLICT (mark) DO UPDATE SET user_id = excluded.user_id, until_ms = excluded.until_ms,
             labels = excluded.labels",
        params![mark, former.user, former.until, former.labels],
    )
    .await?;
    Ok(())
}

/// Takes the mark away and returns where it led. One past its time leads nowhere.
pub(crate) async fn take(tx: &Tx<'_>, mark: &AccountMark, now: Timestamp) -> Result<Option<FormerAccount>> {
    let found = tx
        .one(
            "DELETE FROM former_accounts WHERE mark = $1 RETURNING user_id, until_ms, labels",
            params![mark],
            |row| Ok(FormerAccount { user: UserId(row.int()?), until: row.time()?, labels: row.opt_text()? }),
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
) -> Result<()> {
    match take(tx, taken, now).await? {
        Some(former) => leave(tx, left, former).await,
        None => Ok(()),
    }
}
