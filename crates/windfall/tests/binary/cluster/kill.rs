//! The node that leads is killed again and again, while clients ask whoever is there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use serde_json::json;
use testkit::wait;
use tokio::task::JoinSet;

use super::fixtures::{Cluster, Lease};
use crate::kill::client::{Client, Random};
use crate::kill::op::POOLS;
use crate::kill::suite::{TOTAL, counters, every_hold_is_as_told, seed};
use crate::process::LIMIT;

const NODES: usize = 3;
const CLIENTS: usize = 6;
/// Each waits for a lease; `WINDFALL_KILLS` says how many a longer run has.
const KILLS: u64 = 3;
/// Answers under one leader, at most.
const ANSWERS_MAX: u64 = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leader_that_is_killed_is_replaced_and_nothing_told_is_lost() {
    let Some(mut cluster) = Cluster::start(NODES, Lease::Short).await else { return };
    let seed = seed();
    println!("WINDFALL_SEED={seed}");
    let (mut random, key) = (Random(seed), cluster.key().await);
    for (n, name) in POOLS.iter().enumerate() {
        let open = json!({ "id": format!("open-{n}"), "name": name, "total": TOTAL });
        cluster.backend(0, &key).post("/pools", open).expect(201).await;
    }
    let (answers, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let backends: Vec<_> = (0..NODES).map(|at| cluster.backend(at, &key)).collect();
    let mut crowd: JoinSet<Client> = (0..CLIENTS)
        .map(|name| {
            let client = Client::new(name, seed);
            client.go_anywhere(backends.clone(), Arc::clone(&answers), Arc::clone(&stop))
        })
        .collect();
    let kills = std::env::var("WINDFALL_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    for _ in 0..kills {
        let enough = answers.load(Ordering::Relaxed) + 1 + random.below(ANSWERS_MAX);
        more(&mut crowd, &answers, enough).await;
        let leader = cluster.leader().await;
        cluster.kill(leader).await;
        let (killed, before) = (Instant::now(), answers.load(Ordering::Relaxed));
        // One answer of each client may have been on its way.
        more(&mut crowd, &answers, before + CLIENTS as u64 + 1).await;
        println!("answered again {:?} after a kill", killed.elapsed());
        cluster.start_node(leader).await;
        cluster.ready(leader).await;
    }
    stop.store(true, Ordering::Relaxed);
    let clients = crowd.join_all().await;

    let backend = cluster.backend(cluster.leader().await, &key);
    for client in &clients {
        every_hold_is_as_told(&backend, client).await;
    }
    for (name, expected) in POOLS.iter().zip(&counters(&clients)) {
        let found = backend.counters(name).await;
        assert_eq!(&found, expected, "{name}");
    }
    let sold_out: u64 = clients.iter().map(|client| client.sold_out).sum();
    let holds: usize = clients.iter().map(|client| client.holds.len()).sum();
    println!("{holds} holds, {sold_out} times sold out, {} answers", answers.load(Ordering::Relaxed));
    assert!(sold_out > 0, "the pools were empty at times: overselling was possible");
}

/// Waits until there were so many answers; no client gives up meanwhile.
async fn more(crowd: &mut JoinSet<Client>, answers: &AtomicU64, enough: u64) {
    let mut reached = || {
        assert!(crowd.try_join_next().is_none(), "a client gave up");
        (answers.load(Ordering::Relaxed) >= enough).then_some(())
    };
    wait::until(LIMIT, "more answers", &mut reached).await.unwrap();
}
