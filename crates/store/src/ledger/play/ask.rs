//! What can be asked about playing: tickets, wins, rounds and their sums. Every answer is bounded.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::Account;
use domain::lottery::chain::{ChainLink, Receipt};
use domain::page::{Page, PageRequest};

use super::super::columns::read_key;
use super::columns::{
    account_columns, prize, read_account, read_prize, read_ticket, settlement, ticket_columns,
};
use super::load;
use super::sheet::RoundKey;
use crate::failure::{Fault, Result};
use crate::model::{
    ChainKey, ChainedRecord, DrawHour, DrawMinute, LEADERS_MAX, MINUTES_MAX, PLAYS_MAX, PlayedRound,
    SEARCHED_MAX, StoredRound, StoredTicket, Win,
};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::as_i64;

/// From the player's last ticket each leads to the one before: no index by user is needed. A page begins behind a ticket
/// that must be the player's own.
pub(crate) async fn tickets_of(
    tx: &Tx<'_>,
    (user, (activity, round), page): &(UserId, RoundKey, PageRequest),
) -> Result<Page<StoredTicket>> {
    let begin = match page.after {
        None => {
            let sql = "SELECT last_seq FROM players WHERE activity_id = $1 AND round = $2 AND user_id = $3";
            tx.one(sql, params![activity.0, *round, user.0], Row::int).await?
        }
        Some(after) => {
            let sql = "SELECT before_seq FROM tickets
                       WHERE made_seq = $4 AND activity_id = $1 AND round = $2 AND user_id = $3";
            tx.one(sql, params![activity.0, *round, user.0, after], Row::int).await?
        }
    };
    let sql = concat!(
        "WITH RECURSIVE back(seq, nth) AS (
             SELECT CAST($1 AS BIGINT), CAST(1 AS BIGINT)
             UNION ALL
             SELECT b.before_seq, back.nth + 1 FROM back JOIN tickets b ON b.made_seq = back.seq WHERE back.nth < $2)
         SELECT ",
        ticket_columns!(),
        " FROM back CROSS JOIN tickets t WHERE t.made_seq = back.seq ORDER BY back.nth"
    );
    let rows = tx.all(sql, params![begin.unwrap_or(0), page.fetch()], read_ticket).await?;
    let tickets = rows.into_iter().map(|(_, ticket)| ticket).collect();
    Ok(Page::cut(tickets, *page, |ticket| as_i64(ticket.made_seq)))
}

macro_rules! win_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, activity_id, round, version, draw_no, prize_id, points, cost_minor, at_ms FROM wins
             WHERE ",
            $rest
        )
    };
}

/// By time: the ids of what was won in a raffle are of another kind than those of draws.
pub(crate) async fn wins_of(tx: &Tx<'_>, (user, page): &(UserId, PageRequest)) -> Result<Page<Win>> {
    let sql = win_sql!(
        "user_id = $1 AND (at_ms, id) < (COALESCE((SELECT at_ms FROM wins WHERE id = $2), $2), $2)
         ORDER BY at_ms DESC, id DESC LIMIT $3"
    );
    let rows = tx.all(sql, params![user.0, page.before(), page.fetch()], read_win).await?;
    Ok(Page::cut(rows, *page, |win| win.id))
}

pub(crate) async fn wins_newest(
    tx: &Tx<'_>,
    (activity, after, limit): &(ActivityId, i64, u32),
) -> Result<Vec<Win>> {
    let sql = win_sql!("activity_id = $1 AND id > $2 ORDER BY id DESC LIMIT $3");
    tx.all(sql, params![activity.0, *after, (*limit).min(PLAYS_MAX)], read_win).await
}

pub(crate) async fn wins_after(
    tx: &Tx<'_>,
    (activity, after, limit): &(ActivityId, i64, u32),
) -> Result<Vec<Win>> {
    let sql = win_sql!("activity_id = $1 AND id > $2 ORDER BY id LIMIT $3");
    tx.all(sql, params![activity.0, *after, (*limit).min(PLAYS_MAX)], read_win).await
}

fn read_win(row: &mut Row) -> Result<Win, Fault> {
    Ok(Win {
        id: row.int()?,
        user: UserId(row.int()?),
        activity: ActivityId(row.int()?),
        round: row.u32()?,
        version: row.u32()?,
        draw: row.u32()?,
        prize: read_prize(row)?,
        points: row.unsigned()?,
        cost_minor: row.unsigned()?,
        at: row.time()?,
    })
}

