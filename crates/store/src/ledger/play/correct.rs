//! A round of an activity brought in line with what the ledger says of it, at the one position both were read at.
//!
//! Counters, prizes and players become the ledger's. Draws on tickets and wins become what the tickets' own records say:
//! those are links of the chain, and nothing else knows as much. What a win cost is what the others of its prize and version
//! cost; where there is no other, what the version's plan says. A ticket that has lost its row stays lost: nothing else has
//! its record, since the ledger keeps counts and the journal is dropped behind the projection.

use std::collections::HashMap;

use domain::activity::Plan;
use domain::ids::{ActivityId, UserId};
use domain::ledger::audit::PlayWhole;
use domain::ledger::play::PlayerState;
use domain::lottery::record::Record;
use domain::lottery::strategy::PrizeId;

use super::load;
use crate::each::once_each;
use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// Tickets that are read at a time.
const PAGE_TICKETS: i64 = 5_000;
/// A win's number is its ticket's, times this, and which draw of the ticket it was.
const DRAWS_OF_A_TICKET: i64 = 16;

pub(in super::super) async fn correct(tx: &Tx<'_>, whole: &PlayWhole) -> Result<()> {
    let (activity, round, tally) = (whole.activity, whole.round, &whole.come_to.tally);
    let count = |which: fn(&PlayerState) -> bool| {
        i64::try_from(whole.players.iter().filter(|(_, player)| which(player)).count()).unwrap_or(i64::MAX)
    };
    let sum = |of: fn(&PlayerState) -> u32| -> i64 {
        whole.players.iter().map(|(_, player)| i64::from(of(player))).sum()
    };
    let (spent, chain) = (tally.spent(), whole.come_to.chain);
    tx.execute(
        "UPDATE play_rounds
         SET chain_place = $3, chain_link = $4, spent_total = $5, spent_day = $6, spent_day_no = $7, spent_points = $8,
             draws = $9, players = $10, winners = $11, wins = $12
         WHERE activity_id = $1 AND round = $2",
        params![
            activity,
            round,
            as_i64(chain.place),
            chain.link.0,
            as_i64(spent.total_minor),
            as_i64(spent.day_minor),
            tally.day(),
            as_i64(spent.fallback_points),
            sum(|player| player.account.draws),
            count(|player| player.account.draws > 0),
            count(|player| player.account.won > 0),
            sum(|player| player.account.won)
        ],
    )
    .await?;
    let prizes = tally.prizes().map(|(prize, tally)| -> [Value; 7] {
        [
            activity.into(),
            round.into(),
            u32::from(prize.number()).into(),
            as_i64(tally.given).into(),
            tally.hour.into(),
            tally.in_hour.into(),
            i64::from(tally.withdrawn).into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO play_prizes (activity_id, round, prize_id, given, hour, in_hour, withdrawn)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (activity_id, round, prize_id) DO UPDATE
         SET given = excluded.given, hour = excluded.hour, in_hour = excluded.in_hour, withdrawn = excluded.withdrawn",
        prizes.collect::<Vec<_>>(),
    )
    .await?;
    players(tx, whole).await?;
    tickets(tx, activity, round).await
}

/// Those whose rows are otherwise, and those who have none.
async fn players(tx: &Tx<'_>, whole: &PlayWhole) -> Result<()> {
    let (activity, round) = (whole.activity, whole.round);
    let rows: HashMap<UserId, PlayerState> =
        load::players(tx, (activity, round)).await?.into_iter().collect();
    let differs = |(user, player): &&(UserId, PlayerState)| {
        let row = rows.get(user);
        row.is_none_or(|row| (row.account, row.seat, row.last) != (player.account, player.seat, player.last))
    };
    let wrong = whole.players.iter().filter(differs).map(|(user, player)| -> [Value; 15] {
        let account = &player.account;
        [
            activity.into(),
            round.into(),
            (*user).into(),
            account.bonus.into(),
            account.used.into(),
            account.month_used.into(),
            account.day_used.into(),
            account.day.into(),
            account.draws.into(),
            account.day_draws.into(),
            account.misses.into(),
            account.won.into(),
            as_i64(player.last).into(),
            player.client.map(|client| client.0.to_vec()).into(),
            player.seat.map(domain::player_number::PlayerNumber::number).into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO players (activity_id, round, user_id, bonus, used, month_used, day_used, day, draws, day_draws,
                              misses, won, last_seq, client, seat)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT (activity_id, round, user_id) DO UPDATE
         SET bonus = excluded.bonus, used = excluded.used, month_used = excluded.month_used,
             day_used = excluded.day_used, day = excluded.day, draws = excluded.draws, day_draws = excluded.day_draws,
             misses = excluded.misses, won = excluded.won, last_seq = excluded.last_seq, client = excluded.client,
             seat = excluded.seat",
        wrong.collect::<Vec<_>>(),
    )
    .await
}

struct Ticket {
    made_seq: i64,
    user: UserId,
    version: u32,
    draws: u64,
    made: i64,
    record: Record,
}

/// Draws and wins as the records say.
async fn tickets(tx: &Tx<'_>, activity: ActivityId, round: u32) -> Result<()> {
    let mut after = i64::MIN;
    loop {
        let page = tx
            .all(
                "SELECT made_seq, user_id, version, draws, made, settlement FROM tickets
                 WHERE activity_id = $1 AND round = $2 AND place IS NOT NULL AND made_seq > $3
                 ORDER BY made_seq LIMIT $4",
                params![activity, round, after, PAGE_TICKETS],
                read_ticket,
            )
            .await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.made_seq;
        for ticket in &page {
            let drawn = ticket.record.draws.len();
            if ticket.draws != drawn as u64 {
                let sql = "UPDATE tickets SET draws = $2 WHERE made_seq = $1";
                tx.execute(sql, params![ticket.made_seq, u32::try_from(drawn).unwrap_or(u32::MAX)]).await?;
            }
            wins(tx, activity, round, ticket).await?;
        }
    }
}

/// Each draw of a ticket that won something has its row.
async fn wins(tx: &Tx<'_>, activity: ActivityId, round: u32, ticket: &Ticket) -> Result<()> {
    for (at, drawn) in (0_i64..).zip(ticket.record.draws.iter().map(|draw| draw.drawn)) {
        let Some(prize) = drawn.prize else { continue };
        let (id, number) = (ticket.made_seq * DRAWS_OF_A_TICKET + at, i64::from(prize.number()));
        let there = tx
            .one(
                "SELECT COUNT(*) FROM wins WHERE id = $1 AND activity_id = $2 AND round = $3 AND prize_id = $4",
                params![id, activity, round, number],
                Row::unsigned,
            )
            .await?;
        if there == Some(1) {
            continue;
        }
        let alike = tx
            .one(
                "SELECT cost_minor FROM wins
                 WHERE id = $1 OR (activity_id = $2 AND version = $3 AND prize_id = $4) ORDER BY id = $1 DESC LIMIT 1",
                params![id, activity, ticket.version, number],
                Row::int,
            )
            .await?;
        let cost_minor = match alike {
            Some(cost_minor) => Some(cost_minor),
            None => planned_cost(tx, (activity, ticket.version), prize).await?,
        };
        let Some(cost_minor) = cost_minor else { continue };
        tx.execute(
            "INSERT INTO wins (id, user_id, activity_id, round, version, draw_no, prize_id, points, cost_minor, at_ms)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (id) DO UPDATE
             SET user_id = excluded.user_id, activity_id = excluded.activity_id, round = excluded.round,
                 version = excluded.version, draw_no = excluded.draw_no, prize_id = excluded.prize_id,
                 points = excluded.points, at_ms = excluded.at_ms",
            params![
                id,
                ticket.user,
                activity,
                round,
                ticket.version,
                i64::from(ticket.record.key.n) + at,
                number,
                as_i64(drawn.points),
                cost_minor,
                ticket.made
            ],
        )
        .await?;
    }
    Ok(())
}

/// What a prize costs in a version.
async fn planned_cost(
    tx: &Tx<'_>,
    (activity, version): (ActivityId, u32),
    prize: PrizeId,
) -> Result<Option<i64>> {
    let sql = "SELECT plan FROM activity_versions WHERE activity_id = $1 AND number = $2";
    let Some(bytes) = tx.one(sql, params![activity, version], Row::bytes).await? else { return Ok(None) };
    let plan = Plan::decode(&bytes).map_err(|error| Fault::caused("the plan of a version", error))?;
    Ok(match plan {
        Plan::Instant(strategy) => strategy.prize(prize).map(|prize| as_i64(prize.cost_minor)),
        Plan::Raffle(_) | Plan::Sale(_) => None,
    })
}

fn read_ticket(row: &mut Row) -> Result<Ticket, Fault> {
    let (made_seq, user) = (row.int()?, UserId(row.int()?));
    let (version, draws, made) = (row.u32()?, row.unsigned()?, row.int()?);
    let record = Record::decode(&row.bytes()?).map_err(|error| Fault::caused("a record of draws", error))?;
    Ok(Ticket { made_seq, user, version, draws, made, record })
}
