//! A disk without room: what was told is there, and it ends.

use domain::ledger::Answer;
use ledger::NoAnswer;

use crate::place::Place;
use crate::support::{ROOMY, accepted, ask, hold, open, reserve, until};

const HOUR_MS: i64 = 3_600_000;

#[tokio::test]
async fn a_full_disk_loses_nothing_and_ends() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(1_000_000)).await.unwrap();
    ledger.set_journal_pages_max(1);
    let (mut told, mut unknown) = (Vec::new(), 0);
    for n in 0..200 {
        let id = format!("full/{n}");
        match ask(&ledger, reserve(&id, 1, HOUR_MS)).await {
            Ok(Answer::Accepted { .. }) => told.push(id),
            Err(NoAnswer::Unknown | NoAnswer::Unavailable) => unknown += 1,
            other => panic!("{other:?}"),
        }
        if unknown >= 3 {
            break;
        }
    }
    assert!(unknown >= 3, "a journal that may not grow refuses");
    assert!(ledger.trouble().unwrap().starts_with("disk_full"), "{:?}", ledger.trouble());

    ledger.set_journal_pages_max(ROOMY);
    until("the trouble is over", || ledger.trouble().is_none()).await;
    assert!(accepted(&ask(&ledger, reserve("after", 1, HOUR_MS)).await), "it goes on when there is room");
    let replayed = place.replayed();
    for id in &told {
        assert!(replayed.hold(hold(id)).is_some(), "{id} was told and is gone");
    }
    let pool = place.pool();
    assert_eq!(pool.total, pool.available + pool.held);
}
