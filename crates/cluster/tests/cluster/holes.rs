//! The holes of designs on Redis, each with the test that keeps it closed: see `docs/holes.md`.

use std::collections::HashSet;
use std::net::TcpListener;

use domain::ledger::Limits;
use engine::ports::Stock;
use testkit::contract::stories::STORIES;
use testkit::contract::{LIMITS, check};
use testkit::wait;
use windfall_cluster::library::SOURCE;
use windfall_cluster::{RedisStock, Shard, StartError};

use crate::subject::{LARGE_POOL, OnRedis, POOL, open, reserve};

/// A missing or evicted key reads as "sold out"; an evicted lock deducts twice.
#[tokio::test]
async fn hole_08_what_is_missing_is_not_sold_out() {
    let Some(mut redis) = OnRedis::new(LIMITS).await else { return };
    redis.ask(open(POOL, 1)).await;
    assert_eq!(redis.ask(reserve("a", LARGE_POOL, 1)).await, "pool_unknown");
    assert_eq!(redis.ask(reserve("a", POOL, 1)).await, "held");
    assert_eq!(redis.ask(reserve("b", POOL, 1)).await, "sold_out 0 left");
    // Any one key that is gone is noticed before anything is decided: nobody is told "sold out", nothing is taken twice.
    let keys = redis.settings.shard.keys();
    for key in &keys[..5] {
        let kept: Vec<u8> = redis::cmd("DUMP").arg(key).query_async(&mut redis.connection).await.unwrap();
        redis::cmd("DEL").arg(key).query_async::<i64>(&mut redis.connection).await.unwrap();
        for id in ["a", "b"] {
            assert_eq!(redis.ask(reserve(id, POOL, 1)).await, "overloaded", "{key}");
        }
        assert!(redis.stock.trouble().is_some(), "{key}");
        let joined = RedisStock::join(redis.settings.clone()).await;
        let named = matches!(joined, Err(StartError::NotLoaded | StartError::Incomplete));
        assert!(named, "{key}: {joined:?}");
        let created = RedisStock::create(redis.settings.clone()).await;
        assert!(matches!(created, Err(StartError::Exists)), "{key}: {created:?}");
        redis::cmd("RESTORE")
            .arg(key)
            .arg(0)
            .arg(kept)
            .query_async::<()>(&mut redis.connection)
            .await
            .unwrap();
    }
    assert_eq!(redis.ask(reserve("a", POOL, 1)).await, "held again");
    assert_eq!(redis.ask(reserve("b", POOL, 1)).await, "sold_out 0 left");
    redis::cmd("DEL").arg(&keys).query_async::<i64>(&mut redis.connection).await.unwrap();
    assert_eq!(redis.ask(reserve("b", POOL, 1)).await, "overloaded");
    assert!(redis.stock.pool(POOL).await.is_err(), "a pool that is not loaded is not a pool that never was");
}

#[tokio::test]
async fn hole_08_a_redis_that_evicts_or_forgets_is_refused() {
    let Some(server) = testkit::Redis::start(&[]).await else { return };
    for (setting, wrong, right, name) in [
        ("maxmemory-policy", "allkeys-lru", "noeviction", "redis_evicts"),
        ("maxmemory-policy", "volatile-lru", "noeviction", "redis_evicts"),
        ("appendonly", "no", "yes", "redis_forgets"),
    ] {
        assert_eq!(server.command(&format!("CONFIG SET {setting} {wrong}")), "OK");
        let settings = windfall_cluster::Settings {
            url: server.url(),
            shard: Shard::new("s0").unwrap(),
            term: 1,
            limits: LIMITS,
        };
        let refused = RedisStock::create(settings).await.map(drop).unwrap_err();
        assert!(refused.to_string().starts_with(name), "{setting} {wrong}: {refused}");
        assert_eq!(server.command("DBSIZE"), "0", "nothing was written");
        assert_eq!(server.command(&format!("CONFIG SET {setting} {right}")), "OK");
    }
    // A Redis that writes its first append-only file does not stop when asked to.
    let written = || server.command("INFO").contains("aof_rewrite_in_progress:0").then_some(());
    wait::until(wait::PATIENCE, "the append-only file to be written", written).await.unwrap();
    OnRedis::at(&server.url(), "s0", LIMITS).await;
}

