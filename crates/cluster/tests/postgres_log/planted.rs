//! The commit statement is run as it is, and with each of its conditions taken out: without the term or the digest a writer
//! that was replaced forks the log, so each condition is needed, and these tests would see it go.

use domain::ledger::BlockDigest;
use tokio_postgres::Client;
use windfall_cluster::log::commit_statement;
use windfall_cluster::shard::ShardNumber;

use crate::place::{Place, SHARD, connect, on_thread};

/// What a writer believes, and the one event that it appends.
#[derive(Clone, Copy, Debug)]
struct Belief {
    term: u32,
    last_seq: u64,
    digest: BlockDigest,
}

/// What the head is, as seen from the writer that appends.
#[derive(Clone, Copy, Debug)]
enum HeadIs {
    AsBelieved,
    /// Somebody claimed since.
    OfALaterTerm,
    /// A failover lost the claim and its block; the next claim got the same term, and its first block the same number.
    OfAnotherHistory,
    /// A commit in doubt came through.
    FurtherOn,
}

const MINE: BlockDigest = BlockDigest([7; 32]);
const BELIEF: Belief = Belief { term: 4, last_seq: 10, digest: MINE };

/// Whether a block is appended by this statement.
async fn appends(client: &Client, statement: &str, head: HeadIs) -> bool {
    let (term, last_seq, digest) = match head {
        HeadIs::AsBelieved => (4_i64, 10_i64, MINE),
        HeadIs::OfALaterTerm => (5, 10, MINE),
        HeadIs::OfAnotherHistory => (4, 10, BlockDigest([8; 32])),
        HeadIs::FurtherOn => (4, 12, MINE),
    };
    client.batch_execute(&format!("DELETE FROM windfall_log.blocks_{SHARD}_1")).await.unwrap();
    let (shard, kept): (i16, &[u8]) = (SHARD.into(), &digest.0);
    let put = "UPDATE windfall_log.heads SET term = $2, last_seq = $3, digest = $4 WHERE shard = $1";
    client.execute(put, &[&shard, &term, &last_seq, &kept]).await.unwrap();
    let (term, before) = (i64::from(BELIEF.term), i64::try_from(BELIEF.last_seq).unwrap());
    let after = before + 1;
    let digest = BELIEF.digest.next(BELIEF.term, 11, 11, b"block").0;
    let (old, new): (&[u8], &[u8]) = (&BELIEF.digest.0, &digest);
    let (firsts, lasts, olds, news, bytes) =
        (vec![after], vec![after], vec![old], vec![new], vec![&b"block"[..]]);
    let inserted = client
        .execute(
            statement,
            &[&shard, &term, &before, &old, &after, &new, &firsts, &lasts, &olds, &news, &bytes],
        )
        .await
        .unwrap();
    inserted == 1
}

/// Which heads the statement appends to, of the four.
fn appended(edit: Option<(&'static str, &'static str)>) -> Vec<bool> {
    let place = Place::new();
    let log = place.log();
    log.writer().unwrap();
    log.tend().unwrap();
    let url = place.url();
    on_thread(async move || {
        let client = connect(&url).await;
        let mut statement = commit_statement(ShardNumber::new(SHARD).unwrap(), 1, false);
        if let Some((from, to)) = edit {
            assert_eq!(statement.matches(from).count(), 1, "{from:?} is in the statement once");
            statement = statement.replace(from, to);
        }
        let heads = [HeadIs::AsBelieved, HeadIs::OfALaterTerm, HeadIs::OfAnotherHistory, HeadIs::FurtherOn];
        let mut appended = Vec::new();
        for head in heads {
            appended.push(appends(&client, &statement, head).await);
        }
        appended
    })
}

#[test]
fn a_commit_goes_behind_what_its_writer_believes_and_nowhere_else() {
    assert_eq!(appended(None), [true, false, false, false]);
}

#[test]
fn every_planted_fault_is_found() {
    for (what, edit, forks) in [
        (
            "no term in the commit",
            (" AND term = $2", " AND $2::BIGINT IS NOT NULL"),
            [true, true, false, false],
        ),
        (
            "no digest in the commit",
            (" AND digest = $4", " AND $4::BYTEA IS NOT NULL"),
            [true, false, true, false],
        ),
        (
            "no number in the commit",
            (" AND last_seq = $3", " AND $3::BIGINT IS NOT NULL"),
            [true, false, false, true],
        ),
    ] {
        assert_eq!(appended(Some(edit)), forks, "{what}");
    }
}
