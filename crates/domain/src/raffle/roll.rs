//! The roll: everything about a raffle that is fixed and published before it is drawn.
//!
//! It has one encoding: entrants ascend by their number, each once. So it has one hash, and a roll that is not in that form is
//! not read. Prizes and the beacon's name are part of it, because whoever could choose them later, knowing the secret,
//! could choose the winners.

use sha2::{Digest, Sha256};

use crate::flaw::Flaw;
use crate::ids::ActivityId;
use crate::player_number::PlayerNumber;

/// Persons on one roll.
pub const ENTRANTS_MAX: usize = 10_000_000;
/// Entries of one person.
pub const ENTRIES_MAX: u32 = 1_000_000;
/// Kinds of prizes.
pub const PRIZES_MAX: usize = 1_000;
/// Units of all prizes together.
pub const WINNERS_MAX: u64 = 1_000_000;
/// Room for 200 characters of any script.
pub const BEACON_NAME_BYTES_MAX: usize = 800;
const TAG: &[u8; 16] = b"windfall.roll.01";

/// One player of the round and how often they entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entrant {
    pub seat: PlayerNumber,
    pub entries: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    activity: ActivityId,
    round: u32,
    /// What the public value will be, in words. `None`: drawn from secret and roll alone.
    beacon: Option<String>,
    /// Units of each prize, in the order in which they are drawn.
    prizes: Vec<u32>,
    entrants: Vec<Entrant>,
    hash: [u8; 32],
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RollRefusal {
    #[error("player {seat} is on the roll twice")]
    EntrantRepeated { seat: PlayerNumber },
    #[error("player {seat} has to have 1 to {ENTRIES_MAX} entries")]
    EntriesOutOfRange { seat: PlayerNumber },
    #[error("a roll has at most {ENTRANTS_MAX} entrants")]
    TooManyEntrants,
    #[error("a raffle has 1 to {PRIZES_MAX} prizes")]
    PrizesOutOfRange,
    #[error("prize {prize} has no units, or all have more than {WINNERS_MAX}")]
    UnitsOutOfRange { prize: usize },
    #[error("a beacon's name has 1 to {BEACON_NAME_BYTES_MAX} bytes of text")]
    BeaconName,
    /// The bytes are not the one encoding of a roll.
    #[error("the bytes are not a roll in its canonical form")]
    NotCanonical,
}

impl RollRefusal {
    /// The stable name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::EntrantRepeated { .. } => "entrant_repeated",
            Self::EntriesOutOfRange { .. } => "entries_out_of_range",
            Self::TooManyEntrants => "too_many_entrants",
            Self::PrizesOutOfRange => "prizes_out_of_range",
            Self::UnitsOutOfRange { .. } => "units_out_of_range",
            Self::BeaconName => "beacon_name",
            Self::NotCanonical => "not_canonical",
        }
    }
}

/// What an operator is told at submit, and whoever reads a roll that is none.
impl From<RollRefusal> for Flaw {
    fn from(refusal: RollRefusal) -> Self {
        let (field, chinese) = match &refusal {
            RollRefusal::EntrantRepeated { seat } => {
                (String::new(), format!("{seat} 号参与者在名册中重复。"))
            }
            RollRefusal::EntriesOutOfRange { seat } => {
                (String::new(), format!("{seat} 号参与者的参与次数须为 1 至 {ENTRIES_MAX}。"))
            }
            RollRefusal::TooManyEntrants => (String::new(), format!("参与者最多 {ENTRANTS_MAX} 人。")),
            RollRefusal::PrizesOutOfRange => {
                ("prizes".to_owned(), format!("奖品须为 1 至 {PRIZES_MAX} 种。"))
            }
            RollRefusal::UnitsOutOfRange { prize } => {
                (format!("prizes[{prize}].units"), format!("该奖品数量为零，或奖品总数超过 {WINNERS_MAX}。"))
            }
            RollRefusal::BeaconName => {
                ("beacon".to_owned(), format!("信标名称须为 1 至 {BEACON_NAME_BYTES_MAX} 字节的文本。"))
            }
            RollRefusal::NotCanonical => (String::new(), "不是名册的规范格式。".to_owned()),
        };
        Self::new(field, refusal.name(), refusal.to_string(), chinese)
    }
}

impl Roll {
    /// From entrants in any order.
    pub fn new(
        activity: ActivityId,
        round: u32,
        beacon: Option<String>,
        prizes: Vec<u32>,
        mut entrants: Vec<Entrant>,
    ) -> Result<Self, RollRefusal> {
        if beacon.as_ref().is_some_and(|name| !(1..=BEACON_NAME_BYTES_MAX).contains(&name.len())) {
            return Err(RollRefusal::BeaconName);
        }
        check_prizes(&prizes)?;
        if entrants.len() > ENTRANTS_MAX {
            return Err(RollRefusal::TooManyEntrants);
        }
        entrants.sort_unstable_by_key(|entrant| entrant.seat);
        check_entrants(&entrants)?;
        let mut roll = Self { activity, round, beacon, prizes, entrants, hash: [0; 32] };
        let mut hash = Sha256::new();
        roll.write(|bytes| hash.update(bytes));
        roll.hash = hash.finalize().into();
        Ok(roll)
    }

