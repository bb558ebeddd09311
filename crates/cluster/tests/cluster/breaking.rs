//! What is left when something breaks: all of a call, or nothing of it.

use domain::ids::{ActivityId, UserId};
use domain::ledger::play::Play;
use domain::ledger::{Command, Key, Limits, Note, PoolName, PoolState, Text};
use engine::ports::Stock;
use testkit::contract::{LIMITS, Subject};
use windfall_cluster::{RedisStock, Settings, StartError};

use crate::proxy::Proxy;
use crate::subject::{OnRedis, POOL, ask, confirm, connect, open, reserve};

/// Three ways for a call to fail after it has decided something. Redis takes nothing back, so nothing may be there.
#[tokio::test]
async fn a_failing_call_leaves_nothing() {
    for (what, spoil) in [
        ("the journal has had that number", ["XADD", "journal", "999999-0", "x", "y"].as_slice()),
        ("the journal is no stream", &["SET", "journal", "x"]),
        ("what is due is no sorted set", &["SET", "due", "x"]),
    ] {
        let Some(mut redis) = OnRedis::new(Limits::default()).await else { return };
        redis.ask(open(POOL, 10)).await;
        let key = |what: &str| format!("{{{}}}:{what}", redis.settings.shard);
        let mut command = redis::cmd(spoil[0]);
        command.arg(key(spoil[1])).arg(&spoil[2..]);
        command.query_async::<redis::Value>(&mut redis.connection).await.unwrap();
        let before = redis.contents().await;
        let answer = redis.ask(reserve("a", POOL, 3)).await;
        assert!(answer.starts_with("fault: "), "{what}: {answer}");
        assert!(redis.stock.trouble().is_some(), "{what}");
        assert_eq!(redis.contents().await, before, "{what}");
    }
}

/// A command that makes no sense takes the good ones of its call with it.
#[tokio::test]
async fn a_garbled_command_leaves_nothing() {
    let Some(mut redis) = OnRedis::new(Limits::default()).await else { return };
    redis.ask(open(POOL, 10)).await;
    let before = redis.contents().await;
    // "Adjust pool 1 by 1" under the key 0, then something cut short or unknown.
    let good = [&[2_u8][..], &[0; 16], &[0; 8], &1_i64.to_be_bytes(), &1_i64.to_be_bytes(), &[0; 8]].concat();
    for bad in [vec![5, 0, 0], vec![99], vec![0]] {
        let mut call = redis::cmd("FCALL");
        call.arg("windfall_ask_1").arg(6).arg(&redis.settings.shard.keys());
        call.arg(1_u32.to_be_bytes().as_slice()).arg(good.as_slice()).arg(bad.as_slice());
        let answer = call.query_async::<redis::Value>(&mut redis.connection).await;
        assert!(answer.is_err(), "{bad:?}: {answer:?}");
        assert_eq!(redis.contents().await, before, "{bad:?}");
    }
}

/// The connection is cut after Redis has decided and before anybody heard: the outcome is unknown, and asking again under
/// the same id tells it.
#[tokio::test]
async fn an_unknown_answer_is_found_under_its_id() {
    let Some(redis) = testkit::Redis::shared().await else { return };
    let direct = OnRedis::at(&redis.url(), &redis.shard(), LIMITS).await;
    let proxy = Proxy::to(redis.port()).await;
    let url = format!("redis://127.0.0.1:{}", proxy.port);
    let behind = RedisStock::join(Settings { url, ..direct.settings.clone() }).await.unwrap();
    assert_eq!(ask(&behind, open(POOL, 10)).await, "open");
    for (command, again) in [
        (reserve("a", POOL, 3), "held again"),
        (confirm("a"), "confirmed again"),
        (open(POOL, 10), "open again"),
    ] {
        proxy.cut();
        assert_eq!(ask(&behind, command.clone()).await, "outcome_unknown");
        assert!(proxy.was_cut());
        assert!(behind.trouble().is_some());
        assert_eq!(ask(&behind, command).await, again);
        assert_eq!(behind.trouble(), None);
    }
    let view = direct.stock.pool(POOL).await.unwrap().unwrap();
    assert_eq!((view.total, view.available, view.held, view.taken), (10, 7, 0, 3));
}

/// A node that slept through a change of term changes nothing.
#[tokio::test]
async fn a_node_of_an_old_term_is_refused() {
    let Some(mut redis) = OnRedis::new(LIMITS).await else { return };
    redis.ask(open(POOL, 10)).await;
    let same = RedisStock::join(redis.settings.clone()).await.unwrap();
    assert_eq!(ask(&same, reserve("a", POOL, 1)).await, "held", "several nodes share a term");
    let old = redis.settings.clone();
    let later = RedisStock::join(Settings { term: 5, ..old.clone() }).await.unwrap();
    let before = redis.contents().await;
    assert_eq!(redis.ask(reserve("b", POOL, 1)).await, "overloaded");
    assert!(redis.stock.trouble().unwrap().contains("term 5"));
    assert_eq!(redis.contents().await, before);
    assert!(matches!(RedisStock::join(old.clone()).await, Err(StartError::TermOver { term: 1 })));
    assert!(matches!(RedisStock::create(old).await, Err(StartError::Exists)));
    assert_eq!(ask(&later, reserve("b", POOL, 1)).await, "held");
    assert_eq!(redis.replayed().await.term(), 5);
}

