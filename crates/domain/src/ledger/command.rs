//! What the ledger can be asked to do. Everything in a command has been validated: a quantity that is not a
//! positive whole number cannot be written down here.

use std::num::NonZeroU64;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::directive::Directive;
use super::play::{Day, Draw, Draws};
use crate::ids::{ActivityId, UserId};
use crate::time::Timestamp;

/// The most units one line may name.
pub const QUANTITY_MAX: u32 = 1_000_000_000;
/// The longest id or owner a caller may give, in bytes.
pub const TEXT_MAX: usize = 64;
/// The longest reason, in bytes.
pub const NOTE_MAX: usize = 500;
/// The longest name of a pool, in bytes.
pub const POOL_NAME_MAX: usize = 200;
/// The most dimensions a pool's name may have.
pub const POOL_DIMENSIONS_MAX: usize = 10;

/// A pool across all of its rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolId(pub i64);

/// What a command is known by: 128 bits of SHA-256 over who asked, what for, and the id they gave. Two callers
/// who choose the same id never meet, and neither do a hold and a restock.
///
/// Kept at every eighth byte: a 128-bit integer would ask for every sixteenth, which costs each record in memory up to
/// sixteen bytes of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(Rust, packed(8))]
pub struct Key(pub u128);

impl Key {
    pub fn of(purpose: &str, caller: i64, id: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update((purpose.len() as u64).to_be_bytes());
        hash.update(purpose);
        hash.update(caller.to_be_bytes());
        hash.update(id);
        let digest: [u8; 32] = hash.finalize().into();
        let mut head = [0; 16];
        head.copy_from_slice(&digest[..16]);
        Self(u128::from_be_bytes(head))
    }

    /// The eight bytes that stay when everything else about a finished id has left memory.
    pub fn fingerprint(self) -> u64 {
        (self.0 >> 64) as u64
    }
}

impl std::fmt::LowerHex for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(bits) = *self;
        bits.fmt(f)
    }
}

/// A positive number of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(u32);

impl From<Draws> for Quantity {
    fn from(draws: Draws) -> Self {
        Self(draws.count())
    }
}

impl Quantity {
    pub fn new(units: i64) -> Option<Self> {
        u32::try_from(units).ok().filter(|units| (1..=QUANTITY_MAX).contains(units)).map(Self)
    }

    pub fn units(self) -> u32 {
        self.0
    }
}

/// A caller's own id or owner: 1 to 64 bytes. Shared, so that the event of a command costs no copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text(Arc<str>);

