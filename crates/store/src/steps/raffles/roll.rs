//! The roll: written in pieces, then made public in one step, then never touched again.

use serde_json::{Value as Json, json};

use crate::failure::{Fault, Result};
use crate::model::{AuditStamp, Fence, RaffleRound, RollPiece, RollPublish};
use crate::row::Row;
use crate::steps::block_list;
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;
use crate::value::as_i64;
use crate::{audit, params};

pub(crate) async fn set_piece(tx: &Tx<'_>, (fence, piece): &(Fence, RollPiece)) -> Result<bool> {
    pass_fence(tx, fence).await?;
    if is_public(tx, piece.round).await? {
        return Ok(false);
    }
    let (activity, round) = piece.round;
    tx.execute(
        "INSERT INTO raffle_rolls (activity_id, round, piece, bytes) VALUES ($1, $2, $3, $4)
         ON CONFLICT (activity_id, round, piece) DO UPDATE SET bytes = excluded.bytes",
        params![activity, round, piece.number, &piece.bytes],
    )
    .await?;
    Ok(true)
}

/// Everything that the roll was made from is looked at again: a closed round never opens again and its entries never
/// change, and the block list is held still.
pub(crate) async fn publish(
    tx: &Tx<'_>,
    (fence, step, signed): &(Fence, RollPublish, AuditStamp),
) -> Result<bool> {
    pass_fence(tx, fence).await?;
    let (activity, round) = step.round;
    if is_public(tx, step.round).await? || !is_over(tx, step).await? {
        return Ok(false);
    }
    if block_list::hold(tx, activity).await? != step.block_changes {
        return Ok(false);
    }
    check_pieces(tx, step).await?;
    tx.execute(
        "DELETE FROM raffle_rolls WHERE activity_id = $1 AND round = $2 AND piece >= $3",
        params![activity, round, step.pieces],
    )
    .await?;
    let made = tx
        .execute(
            "INSERT INTO raffles (activity_id, round, version, secret_version, draw_at, roll_hash, roll_bytes,
                                  entrants, entries, published_at, beacon)
             SELECT $1, $2, $3, MIN(version), $4, $5, $6, $7, $8, $9, $10 FROM activity_secrets
             WHERE activity_id = $1 AND round = $2 HAVING COUNT(*) > 0",
            params![
                activity,
                round,
                step.version,
                step.draw_at,
                step.hash,
                as_i64(step.bytes),
                step.entrants,
                as_i64(step.entries),
                signed.at,
                step.beacon.as_ref()
            ],
        )
        .await?;
    if made != 1 {
        return Err(Fault::new(format!("activity {activity} has no secret for round {round}")).into());
    }
    let after = json!({
        "round": round,
        "version": step.version,
        "roll_hash": domain::hex::hex(&step.hash),
        "entrants": step.entrants,
        "entries": step.entries,
    });
    audit::write(tx, signed, "raffle.roll", &format!("activity:{activity}"), &Json::Null, &after).await?;
    Ok(true)
}

async fn is_public(tx: &Tx<'_>, (activity, round): RaffleRound) -> Result<bool> {
    let sql = "SELECT COUNT(*) FROM raffles WHERE activity_id = $1 AND round = $2";
    Ok(tx.count(sql, params![activity, round]).await? > 0)
}

/// Closed in the ledger's rows under this version.
async fn is_over(tx: &Tx<'_>, step: &RollPublish) -> Result<bool> {
    let (activity, round) = step.round;
    let over = tx
        .count(
            "SELECT COUNT(*) FROM play_rounds r
             WHERE r.activity_id = $1 AND r.round = $2 AND r.state = 'closed' AND r.version = $3",
            params![activity, round, step.version],
        )
        .await?;
    Ok(over > 0)
}

/// Whoever makes them public wrote all of them.
async fn check_pieces(tx: &Tx<'_>, step: &RollPublish) -> Result<()> {
    let (activity, round) = step.round;
    let kept = tx
        .one(
            "SELECT COUNT(*), CAST(COALESCE(SUM(length(bytes)), 0) AS BIGINT) FROM raffle_rolls
             WHERE activity_id = $1 AND round = $2 AND piece < $3",
            params![activity, round, step.pieces],
            |row| Ok((row.int()?, row.int()?)),
        )
        .await?;
    if kept != Some((i64::from(step.pieces), as_i64(step.bytes))) {
        return Err(
            Fault::new(format!("the roll of activity {activity}, round {round} lacks a piece")).into()
        );
    }
    Ok(())
}

pub(crate) async fn piece(
    tx: &Tx<'_>,
    ((activity, round), number): &(RaffleRound, u32),
) -> Result<Option<Vec<u8>>> {
    tx.one(
        "SELECT p.bytes FROM raffle_rolls p
         JOIN raffles f ON f.activity_id = p.activity_id AND f.round = p.round
         WHERE p.activity_id = $1 AND p.round = $2 AND p.piece = $3",
        params![*activity, *round, *number],
        Row::bytes,
    )
    .await
}
