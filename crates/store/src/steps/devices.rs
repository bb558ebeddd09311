//! Devices: browsers that somebody has signed in from before.

use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::Result;
use crate::model::PhoneIndex;
use crate::params;
use crate::tx::Tx;

/// Devices one user may have; one more takes the place of the one not seen for the longest time.
pub(crate) const DEVICES_MAX: u32 = 20;

/// Binds a device to the user who signs in from it.
pub(crate) async fn bind(tx: &Tx<'_>, user: UserId, device: &[u8; 32], now: Timestamp) -> Result<()> {
    tx.execute(
        "INSERT INTO devices (user_id, token_hash, seen) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, token_hash) DO UPDATE SET seen = excluded.seen",
        params![user, device, now],
    )
    .await?;
    tx.execute(
        "DELETE FROM devices WHERE user_id = $1 AND token_hash <> $2 AND token_hash NOT IN (
             SELECT token_hash FROM devices WHERE user_id = $1 ORDER BY seen DESC LIMIT $3)",
        params![user, device, DEVICES_MAX],
    )
    .await?;
    Ok(())
}

pub(crate) async fn is_known(tx: &Tx<'_>, (phone, device): &(PhoneIndex, [u8; 32])) -> Result<bool> {
    let known = tx
        .count(
            "SELECT COUNT(*) FROM users u JOIN devices d ON d.user_id = u.id
             WHERE u.phone_index = $1 AND d.token_hash = $2",
            params![phone, device],
        )
        .await?;
    Ok(known > 0)
}
