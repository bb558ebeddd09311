//! What a client asks for, alone or in a batch, and what it was told.

use serde_json::{Value, json};

use crate::backend::Backend;
use crate::client::Call;

/// The pools everybody takes from.
pub const POOLS: [&str; 3] = ["kill/tea", "kill/cup", "kill/pot"];

/// Units of each pool that a command is about.
pub type Units = [u64; POOLS.len()];

#[derive(Clone, Debug)]
pub enum Op {
    Reserve {
        id: String,
        units: Units,
    },
    /// Some or all of what is held.
    Confirm {
        id: String,
        units: Units,
    },
    Cancel {
        id: String,
    },
    Restock {
        id: String,
        pool: usize,
        quantity: u64,
    },
}

/// The answer to one command.
#[derive(Clone, Debug)]
pub struct Told {
    pub status: u64,
    pub code: String,
    pub hold: Value,
}

impl Op {
    pub fn call(&self, backend: &Backend) -> Call {
        match self {
            Self::Reserve { id, units } => {
                let body = json!({ "id": id, "lines": lines(units), "ttl_ms": 3_600_000 });
                backend.post("/holds", body)
            }
            Self::Confirm { id, units } => {
                backend.post(&format!("/holds/{id}/confirm"), json!({ "lines": lines(units) }))
            }
            Self::Cancel { id } => backend.post(&format!("/holds/{id}/cancel"), json!({})),
            Self::Restock { id, pool, quantity } => {
                let body = json!({ "id": id, "quantity": quantity, "reason": "more" });
                backend.post(&format!("/pools/{}/restock", POOLS[*pool].replace('/', "%2F")), body)
            }
        }
    }

    /// The same as a command of a batch.
    pub fn command(&self) -> Value {
        match self {
            Self::Reserve { id, units } => {
                json!({ "do": "reserve", "id": id, "lines": lines(units), "ttl_ms": 3_600_000 })
            }
            Self::Confirm { id, units } => json!({ "do": "confirm", "id": id, "lines": lines(units) }),
            Self::Cancel { id } => json!({ "do": "cancel", "id": id }),
            Self::Restock { id, pool, quantity } => {
                json!({ "do": "restock", "id": id, "pool": POOLS[*pool], "quantity": quantity, "reason": "more" })
            }
        }
    }
}

fn lines(units: &Units) -> Vec<Value> {
    let some = POOLS.iter().zip(units).filter(|(_, units)| **units > 0);
    some.map(|(pool, units)| json!({ "pool": pool, "quantity": units })).collect()
}

/// What a hold's lines say under one heading.
pub fn units_in(hold: &Value, heading: &str) -> Units {
    POOLS.map(|pool| {
        let lines = hold["lines"].as_array().unwrap_or_else(|| panic!("no lines: {hold}"));
        let line = lines.iter().find(|line| line["pool"] == pool);
        line.map_or(0, |line| line[heading].as_u64().unwrap())
    })
}
