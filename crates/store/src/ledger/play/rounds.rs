//! Rounds of activities, their prizes and their hours as statements.
//!
//! Sums of money and points stop growing far beyond any budget, where a column would overflow: see `add!`.

use std::collections::BTreeMap;

use domain::ids::ActivityId;
use domain::ledger::play::Terms;
use domain::lottery::strategy::PrizeId;

use super::columns::state_name;
use super::sheet::{PlaySheet, RoundKey};
use super::sums::{HourSum, MinuteSum, PrizeChange, RoundChange, Since};
use crate::each::once_each;
use crate::failure::Result;
use crate::model::MINUTES_MAX;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// A sum that stops growing before it overflows: what a batch adds is far less than what is left then.
macro_rules! add {
    ($column:literal, $more:literal) => {
        concat!(
            "CASE WHEN ",
            $column,
            " > 8000000000000000000 THEN ",
            $column,
            " ELSE ",
            $column,
            " + ",
            $more,
            " END"
        )
    };
}

/// `winners` are those who won for the first time in the round, counted.
pub(super) async fn write(
    tx: &Tx<'_>,
    sheet: &PlaySheet<'_>,
    winners: &BTreeMap<RoundKey, i64>,
) -> Result<()> {
    opened(tx, sheet).await?;
    let terms = sheet.terms.iter().map(|(round, terms)| terms_columns(*round, terms));
    once_each(
        tx,
        "UPDATE play_rounds SET version = $3, from_ms = $4, until_ms = $5, entries = $6, total_max = $7,
                month_max = $8, day_max = $9, begin_link = $10, chain_place = 0, chain_link = $11
         WHERE activity_id = $1 AND round = $2",
        terms,
    )
    .await?;
    let changed = sheet.rounds.iter().map(|(round, change)| {
        let winners = winners.get(round).copied().unwrap_or(0);
        round_columns(*round, &RoundChange { winners, ..*change })
    });
    once_each(
        tx,
        concat!(
            "UPDATE play_rounds SET state = COALESCE($3, state), chain_place = COALESCE($4, chain_place),
                    chain_link = COALESCE($5, chain_link), spent_total = ",
            add!("spent_total", "$6"),
            ", spent_points = ",
            add!("spent_points", "$7"),
            ", spent_day = CASE WHEN CAST($8 AS BIGINT) IS NULL THEN spent_day
                                WHEN CAST($10 AS BIGINT) = 0 AND spent_day_no = $8 THEN ",
            add!("spent_day", "$9"),
            " ELSE $9 END, spent_day_no = COALESCE($8, spent_day_no), draws = draws + $11, players = players + $12,
                    winners = winners + $13, wins = wins + $14
             WHERE activity_id = $1 AND round = $2"
        ),
        changed,
    )
    .await?;
    prizes(tx, sheet).await?;
    minutes(tx, sheet).await?;
    hours(tx, sheet).await
}

/// A round begins with nothing; what the batch did in it comes on top.
async fn opened(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    let opened = sheet.opened.iter().map(|(round, terms)| terms_columns(*round, terms));
    once_each(
        tx,
        "INSERT INTO play_rounds (activity_id, round, state, version, from_ms, until_ms, entries, total_max, month_max,
                                  day_max, begin_link, chain_place, chain_link, spent_total, spent_day, spent_day_no,
                                  spent_points, draws, players, winners, wins)
         VALUES ($1, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, 0, 0, 0, 0, 0, 0, 0, 0)",
        opened,
    )
    .await?;
    // One batch may open several rounds of an activity; the last one is current.
    let current: BTreeMap<ActivityId, u32> = sheet.opened.iter().map(|(round, _)| *round).collect();
    let current =
        current.into_iter().map(|(activity, round)| -> [Value; 2] { [activity.0.into(), round.into()] });
    once_each(
        tx,
        "INSERT INTO play_activities (id, round) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET round = excluded.round",
        current,
    )
    .await
}

fn terms_columns((activity, round): RoundKey, terms: &Terms) -> [Value; 11] {
    [
        activity.0.into(),
        round.into(),
        terms.version.into(),
        terms.from.into(),
        terms.until.into(),
        terms.entries.map_or(0, |pool| pool.0).into(),
        terms.limits.total.into(),
        terms.limits.month.into(),
        terms.limits.day.into(),
        terms.begin.map(|link| link.0).into(),
        terms.begin_chain().link.0.into(),
    ]
}

