//! The numbers of waiting rooms: none is given twice, whoever asks at once.

use std::collections::BTreeSet;

use domain::ids::ActivityId;
use futures::future::join_all;
use store::Db;

on_both! {
    numbers_go_on_behind_all_that_were_taken,
    fifty_at_once_get_blocks_of_their_own,
}

async fn numbers_go_on_behind_all_that_were_taken(db: &Db) {
    for (sale, round, count, expected) in
        [(7, 1, 10, 1..11), (7, 1, 5, 11..16), (7, 2, 10, 1..11), (8, 1, 1, 1..2), (7, 1, 1, 16..17)]
    {
        assert_eq!(
            db.numbers_take(ActivityId(sale), round, count).await.unwrap(),
            expected,
            "{sale} {round}"
        );
    }
}

async fn fifty_at_once_get_blocks_of_their_own(db: &Db) {
    let taken = join_all((0..50).map(|_| db.numbers_take(ActivityId(7), 1, 10))).await;
    let numbers: Vec<i64> = taken.into_iter().flat_map(Result::unwrap).collect();
    let distinct: BTreeSet<i64> = numbers.iter().copied().collect();
    assert_eq!((numbers.len(), distinct.len()), (500, 500));
    assert_eq!((distinct.first(), distinct.last()), (Some(&1), Some(&500)), "and none is left out");
}
