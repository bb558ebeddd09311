//! Everything one needs to check a ticket of one's own: its record, its place in the chain, what was published before,
//! and the secret once it is revealed.

use domain::activity::Plan;
use domain::ids::{ActivityId, UserId};
use domain::ledger::{Key, Stored};
use domain::lottery::chain::{PublishedChain, Receipt};
use domain::lottery::record::Record;
use domain::player_number::PlayerNumber;
use store::model::{ChainKey, SecretRow};

use crate::caught_up;
use crate::draws::answer::{TicketSummary, ticket};
use crate::draws::mine::no_ticket;
use crate::failure::{Fault, Result};
use crate::ports::SealContext;
use crate::world::World;

#[derive(Clone, Debug)]
pub struct Proof {
    pub ticket: TicketSummary,
    /// Whose it is, as the record says it.
    pub seat: PlayerNumber,
    /// The record, byte by byte as it is in the chain.
    pub record: Vec<u8>,
    pub receipt: Receipt,
    /// The place before it; place 0 is what was published.
    pub before: Receipt,
    pub published: PublishedChain,
    /// The strategy in its published form.
    pub strategy: Vec<u8>,
    /// Once every draw under it is over.
    pub secret: Option<Vec<u8>>,
}

pub async fn proof(world: &World, activity: ActivityId, user: UserId, key: Key) -> Result<Proof> {
    let complete = caught_up::own_ticket(world, activity, user).await?;
    let Some(Stored::Ticket { view, .. }) = world.db.id_find(key).await?.stored else {
        if !complete {
            caught_up::for_certain(world).await?;
        }
        return Err(no_ticket().into());
    };
    if view.user != user || view.activity != activity {
        return Err(no_ticket().into());
    }
    // Entries to a raffle are proved by its roll.
    let Some(receipt) = view.receipt else { return Err(no_ticket().into()) };
    let bytes = view.settlement.bytes();
    let record = Record::decode(bytes).map_err(|error| Fault::caused("a record of draws", error))?;
    let (round, version) = (record.key.round, record.key.version);
    let secrets = world.db.secret_list(activity).await?;
    let row = secrets.into_iter().find(|row| (row.round, row.version) == (round, version));
    let row =
        row.ok_or_else(|| Fault::new(format!("activity {activity} was drawn from without a secret")))?;
    let published = published_chain(activity, &row);
    let before = match receipt.place - 1 {
        0 => published.begin(),
        place => {
            let chain = ChainKey { activity, round, version };
            let found = world.db.chain_page(chain, place - 1, 1).await?.pop().map(|found| found.receipt);
            found
                .filter(|found| found.place == place)
                .ok_or_else(|| Fault::new(format!("the chain of activity {activity} lacks place {place}")))?
        }
    };
    Ok(Proof {
        ticket: ticket(world, &view).await?,
        seat: record.key.seat,
        record: bytes.to_vec(),
        receipt,
        before,
        published,
        strategy: strategy_bytes(world, activity, version).await?.ok_or_else(no_ticket)?,
        secret: reveal(world, &row)?,
    })
}

pub(crate) fn published_chain(activity: ActivityId, row: &SecretRow) -> PublishedChain {
    PublishedChain {
        activity,
        round: row.round,
        version: row.version,
        commitment: row.commitment,
        strategy: row.strategy,
    }
}

/// The secret, if it may be read.
pub(crate) fn reveal(world: &World, row: &SecretRow) -> Result<Option<Vec<u8>>> {
    match row.revealed_at {
        Some(_) => Ok(Some(world.outside.vault.open(SealContext::Secret, &row.sealed)?)),
        None => Ok(None),
    }
}

/// A version's strategy as it was published; a raffle and a sale have none.
pub(crate) async fn strategy_bytes(
    world: &World,
    activity: ActivityId,
    version: u32,
) -> Result<Option<Vec<u8>>> {
    let missing = || Fault::new(format!("activity {activity} has a secret for no version {version}"));
    let row = world.db.version_find(activity, version).await?.ok_or_else(missing)?;
    match &row.content.plan {
        Plan::Instant(strategy) => Ok(Some(strategy.encode())),
        Plan::Raffle(_) | Plan::Sale(_) => Ok(None),
    }
}
