//! What the auditor asks of activities: their rounds' counters, and what the rows behind them add up to, on one view.

use domain::ids::ActivityId;
use domain::ledger::audit::{DrawnSums, PlayRows, PlayerSums, RowSums};

use super::super::position;
use super::columns::read_prize;
use crate::failure::Result;
use crate::model::Books;
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// In the order asked for, however large a round is.
pub(crate) async fn plays(tx: &Tx<'_>, asked: &[(ActivityId, u32)]) -> Result<Books<Vec<Option<PlayRows>>>> {
    let position = position::read(tx).await?.seq;
    let mut rows = Vec::with_capacity(asked.len());
    for round in asked {
        rows.push(one(tx, *round).await?);
    }
    Ok(Books { position, rows })
}

async fn one(tx: &Tx<'_>, (activity, round): (ActivityId, u32)) -> Result<Option<PlayRows>> {
    let found = tx
        .one(
            "SELECT chain_place, spent_total, spent_points, draws, wins,
                    CAST(CASE WHEN begin_link IS NULL THEN 1 ELSE 0 END AS BIGINT)
             FROM play_rounds WHERE activity_id = $1 AND round = $2",
            params![activity, round],
            |row| {
                let rows = PlayRows {
                    place: row.unsigned()?,
                    spent_minor: row.unsigned()?,
                    spent_points: row.unsigned()?,
                    draws: row.unsigned()?,
                    wins: row.unsigned()?,
                    given: Default::default(),
                    sums: RowSums::default(),
                };
                Ok((rows, row.flag()?))
            },
        )
        .await?;
    let Some((mut rows, raffle)) = found else { return Ok(None) };
    let given = tx
        .all(
            "SELECT prize_id, given FROM play_prizes WHERE activity_id = $1 AND round = $2 AND given > 0",
            params![activity, round],
            |row| Ok((read_prize(row)?, row.unsigned()?)),
        )
        .await?;
    rows.given = given.into_iter().collect();
    rows.sums = sums(tx, activity, round, raffle).await?;
    Ok(Some(rows))
}

async fn sums(tx: &Tx<'_>, activity: ActivityId, round: u32, raffle: bool) -> Result<RowSums> {
    let players = tx
        .one(
            "SELECT CAST(COALESCE(SUM(draws), 0) AS BIGINT), CAST(COALESCE(SUM(used), 0) AS BIGINT),
                    CAST(COALESCE(SUM(bonus), 0) AS BIGINT), CAST(COALESCE(SUM(won), 0) AS BIGINT)
             FROM players WHERE activity_id = $1 AND round = $2",
            params![activity, round],
            |row| {
                Ok(PlayerSums {
                    draws: row.unsigned()?,
                    used: row.unsigned()?,
                    bonus: row.unsigned()?,
                    won: row.unsigned()?,
                })
            },
        )
        .await?
        .unwrap_or_default();
    if raffle {
        return Ok(RowSums { players, drawn: None });
    }
    let draws = tx
        .one(
            "SELECT CAST(COALESCE(SUM(draws), 0) AS BIGINT) FROM tickets
             WHERE activity_id = $1 AND round = $2 AND place IS NOT NULL",
            params![activity, round],
            Row::unsigned,
        )
        .await?
        .unwrap_or(0);
    let wins = tx
        .all(
            "SELECT prize_id, COUNT(*) FROM wins WHERE activity_id = $1 AND round = $2 GROUP BY prize_id",
            params![activity, round],
            |row| Ok((read_prize(row)?, row.unsigned()?)),
        )
        .await?;
    Ok(RowSums { players, drawn: Some(DrawnSums { draws, wins: wins.into_iter().collect() }) })
}
