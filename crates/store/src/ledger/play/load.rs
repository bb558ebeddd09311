//! Activities and players, for a ledger to go on from.

use std::collections::HashMap;

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{PlayerState, PrizeTally, RoundState, RoundTotals};
use domain::lottery::strategy::PrizeId;

use super::columns::{
    RoundRow, account_columns, activity_columns, read_player, read_prize, read_round_row, round_row_columns,
};
use super::sheet::RoundKey;
use crate::failure::{Fault, Result};
use crate::model::ActivityImage;
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// Rows read at a time.
const PAGE_ROWS: u32 = 10_000;

/// Whether the switch is on that stops every activity.
pub(in super::super) async fn halted(tx: &Tx<'_>) -> Result<bool> {
    let halted = tx.one("SELECT halted FROM play_switch", params![], Row::flag).await?;
    Ok(halted.ok_or_else(|| Fault::new("the switch that stops every activity is not there"))?)
}

/// Current rounds, with their players.
pub(in super::super) async fn activities(tx: &Tx<'_>) -> Result<Vec<ActivityImage>> {
    let current = tx
        .all(
            concat!(
                "SELECT ",
                round_row_columns!(),
                " FROM play_activities a JOIN play_rounds r ON r.activity_id = a.id AND r.round = a.round"
            ),
            params![],
            read_round_row,
        )
        .await?;
    let mut images = Vec::with_capacity(current.len());
    for row in current {
        let come_to = come_to(tx, &row).await?;
        let players = players(tx, (row.view.activity, row.view.round)).await?;
        images.push(ActivityImage { view: row.view, come_to, players });
    }
    Ok(images)
}

pub(super) async fn round(tx: &Tx<'_>, (activity, round): RoundKey) -> Result<Option<RoundRow>> {
    let sql = concat!(
        "SELECT ",
        round_row_columns!(),
        " FROM play_rounds r WHERE r.activity_id = $1 AND r.round = $2"
    );
    tx.one(sql, params![activity.0, round], read_round_row).await
}

pub(super) async fn come_to(tx: &Tx<'_>, row: &RoundRow) -> Result<RoundState> {
    let prizes = tx
        .all(
            "SELECT prize_id, given, hour, in_hour, withdrawn FROM play_prizes
             WHERE activity_id = $1 AND round = $2 ORDER BY prize_id",
            params![row.view.activity.0, row.view.round],
            |row| {
                let prize = read_prize(row)?;
                let (given, hour, in_hour) = (row.unsigned()?, row.int()?, row.u32()?);
                Ok((prize, PrizeTally { given, hour, in_hour, withdrawn: row.flag()? }))
            },
        )
        .await?;
    Ok(RoundState { chain: row.chain, tally: RoundTotals::restore(row.spent, row.day, prizes) })
}

pub(super) async fn players(tx: &Tx<'_>, (activity, round): RoundKey) -> Result<Vec<(UserId, PlayerState)>> {
    let mut wins = wins(tx, (activity, round)).await?;
    let mut players: Vec<(UserId, PlayerState)> = Vec::new();
    loop {
        let after = players.last().map_or(i64::MIN, |(user, _)| user.0);
        let page = tx
            .all(
                concat!(
                    "SELECT p.user_id, ",
                    account_columns!(),
                    ", p.last_seq, p.seat, p.client FROM players p
                      WHERE p.activity_id = $1 AND p.round = $2 AND p.user_id > $3 ORDER BY p.user_id LIMIT $4"
                ),
                params![activity.0, round, after, PAGE_ROWS],
                read_player,
            )
            .await?;
        if page.is_empty() {
            return Ok(players);
        }
        players.extend(page.into_iter().map(|(user, state)| {
            let wins = wins.remove(&user).unwrap_or_default();
            (user, PlayerState { wins, ..state })
        }));
    }
}

/// Wins of prizes with a cap.
async fn wins(
    tx: &Tx<'_>,
    (activity, round): (ActivityId, u32),
) -> Result<HashMap<UserId, Vec<(PrizeId, u32)>>> {
    let mut wins: HashMap<UserId, Vec<(PrizeId, u32)>> = HashMap::new();
    let mut after = (i64::MIN, -1_i64);
    loop {
        let page = tx
            .all(
                "SELECT user_id, prize_id, units FROM player_wins
                 WHERE activity_id = $1 AND round = $2 AND (user_id, prize_id) > ($3, $4)
                 ORDER BY user_id, prize_id LIMIT $5",
                params![activity.0, round, after.0, after.1, PAGE_ROWS],
                |row| Ok((UserId(row.int()?), read_prize(row)?, row.u32()?)),
            )
            .await?;
        let Some((user, prize, _)) = page.last() else { return Ok(wins) };
        after = (user.0, i64::from(prize.number()));
        for (user, prize, units) in page {
            wins.entry(user).or_default().push((prize, units));
        }
    }
}
