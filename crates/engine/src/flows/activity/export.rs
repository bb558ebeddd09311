//! The file that `windfall verify` reads: what was published, the secrets that are revealed, and every record, in pieces.
//!
//! A chain whose secret is not revealed yet is named in a comment and not more: without the secret nothing of it can be
//! checked.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

use domain::export::write;
use domain::hex::hex;
use domain::ids::ActivityId;

use super::look::found;
use crate::failure::{Fault, Outcome};
use crate::flows::play::proof::{published, revealed, strategy_bytes};
use crate::ports::{ChainKey, SecretRow};
use crate::world::World;

/// Records written at a time.
const RECORDS_AT_ONCE: u32 = 1_000;

#[derive(Debug)]
pub struct Export {
    world: Arc<World>,
    activity: ActivityId,
    begun: bool,
    chains: VecDeque<SecretRow>,
    /// The last place of the first chain that was written, once it is being written.
    after: Option<u64>,
}

impl Export {
    pub async fn open(world: &Arc<World>, id: ActivityId) -> Outcome<Self> {
        found(world, id).await?;
        let chains = world.activities.secret_list(id).await?.into();
        Ok(Self { world: Arc::clone(world), activity: id, begun: false, chains, after: None })
    }

    /// The next piece of the text; nothing at the end.
    pub async fn piece(&mut self) -> Outcome<Option<String>> {
        let mut text = String::new();
        if !std::mem::replace(&mut self.begun, true) {
            write::head(&mut text);
            return Ok(Some(text));
        }
        let Some(row) = self.chains.front().cloned() else { return Ok(None) };
        let Some(secret) = revealed(&self.world, &row)? else {
            self.chains.pop_front();
            sealed(&mut text, &row);
            return Ok(Some(text));
        };
        let after = match self.after {
            Some(after) => after,
            None => {
                let Some(strategy) = self.strategy(&row).await? else {
                    self.chains.pop_front();
                    let _ = writeln!(text, "# round {}, version {}: a raffle", row.round, row.version);
                    return Ok(Some(text));
                };
                let secret = <[u8; 32]>::try_from(secret)
                    .map_err(|_| Fault::new("a secret that is not 32 bytes long"))?;
                write::published(&mut text, &published(self.activity, &row));
                write::strategy(&mut text, &strategy);
                write::secret(&mut text, &secret);
                0
            }
        };
        let chain = ChainKey { activity: self.activity, round: row.round, version: row.version };
        let records = self.world.draws.chain_page(chain, after, RECORDS_AT_ONCE).await?;
        for found in &records {
            write::record(&mut text, &found.receipt, found.record.bytes());
        }
        let last = records.last().map_or(after, |last| last.receipt.place);
        self.after = (records.len() == RECORDS_AT_ONCE as usize).then_some(last);
        if self.after.is_none() {
            write::end(&mut text, last);
            self.chains.pop_front();
        }
        Ok(Some(text))
    }

    /// Of a version that one draws from; a raffle has none.
    async fn strategy(&self, row: &SecretRow) -> Outcome<Option<Vec<u8>>> {
        strategy_bytes(&self.world, self.activity, row.version).await
    }
}

fn sealed(text: &mut String, row: &SecretRow) {
    let (commitment, strategy) = (hex(&row.commitment.0), hex(&row.strategy.0));
    let _ = writeln!(
        text,
        "# round {}, version {}: commitment {commitment}, strategy {strategy}\n\
         # Its secret is revealed when the round is closed and every ticket is settled. Until then its draws cannot be checked.",
        row.round, row.version
    );
}
