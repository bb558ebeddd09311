//! A line of an export, read. Lines are words with one space between them; empty ones and those that begin with `#` say
//! nothing.

use super::hex;
use super::write::HEAD;
use crate::ids::ActivityId;
use crate::lottery::chain::{ChainLink, PublishedChain, Receipt};
use crate::lottery::publish::StrategyHash;
use crate::lottery::random::Commitment;
use crate::player_number::PlayerNumber;
use crate::raffle::Winner;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportLine<'a> {
    Nothing,
    Head,
    Published(PublishedChain),
    Strategy(Vec<u8>),
    /// The rule tree that let players in.
    Tree {
        id: i64,
        version: u32,
        bytes: Vec<u8>,
    },
    Secret([u8; 32]),
    /// The record itself is read where it is checked.
    Record(Receipt, &'a str),
    End(u64),
    Raffle {
        activity: ActivityId,
        round: u32,
        commitment: [u8; 32],
        roll_hash: [u8; 32],
    },
    Roll(Vec<u8>),
    Beacon(Vec<u8>),
    Winner(Winner),
    Sealed(SealedRound),
    Total(Total),
}

/// A round whose secret is not revealed yet: there is nothing to check, and so much to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedRound {
    pub activity: ActivityId,
    pub round: u32,
    /// Of the strategy, in order.
    pub versions: Vec<u32>,
    /// Draws or entries so far, over all versions.
    pub draws: u64,
}

/// The last line: what is there in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    pub chains: u64,
    pub raffles: u64,
    pub sealed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    #[error("this is not a line of an export of version 1")]
    Unknown,
    #[error("the words after `{0}` are not what belongs there")]
    Words(&'static str),
}

impl<'a> ExportLine<'a> {
    pub fn read(text: &'a str) -> Result<Self, LineError> {
        if let Some(rest) = text.strip_prefix("record ") {
            return record(rest).ok_or(LineError::Words("record"));
        }
        if text.is_empty() || text.starts_with('#') {
            return Ok(Self::Nothing);
        }
        if text == HEAD {
            return Ok(Self::Head);
        }
        let (word, rest) = text.split_once(' ').ok_or(LineError::Unknown)?;
        let (name, line) = match word {
            "published" => ("published", parse_published(rest)),
            "strategy" => ("strategy", bytes(rest).map(Self::Strategy)),
            "tree" => ("tree", tree(rest)),
            "secret" => ("secret", hex::array(rest).map(Self::Secret)),
            "end" => ("end", rest.parse().ok().map(Self::End)),
            "raffle" => ("raffle", raffle(rest)),
            "roll" => ("roll", bytes(rest).map(Self::Roll)),
            "beacon" => ("beacon", bytes(rest).map(Self::Beacon)),
            "winner" => ("winner", winner(rest)),
            "sealed" => ("sealed", parse_sealed(rest)),
            "total" => ("total", total(rest)),
            _ => return Err(LineError::Unknown),
        };
        line.ok_or(LineError::Words(name))
    }
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    hex::read(text.as_bytes(), &mut bytes).then_some(bytes)
}

fn record(text: &str) -> Option<ExportLine<'_>> {
    let (place, rest) = text.split_once(' ')?;
    // A link is 64 digits: nothing to look for.
    let (link, record) = (rest.get(..64)?, rest.get(64..)?.strip_prefix(' ')?);
    let receipt = Receipt { place: place.parse().ok()?, link: ChainLink(hex::array(link)?) };
    Some(ExportLine::Record(receipt, record))
}

fn parse_published(text: &str) -> Option<ExportLine<'static>> {
    let [activity, round, version, commitment, strategy] = words(text)?;
    Some(ExportLine::Published(PublishedChain {
        activity: activity.parse().ok()?,
        round: round.parse().ok()?,
        version: version.parse().ok()?,
        commitment: Commitment(hex::array(commitment)?),
        strategy: StrategyHash(hex::array(strategy)?),
    }))
}

fn tree(text: &str) -> Option<ExportLine<'static>> {
    let [id, version, tree] = words(text)?;
    Some(ExportLine::Tree { id: id.parse().ok()?, version: version.parse().ok()?, bytes: bytes(tree)? })
}

fn raffle(text: &str) -> Option<ExportLine<'static>> {
    let [activity, round, commitment, roll_hash] = words(text)?;
    Some(ExportLine::Raffle {
        activity: activity.parse().ok()?,
        round: round.parse().ok()?,
        commitment: hex::array(commitment)?,
        roll_hash: hex::array(roll_hash)?,
    })
}

fn winner(text: &str) -> Option<ExportLine<'static>> {
    let [prize, place, seat] = words(text)?;
    let seat = seat.parse().ok().and_then(PlayerNumber::new)?;
    Some(ExportLine::Winner(Winner { prize: prize.parse().ok()?, place: place.parse().ok()?, seat }))
}

fn parse_sealed(text: &str) -> Option<ExportLine<'static>> {
    let [activity, round, versions, draws] = words(text)?;
    Some(ExportLine::Sealed(SealedRound {
        activity: activity.parse().ok()?,
        round: round.parse().ok()?,
        versions: versions.split(',').map(|version| version.parse().ok()).collect::<Option<_>>()?,
        draws: draws.parse().ok()?,
    }))
}

fn total(text: &str) -> Option<ExportLine<'static>> {
    let [chains, raffles, sealed] = words(text)?;
    let (chains, raffles, sealed) = (chains.parse().ok()?, raffles.parse().ok()?, sealed.parse().ok()?);
    Some(ExportLine::Total(Total { chains, raffles, sealed }))
}

/// Exactly so many words.
fn words<const N: usize>(text: &str) -> Option<[&str; N]> {
    let mut words = text.split(' ');
    let mut all = [""; N];
    for word in &mut all {
        *word = words.next()?;
    }
    words.next().is_none().then_some(all)
}