/// The script's keys live in different slots, one of them undeclared: in Redis Cluster it fails, or fails after
/// decrementing. Here an account may touch nothing but the declared keys, and the whole contract still holds.
#[tokio::test]
async fn hole_09_nothing_but_the_declared_keys_is_touched() {
    let Some(server) = testkit::Redis::start(&[]).await else { return };
    let keys = Shard::new("s0").unwrap().keys();
    let allowed: String = keys.iter().map(|key| format!(" ~{key}")).collect();
    assert_eq!(
        server.command(&format!("ACL SETUSER ledger on >word resetkeys resetchannels +@all{allowed}")),
        "OK"
    );
    let url = format!("redis://ledger:word@127.0.0.1:{}", server.port());
    let report = check(&mut OnRedis::at(&url, "s0", LIMITS).await).await;
    assert_eq!(report.ran, STORIES.len());
    // That such an account cannot touch another shard is what makes the above mean something.
    let other = windfall_cluster::Settings { url, shard: Shard::new("s1").unwrap(), term: 1, limits: LIMITS };
    assert!(RedisStock::create(other).await.is_err());
}

/// The same on a node that runs as a cluster: all keys of a shard are in one slot, and shards differ.
#[tokio::test]
async fn hole_09_a_shard_is_one_slot_of_a_cluster() {
    // Given up at once: somebody else may take it, and then the server says so.
    let bus = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port().to_string();
    let settings = ["--cluster-enabled", "yes", "--cluster-port", &bus];
    let Some(server) = testkit::Redis::start(&settings).await else { return };
    assert_eq!(server.command("CLUSTER ADDSLOTSRANGE 0 16383"), "OK");
    let ok = || server.command("CLUSTER INFO").contains("cluster_state:ok").then_some(());
    wait::until(wait::PATIENCE, "the cluster to be whole", ok).await.unwrap();
    let slots = |name: &str| -> HashSet<String> {
        let keys = Shard::new(name).unwrap().keys();
        keys.iter().map(|key| server.command(&format!("CLUSTER KEYSLOT {key}"))).collect()
    };
    let (one, other) = (slots("s0"), slots("s1"));
    assert_eq!((one.len(), other.len()), (1, 1));
    assert!(one.is_disjoint(&other));
    let report = check(&mut OnRedis::at(&server.url(), "s0", LIMITS).await).await;
    assert_eq!(report.ran, STORIES.len());
}

/// `KEYS` every minute stalls Redis. The library looks for nothing: what is due is in a sorted set, and a call reads a
/// bounded part of it.
#[tokio::test]
async fn hole_13_nothing_walks_over_all_keys() {
    const KNOWN: [&str; 14] = [
        "GET",
        "SET",
        "HGET",
        "HMGET",
        "HSET",
        "HDEL",
        "HLEN",
        "ZADD",
        "ZREM",
        "ZCARD",
        "ZRANGEBYSCORE",
        "XADD",
        "EXISTS",
        "TIME",
    ];
    let code: Vec<&str> = SOURCE.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let mut used = HashSet::new();
    for line in &code {
        for call in line.split("call(").skip(1) {
            let Some(name) = call.strip_prefix('\'').and_then(|rest| rest.split('\'').next()) else {
                continue;
            };
            used.insert(name);
        }
    }
    assert_eq!(used.len(), KNOWN.len(), "every call is found by its name: {used:?}");
    for name in &used {
        assert!(KNOWN.contains(name), "{name} is not among the commands that cost the same at any size");
    }
    let bounded = code.iter().filter(|line| line.contains("ZRANGEBYSCORE"));
    assert!(bounded.clone().count() > 0 && bounded.clone().all(|line| line.contains("'LIMIT'")));

    // A crowd of open holds makes no call slower: what is not due is not looked at.
    let Some(redis) = OnRedis::new(Limits::default()).await else { return };
    redis.ask(open(POOL, 1 << 40)).await;
    let many = (0..2_000).map(|n| reserve(&n.to_string(), POOL, 1)).collect();
    redis.stock.ask(0, many).await.unwrap();
    assert_eq!(redis.ask(domain::ledger::Command::ExpireOne).await, "nothing_due");
}
