//! Points of an account that is deleted: they are nobody's, and whoever returns does not find them. A debt stays.

use domain::ids::UserId;
use domain::time::Timestamp;

use super::book::Book;
use crate::failure::Result;
use crate::params;
use crate::tx::Tx;

/// Takes off the balance whatever is there.
pub(crate) async fn forfeit(tx: &Tx<'_>, user: UserId, now: Timestamp) -> Result<()> {
    let sql = "SELECT COUNT(*) FROM points_accounts WHERE user_id = $1 AND balance > 0";
    if tx.count(sql, params![user]).await? == 0 {
        return Ok(());
    }
    let mut book = Book::open(tx, &[user]).await?;
    book.load_lots(tx, &[user]).await?;
    let Some(entry) = book.account(user)?.forfeit() else { return Ok(()) };
    let key = format!("forfeit:{}", entry.n);
    book.add(user, vec![entry], &key, "", now)?;
    book.write(tx).await
}
