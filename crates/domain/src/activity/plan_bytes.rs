//! The one way to write a plan down, and its hash.
//!
//! An instant activity's plan is its strategy ([`crate::lottery::publish`]). A raffle's is
//!
//! ```text
//! raffle := 'W' 'R' form=1 (1 byte) ‖ count 2 ‖ each prize: id 2 ‖ length 2 ‖ name, UTF-8 ‖ units 4
//! ```
//!
//! A sale's is in [`crate::sale`]. Numbers are big-endian. The hash is the SHA-256 of these bytes.

use sha2::{Digest, Sha256};

use super::plan::{Plan, RafflePrize};
use crate::lottery::LotteryWireError;
use crate::lottery::publish::StrategyHash;
use crate::lottery::strategy::{PrizeId, Strategy};
use crate::sale::{self, SalePlan};

const RAFFLE: [u8; 3] = [b'W', b'R', 1];

impl Plan {
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Instant(strategy) => strategy.encode(),
            Self::Raffle(prizes) => {
                let mut bytes = RAFFLE.to_vec();
                bytes.extend(length(prizes.len()));
                for prize in prizes {
                    bytes.extend(prize.id.number().to_be_bytes());
                    bytes.extend(length(prize.name.len()));
                    bytes.extend(prize.name.as_bytes());
                    bytes.extend(prize.units.to_be_bytes());
                }
                bytes
            }
            Self::Sale(sale) => sale.encode(),
        }
    }

    /// Reads what [`Plan::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, LotteryWireError> {
        if let Some(rest) = bytes.strip_prefix(&sale::PLAN_HEAD) {
            return SalePlan::decode(rest).map(Self::Sale);
        }
        let Some(mut rest) = bytes.strip_prefix(&RAFFLE) else {
            return Strategy::decode(bytes).map(Self::Instant);
        };
        let count = u16::from_be_bytes(take(&mut rest)?);
        let prizes = (0..count).map(|_| raffle_prize(&mut rest)).collect::<Result<_, _>>()?;
        if rest.is_empty() { Ok(Self::Raffle(prizes)) } else { Err(LotteryWireError::Long) }
    }

    /// What is published with the commitment.
    pub fn hash(&self) -> StrategyHash {
        StrategyHash(Sha256::digest(self.encode()).into())
    }
}

/// Longer than any list or name that passes its check; such a plan is never published.
fn length(length: usize) -> [u8; 2] {
    u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes()
}

fn raffle_prize(rest: &mut &[u8]) -> Result<RafflePrize, LotteryWireError> {
    let id = PrizeId::new(u16::from_be_bytes(take(rest)?)).ok_or(LotteryWireError::Value("prize id"))?;
    let length = usize::from(u16::from_be_bytes(take(rest)?));
    let (name, after) = rest.split_at_checked(length).ok_or(LotteryWireError::Short)?;
    *rest = after;
    let name = std::str::from_utf8(name).map_err(|_| LotteryWireError::Value("name"))?.to_owned();
    Ok(RafflePrize { id, name, units: u32::from_be_bytes(take(rest)?) })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], LotteryWireError> {
    let (head, after) = rest.split_first_chunk().ok_or(LotteryWireError::Short)?;
    *rest = after;
    Ok(*head)
}
