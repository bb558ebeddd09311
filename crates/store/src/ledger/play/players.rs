//! Players as statements, and the list of those who won the most.

use std::collections::{BTreeMap, HashMap};

use domain::ids::UserId;
use domain::player_number::PlayerNumber;

use super::sheet::{PlaySheet, PlayerKey, RoundKey};
use super::sums::Used;
use crate::each::{all_each, once_each};
use crate::failure::{Fault, Result};
use crate::model::LEADERS_MAX;
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// What the batch's winners came to.
#[derive(Debug, Default)]
pub(super) struct Winners {
    /// How many won for the first time in a round.
    pub first: BTreeMap<RoundKey, i64>,
    /// How many prizes each of them has won by now.
    now: BTreeMap<RoundKey, Vec<(UserId, u32)>>,
}

/// A player's columns after so many granted and common chances were used on a day; day 0 leaves the day as it is.
macro_rules! used {
    ($bonus:literal, $common:literal, $day:literal, $draws:literal, $misses:literal, $won:literal, $last:literal,
     $client:literal, $seat:literal) => {
        concat!(
            "bonus = players.bonus + ",
            $bonus,
            ", used = players.used + ",
            $common,
            ", month_used = CASE WHEN ",
            $day,
            " = 0 OR ",
            $day,
            " / 100 = players.day / 100 THEN players.month_used ELSE 0 END + ",
            $common,
            ", day_used = CASE WHEN ",
            $day,
            " = 0 OR ",
            $day,
            " = players.day THEN players.day_used ELSE 0 END + ",
            $common,
            ", day_draws = CASE WHEN ",
            $day,
            " = 0 OR ",
            $day,
            " = players.day THEN players.day_draws ELSE 0 END + ",
            $draws,
            ", day = CASE WHEN ",
            $day,
            " = 0 THEN players.day ELSE ",
            $day,
            " END, draws = players.draws + ",
            $draws,
            ", misses = COALESCE(",
            $misses,
            ", players.misses), won = players.won + ",
            $won,
            ", last_seq = CASE WHEN ",
            $last,
            " = 0 THEN players.last_seq ELSE ",
            $last,
            " END, client = COALESCE(players.client, ",
            $client,
            "), seat = COALESCE(players.seat, ",
            $seat,
            ")"
        )
    };
}

