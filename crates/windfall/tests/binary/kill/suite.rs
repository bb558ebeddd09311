//! The test, and what is compared at the end: what clients were told, what the API says, what the database has.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;
use testkit::wait::until;
use tokio::task::JoinSet;

use super::client::{Client, Random};
use super::op::{POOLS, Units, units_in};
use crate::activities::fixtures::HOUR_MS;
use crate::backend::Backend;
use crate::process::{Home, LIMIT};

const KILLS: usize = 22;
const CLIENTS: usize = 5;
/// Of each pool at the beginning: few enough that everybody meets its end.
pub const TOTAL: u64 = 120;
/// Answers in one life of the server, at most.
const ANSWERS_MAX: u64 = 120;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_told_survives_every_kill_and_nothing_is_oversold() {
    let seed = seed();
    println!("WINDFALL_SEED={seed}");
    let mut random = Random(seed);
    let home = Home::with_clock(&[]);
    let server = home.start("serve").await;
    let key = server.new_key(&["inventory"]).await;
    for (n, name) in POOLS.iter().enumerate() {
        let open = json!({ "id": format!("open-{n}"), "name": name, "total": TOTAL });
        Backend::with(&server, key.clone()).post("/pools", open).expect(201).await;
    }
    let mut clients: Vec<Client> = (0..CLIENTS).map(|name| Client::new(name, seed)).collect();
    let mut server = Some(server);
    for _ in 0..KILLS {
        let running = match server.take() {
            Some(server) => server,
            None => home.start("serve").await,
        };
        let (backend, answers) = (Backend::with(&running, key.clone()), Arc::new(AtomicU64::new(0)));
        let enough = 1 + random.below(ANSWERS_MAX);
        let mut crowd: JoinSet<Client> =
            clients.drain(..).map(|client| client.go_on(backend.clone(), Arc::clone(&answers))).collect();
        while answers.load(Ordering::Relaxed) < enough {
            if let Some(client) = crowd.try_join_next() {
                panic!("a client gave up while the server was there: {client:?}\n{}", home.log());
            }
            tokio::task::yield_now().await;
        }
        assert_eq!(running.kill().await.code(), None, "ended by the signal");
        clients = crowd.join_all().await;
    }

    let server = home.start("serve").await;
    let backend = Backend::with(&server, key.clone());
    for client in &mut clients {
        client.settle(&backend).await.expect("the server stays");
        every_hold_is_as_told(&backend, client).await;
    }
    let expected = counters(&clients);
    for (name, expected) in POOLS.iter().zip(&expected) {
        let pool = backend.get(&format!("/pools/{}", name.replace('/', "%2F"))).expect(200).await.json();
        let found = ["total", "available", "held", "taken"].map(|counter| pool[counter].as_u64().unwrap());
        assert_eq!(&found, expected, "{name}");
    }
    assert!(server.stop().await.success());
    the_database_says_the_same(&home, &clients, &expected);
    every_restock_has_its_line(&home, &clients).await;
    let sold_out: u64 = clients.iter().map(|client| client.sold_out).sum();
    let holds: usize = clients.iter().map(|client| client.holds.len()).sum();
    println!("{holds} holds, {sold_out} times sold out");
    assert!(sold_out > 0, "the pools were empty at times: overselling was possible");
}

/// The number everything random comes from; `WINDFALL_SEED` repeats a run as far as timing allows.
pub fn seed() -> u64 {
    let given = std::env::var("WINDFALL_SEED").ok().and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs())
}

pub async fn every_hold_is_as_told(backend: &Backend, client: &Client) {
    for (id, known) in &client.holds {
        let hold = backend.get(&format!("/holds/{id}")).expect(200).await.json();
        let found = (hold["state"].as_str().unwrap(), units_in(&hold, "quantity"), units_in(&hold, "taken"));
        assert_eq!(found, (known.state, known.reserved, known.taken), "{id}");
    }
}

/// The audit log has one line for each restock that happened, whichever process died between the two, and none for others.
async fn every_restock_has_its_line(home: &Home, clients: &[Client]) {
    // By then a command that never reached the ledger never will.
    home.clock_off(2 * HOUR_MS);
    let server = home.start("serve").await;
    server.console("POST", "/admin/jobs/audit_trail/run").expect(202).await;
    let database = home.database();
    let waiting =
        || database.query_row("SELECT COUNT(*) FROM audit_intents", [], |row| row.get::<_, i64>(0)).unwrap();
    let none = || (waiting() == 0).then_some(());
    until(LIMIT, "no line to wait to be told", none).await.unwrap();
    let lines = "SELECT COALESCE(SUM(json_extract(after_json, '$.delta')), 0), COUNT(DISTINCT id) FROM audit
                 WHERE action = 'pool.adjust' AND subject = ?1";
    let made = "SELECT COUNT(*) FROM movements m JOIN pools p ON p.id = m.pool_id
                WHERE m.kind = 'adjusted' AND p.name = ?1";
    for (pool, name) in POOLS.iter().enumerate() {
        let restocked: u64 = clients.iter().map(|client| client.restocked[pool]).sum();
        let (units, count) = database
            .query_row(lines, [format!("pool:{name}")], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
            })
            .unwrap();
        let moved = database.query_row(made, [format!("inventory/{name}")], |row| row.get::<_, i64>(0));
        assert_eq!((units, Ok(count)), (restocked.cast_signed(), moved), "{name}");
    }
    assert!(server.stop().await.success());
}

/// `[total, available, held, taken]` of each pool, from nothing but what clients were told.
pub fn counters(clients: &[Client]) -> [[u64; 4]; 3] {
    let mut counters = [[0; 4]; 3];
    for (pool, [total, available, held, taken]) in counters.iter_mut().enumerate() {
        *total = TOTAL + clients.iter().map(|client| client.restocked[pool]).sum::<u64>();
        for known in clients.iter().flat_map(|client| client.holds.values()) {
            let units: &Units = if known.state == "held" { &known.reserved } else { &known.taken };
            *(if known.state == "held" { &mut *held } else { &mut *taken }) += units[pool];
        }
        let given = *held + *taken;
        *available = total.checked_sub(given).unwrap_or_else(|| panic!("oversold: {given} of {total}"));
    }
    counters
}

fn the_database_says_the_same(home: &Home, clients: &[Client], expected: &[[u64; 4]; 3]) {
    let database = home.database();
    for (name, expected) in POOLS.iter().zip(expected) {
        let sql = "SELECT r.total, r.available, r.held, r.taken FROM pools p
                   JOIN pool_rounds r ON r.pool_id = p.id AND r.round = p.round WHERE p.name = ?1";
        let found = database.query_row(sql, [format!("inventory/{name}")], |row| {
            Ok::<[i64; 4], _>([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
        });
        assert_eq!(found.unwrap(), expected.map(u64::cast_signed), "{name}");
    }
    // Also hold by hold: no hold that nobody was told of, none twice.
    let mut rows = database.prepare("SELECT id, state FROM holds ORDER BY id").unwrap();
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let found: Vec<(String, String)> = rows.map(Result::unwrap).collect();
    let told = clients.iter().flat_map(|client| &client.holds);
    let mut told: Vec<_> = told.map(|(id, known)| (id.clone(), known.state.to_owned())).collect();
    told.sort();
    assert_eq!(found, told);
}
