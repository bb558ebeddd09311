//! The sheet of activities, players and tickets as statements. Rows go in the order of their keys: neighbours share pages.

use super::super::columns::{command_digest, digest, era, key_bytes};
use super::sheet::PlaySheet;
use super::{players, rounds, tickets};
use crate::each::once_each;
use crate::failure::Result;
use crate::params;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// Tickets first: they look up what rounds and players were before the batch.
pub(in super::super) async fn sheet(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    if sheet.is_empty() {
        return Ok(());
    }
    tickets::write(tx, sheet).await?;
    let won = players::write(tx, sheet).await?;
    rounds::write(tx, sheet, &won.first).await?;
    players::leaders(tx, won).await?;
    if let Some(on) = sheet.halted {
        tx.execute("UPDATE play_switch SET halted = $1", params![on]).await?;
    }
    commands(tx, sheet).await
}

async fn commands(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    let rows = sheet.commands.iter().map(|command| -> [Value; 13] {
        [
            as_i64(command.seq).into(),
            key_bytes(command.key),
            digest(command.key.fingerprint()),
            command_digest(command.digest),
            command.activity.0.into(),
            command.round.into(),
            command.kind.into(),
            command.granted.map(|(user, _)| user.0).into(),
            command.granted.map(|(_, chances)| chances).into(),
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
        rows,
    )
    .await
}
