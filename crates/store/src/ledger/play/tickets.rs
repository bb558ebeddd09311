//! Tickets and wins as statements.

use super::super::columns::{command_digest, digest, era, key_bytes};
use super::sheet::PlaySheet;
use crate::each::once_each;
use crate::failure::Result;
use crate::steps::fulfilments;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// Rounds and players are as they were before the batch: what it does not tell of a ticket is looked up there.
pub(super) async fn write(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    let rows = sheet.tickets.iter().map(|ticket| -> [Value; 16] {
        let key = ticket.taking.key;
        [
            as_i64(ticket.made_seq).into(),
            key_bytes(key),
            digest(key.fingerprint()),
            command_digest(ticket.taking.digest),
            ticket.taking.user.0.into(),
            ticket.taking.activity.0.into(),
            ticket.round.into(),
            ticket.version.into(),
            ticket.taking.first.into(),
            ticket.taking.draws.count().into(),
            ticket.made.into(),
            ticket.before.map(as_i64).into(),
            ticket.settlement.map_or(Vec::new(), |settlement| settlement.bytes().to_vec()).into(),
            ticket.receipt.map(|receipt| as_i64(receipt.place)).into(),
            ticket.receipt.map(|receipt| receipt.link.0).into(),
            era(ticket.made_seq).into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO tickets (made_seq, ticket_key, fingerprint, body, user_id, activity_id, round, version, first_draw,
                              draws, made, before_seq, settled_seq, settled, settlement, place, link, era)
         VALUES ($1, $2, $3, $4, $5, $6, $7,
                 COALESCE($8, (SELECT version FROM play_rounds WHERE activity_id = $6 AND round = $7)), $9, $10, $11,
                 COALESCE($12, (SELECT last_seq FROM players WHERE activity_id = $6 AND round = $7 AND user_id = $5), 0),
                 $1, $11, $13, $14, $15, $16)",
        rows,
    )
    .await?;
    wins(tx, sheet).await
}

async fn wins(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    let rows = sheet.wins.iter().map(|win| -> [Value; 10] {
        [
            win.id.into(),
            win.user.0.into(),
            win.activity.0.into(),
            win.round.into(),
            win.version.into(),
            win.draw.into(),
            u32::from(win.prize.number()).into(),
            as_i64(win.points).into(),
            as_i64(win.cost_minor).into(),
            win.at.into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO wins (id, user_id, activity_id, round, version, draw_no, prize_id, points, cost_minor, at_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        rows,
    )
    .await?;
    fulfilments::begin(tx, &sheet.wins).await
}