/// A Redis that was killed comes back with its append-only file: answers, the library and the time.
#[tokio::test]
async fn a_killed_redis_answers_the_same() {
    let Some(mut server) = testkit::Redis::start(&[]).await else { return };
    let mut redis = OnRedis::at(&server.url(), "s0", LIMITS).await;
    redis.ask(open(POOL, 10)).await;
    assert_eq!(redis.ask(reserve("a", POOL, 3)).await, "held");
    server.kill().await.unwrap();
    let down = redis.ask(reserve("b", POOL, 3)).await;
    assert!(["overloaded", "outcome_unknown"].contains(&down.as_str()), "{down}");
    server.restart().await.unwrap();
    redis.connection = connect(&server.url()).await;
    redis.restart().await;
    assert_eq!(redis.ask(reserve("a", POOL, 3)).await, "held again");
    assert_eq!(redis.ask(confirm("a")).await, "confirmed");
    let view = redis.stock.pool(POOL).await.unwrap().unwrap();
    assert_eq!((view.available, view.held, view.taken), (7, 0, 3));
    assert_eq!(redis.replayed().await.pool(POOL), Some(view));
}

/// A round that is over stays for its holds and goes with the last of them, so that rounds do not pile up.
#[tokio::test]
async fn an_old_round_goes_with_its_last_hold() {
    let Some(mut redis) = OnRedis::new(LIMITS).await else { return };
    let change = |id: &str| Key::of("pool", 0, id);
    let close = |id: &str| Command::PoolState {
        key: change(id),
        pool: POOL,
        state: PoolState::Closed,
        note: Note::default(),
    };
    let round = |round: u32| Command::PoolOpen {
        key: change(&format!("round {round}")),
        pool: POOL,
        name: PoolName::new("shelf").unwrap(),
        round,
        total: 5,
        owner_max: 0,
        note: Note::default(),
    };
    for (command, expected, rounds) in [
        (round(1), "open", 1),
        (reserve("a", POOL, 1), "held", 1),
        (reserve("b", POOL, 1), "held", 1),
        (close("first"), "closed", 1),
        (round(2), "open", 2),
        (confirm("a"), "confirmed", 2),
        (confirm("b"), "confirmed", 1),
        (close("second"), "closed", 1),
        (round(3), "open", 1),
    ] {
        assert_eq!(redis.ask(command.clone()).await, expected, "{command:?}");
        let pools = &redis.settings.shard.keys()[1];
        let kept: u32 = redis::cmd("HLEN").arg(pools).query_async(&mut redis.connection).await.unwrap();
        assert_eq!(kept, rounds, "{command:?}");
    }
    assert_eq!(redis.replayed().await.pool(POOL), redis.stock.pool(POOL).await.unwrap());
}

/// What the function does not know is turned away before it is sent, and takes nobody else's commands with it.
#[tokio::test]
async fn activities_are_turned_away() {
    let Some(mut redis) = OnRedis::new(LIMITS).await else { return };
    redis.ask(open(POOL, 10)).await;
    let before = redis.contents().await;
    let (key, activity, user) = (Key::of("grant", 0, "a"), ActivityId(1), UserId(1));
    let grant = Command::Play(Play::Grant { key, activity, user, chances: 1, note: Note::default() });
    assert!(redis.stock.ask(0, vec![reserve("a", POOL, 1), grant]).await.is_err());
    assert_eq!(redis.contents().await, before);
    assert_eq!(redis.stock.trouble(), None);
    assert_eq!(redis.ask(reserve("a", POOL, 1)).await, "held");
}

/// Cancelling what never arrived is bounded per caller, until the projection is there to let go of it.
#[tokio::test]
async fn tombstones_have_a_cap() {
    let Some(redis) = OnRedis::new(Limits { tombstones_max: 2, ..LIMITS }).await else { return };
    let cancel = |id: &str, caller: i64| {
        let key = Key::of("hold", caller, id);
        Command::Cancel { hold: key, id: Text::new(id).unwrap(), caller }
    };
    for (id, caller, expected) in [
        ("a", 1, "cancelled"),
        ("a", 1, "already_cancelled"),
        ("b", 1, "cancelled"),
        ("c", 1, "tombstones_full"),
        ("c", 2, "cancelled"),
    ] {
        assert_eq!(redis.ask(cancel(id, caller)).await, expected, "{id} of {caller}");
    }
}