fn round_columns((activity, round): RoundKey, change: &RoundChange) -> [Value; 14] {
    let [day, minor, anew] = since_columns(change.spent_day);
    [
        activity.0.into(),
        round.into(),
        change.state.map(state_name).into(),
        change.chain.map(|chain| as_i64(chain.place)).into(),
        change.chain.map(|chain| chain.link.0).into(),
        as_i64(change.spent_minor).into(),
        as_i64(change.points).into(),
        day,
        minor,
        anew,
        change.draws.into(),
        change.players.into(),
        change.winners.into(),
        change.wins.into(),
    ]
}

/// The day or hour, null for none; the sum; whether what the row holds is over.
fn since_columns(since: Option<Since>) -> [Value; 3] {
    let Since { sum, anew, .. } = since.unwrap_or_default();
    [since.map(|since| since.when).into(), as_i64(sum).into(), anew.into()]
}

async fn prizes(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    let columns = |(((activity, round), prize), change): (&(RoundKey, PrizeId), &PrizeChange)| -> [Value; 8] {
        let [hour, in_hour, anew] = since_columns(change.in_hour);
        [
            activity.0.into(),
            (*round).into(),
            u32::from(prize.number()).into(),
            as_i64(change.given).into(),
            hour,
            in_hour,
            anew,
            change.withdrawn.into(),
        ]
    };
    once_each(
        tx,
        "INSERT INTO play_prizes (activity_id, round, prize_id, given, hour, in_hour, withdrawn)
         VALUES ($1, $2, $3, $4, COALESCE(CAST($5 AS BIGINT), 0), $6, COALESCE(CAST($8 AS BIGINT), 0))
         ON CONFLICT (activity_id, round, prize_id) DO UPDATE SET given = play_prizes.given + excluded.given,
             in_hour = CASE WHEN CAST($5 AS BIGINT) IS NULL THEN play_prizes.in_hour
                            WHEN CAST($7 AS BIGINT) = 0 AND play_prizes.hour = $5 THEN play_prizes.in_hour + excluded.in_hour
                            ELSE excluded.in_hour END,
             hour = COALESCE($5, play_prizes.hour), withdrawn = COALESCE($8, play_prizes.withdrawn)",
        sheet.prizes.iter().map(columns),
    )
    .await
}

/// Of the first [`MINUTES_MAX`] minutes of a round: whoever looks later looks at hours.
async fn minutes(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    let columns = |(((activity, round), minute), sum): (&(RoundKey, i64), &MinuteSum)| -> [Value; 6] {
        [
            activity.0.into(),
            (*round).into(),
            (*minute).into(),
            sum.draws.into(),
            sum.wins.into(),
            (minute - i64::from(MINUTES_MAX)).into(),
        ]
    };
    once_each(
        tx,
        "INSERT INTO draw_minutes (activity_id, round, minute, draws, wins)
         SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT)
         WHERE NOT EXISTS (SELECT 1 FROM draw_minutes WHERE activity_id = $1 AND round = $2 AND minute <= $6)
         ON CONFLICT (activity_id, round, minute) DO UPDATE SET draws = draw_minutes.draws + excluded.draws,
             wins = draw_minutes.wins + excluded.wins",
        sheet.minutes.iter().map(columns),
    )
    .await
}

async fn hours(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    type Place = (RoundKey, i64, Option<PrizeId>);
    let columns = |(((activity, round), hour, prize), sum): (&Place, &HourSum)| -> [Value; 7] {
        [
            activity.0.into(),
            (*round).into(),
            (*hour).into(),
            prize.map_or(-1, |prize| i64::from(prize.number())).into(),
            sum.draws.into(),
            as_i64(sum.cost_minor).into(),
            as_i64(sum.points).into(),
        ]
    };
    once_each(
        tx,
        concat!(
            "INSERT INTO draw_hours (activity_id, round, hour, prize_id, draws, cost_minor, points)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (activity_id, round, hour, prize_id) DO UPDATE SET draws = draw_hours.draws + excluded.draws,
                 cost_minor = ",
            add!("draw_hours.cost_minor", "excluded.cost_minor"),
            ", points = ",
            add!("draw_hours.points", "excluded.points")
        ),
        sheet.hours.iter().map(columns),
    )
    .await
}
