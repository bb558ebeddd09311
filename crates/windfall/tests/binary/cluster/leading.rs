//! One node leads, and every node answers.

use std::time::Instant;

use serde_json::json;

use super::fixtures::{Cluster, Lease};
use crate::client::Call;
use crate::people::fresh_external;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_is_asked_every_node_knows() {
    let Some(cluster) = Cluster::start(3, Lease::Long).await else { return };
    let (leader, key) = (cluster.leader().await, cluster.key().await);
    let pool = cluster.backend(leader, &key).pool(10).await;
    for at in 0..3 {
        let backend = cluster.backend(at, &key);
        let id = fresh_external();
        backend.reserve(&id, &pool, 1).expect(201).await;
        for other in 0..3 {
            let asked = cluster.backend(other, &key).get(&format!("/holds/{id}")).expect(200).await;
            assert_eq!(asked.json()["state"], "held", "written at {at}, read at {other}");
        }
        // A page, a problem with its language, and an answer without a body.
        let page = Call::to(cluster.nodes[at].address, "GET", "/".to_owned()).expect(200).await;
        assert!(page.header("content-type").starts_with("text/html"), "{:?}", page.headers);
        let unknown =
            backend.get("/holds/nobody").header("accept-language", "zh").refused(404, "hold_unknown").await;
        assert_eq!(unknown.header("content-language"), "zh-CN");
    }
    assert_eq!(cluster.backend(0, &key).counters(&pool).await, [10, 7, 3, 0]);

    for at in (0..3).filter(|at| *at != leader) {
        let says = cluster.readiness(at).await.unwrap();
        assert_eq!(says["parts"], json!({ "accepting": "ok", "leader": "ok", "log": "ok" }));
        // The command line is told where to go.
        let elsewhere =
            cluster.server(at).console("GET", "/admin/keys").refused(409, "leader_elsewhere").await;
        let address = format!("http://{}", cluster.nodes[leader].address);
        assert!(elsewhere.text().contains(&address), "{}", elsewhere.text());
        // What another node hands on is not handed on again.
        let declined = Call::to(cluster.nodes[at].address, "GET", "/api/v1/time".to_owned())
            .header("windfall-forwarded", "1")
            .refused(503, "no_leader")
            .await;
        assert_eq!(declined.header("windfall-not-led"), "1");
    }
}

/// A leader that is told to stop gives the lead away when it has finished; nobody waits for its lease.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leader_that_stops_hands_over() {
    let Some(mut cluster) = Cluster::start(2, Lease::Long).await else { return };
    let (leader, key) = (cluster.leader().await, cluster.key().await);
    let (other, pool) = (1 - leader, cluster.backend(leader, &key).pool(5).await);
    let id = fresh_external();
    cluster.backend(leader, &key).reserve(&id, &pool, 2).expect(201).await;
    let server = cluster.nodes[leader].server.take().unwrap();
    server.signal("TERM");
    let started = Instant::now();
    // Asked while nobody leads: it waits, and is answered.
    let told = cluster.backend(other, &key).reserve(&fresh_external(), &pool, 1).expect(201).await;
    println!("served {:?} after the signal", started.elapsed());
    assert_eq!(told.json()["state"], "held");
    assert!(server.ended().await.success());
    assert_eq!(cluster.leader().await, other);
    assert_eq!(cluster.backend(other, &key).counters(&pool).await, [5, 2, 3, 0]);
    let kept = cluster.backend(other, &key).get(&format!("/holds/{id}")).expect(200).await;
    assert_eq!(kept.json()["state"], "held");
    // The one that stopped comes back, and follows.
    cluster.start_node(leader).await;
    cluster.ready(leader).await;
    assert_eq!(cluster.leader().await, other);
    assert_eq!(cluster.backend(leader, &key).counters(&pool).await, [5, 2, 3, 0]);
}

/// Whoever wakes after another has taken over says nothing of what it remembers, writes nothing, and ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leader_that_was_paused_tells_nothing_when_it_wakes() {
    let Some(mut cluster) = Cluster::start(2, Lease::Short).await else { return };
    let (leader, key) = (cluster.leader().await, cluster.key().await);
    let (other, pool) = (1 - leader, cluster.backend(leader, &key).pool(1).await);
    cluster.server(leader).pause().await;
    // Its system still takes connections; the request waits there until another node leads.
    let (before, last) = (cluster.backend(leader, &key), fresh_external());
    let late = tokio::spawn(before.reserve(&last, &pool, 1).attempt());
    // Handed on to the one that is paused, a write is `outcome_unknown` once another leads; repeated, it gets the truth.
    let (backend, id) = (cluster.backend(other, &key), fresh_external());
    let told = backend.reserve(&id, &pool, 1).attempt().await.unwrap();
    if told.status != 201 {
        assert_eq!((told.status, told.code()), (503, "outcome_unknown".to_owned()));
        backend.reserve(&id, &pool, 1).expect(201).await;
    }
    assert_eq!(cluster.leader_but(leader).await, other);

    cluster.server(leader).signal("CONT");
    let paused = cluster.nodes[leader].server.take().unwrap();
    if let Some(told) = late.await.unwrap() {
        assert_eq!(told.status, 503, "the one piece is gone, and it cannot know: {}", told.text());
    }
    assert!(!paused.ended().await.success());
    let log = cluster.nodes[leader].home.log();
    assert!(log.contains("another node leads") || log.contains("lead is over"), "{log}");
    assert_eq!(cluster.backend(other, &key).counters(&pool).await, [1, 0, 1, 0]);
    cluster.backend(other, &key).get(&format!("/holds/{last}")).refused(404, "hold_unknown").await;
}
