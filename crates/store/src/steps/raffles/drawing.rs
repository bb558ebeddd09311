//! The beacon's value and the drawing, each written once.

use domain::Rejection;
use domain::ids::UserId;
use domain::lottery::strategy::PrizeId;
use domain::raffle::Winner;
use domain::webhook::EventKind;
use serde_json::{Value as Json, json};

use crate::audit::actor_text;
use crate::each::once_each;
use crate::failure::{Fault, Result};
use crate::model::{
    AuditStamp, BeaconSet, Fence, RAFFLE_ROWS_MAX, RaffleDraw, RaffleRound, RaffleWin, Win, WinnerRow,
};
use crate::steps::activities::columns::{number, prize, to_unsigned};
use crate::steps::events::{NewEvent, tell};
use crate::steps::fulfilments;
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;
use crate::value::Value;
use crate::{audit, params};

/// What a step is judged by, held until the transaction ends.
struct RaffleStatus {
    version: u32,
    beacon: Option<String>,
    value: Option<String>,
    draw_at: i64,
    drawn: bool,
}

async fn lock(tx: &Tx<'_>, (activity, round): RaffleRound) -> Result<Option<RaffleStatus>> {
    tx.one(
        "SELECT version, beacon, beacon_value, draw_at, drawn_at FROM raffles
         WHERE activity_id = $1 AND round = $2 FOR UPDATE",
        params![activity, round],
        |row| {
            Ok(RaffleStatus {
                version: number(row)?,
                beacon: row.opt_text()?,
                value: row.opt_text()?,
                draw_at: row.int()?,
                drawn: row.opt_int()?.is_some(),
            })
        },
    )
    .await
}

/// Not before the roll is public: whoever could still change the roll could choose it to suit the value.
pub(crate) async fn beacon_set(tx: &Tx<'_>, step: &BeaconSet) -> Result<()> {
    let (activity, round) = step.round;
    let standing = lock(tx, step.round).await?.ok_or(Rejection::RollUnpublished)?;
    if standing.beacon.is_none() {
        return Err(Rejection::BeaconUnnamed.into());
    }
    match standing.value {
        Some(value) if value == step.value => return Ok(()),
        Some(_) => return Err(Rejection::BeaconFixed.into()),
        None => {}
    }
    tx.execute(
        "UPDATE raffles SET beacon_value = $3, beacon_by = $4, beacon_at = $5
         WHERE activity_id = $1 AND round = $2",
        params![activity, round, &step.value, actor_text(step.signed.actor), step.signed.at],
    )
    .await?;
    let after = json!({ "round": round, "beacon": standing.beacon, "value": step.value });
    let before = json!({ "round": round, "beacon": standing.beacon, "value": null });
    let subject = format!("activity:{activity}");
    audit::write(tx, &step.signed, "raffle.beacon", &subject, &before, &after).await
}

pub(crate) async fn draw(
    tx: &Tx<'_>,
    (fence, step, signed): &(Fence, RaffleDraw, AuditStamp),
) -> Result<bool> {
    pass_fence(tx, fence).await?;
    let (activity, round) = step.round;
    let Some(standing) = lock(tx, step.round).await? else { return Ok(false) };
    if standing.drawn || signed.at.0 < standing.draw_at {
        return Ok(false);
    }
    if standing.value != step.beacon_value || standing.beacon.is_some() != standing.value.is_some() {
        return Err(
            Fault::new(format!("activity {activity}, round {round}: drawn with another beacon")).into()
        );
    }
    write_winners(tx, step).await?;
    write_wins(tx, step, standing.version, signed).await?;
    let winners = u32::try_from(step.winners.len()).map_err(|error| Fault::caused("winners", error))?;
    tx.execute(
        "UPDATE raffles SET drawn_at = $3, winners = $4 WHERE activity_id = $1 AND round = $2",
        params![activity, round, signed.at, winners],
    )
    .await?;
    tx.execute(
        "UPDATE activity_secrets SET revealed_at = $3
         WHERE activity_id = $1 AND round = $2 AND revealed_at IS NULL",
        params![activity, round, signed.at],
    )
    .await?;
    let after = json!({ "round": round, "winners": winners });
    audit::write(tx, signed, "raffle.draw", &format!("activity:{activity}"), &Json::Null, &after).await?;
    let data = json!({ "activity_id": activity.to_string(), "round": round, "winners": winners });
    tell(tx, &[NewEvent::of(EventKind::RaffleDrawn, activity.0, None, data, signed.at)]).await?;
    Ok(true)
}

