//! The file that `windfall verify` reads: what was published, the secrets that are revealed, and every record, in pieces;
//! then the raffles; and a last line that says how much there is, so that a file that was cut off is known as such.
//!
//! A round whose secret is not revealed yet is named, with the number of its draws, and no more: without the secret
//! nothing of it can be checked.

use std::collections::VecDeque;
use std::sync::Arc;

use domain::activity::Plan;
use domain::export::{SealedRound, Total, write};
use domain::hex::hex;
use domain::ids::{ActivityId, TreeId};
use store::model::{ChainKey, SecretRow};

use crate::activities::queries::{activity_get, version_get};
use crate::draws::proof::{published_chain, reveal};
use crate::draws::raffle::RaffleExport;
use crate::failure::{Fault, Result};
use crate::trees::tree_find;
use crate::world::World;

/// Records written at a time.
pub const RECORDS_AT_ONCE: u32 = 1_000;

#[derive(Debug)]
pub struct ActivityExport {
    world: Arc<World>,
    activity: ActivityId,
    chains: VecDeque<SecretRow>,
    total: Total,
    part: Part,
}

#[derive(Debug)]
enum Part {
    Head,
    /// Before the first of the chains that are left.
    Chain,
    /// In the middle of it, after this place.
    Records {
        after: u64,
    },
    Raffles(Box<RaffleExport>),
    Done,
}

impl ActivityExport {
    pub async fn open(world: &Arc<World>, id: ActivityId) -> Result<Self> {
        activity_get(world, id).await?;
        let chains = world.db.secret_list(id).await?.into();
        let total = Total { chains: 0, raffles: 0, sealed: 0 };
        Ok(Self { world: Arc::clone(world), activity: id, chains, total, part: Part::Head })
    }

    /// The next piece of the text; nothing at the end.
    pub async fn piece(&mut self) -> Result<Option<String>> {
        let mut text = String::new();
        let part = match std::mem::replace(&mut self.part, Part::Done) {
            Part::Head => {
                write::head(&mut text);
                Part::Chain
            }
            Part::Chain => match self.chains.pop_front() {
                Some(row) => self.chain(row, &mut text).await?,
                None => Part::Raffles(Box::new(RaffleExport::open(&self.world, self.activity).await?)),
            },
            Part::Records { after } => self.records(after, &mut text).await?,
            Part::Raffles(mut raffles) => match raffles.piece(&self.world).await? {
                Some(piece) => {
                    text = piece;
                    Part::Raffles(raffles)
                }
                None => {
                    self.total.raffles = raffles.written();
                    write::total(&mut text, self.total);
                    Part::Done
                }
            },
            Part::Done => return Ok(None),
        };
        self.part = part;
        Ok(Some(text))
    }

    /// What a chain begins with; one that is not revealed is told in a line, together with the others of its round.
    async fn chain(&mut self, row: SecretRow, text: &mut String) -> Result<Part> {
        let Some(secret) = reveal(&self.world, &row)? else {
            self.sealed(&row, text).await?;
            return Ok(Part::Chain);
        };
        let version = version_get(&self.world, self.activity, row.version).await?;
        let Plan::Instant(strategy) = &version.content.plan else {
            let kind = version.content.configuration.kind().name();
            write::remark(text, &format!("round {}, version {}: a {kind}", row.round, row.version));
            return Ok(Part::Chain);
        };
        let secret =
            <[u8; 32]>::try_from(secret).map_err(|_| Fault::new("a secret that is not 32 bytes long"))?;
        write::published(text, &published_chain(self.activity, &row));
        write::strategy(text, &strategy.encode());
        if let (Some(id), Some(pinned)) = (version.content.configuration.tree(), version.tree_version) {
            let tree = tree_find(&self.world, TreeId(id), Some(pinned)).await?;
            write::tree(text, id, pinned, &tree.draft.encode());
        }
        write::secret(text, &secret);
        self.chains.push_front(row);
        Ok(Part::Records { after: 0 })
    }

    async fn records(&mut self, after: u64, text: &mut String) -> Result<Part> {
        let Some(row) = self.chains.front() else { return Ok(Part::Chain) };
        let chain = ChainKey { activity: self.activity, round: row.round, version: row.version };
        let records = self.world.db.chain_page(chain, after, RECORDS_AT_ONCE).await?;
        for found in &records {
            write::record(text, &found.receipt, found.record.bytes());
        }
        let last = records.last().map_or(after, |last| last.receipt.place);
        if records.len() == RECORDS_AT_ONCE as usize {
            return Ok(Part::Records { after: last });
        }
        write::end(text, last);
        self.total.chains += 1;
        self.chains.pop_front();
        Ok(Part::Chain)
    }

    async fn sealed(&mut self, first: &SecretRow, text: &mut String) -> Result<()> {
        let of_round = |row: &SecretRow| row.round == first.round && row.revealed_at.is_none();
        let mut versions = vec![first.version];
        remark(text, first);
        while let Some(row) = self.chains.pop_front_if(|row| of_round(row)) {
            remark(text, &row);
            versions.push(row.version);
        }
        let round = self.world.db.round_find((self.activity, first.round)).await?;
        let draws = round.map_or(0, |round| round.counts.draws);
        write::sealed(text, &SealedRound { activity: self.activity, round: first.round, versions, draws });
        self.total.sealed += 1;
        Ok(())
    }
}

fn remark(text: &mut String, row: &SecretRow) {
    let (commitment, strategy) = (hex(&row.commitment.0), hex(&row.strategy.0));
    let of = format!("round {}, version {}", row.round, row.version);
    write::remark(text, &format!("{of}: commitment {commitment}, strategy {strategy}"));
}