pub(crate) async fn leaders(
    tx: &Tx<'_>,
    ((activity, round), limit): &(RoundKey, u32),
) -> Result<Vec<(UserId, u32)>> {
    tx.all(
        "SELECT user_id, won FROM leaders WHERE activity_id = $1 AND round = $2 ORDER BY won DESC, user_id LIMIT $3",
        params![activity.0, *round, (*limit).min(LEADERS_MAX)],
        |row| Ok((UserId(row.int()?), row.u32()?)),
    )
    .await
}

pub(crate) async fn draw_hours(
    tx: &Tx<'_>,
    ((activity, round), from): &(RoundKey, i64),
) -> Result<Vec<DrawHour>> {
    tx.all(
        "SELECT hour, prize_id, draws, cost_minor, points FROM draw_hours
         WHERE activity_id = $1 AND round = $2 AND hour >= $3 ORDER BY hour, prize_id LIMIT $4",
        params![activity.0, *round, *from, PLAYS_MAX],
        |row| {
            let (hour, number) = (row.int()?, row.int()?);
            let prize = if number < 0 { None } else { Some(prize(number)?) };
            let (draws, cost_minor, points) = (row.unsigned()?, row.unsigned()?, row.unsigned()?);
            Ok(DrawHour { hour, prize, draws, cost_minor, points })
        },
    )
    .await
}

pub(crate) async fn draw_minutes(tx: &Tx<'_>, (activity, round): &RoundKey) -> Result<Vec<DrawMinute>> {
    tx.all(
        "SELECT minute, draws, wins FROM draw_minutes WHERE activity_id = $1 AND round = $2 ORDER BY minute LIMIT $3",
        params![activity.0, *round, MINUTES_MAX],
        |row| Ok(DrawMinute { minute: row.int()?, draws: row.unsigned()?, wins: row.unsigned()? }),
    )
    .await
}

pub(crate) async fn round_find(tx: &Tx<'_>, key: &RoundKey) -> Result<Option<StoredRound>> {
    let Some(row) = load::round(tx, *key).await? else { return Ok(None) };
    let come_to = load::come_to(tx, &row).await?;
    Ok(Some(StoredRound { view: row.view, come_to, counts: row.counts }))
}

pub(crate) async fn chain_page(
    tx: &Tx<'_>,
    (chain, after, limit): &(ChainKey, u64, u32),
) -> Result<Vec<ChainedRecord>> {
    tx.all(
        "SELECT ticket_key, user_id, place, link, settlement FROM tickets
         WHERE activity_id = $1 AND round = $2 AND version = $3 AND place > $4 ORDER BY place LIMIT $5",
        params![chain.activity.0, chain.round, chain.version, as_i64(*after), (*limit).min(PLAYS_MAX)],
        |row| {
            let (ticket, user) = (read_key(row)?, UserId(row.int()?));
            let receipt = Receipt { place: row.unsigned()?, link: ChainLink(row.hash()?) };
            Ok(ChainedRecord { ticket, user, receipt, record: settlement(&row.bytes()?)? })
        },
    )
    .await
}

pub(crate) async fn players_page(
    tx: &Tx<'_>,
    ((activity, round), after, limit): &(RoundKey, UserId, u32),
) -> Result<Vec<(UserId, Account)>> {
    tx.all(
        concat!(
            "SELECT p.user_id, ",
            account_columns!(),
            " FROM players p WHERE p.activity_id = $1 AND p.round = $2 AND p.user_id > $3 ORDER BY p.user_id LIMIT $4"
        ),
        params![activity.0, *round, after.0, (*limit).min(PLAYS_MAX)],
        |row| Ok((UserId(row.int()?), read_account(row)?)),
    )
    .await
}

/// Round by round, the newest first: a look each, and no index by user that every draw would have to keep.
pub(crate) async fn played_by(tx: &Tx<'_>, (user, limit): &(UserId, u32)) -> Result<Vec<PlayedRound>> {
    tx.all(
        concat!(
            "SELECT p.activity_id, p.round, ",
            account_columns!(),
            ", (SELECT COUNT(*) FROM raffle_winners w
                WHERE w.activity_id = p.activity_id AND w.round = p.round AND w.user_id = p.user_id)
              FROM (SELECT activity_id, round FROM play_rounds ORDER BY activity_id DESC, round DESC LIMIT $2) r
              CROSS JOIN players p
              WHERE p.activity_id = r.activity_id AND p.round = r.round AND p.user_id = $1
              ORDER BY p.activity_id DESC, p.round DESC LIMIT $3"
        ),
        params![user.0, SEARCHED_MAX, (*limit).min(PLAYS_MAX)],
        |row| {
            let (activity, round) = (ActivityId(row.int()?), row.u32()?);
            let account = read_account(row)?;
            Ok(PlayedRound { activity, round, account, raffled: row.u32()? })
        },
    )
    .await
}
