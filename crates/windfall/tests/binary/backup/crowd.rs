//! Backends that take from pools until told to stop, and what they were told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::json;
use tokio::task::JoinSet;

use crate::backend::{Backend, part};
use crate::kill::client::Client;
use crate::kill::op::{Op, POOLS, units_in};
use crate::people::Key;
use crate::process::Server;

/// Of each pool at the beginning.
const TOTAL: u64 = 100_000;

pub async fn open_pools(server: &Server, key: &Key) {
    for (n, name) in POOLS.iter().enumerate() {
        let open = json!({ "id": format!("open-{n}"), "name": name, "total": TOTAL });
        Backend::with(server, key.clone()).post("/pools", open).expect(201).await;
    }
}

/// Clients at work.
pub struct Crowd {
    clients: JoinSet<Client>,
    pub answers: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl Crowd {
    /// `names` tells its holds from those of other crowds.
    pub fn begin(server: &Server, key: &Key, names: std::ops::Range<usize>) -> Self {
        let (answers, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let backend = Backend::with(server, key.clone());
        let clients = names
            .map(|name| {
                Client::new(name, 7).go_until(backend.clone(), Arc::clone(&answers), Arc::clone(&stop))
            })
            .collect();
        Self { clients, answers, stop }
    }

    /// Waits until there were so many answers more.
    pub async fn go_on(&self, answers: u64) {
        let enough = self.answers.load(Ordering::Relaxed) + answers;
        while self.answers.load(Ordering::Relaxed) < enough {
            tokio::task::yield_now().await;
        }
    }

    pub async fn end(self) -> Vec<Client> {
        self.stop.store(true, Ordering::Relaxed);
        self.clients.join_all().await
    }
}

/// Everything these clients were told is so, and what they repeat is answered as before.
pub async fn assert_told(server: &Server, key: &Key, clients: &[Client]) {
    let backend = Backend::with(server, key.clone());
    for (id, known) in clients.iter().flat_map(|client| &client.holds) {
        let hold = backend.get(&format!("/holds/{id}")).expect(200).await.json();
        let found = (hold["state"].as_str().unwrap(), units_in(&hold, "quantity"), units_in(&hold, "taken"));
        assert_eq!(found, (known.state, known.reserved, known.taken), "{id}");
        if known.state == "held" {
            let again =
                Op::Reserve { id: id.clone(), units: known.reserved }.call(&backend).expect(200).await;
            assert_eq!(units_in(&again.json(), "quantity"), known.reserved, "{id} again");
        }
    }
}

/// How many of the holds that these clients were told of are not there.
pub async fn count_missing(server: &Server, key: &Key, clients: &[Client]) -> usize {
    let backend = Backend::with(server, key.clone());
    let mut missing = 0;
    for id in clients.iter().flat_map(|client| client.holds.keys()) {
        missing += usize::from(backend.get(&format!("/holds/{id}")).send().await.status == 404);
    }
    missing
}

/// No unit is made or lost.
pub async fn assert_conserved(server: &Server, key: &Key) {
    for pool in POOLS {
        let [total, available, held, taken] = Backend::with(server, key.clone()).counters(pool).await;
        assert_eq!(total, available + held + taken, "{}", part(pool));
    }
}