impl Text {
    pub fn new(text: &str) -> Option<Self> {
        ((1..=TEXT_MAX).contains(&text.len()) && !text.chars().any(char::is_control))
            .then(|| Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What people call a pool: free-form dimensions from the widest to the narrowest, `inventory/store-7/tea/green`.
///
/// The ledger goes by [`PoolId`]s; the name travels in the event that opens a pool and is kept by the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PoolName(Arc<str>);

impl PoolName {
    /// Up to ten parts separated by `/`, none of them empty, without control characters and without spaces around them.
    pub fn new(name: &str) -> Option<Self> {
        let parts = name.split('/');
        let sound =
            |part: &str| !part.is_empty() && part == part.trim() && !part.chars().any(char::is_control);
        (name.len() <= POOL_NAME_MAX
            && parts.clone().count() <= POOL_DIMENSIONS_MAX
            && parts.into_iter().all(sound))
        .then(|| Self(name.into()))
    }

    /// The id that goes with the name: 63 bits of its SHA-256, so that nobody has to look it up. Two of a billion pools
    /// share an id with a probability of one in twenty; two of a million, one in twenty million.
    pub fn pool(&self) -> PoolId {
        let digest: [u8; 32] = Sha256::digest(self.as_str()).into();
        let mut head = [0; 8];
        head.copy_from_slice(&digest[..8]);
        PoolId(i64::from_be_bytes(head) & i64::MAX)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who changed a pool and why, for people; nothing is decided by it. The reason has up to 500 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    by: i64,
    text: Box<str>,
}

impl Note {
    pub fn new(text: &str) -> Option<Self> {
        (text.len() <= NOTE_MAX && !text.chars().any(|c| c.is_control() && c != '\n'))
            .then(|| Self { by: 0, text: text.into() })
    }

    /// The id of the person or API key that asked; zero is Windfall itself.
    #[must_use]
    pub fn signed(self, by: i64) -> Self {
        Self { by, ..self }
    }

    pub fn by(&self) -> i64 {
        self.by
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Whom a hold belongs to, for limits per owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// What counters are kept under: a digest of the text, never zero.
    pub id: NonZeroU64,
    pub text: Text,
}

impl Owner {
    pub fn new(text: Text) -> Self {
        let digest: [u8; 32] = Sha256::digest(text.as_str()).into();
        let mut head = [0; 8];
        head.copy_from_slice(&digest[..8]);
        Self { id: NonZeroU64::new(u64::from_be_bytes(head)).unwrap_or(NonZeroU64::MIN), text }
    }
}

/// So many units of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub pool: PoolId,
    pub quantity: Quantity,
}

/// An activity that has to be running for a hold to be made: in this round, with this version in place.
///
/// The ledger judges it in the same step as the stock, by its own time: nothing is held before the start, from the end on,
/// or after a pause. What was held stays held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MustRun {
    pub activity: ActivityId,
    pub round: u32,
    /// What the buyer was shown: its price is the price.
    pub version: u32,
}

/// How much of a hold a confirmation takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Take {
    All,
    /// These lines; what is not named goes back.
    Part(Vec<Line>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// What staff or Windfall itself say once, under an id: about pools, activities and chances.
    Direct(Directive),
    Reserve {
        key: Key,
        id: Text,
        caller: i64,
        owner: Option<Owner>,
        lines: Vec<Line>,
        ttl_ms: i64,
        /// All of them have to be open; without any, the stock alone decides.
        gates: Vec<MustRun>,
    },
    Confirm {
        hold: Key,
        take: Take,
    },
    /// Also for a hold that never arrived: the id is spent, so that it cannot come alive later.
    Cancel {
        hold: Key,
        id: Text,
        caller: i64,
    },
    /// Moves the end of a hold to `until`, never past its cap, never earlier.
    Extend {
        hold: Key,
        until: Timestamp,
    },
    /// Ends the hold that has been due the longest; said by the ledger's own driver, again and again, a bounded
    /// number of times between other commands.
    ExpireOne,
    /// A ticket with draws on it.
    Draw(Box<Draw>),
    /// Entries to a raffle: paid for like draws, and done with.
    Enter {
        key: Key,
        activity: ActivityId,
        round: u32,
        user: UserId,
        entries: Draws,
        day: Day,
    },
}

impl Command {
    /// The hold that it makes or is about.
    pub fn hold(&self) -> Option<Key> {
        match self {
            Self::Reserve { key: hold, .. }
            | Self::Confirm { hold, .. }
            | Self::Cancel { hold, .. }
            | Self::Extend { hold, .. } => Some(*hold),
            Self::Direct(_) | Self::ExpireOne | Self::Draw(_) | Self::Enter { .. } => None,
        }
    }

    /// The id it is known by; the ledger's own [`Command::ExpireOne`] has none.
    pub fn key(&self) -> Option<Key> {
        match self {
            Self::Direct(directive) => Some(directive.key),
            Self::Reserve { key, .. } | Self::Enter { key, .. } => Some(*key),
            Self::Confirm { hold, .. } | Self::Cancel { hold, .. } | Self::Extend { hold, .. } => Some(*hold),
            Self::ExpireOne => None,
            Self::Draw(draw) => Some(draw.key),
        }
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn quantities_are_positive_whole_and_bounded() {
        for (units, fits) in [
            (1, true),
            (1_000_000_000, true),
            (0, false),
            (-50, false),
            (1_000_000_001, false),
            (i64::MAX, false),
        ] {
            assert_eq!(Quantity::new(units).is_some(), fits, "{units}");
        }
    }

    #[test]
    fn names_have_dimensions() {
        let long = "x".repeat(POOL_NAME_MAX);
        for (name, fits) in [
            ("tea", true),
            ("inventory/store-7/绿茶/大 杯", true),
            ("a/b/c/d/e/f/g/h/i/j", true),
            (&long, true),
            ("a/b/c/d/e/f/g/h/i/j/k", false),
            (&format!("{long}x"), false),
            ("", false),
            ("/tea", false),
            ("tea/", false),
            ("tea//green", false),
            ("tea/ green", false),
            ("tea\n", false),
        ] {
            assert_eq!(PoolName::new(name).is_some(), fits, "{name}");
        }
    }

    /// Written into the database as the key of everything about the pool: it never changes.
    #[test]
    fn the_id_that_goes_with_a_name() {
        let pool = |name: &str| PoolName::new(name).unwrap().pool();
        assert_eq!(pool("inventory/tea"), PoolId(3_393_001_648_993_325_410));
        assert_ne!(pool("inventory/tea"), pool("inventory/te/a"));
    }

    #[test]
    fn keys_keep_callers_and_purposes_apart() {
        let keys = [
            Key::of("hold", 1, "a"),
            Key::of("hold", 2, "a"),
            Key::of("pool", 1, "a"),
            Key::of("hold", 1, "b"),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(keys.iter().position(|other| other == key), Some(at));
        }
        assert_eq!(Key::of("hold", 1, "a"), keys[0]);
    }
}