async fn write_winners(tx: &Tx<'_>, step: &RaffleDraw) -> Result<()> {
    let (activity, round) = step.round;
    let rows =
        (0_u32..).zip(&step.winners).map(|(nth, RaffleWin { winner, user, prize, win })| -> [Value; 9] {
            [
                activity.into(),
                round.into(),
                nth.into(),
                winner.prize.into(),
                u32::from(prize.number()).into(),
                winner.place.into(),
                (*user).into(),
                (*win).into(),
                winner.seat.number().into(),
            ]
        });
    once_each(
        tx,
        "INSERT INTO raffle_winners (activity_id, round, nth, prize, prize_id, place, user_id, win_id, seat)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        rows,
    )
    .await
}

/// So that whoever looks at wins or hands them out need not know how they came about.
async fn write_wins(tx: &Tx<'_>, step: &RaffleDraw, version: u32, signed: &AuditStamp) -> Result<()> {
    let (activity, round) = step.round;
    let win = |RaffleWin { winner, user, prize, win }: &RaffleWin| Win {
        id: *win,
        user: *user,
        activity,
        round,
        version,
        draw: winner.place,
        prize: *prize,
        points: 0,
        cost_minor: 0,
        at: signed.at,
    };
    let wins: Vec<Win> = step.winners.iter().map(win).collect();
    let rows = wins.iter().map(|win| -> [Value; 8] {
        [
            win.id.into(),
            win.user.into(),
            win.activity.into(),
            win.round.into(),
            win.version.into(),
            win.draw.into(),
            u32::from(win.prize.number()).into(),
            win.at.into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO wins (id, user_id, activity_id, round, version, draw_no, prize_id, points, cost_minor, at_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8)",
        rows,
    )
    .await?;
    fulfilments::begin(tx, &wins).await
}

pub(crate) async fn count_given(tx: &Tx<'_>, (activity, round): &RaffleRound) -> Result<Vec<(PrizeId, u64)>> {
    tx.all(
        "SELECT prize_id, COUNT(*) FROM raffle_winners WHERE activity_id = $1 AND round = $2
         GROUP BY prize_id ORDER BY prize_id",
        params![*activity, *round],
        |row| Ok((prize(row.int()?)?, row.int().and_then(to_unsigned)?)),
    )
    .await
}

pub(crate) async fn winners(
    tx: &Tx<'_>,
    ((activity, round), from, limit): &(RaffleRound, u32, u32),
) -> Result<Vec<WinnerRow>> {
    tx.all(
        "SELECT w.nth, w.prize, w.place, w.seat, w.user_id, w.prize_id, u.name FROM raffle_winners w
         LEFT JOIN users u ON u.id = w.user_id AND u.deleted_at IS NULL
         WHERE w.activity_id = $1 AND w.round = $2 AND w.nth >= $3 ORDER BY w.nth LIMIT $4",
        params![*activity, *round, *from, (*limit).min(RAFFLE_ROWS_MAX)],
        |row| {
            let nth = number(row)?;
            let winner = Winner { prize: number(row)?, place: number(row)?, seat: row.player_number()? };
            Ok(WinnerRow {
                nth,
                winner,
                user: UserId(row.int()?),
                prize: prize(row.int()?)?,
                name: row.opt_text()?,
            })
        },
    )
    .await
}
