//! The sheet of activities, players and tickets as statements.

use std::collections::HashMap;

use domain::ids::{ActivityId, UserId};
use engine::Outcome;

use super::super::columns::{digest, era, key_bytes, signed};
use super::super::each::once_each;
use super::columns::state_name;
use super::sheet::{PlaySheet, Settled, Used};
use crate::tx::Tx;
use crate::value::Value;

pub(in super::super) async fn sheet(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Outcome<()> {
    if sheet.is_empty() {
        return Ok(());
    }
    rounds(tx, sheet).await?;
    players(tx, sheet).await?;
    tickets(tx, sheet).await?;
    commands(tx, sheet).await
}

/// A player's columns after so many granted and common chances were used on a day; day 0 leaves the day as it is.
macro_rules! used {
    ($bonus:literal, $common:literal, $day:literal, $draws:literal) => {
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
            ", day = CASE WHEN ",
            $day,
            " = 0 THEN players.day ELSE ",
            $day,
            " END, draws = players.draws + ",
            $draws
        )
    };
}

async fn rounds(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Outcome<()> {
    let opened = sheet.opened.iter().map(|(activity, round, terms)| -> [Value; 8] {
        [
            activity.0.into(),
            (*round).into(),
            terms.from.into(),
            terms.until.into(),
            terms.entries.map_or(0, |pool| pool.0).into(),
            terms.limits.total.into(),
            terms.limits.month.into(),
            terms.limits.day.into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO play_rounds (activity_id, round, state, from_ms, until_ms, entries, total_max, month_max, day_max)
         VALUES ($1, $2, 'open', $3, $4, $5, $6, $7, $8)",
        opened.collect(),
    )
    .await?;
    let current = sheet
        .opened
        .iter()
        .map(|(activity, round, _)| -> [Value; 2] { [activity.0.into(), (*round).into()] });
    once_each(
        tx,
        "INSERT INTO play_activities (id, round) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET round = excluded.round",
        current.collect(),
    )
    .await?;
    let states = sheet.states.iter().map(|((activity, round), state)| -> [Value; 3] {
        [activity.0.into(), (*round).into(), state_name(*state).into()]
    });
    once_each(tx, "UPDATE play_rounds SET state = $3 WHERE activity_id = $1 AND round = $2", states.collect())
        .await
}

/// Each by what was used and granted, never by what should be left. A player's days are written in their order.
async fn players(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Outcome<()> {
    let days_max = sheet.players.values().map(Vec::len).max().unwrap_or(0);
    for at in 0..days_max {
        let steps = || sheet.players.iter().filter_map(move |(player, steps)| Some((player, steps.get(at)?)));
        let rows =
            |gains: bool| steps().filter(move |(_, used)| (used.bonus >= 0) == gains).map(columns).collect();
        once_each(
            tx,
            concat!(
                "INSERT INTO players (user_id, activity_id, round, bonus, used, month_used, day_used, day, draws)
                 VALUES ($1, $2, $3, $4, $5, $5, $5, $6, $7)
                 ON CONFLICT (user_id, activity_id, round) DO UPDATE SET ",
                used!("excluded.bonus", "excluded.used", "excluded.day", "excluded.draws")
            ),
            rows(true),
        )
        .await?;
        // Whoever uses granted chances was granted them before, and has a row.
        once_each(
            tx,
            concat!(
                "UPDATE players SET ",
                used!("$4", "$5", "CAST($6 AS BIGINT)", "$7"),
                " WHERE user_id = $1 AND activity_id = $2 AND round = $3"
            ),
            rows(false),
        )
        .await?;
    }
    Ok(())
}

fn columns(((user, activity, round), used): (&(UserId, ActivityId, u32), &Used)) -> [Value; 7] {
    let Used { day, bonus, common, draws } = *used;
    [user.0.into(), activity.0.into(), (*round).into(), bonus.into(), common.into(), day.into(), draws.into()]
}

/// A ticket that the batch took and settled is written as it was settled.
async fn tickets(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Outcome<()> {
    let mut ends: HashMap<u64, &Settled<'_>> =
        sheet.settled.iter().map(|settled| (settled.made_seq, settled)).collect();
    let mut made: Vec<[Value; 14]> = Vec::with_capacity(sheet.taken.len());
    for taken in &sheet.taken {
        let end = ends.remove(&taken.made_seq).filter(|end| end.key == taken.key);
        let [settled_seq, settled, settlement, era] = end_columns(end, taken.made_seq);
        made.push([
            signed(taken.made_seq).into(),
            key_bytes(taken.key),
            digest(taken.key.fingerprint()),
            digest(taken.body),
            taken.user.0.into(),
            taken.activity.0.into(),
            taken.round.into(),
            taken.first.into(),
            taken.draws.count().into(),
            taken.made.into(),
            settled_seq,
            settled,
            settlement,
            era,
        ]);
    }
    let earlier = ends.into_values().map(|end| -> [Value; 6] {
        let [settled_seq, settled, settlement, era] = end_columns(Some(end), end.made_seq);
        [signed(end.made_seq).into(), key_bytes(end.key), settled_seq, settled, settlement, era]
    });
    // The old ones first: a player who settles and takes another has one open ticket all the time.
    once_each(
        tx,
        "UPDATE tickets SET settled_seq = $3, settled = $4, settlement = $5, era = $6
         WHERE made_seq = $1 AND ticket_key = $2 AND settled_seq IS NULL",
        earlier.collect(),
    )
    .await?;
    once_each(
        tx,
        "INSERT INTO tickets (made_seq, ticket_key, fingerprint, body, user_id, activity_id, round, first_draw, draws,
                              made, settled_seq, settled, settlement, era)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        made,
    )
    .await
}

/// The three columns that are null while a ticket is open, and the era.
fn end_columns(end: Option<&Settled<'_>>, made_seq: u64) -> [Value; 4] {
    [
        end.map(|end| signed(end.seq)).into(),
        end.map(|end| end.at).into(),
        end.map(|end| end.settlement.bytes().to_vec()).into(),
        era(end.map_or(made_seq, |end| end.seq)).into(),
    ]
}

async fn commands(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Outcome<()> {
    let rows = sheet.commands.iter().map(|command| -> [Value; 13] {
        [
            signed(command.seq).into(),
            key_bytes(command.key),
            digest(command.key.fingerprint()),
            digest(command.body),
            command.activity.0.into(),
            command.round.into(),
            command.kind.into(),
            command.granted.map(|(user, _)| user.0).into(),
            command.granted.map(|(_, chances)| i64::from(chances)).into(),
            command.at.into(),
            command.note.by().into(),
            Some(command.note.as_str()).filter(|note| !note.is_empty()).into(),
            era(command.seq).into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO play_commands (seq, command_key, fingerprint, body, activity_id, round, kind, user_id, chances,
                                    at_ms, by_id, note, era)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        rows.collect(),
    )
    .await
}
