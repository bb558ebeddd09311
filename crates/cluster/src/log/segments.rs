//! Segments are made before they are needed and dropped when they are no longer: never by a commit, and never so that one
//! would wait for it.

use ledger::LogError;

use super::connection::LogConnection;
use super::postgres_log::LogShared;
use super::reader::begun_segments;
use super::tables::{drop_segment, make_segment};

/// Segments that are ready beyond the one being written.
const AHEAD: u64 = 2;
/// How long a drop waits for somebody who reads the segment; then the next round tries again.
const DROP_WAIT_MS: u32 = 250;

/// One round.
pub(super) fn tend(connection: &LogConnection, shared: &LogShared) -> Result<(), LogError> {
    connection.check_durability()?;
    let shard = shared.settings.shard;
    let begun = begun_segments(connection, shard)?;
    let written = begun.last().map_or(0, |last| last.segment);
    for segment in shared.made_through().max(written) + 1..=written + AHEAD {
        let make = make_segment(shard, segment);
        connection.run(move |client| async move { client.batch_execute(&make).await })?;
        shared.note_made(segment);
    }
    let keeps_from = shared.projected().saturating_sub(shared.settings.margin_events);
    for pair in begun.windows(2) {
        // Everything in the first of two lies before the second.
        if pair[1].first_seq > keeps_from + 1 {
            break;
        }
        let drop = drop_segment(shard, pair[0].segment, DROP_WAIT_MS);
        connection.run(move |client| async move { client.batch_execute(&drop).await })?;
    }
    Ok(())
}
