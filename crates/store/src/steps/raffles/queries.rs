//! Which rounds wait for something, who entered, and what is public.

use domain::ids::{ActivityId, UserId};
use domain::lottery::random::Commitment;
use domain::raffle::Entrant;
use domain::time::Timestamp;

use crate::audit::parse_actor;
use crate::failure::{Fault, Result};
use crate::model::{
    BeaconValue, RAFFLE_ROUNDS_MAX, RAFFLE_ROWS_MAX, RaffleDue, RaffleResult, RaffleRound, RaffleRow,
    RaffleStep,
};
use crate::params;
use crate::row::Row;
use crate::steps::activities::columns::{number, to_unsigned};
use crate::tx::Tx;

/// Found by the secrets that are not revealed: those of rounds that are played or wait. A round whose version has another
/// kind is none of ours.
pub(crate) async fn due(
    tx: &Tx<'_>,
    (now, (activity, round), limit): &(Timestamp, RaffleRound, u32),
) -> Result<Vec<RaffleDue>> {
    tx.all(
        "SELECT DISTINCT s.activity_id, s.round, r.version, f.version FROM activity_secrets s
         JOIN play_rounds r ON r.activity_id = s.activity_id AND r.round = s.round AND r.state = 'closed'
         JOIN activity_versions v ON v.activity_id = r.activity_id AND v.number = r.version AND v.kind = 'raffle'
         LEFT JOIN raffles f ON f.activity_id = s.activity_id AND f.round = s.round
         WHERE s.revealed_at IS NULL AND (s.activity_id, s.round) > ($1, $2)
           AND (f.round IS NULL OR (f.drawn_at IS NULL AND f.draw_at <= $3
                                    AND (f.beacon IS NULL OR f.beacon_value IS NOT NULL)))
         ORDER BY s.activity_id, s.round LIMIT $4",
        params![*activity, *round, *now, *limit],
        |row| {
            let (round, version) = ((ActivityId(row.int()?), number(row)?), number(row)?);
            let step = match row.opt_int()? {
                None => RaffleStep::Roll { version },
                Some(_) => RaffleStep::Draw,
            };
            Ok(RaffleDue { round, step })
        },
    )
    .await
}

pub(crate) async fn entrants(
    tx: &Tx<'_>,
    ((activity, round), after, limit): &(RaffleRound, UserId, u32),
) -> Result<Vec<(UserId, Entrant)>> {
    tx.all(
        "SELECT user_id, seat, draws FROM players
         WHERE activity_id = $1 AND round = $2 AND user_id > $3 AND draws > 0 ORDER BY user_id LIMIT $4",
        params![*activity, *round, *after, (*limit).min(RAFFLE_ROWS_MAX)],
        |row| {
            let user = UserId(row.int()?);
            Ok((user, Entrant { seat: row.player_number()?, entries: number(row)? }))
        },
    )
    .await
}

/// `SELECT` of rounds with a roll, to be read with [`read`].
macro_rules! raffle_sql {
    ($rest:literal) => {
        concat!(
            "SELECT f.activity_id, f.round, f.version, f.draw_at, f.roll_hash, f.roll_bytes, f.entrants, f.entries,
                    f.published_at, f.beacon, f.beacon_value, f.beacon_by, f.beacon_at, f.drawn_at, f.winners,
                    s.commitment, s.sealed
             FROM raffles f
             JOIN activity_secrets s
                ON s.activity_id = f.activity_id AND s.round = f.round AND s.version = f.secret_version ",
            $rest
        )
    };
}

pub(crate) async fn find(tx: &Tx<'_>, (activity, round): &RaffleRound) -> Result<Option<RaffleRow>> {
    let sql = raffle_sql!("WHERE f.activity_id = $1 AND f.round = $2");
    tx.one(sql, params![*activity, *round], read).await
}

pub(crate) async fn list(tx: &Tx<'_>, activity: &ActivityId) -> Result<Vec<RaffleRow>> {
    let sql = raffle_sql!("WHERE f.activity_id = $1 ORDER BY f.round LIMIT $2");
    tx.all(sql, params![*activity, RAFFLE_ROUNDS_MAX], read).await
}

fn read(row: &mut Row) -> Result<RaffleRow, Fault> {
    let round = (ActivityId(row.int()?), number(row)?);
    let (version, draw_at, roll_hash, roll_bytes) =
        (number(row)?, row.time()?, row.hash()?, row.int().and_then(to_unsigned)?);
    let (entrants, entries, published_at) = (number(row)?, row.int().and_then(to_unsigned)?, row.time()?);
    let beacon = row.opt_text()?;
    let value = match (row.opt_text()?, row.opt_named(parse_actor)?, row.opt_time()?) {
        (Some(value), Some(by), Some(at)) => Some(BeaconValue { value, by, at }),
        _ => None,
    };
    let (drawn_at, winners) = (row.opt_time()?, number(row)?);
    Ok(RaffleRow {
        round,
        version,
        draw_at,
        roll_hash,
        roll_bytes,
        entrants,
        entries,
        published_at,
        beacon,
        value,
        drawn: drawn_at.map(|at| RaffleResult { at, winners }),
        commitment: Commitment(row.hash()?),
        sealed_secret: row.bytes()?,
    })
}
