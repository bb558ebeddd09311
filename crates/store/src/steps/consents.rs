//! Which terms players agreed to. Staff are not asked: they sign in to work here.

use domain::Rejection;
use domain::access::Roles;
use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::Result;
use crate::model::Consent;
use crate::params;
use crate::tx::Tx;

/// Whether somebody has yet to agree to the terms that hold now. Without an account nobody has agreed to anything.
pub(super) async fn is_missing(
    tx: &Tx<'_>,
    account: Option<(UserId, Roles)>,
    consent: &Consent,
) -> Result<bool> {
    let Some(terms) = consent.terms.as_ref().filter(|_| !consent.given) else { return Ok(false) };
    let Some((user, roles)) = account else { return Ok(true) };
    if roles.staff() {
        return Ok(false);
    }
    let sql = "SELECT COUNT(*) FROM consents WHERE user_id = $1 AND terms = $2";
    Ok(tx.count(sql, params![user, terms]).await? == 0)
}

pub(super) async fn ask(tx: &Tx<'_>, account: Option<(UserId, Roles)>, consent: &Consent) -> Result<()> {
    if is_missing(tx, account, consent).await? { Err(Rejection::ConsentNeeded.into()) } else { Ok(()) }
}

/// The first time counts.
pub(super) async fn record(tx: &Tx<'_>, user: UserId, consent: &Consent, now: Timestamp) -> Result<()> {
    let Some(terms) = consent.terms.as_ref().filter(|_| consent.given) else { return Ok(()) };
    let sql = "INSERT INTO consents (user_id, terms, at_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    tx.execute(sql, params![user, terms, now]).await.map(drop)
}
