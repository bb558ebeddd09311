//! What a node needs to be told, and what it refuses.

use super::fixtures::{Cluster, Lease};
use crate::process::Home;

/// Settings that do not fit together, by what the refusal names.
#[test]
fn a_node_without_its_database_or_address_does_not_start() {
    let node = [
        ("WINDFALL__PROFILE", "cluster"),
        ("WINDFALL__POSTGRES__URL", "postgres://127.0.0.1:1/nowhere"),
        ("WINDFALL__CLUSTER__ADDRESS", "http://127.0.0.1:1"),
    ];
    for (more, word) in [
        (("WINDFALL__POSTGRES__URL", ""), "postgres.url"),
        (("WINDFALL__CLUSTER__ADDRESS", ""), "cluster.address"),
        (("WINDFALL__CLUSTER__ADDRESS", "10.0.0.2:80"), "cluster.address"),
        (("WINDFALL__STANDBY__FOLDER", "elsewhere"), "standby.folder"),
        (("WINDFALL__BACKUP__FOLDER", "elsewhere"), "backup.folder"),
        (("WINDFALL__CLUSTER__RENEW_MS", "700"), "cluster.renew_ms"),
        (("WINDFALL__CLUSTER__STANDBY", "perhaps"), "cluster.standby"),
    ] {
        let mut home = Home::with(&node);
        home.set(more.0, more.1);
        home.run(&["serve"]).refused(word);
        assert!(!home.data().exists(), "{more:?} made no data folder");
    }
    // What works on a data folder says where to go instead.
    Home::with(&node).run(&["admin", "list-users"]).refused("cluster_profile");
}

/// A node with another key file would not find anybody: it does not start, and the cluster goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_with_another_key_file_never_leads() {
    let Some(mut cluster) = Cluster::start(2, Lease::Long).await else { return };
    let (leader, key) = (cluster.leader().await, cluster.key().await);
    let (other, pool) = (1 - leader, cluster.backend(leader, &key).pool(3).await);
    let server = cluster.nodes[other].server.take().unwrap();
    assert!(server.stop().await.success());
    let own = cluster.nodes[other].home.path().join("own.key").display().to_string();
    cluster.nodes[other].home.set("WINDFALL__DATA__KEY_FILE", &own);
    cluster.start_node(other).await;
    cluster.ready(other).await;
    // It hands requests on all the same; but the lead is not for it.
    assert_eq!(cluster.backend(other, &key).counters(&pool).await, [3, 3, 0, 0]);
    let server = cluster.nodes[leader].server.take().unwrap();
    assert!(server.stop().await.success());
    let ended = cluster.nodes[other].server.take().unwrap().ended().await;
    assert!(!ended.success());
    let log = cluster.nodes[other].home.log();
    assert!(log.contains("key_file_mismatch"), "{log}");
    // The right one takes over again.
    cluster.start_node(leader).await;
    cluster.ready(leader).await;
    assert_eq!(cluster.backend(leader, &key).counters(&pool).await, [3, 3, 0, 0]);
}
