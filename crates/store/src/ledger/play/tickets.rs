//! Tickets and wins as statements.

use std::collections::{HashMap, HashSet};

use domain::ledger::Key;

use super::super::columns::{as_i64, digest, era, key_bytes};
use super::super::each::once_each;
use super::sheet::{PlaySheet, Settled};
use crate::failure::Result;
use crate::steps::fulfilments;
use crate::tx::Tx;
use crate::value::Value;

/// A ticket that the batch took and settled is written as it was settled. Rounds and players are as they were before
/// the batch: what it does not tell of a ticket is looked up there.
pub(super) async fn write(tx: &Tx<'_>, sheet: &PlaySheet<'_>) -> Result<()> {
    let ends: HashMap<u64, &Settled<'_>> =
        sheet.settled.iter().map(|settled| (settled.made_seq, settled)).collect();
    let made = sheet.taken.iter().map(|taken| -> [Value; 18] {
        let key = taken.taking.key;
        let later = || ends.get(&taken.made_seq).copied().filter(|end| end.key == key);
        let end = taken.end.as_ref().or_else(later);
        let [settled_seq, settled, settlement, era] = end_columns(end, taken.made_seq);
        [
            as_i64(taken.made_seq).into(),
            key_bytes(key),
            digest(key.fingerprint()),
            digest(taken.taking.body),
            taken.taking.user.0.into(),
            taken.taking.activity.0.into(),
            taken.round.into(),
            taken.version.into(),
            taken.taking.first.into(),
            taken.taking.draws.count().into(),
            taken.made.into(),
            taken.before.map(as_i64).into(),
            settled_seq,
            settled,
            settlement,
            taken.receipt.map(|receipt| as_i64(receipt.place)).into(),
            taken.receipt.map(|receipt| receipt.link.0).into(),
            era,
        ]
    });
    let here: HashSet<(u64, Key)> = match sheet.settled.as_slice() {
        [] => HashSet::new(),
        _ => sheet.taken.iter().map(|taken| (taken.made_seq, taken.taking.key)).collect(),
    };
    let earlier = sheet.settled.iter().filter(|end| !here.contains(&(end.made_seq, end.key)));
    let earlier = earlier.map(|end| -> [Value; 6] {
        let [settled_seq, settled, settlement, era] = end_columns(Some(end), end.made_seq);
        [as_i64(end.made_seq).into(), key_bytes(end.key), settled_seq, settled, settlement, era]
    });
    // The old ones first: a player who settles and takes another has one open ticket all the time.
    once_each(
        tx,
        "UPDATE tickets SET settled_seq = $3, settled = $4, settlement = $5, era = $6
         WHERE made_seq = $1 AND ticket_key = $2 AND settled_seq IS NULL",
        earlier,
    )
    .await?;
    once_each(
        tx,
        "INSERT INTO tickets (made_seq, ticket_key, fingerprint, body, user_id, activity_id, round, version, first_draw,
                              draws, made, before_seq, settled_seq, settled, settlement, place, link, era)
         VALUES ($1, $2, $3, $4, $5, $6, $7,
                 COALESCE($8, (SELECT version FROM play_rounds WHERE activity_id = $6 AND round = $7)), $9, $10, $11,
                 COALESCE($12, (SELECT last_seq FROM players WHERE activity_id = $6 AND round = $7 AND user_id = $5), 0),
                 $13, $14, $15, $16, $17, $18)",
        made,
    )
    .await?;
    wins(tx, sheet).await
}

/// The three columns that are null while a ticket is open, and the era.
fn end_columns(end: Option<&Settled<'_>>, made_seq: u64) -> [Value; 4] {
    let bytes =
        |end: &Settled<'_>| end.settlement.map_or(Vec::new(), |settlement| settlement.bytes().to_vec());
    [
        end.map(|end| as_i64(end.seq)).into(),
        end.map(|end| end.at).into(),
        end.map(bytes).into(),
        era(end.map_or(made_seq, |end| end.seq)).into(),
    ]
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
