//! Leased node ids.

use std::collections::BTreeSet;

use futures::future::join_all;
use store::Db;

use crate::fixtures::*;

on_both! {
    the_lowest_free_number_is_leased,
    fifty_at_once_get_fifty_numbers,
}

async fn the_lowest_free_number_is_leased(db: &Db) {
    for (holder, after_ms, node) in [
        ("a", 0, 0),
        ("b", 0, 1),
        ("a", 500, 0),
        // b's lease has run out, a's has not.
        ("c", 1_000, 1),
        ("b", 1_000, 2),
        ("a", 1_200, 0),
        // Its own that ran out is still free to it.
        ("a", 9_000, 0),
    ] {
        let lease = db.node_lease(holder.into(), T0 + after_ms, 1_000).await.unwrap();
        assert_eq!((lease.node, lease.ends), (node, T0 + after_ms + 1_000), "{holder} {after_ms}");
    }
}

async fn fifty_at_once_get_fifty_numbers(db: &Db) {
    let leases = join_all((0..50).map(|n| db.node_lease(format!("n{n}"), T0, 1_000))).await;
    let nodes: BTreeSet<i64> = leases.into_iter().map(|lease| lease.unwrap().node).collect();
    assert_eq!(nodes, (0..50).collect());
}
