//! Everything that was drawn in an activity, page by page: never more than a page in memory, however much there is.
//!
//! What comes in while somebody reads is read too, or not: a log ends where a page is not full.

use std::collections::VecDeque;
use std::sync::Arc;

use domain::activity::Plan;
use domain::ids::{ActivityId, UserId};
use domain::ledger::Key;
use domain::lottery::record::Record;
use domain::lottery::strategy::{PrizeId, Strategy};
use domain::player_number::PlayerNumber;
use domain::time::Timestamp;
use store::model::{ChainKey, ChainedRecord, SecretRow};

use crate::activities::queries::{activity_get, version_get};
use crate::draws::answer::why;
use crate::draws::mine::check_round;
use crate::failure::{Fault, Result};
use crate::world::World;

/// Records read at a time; each has ten draws at most.
const RECORDS_AT_ONCE: u32 = 500;

/// One draw.
#[derive(Clone, Debug)]
pub struct DrawLine {
    pub ticket: Key,
    pub user: UserId,
    /// The player's number in the round, as it is published.
    pub seat: PlayerNumber,
    pub round: u32,
    pub version: u32,
    pub n: u32,
    pub at: Timestamp,
    pub prize: Option<(PrizeId, String)>,
    pub points: u64,
    pub cost_minor: u64,
    pub why: &'static str,
    pub place: u64,
}

/// All draws, chain by chain in the order of rounds and versions. A raffle's entries are no draws.
#[derive(Debug)]
pub struct DrawLog {
    world: Arc<World>,
    chains: VecDeque<ChainKey>,
    /// The strategy of the first chain, once it is being read, and the last place of it that was.
    reading: Option<(Strategy, u64)>,
}

impl DrawLog {
    /// Of one round, or of all.
    pub async fn open(world: &Arc<World>, id: ActivityId, round: Option<u32>) -> Result<Self> {
        let current = activity_get(world, id).await?.life.round;
        let round = round.map(|round| check_round(current, Some(round))).transpose()?;
        let secrets = world.db.secret_list(id).await?;
        let asked = |row: &SecretRow| round.is_none_or(|round| row.round == round);
        let key = |row: SecretRow| ChainKey { activity: id, round: row.round, version: row.version };
        let chains = secrets.into_iter().filter(asked).map(key).collect();
        Ok(Self { world: Arc::clone(world), chains, reading: None })
    }

    /// The next ones; nothing at the end. A page may be empty.
    pub async fn page(&mut self) -> Result<Option<Vec<DrawLine>>> {
        let Some(chain) = self.chains.front().copied() else { return Ok(None) };
        let (strategy, after) = match self.reading.take() {
            Some(reading) => reading,
            None => match version_get(&self.world, chain.activity, chain.version).await?.content.plan {
                Plan::Instant(strategy) => (strategy, 0),
                Plan::Raffle(_) | Plan::Sale(_) => {
                    self.chains.pop_front();
                    return Ok(Some(Vec::new()));
                }
            },
        };
        let records = self.world.db.chain_page(chain, after, RECORDS_AT_ONCE).await?;
        let mut lines = Vec::with_capacity(records.len());
        for found in &records {
            let record = Record::decode(found.record.bytes());
            let record = record.map_err(|error| Fault::caused("a record of draws", error))?;
            draws(&mut lines, &strategy, found, &record);
        }
        match records.last() {
            Some(last) if records.len() == RECORDS_AT_ONCE as usize => {
                self.reading = Some((strategy, last.receipt.place));
            }
            Some(_) | None => {
                self.chains.pop_front();
            }
        }
        Ok(Some(lines))
    }
}

fn draws(lines: &mut Vec<DrawLine>, strategy: &Strategy, found: &ChainedRecord, record: &Record) {
    for (n, draw) in (record.key.n..).zip(&record.draws) {
        let prize = draw.drawn.prize.and_then(|prize| strategy.prize(prize));
        lines.push(DrawLine {
            ticket: found.ticket,
            user: found.user,
            seat: record.key.seat,
            round: record.key.round,
            version: record.key.version,
            n,
            at: record.at,
            prize: prize.map(|prize| (prize.id, prize.name.clone())),
            points: draw.drawn.points,
            cost_minor: prize.map_or(0, |prize| prize.cost_minor),
            why: why(draw.drawn.why),
            place: found.receipt.place,
        });
    }
}
