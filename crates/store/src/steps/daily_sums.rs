//! What one person has given out in a day, alone. A key has no day of its own: what it does counts for its maker.

use domain::access::{DailyAllowance, Handout};

use crate::failure::Result;
use crate::model::AuditStamp;
use crate::tx::Tx;
use crate::{audit, params};

pub(crate) const POINTS: &str = "points";
pub(crate) const CHANCES: &str = Handout::Chances(0).name();

/// Adds it to the day of the person who answers for it, if the day has room; answers whether it had. A new day begins anew;
/// there is one row for each person and kind.
pub(crate) async fn count(
    tx: &Tx<'_>,
    signed: &AuditStamp,
    kind: &str,
    alone: DailyAllowance,
    more: i64,
) -> Result<bool> {
    let who = whose(signed);
    let sql = "INSERT INTO by_hand (who, kind, day, moved) VALUES ($1, $2, $3, 0)
               ON CONFLICT (who, kind) DO UPDATE SET day = excluded.day,
                   moved = CASE WHEN by_hand.day = excluded.day THEN by_hand.moved ELSE 0 END
               RETURNING moved";
    let so_far = tx.count(sql, params![&who, kind, alone.day]).await?;
    if !alone.allows(so_far, more) {
        return Ok(false);
    }
    let sql = "UPDATE by_hand SET moved = moved + $3 WHERE who = $1 AND kind = $2";
    tx.execute(sql, params![&who, kind, more]).await?;
    Ok(true)
}

/// The same for what is put out, of whoever has a cap.
pub(crate) async fn count_handout(
    tx: &Tx<'_>,
    signed: &AuditStamp,
    handout: Handout,
    alone: DailyAllowance,
) -> Result<bool> {
    if signed.is_uncapped() || handout.amount() == 0 {
        return Ok(true);
    }
    count(tx, signed, handout.name(), alone, handout.amount()).await
}

/// Counts something that is stopped, where a key does it.
pub(crate) async fn count_stop(tx: &Tx<'_>, stamp: &AuditStamp) -> Result<()> {
    count_of_key(tx, stamp, Handout::Stop, stamp.key_caps.stops).await
}

/// Counts people who are kept out, where a key does it.
pub(crate) async fn count_bars(tx: &Tx<'_>, stamp: &AuditStamp, people: usize) -> Result<()> {
    let people = i64::try_from(people).unwrap_or(i64::MAX);
    count_of_key(tx, stamp, Handout::Bar(people), stamp.key_caps.bars).await
}

async fn count_of_key(
    tx: &Tx<'_>,
    stamp: &AuditStamp,
    handout: Handout,
    alone: DailyAllowance,
) -> Result<()> {
    if stamp.by_key() && !count_handout(tx, stamp, handout, alone).await? {
        return Err(handout.too_much(alone.max).into());
    }
    Ok(())
}

/// Whether the day has room for it; nothing is counted.
pub(crate) async fn has_room(
    tx: &Tx<'_>,
    signed: &AuditStamp,
    handout: Handout,
    alone: DailyAllowance,
) -> Result<bool> {
    let sql = "SELECT COALESCE(SUM(moved), 0) FROM by_hand WHERE who = $1 AND kind = $2 AND day = $3";
    let so_far = tx.count(sql, params![whose(signed), handout.name(), alone.day]).await?;
    Ok(signed.is_uncapped() || alone.allows(so_far, handout.amount()))
}

/// Keys of the command line share its day.
pub(crate) fn whose(signed: &AuditStamp) -> String {
    signed.responsible.map_or_else(|| "console".to_owned(), audit::user_subject)
}
