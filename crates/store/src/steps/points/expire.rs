//! Taking off what is past its time, a bounded number of accounts at a time.

use domain::ids::UserId;
use domain::time::Timestamp;

use super::book::{Book, expiry_key};
use crate::failure::Result;
use crate::model::Fence;
use crate::params;
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;

pub(super) async fn expire(tx: &Tx<'_>, (fence, now, limit): &(Fence, Timestamp, u32)) -> Result<u64> {
    pass_fence(tx, fence).await?;
    let mut users = tx
        .all(
            "SELECT user_id FROM points_accounts WHERE next_expiry <= $1
             ORDER BY next_expiry, user_id LIMIT $2",
            params![*now, *limit],
            |row| row.int().map(UserId),
        )
        .await?;
    users.sort_unstable();
    let mut book = Book::open(tx, &users).await?;
    book.load_lots(tx, &users).await?;
    let mut handled = 0;
    for user in users {
        // Somebody may have spent it, or had it expire, before the lock. Either way it is not asked for again.
        book.touch(user);
        let Some(entry) = book.account(user)?.expire(*now) else { continue };
        let key = expiry_key(&entry);
        book.add(user, vec![entry], &key, "", *now)?;
        handled += 1;
    }
    book.write(tx).await?;
    Ok(handled)
}
