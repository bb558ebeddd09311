//! A log that lost what was acknowledged serves nobody.

use std::sync::Arc;

use domain::ledger::BlockDigest;
use ledger::{Log, LogError};
use windfall_cluster::log::KeptPosition;

use crate::place::{Place, SHARD, append, blocks, fresh};
use crate::support::{open, reserve};

const HOUR_MS: i64 = 3_600_000;

/// A claim with the digest of the block at event 2 kept by the projection, after the log was changed by a statement.
fn claim_after(sql: &str, change: impl FnOnce(&mut KeptPosition)) -> Result<u32, LogError> {
    let place = Place::new();
    let log = place.log();
    let mut writer = log.writer().unwrap();
    writer.claim(0, 0).unwrap();
    append(writer.as_mut(), &blocks(1, fresh(), [open(10), reserve("a", 1, HOUR_MS)])).unwrap();
    let digest = log.reader().unwrap().digest_at(2).unwrap();
    let mut kept = KeptPosition { keeper: "the projection", seq: 2, term: 1, digest };
    assert!(digest.is_some());
    change(&mut kept);
    if !sql.is_empty() {
        place.query(&sql.replace("blocks", &format!("windfall_log.blocks_{SHARD}_1")));
    }
    let log = place.log_with(|settings| settings.kept = Arc::new(move || Ok(vec![kept])));
    let claim = log.writer().unwrap().claim(1, 2)?;
    Ok(claim.term)
}

#[test]
fn a_claim_compares_the_log_with_every_position_that_was_kept() {
    let lose = "UPDATE windfall_log.heads SET last_seq = 1; DELETE FROM blocks WHERE first_seq > 1";
    let other = "UPDATE blocks SET digest = digest_before WHERE first_seq = 2";
    for (what, sql, change, expected) in [
        ("as it was", "", (|_| {}) as fn(&mut KeptPosition), true),
        ("without a digest", "", |kept| kept.digest = None, true),
        ("its last commits are gone", lose, |_| {}, false),
        ("another block under the same number and term", other, |_| {}, false),
        ("another digest was kept", "", |kept| kept.digest = Some(BlockDigest([1; 32])), false),
        ("a later term was kept", "", |kept| kept.term = 2, false),
        ("a position beyond the end was kept", "", |kept| kept.seq = 9, false),
    ] {
        let claimed = claim_after(sql, change);
        assert_eq!(claimed.is_ok(), expected, "{what}: {claimed:?}");
        assert!(expected || matches!(claimed, Err(LogError::Rewound { .. })), "{what}: {claimed:?}");
    }
}

/// Rows without their journal are for one process; here somebody has to decide.
#[test]
fn a_log_never_goes_on_behind_the_rows() {
    let place = Place::new();
    let claimed = place.log().writer().unwrap().claim(3, 100);
    assert!(matches!(claimed, Err(LogError::Rewound { seq: 100, term: 3, .. })), "{claimed:?}");
}

#[test]
fn a_block_that_does_not_continue_the_one_before_is_not_read() {
    let place = Place::new();
    let log = place.log();
    let mut writer = log.writer().unwrap();
    writer.claim(0, 0).unwrap();
    append(writer.as_mut(), &blocks(1, fresh(), [open(10), reserve("a", 1, HOUR_MS)])).unwrap();
    assert_eq!(log.reader().unwrap().read_after(0, 100).unwrap().len(), 3);
    place.query(&format!("DELETE FROM windfall_log.blocks_{SHARD}_1 WHERE first_seq = 2"));
    let read = log.reader().unwrap().read_after(0, 100);
    assert!(matches!(read, Err(LogError::Failed(_))), "{read:?}");
}
