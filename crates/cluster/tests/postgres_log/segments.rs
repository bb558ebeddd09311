//! Segments are made ahead, hold their blocks uncompressed, and go when they lie a margin behind the projection.

use domain::ledger::Ledger;
use ledger::{Log, LogError};

use crate::place::{Place, SHARD, append, blocks, fresh};
use crate::support::{open, reserve};

const HOUR_MS: i64 = 3_600_000;

#[test]
fn a_log_of_many_segments_reads_as_one_and_loses_its_beginning() {
    let place = Place::new();
    // Every block fills a segment.
    let log = place.log_with(|settings| {
        settings.segment_bytes = 1;
        settings.margin_events = 3;
    });
    let mut writer = log.writer().unwrap();
    writer.claim(0, 0).unwrap();
    let asks = (0..9).map(|n| reserve(&n.to_string(), 1, HOUR_MS));
    let written = blocks(1, fresh(), std::iter::once(open(100)).chain(asks));
    for block in &written {
        writer.append(&[block]).unwrap();
        log.tend().unwrap();
    }
    let segments = || {
        place.query(&format!("SELECT segment FROM windfall_log.segments WHERE shard = {SHARD} ORDER BY 1"))
    };
    assert_eq!(segments().len(), 11 + 2, "one for each block, and two ahead");
    let reader = log.reader().unwrap();
    assert_eq!(reader.read_after(0, 1_000).unwrap().len(), 11);
    assert_eq!(reader.read_after(4, 3).unwrap().iter().map(|event| event.seq).collect::<Vec<_>>(), [5, 6, 7]);
    let mut folded = fresh();
    ledger::log::replay(reader.as_ref(), &mut folded, |_| {}).unwrap();
    assert_eq!(folded.seq(), 11);

    // Projected to event 8, with a margin of three: what is at or before event 5 goes.
    writer.drop_through(8).unwrap();
    log.tend().unwrap();
    assert_eq!(segments().first().map(String::as_str), Some("6"));
    let read = reader.read_after(4, 10);
    assert!(matches!(read, Err(LogError::Gap { wanted: 5, first: 6 })), "{read:?}");
    assert_eq!(reader.read_after(5, 100).unwrap().len(), 6);
    // A later life goes on behind what is left.
    let claim = place.log().writer().unwrap().claim(1, 8).unwrap();
    assert_eq!(claim.term, 2);
}

/// Somebody reads a segment for long: the drop gives up, and a commit does not wait for either.
#[test]
fn a_drop_that_has_to_wait_gives_up_and_is_tried_again() {
    let place = Place::new();
    let log = place.log_with(|settings| {
        settings.segment_bytes = 1;
        settings.margin_events = 0;
    });
    let mut writer = log.writer().unwrap();
    writer.claim(0, 0).unwrap();
    let written = blocks(1, fresh(), [open(10), reserve("a", 1, HOUR_MS), reserve("b", 1, HOUR_MS)]);
    append(writer.as_mut(), &written[..1]).unwrap();
    append(writer.as_mut(), &written[1..2]).unwrap();
    writer.drop_through(2).unwrap();
    let reading = place.hold(&format!("BEGIN; SELECT * FROM windfall_log.blocks_{SHARD}_1"));
    assert!(log.tend().is_err(), "the segment is being read");
    append(writer.as_mut(), &written[2..]).unwrap();
    drop(reading);
    log.tend().unwrap();
    assert!(matches!(log.reader().unwrap().read_after(0, 10), Err(LogError::Gap { .. })));
}

#[test]
fn blocks_are_stored_as_they_are() {
    let place = Place::new();
    let mut writer = place.log().writer().unwrap();
    writer.claim(0, 0).unwrap();
    append(writer.as_mut(), &blocks(1, Ledger::new(domain::ledger::Limits::default()), [])).unwrap();
    let storage = format!(
        "SELECT attstorage FROM pg_attribute WHERE attrelid = 'windfall_log.blocks_{SHARD}_1'::regclass AND attname = 'bytes'"
    );
    assert_eq!(place.query(&storage), ["e"]);
}