/// Each by what was used and granted, never by what should be left. A player's days are written in their order.
pub(super) async fn write(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<Winners> {
    let days_max = sheet.players.values().map(Vec::len).max().unwrap_or(0);
    for at in 0..days_max {
        let steps = sheet.players.iter().filter_map(move |(player, steps)| Some((player, steps.get(at)?)));
        // A player who uses granted chances was granted them before, and has a row.
        let (gain, lose): (Vec<_>, Vec<_>) = steps.partition(|(_, used)| used.bonus >= 0);
        let (drawing, granted): (Vec<_>, Vec<_>) =
            gain.into_iter().partition(|(_, used)| used.misses.is_some());
        once_each(tx, GAIN_AND_MISS, drawing.into_iter().map(columns)).await?;
        once_each(tx, GAIN, granted.into_iter().map(columns)).await?;
        once_each(tx, LOSE, lose.into_iter().map(columns)).await?;
    }
    let capped = sheet.capped.iter().map(|(((activity, round, user), prize), units)| -> [Value; 5] {
        let prize = u32::from(prize.number()).into();
        [activity.0.into(), (*round).into(), user.0.into(), prize, (*units).into()]
    });
    once_each(
        tx,
        "INSERT INTO player_wins (activity_id, round, user_id, prize_id, units) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (activity_id, round, user_id, prize_id) DO UPDATE SET units = player_wins.units + excluded.units",
        capped,
    )
    .await?;
    winners(tx, sheet).await
}

/// Only of those who won now it matters how many prizes they have by now, and asking costs.
async fn winners(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<Winners> {
    let gained = |steps: &[Used]| steps.iter().map(|used| used.won).sum::<u32>();
    let won: Vec<(&PlayerKey, u32)> =
        sheet.players.iter().map(|(player, steps)| (player, gained(steps))).collect();
    let won: Vec<(&PlayerKey, u32)> = won.into_iter().filter(|(_, gained)| *gained > 0).collect();
    let keys: Vec<[Value; 3]> = won
        .iter()
        .map(|((activity, round, user), _)| [activity.0.into(), (*round).into(), user.0.into()])
        .collect();
    let sql = "SELECT won FROM players WHERE activity_id = $1 AND round = $2 AND user_id = $3";
    let mut winners = Winners::default();
    for ((player, gained), now) in won.into_iter().zip(all_each(tx, sql, &keys, Row::u32).await?) {
        let [now] = now.as_slice() else {
            return Err(Fault::new(format!("{player:?} has no row, or several")).into());
        };
        let (activity, round, user) = *player;
        *winners.first.entry((activity, round)).or_default() += i64::from(*now == gained);
        winners.now.entry((activity, round)).or_default().push((user, *now));
    }
    Ok(winners)
}

macro_rules! gain {
    ($misses:literal) => {
        concat!(
            "INSERT INTO players (activity_id, round, user_id, bonus, used, month_used, day_used, day, draws, day_draws,
                                  misses, won, last_seq, client, seat)
             VALUES ($1, $2, $3, $4, $5, $5, $5, $6, $7, $7, COALESCE(CAST($8 AS BIGINT), 0), $9, $10, $11, $12)
             ON CONFLICT (activity_id, round, user_id) DO UPDATE SET ",
            used!(
                "excluded.bonus",
                "excluded.used",
                "excluded.day",
                "excluded.draws",
                $misses,
                "excluded.won",
                "excluded.last_seq",
                "excluded.client",
                "excluded.seat"
            )
        )
    };
}

/// A step that leaves the row of misses as it is, and one that says how long it is by now.
const GAIN: &str = gain!("NULL");
const GAIN_AND_MISS: &str = gain!("excluded.misses");

const LOSE: &str = concat!(
    "UPDATE players SET ",
    used!("$4", "$5", "CAST($6 AS BIGINT)", "$7", "$8", "$9", "CAST($10 AS BIGINT)", "$11", "$12"),
    " WHERE activity_id = $1 AND round = $2 AND user_id = $3"
);

fn columns(((activity, round, user), used): (&PlayerKey, &Used)) -> [Value; 12] {
    [
        activity.0.into(),
        (*round).into(),
        user.0.into(),
        used.bonus.into(),
        used.common.into(),
        used.day.into(),
        used.draws.into(),
        used.misses.into(),
        used.won.into(),
        as_i64(used.last_seq).into(),
        used.client.map(|client| client.0.to_vec()).into(),
        used.seat.map(PlayerNumber::number).into(),
    ]
}

/// Those who are on the list and those who won now are all who can be on it: wins only grow.
pub(super) async fn leaders(tx: &Tx<'_>, won: Winners) -> Result<()> {
    for ((activity, round), now) in won.now {
        let before: HashMap<UserId, u32> = tx
            .all(
                "SELECT user_id, won FROM leaders WHERE activity_id = $1 AND round = $2",
                params![activity.0, round],
                |row| Ok((UserId(row.int()?), row.u32()?)),
            )
            .await?
            .into_iter()
            .collect();
        let mut all = before.clone();
        all.extend(now);
        let mut best: Vec<(UserId, u32)> = all.into_iter().collect();
        best.sort_unstable_by_key(|(user, won)| (u32::MAX - won, *user));
        best.truncate(LEADERS_MAX as usize);
        let changed = best.iter().filter(|(user, won)| before.get(user) != Some(won));
        let changed = changed.map(|(user, won)| -> [Value; 4] {
            [activity.0.into(), round.into(), user.0.into(), (*won).into()]
        });
        once_each(
            tx,
            "INSERT INTO leaders (activity_id, round, user_id, won) VALUES ($1, $2, $3, $4)
             ON CONFLICT (activity_id, round, user_id) DO UPDATE SET won = excluded.won",
            changed,
        )
        .await?;
        let gone = before.keys().filter(|user| !best.iter().any(|(other, _)| other == *user));
        let gone = gone.map(|user| -> [Value; 3] { [activity.0.into(), round.into(), user.0.into()] });
        let sql = "DELETE FROM leaders WHERE activity_id = $1 AND round = $2 AND user_id = $3";
        once_each(tx, sql, gone).await?;
    }
    Ok(())
}