    pub fn activity(&self) -> ActivityId {
        self.activity
    }

    pub fn round(&self) -> u32 {
        self.round
    }

    pub fn beacon(&self) -> Option<&str> {
        self.beacon.as_deref()
    }

    pub fn prizes(&self) -> &[u32] {
        &self.prizes
    }

    /// Ascending by number.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// SHA-256 of the encoding: what is published before the drawing.
    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 + self.prizes.len() * 4 + self.entrants.len() * 12);
        self.write(|part| bytes.extend_from_slice(part));
        bytes
    }

    /// Reads the canonical form and no other.
    pub fn decode(bytes: &[u8]) -> Result<Self, RollRefusal> {
        let mut read = Read(bytes);
        if read.take::<16>()? != *TAG {
            return Err(RollRefusal::NotCanonical);
        }
        let activity = ActivityId(i64::from_be_bytes(read.take()?));
        let round = u32::from_be_bytes(read.take()?);
        let length = u16::from_be_bytes(read.take()?);
        let name = read.slice(usize::from(length))?;
        let name = std::str::from_utf8(name).map_err(|_| RollRefusal::NotCanonical)?;
        let beacon = (!name.is_empty()).then(|| name.to_owned());
        let prizes = read
            .rows(PRIZES_MAX, RollRefusal::PrizesOutOfRange, |row: [u8; 4]| Some(u32::from_be_bytes(row)))?;
        let entrants = read.rows(ENTRANTS_MAX, RollRefusal::TooManyEntrants, entrant)?;
        if !read.0.is_empty() || !entrants.is_sorted_by_key(|entrant| entrant.seat) {
            return Err(RollRefusal::NotCanonical);
        }
        Self::new(activity, round, beacon, prizes, entrants)
    }

    fn write(&self, mut part: impl FnMut(&[u8])) {
        let name = self.beacon.as_deref().unwrap_or_default();
        part(TAG);
        part(&self.activity.0.to_be_bytes());
        part(&self.round.to_be_bytes());
        part(&u16::try_from(name.len()).expect("a checked name").to_be_bytes());
        part(name.as_bytes());
        part(&count(self.prizes.len()));
        for units in &self.prizes {
            part(&units.to_be_bytes());
        }
        part(&count(self.entrants.len()));
        for entrant in &self.entrants {
            part(&entrant.seat.to_bytes());
            part(&entrant.entries.to_be_bytes());
        }
    }
}

fn check_prizes(prizes: &[u32]) -> Result<(), RollRefusal> {
    if !(1..=PRIZES_MAX).contains(&prizes.len()) {
        return Err(RollRefusal::PrizesOutOfRange);
    }
    let mut winners = 0;
    for (prize, units) in prizes.iter().enumerate() {
        winners += u64::from(*units);
        if *units == 0 || winners > WINNERS_MAX {
            return Err(RollRefusal::UnitsOutOfRange { prize });
        }
    }
    Ok(())
}

fn check_entrants(entrants: &[Entrant]) -> Result<(), RollRefusal> {
    let mut before = None;
    for &Entrant { seat, entries } in entrants {
        if before == Some(seat) {
            return Err(RollRefusal::EntrantRepeated { seat });
        }
        if !(1..=ENTRIES_MAX).contains(&entries) {
            return Err(RollRefusal::EntriesOutOfRange { seat });
        }
        before = Some(seat);
    }
    Ok(())
}

fn count(rows: usize) -> [u8; 4] {
    u32::try_from(rows).expect("a checked number of rows").to_be_bytes()
}

/// `None` if whoever entered is no player.
fn entrant(row: [u8; 12]) -> Option<Entrant> {
    let [a, b, c, d, e, f, g, h, entries @ ..] = row;
    let seat = PlayerNumber::from_bytes([a, b, c, d, e, f, g, h])?;
    Some(Entrant { seat, entries: u32::from_be_bytes(entries) })
}

/// What is left to read.
struct Read<'a>(&'a [u8]);

impl<'a> Read<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], RollRefusal> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(RollRefusal::NotCanonical)?;
        self.0 = rest;
        Ok(*head)
    }

    fn slice(&mut self, length: usize) -> Result<&'a [u8], RollRefusal> {
        let (head, rest) = self.0.split_at_checked(length).ok_or(RollRefusal::NotCanonical)?;
        self.0 = rest;
        Ok(head)
    }

    /// A count and as many rows. The count is believed only as far as there are bytes.
    fn rows<const N: usize, T>(
        &mut self,
        max: usize,
        too_many: RollRefusal,
        row: impl Fn([u8; N]) -> Option<T>,
    ) -> Result<Vec<T>, RollRefusal> {
        let count = u32::from_be_bytes(self.take()?);
        let count = usize::try_from(count).ok().filter(|count| *count <= max).ok_or(too_many)?;
        let (rows, _) = self.slice(count.saturating_mul(N))?.as_chunks::<N>();
        rows.iter().map(|bytes| row(*bytes).ok_or(RollRefusal::NotCanonical)).collect()
    }
}
