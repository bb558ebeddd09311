//! The requests a bench asks: reservations of one unit, each with an id and an owner of its own.

use anyhow::Context as _;
use domain::ledger::{Act, Command, Key, Line, Note, Owner, PoolId, PoolName, Quantity, Take, Text};

/// How long a hold lasts: longer than any row, as a customer's time to pay is.
pub const TTL_MS: i64 = 15 * 60 * 1_000;

/// A pool nobody empties.
pub const PLENTY: u64 = 1 << 40;

/// Which pools are asked for, and who asks.
#[derive(Clone, Copy, Debug)]
pub struct RequestMix {
    pools: u64,
    owners: u64,
}

impl RequestMix {
    /// Over so many pools; every request has an owner of its own.
    pub fn over(pools: u64) -> Self {
        Self { pools: pools.max(1), owners: u64::MAX }
    }

    pub fn of_owners(self, owners: u64) -> Self {
        Self { owners: owners.max(1), ..self }
    }

    /// The commands that open the pools, with so many units each.
    pub fn open(self, total: u64) -> impl Iterator<Item = anyhow::Result<Command>> {
        (0..self.pools).map(move |n| {
            Ok(Command::direct(
                Key::of("pool", 0, &n.to_string()),
                Note::default(),
                Act::PoolOpen {
                    pool: pool(n),
                    name: PoolName::new(&format!("bench/{n}")).context("a name")?,
                    round: 1,
                    total,
                    owner_max: 0,
                },
            ))
        })
    }

    /// The n-th reservation. Two SHA-256: of the id and of the owner.
    pub fn reserve(self, n: u64) -> anyhow::Result<Command> {
        let (id, owner) = (id(n), format!("user-{:012}", n % self.owners));
        Ok(Command::Reserve {
            key: Key::of("hold", 1, &id),
            id: Text::new(&id).context("an id")?,
            caller: 1,
            owner: Some(Owner::new(Text::new(&owner).context("an owner")?)),
            lines: vec![Line { pool: pool(n % self.pools), quantity: one()? }],
            ttl_ms: TTL_MS,
            gates: Vec::new(),
        })
    }

    pub fn confirm(n: u64) -> Command {
        Command::Confirm { hold: Key::of("hold", 1, &id(n)), take: Take::All }
    }

    pub fn cancel(n: u64) -> anyhow::Result<Command> {
        let id = id(n);
        Ok(Command::Cancel { hold: Key::of("hold", 1, &id), id: Text::new(&id).context("an id")?, caller: 1 })
    }
}

/// Ids of pools are digests of their names; this stands for one without its price.
fn pool(n: u64) -> PoolId {
    PoolId((n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1).cast_signed())
}

fn id(n: u64) -> String {
    format!("order-{n:016}")
}

fn one() -> anyhow::Result<Quantity> {
    Quantity::new(1).context("a quantity")
}
