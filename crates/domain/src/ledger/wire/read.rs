//! Reading a batch back. Whatever the bytes are, the answer is events or a named error, never a panic and never more
//! memory than the bytes justify.

use sha2::{Digest, Sha256};

use super::{CHECKSUM, VERSION, directive, kind, ticket};
use crate::ids::ActivityId;
use crate::ledger::command::{Key, Owner, PoolId, Quantity, Text};
use crate::ledger::digest::CommandDigest;
use crate::ledger::event::{Change, Event, TakenLine};
use crate::lottery::strategy::PrizeId;
use crate::time::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    #[error("the block ends too early")]
    Short,
    #[error("the block's version {0} is not known to this program")]
    Version(u8),
    #[error("the block's checksum does not fit its bytes")]
    Checksum,
    #[error("the block holds an event of kind {0}, which is not known to this program")]
    Kind(u8),
    #[error("the block holds a value that cannot be: {0}")]
    Value(&'static str),
}

pub fn decode(block: &[u8]) -> Result<Vec<Event>, WireError> {
    let (body, checksum) =
        block.split_at_checked(block.len().wrapping_sub(CHECKSUM)).ok_or(WireError::Short)?;
    let digest: [u8; 32] = Sha256::digest(body).into();
    if digest[..CHECKSUM] != *checksum {
        return Err(WireError::Checksum);
    }
    let mut reader = Reader { rest: body };
    match reader.byte()? {
        VERSION => {}
        other => return Err(WireError::Version(other)),
    }
    let term = reader.small("term")?;
    let first_seq = reader.number()?;
    let mut at_ms = reader.signed()?;
    let count = reader.number()?;
    let mut events = Vec::with_capacity(usize::try_from(count).unwrap_or(0).min(body.len()));
    for index in 0..count {
        let seq = first_seq.checked_add(index).ok_or(WireError::Value("seq"))?;
        let kind = reader.byte()?;
        at_ms = at_ms.checked_add_unsigned(reader.number()?).ok_or(WireError::Value("time"))?;
        let (route, round) = (reader.pool()?, reader.small("round")?);
        if kind == kind::CLOCK_PUT_BACK {
            at_ms = at_ms.checked_add(reader.signed()?).ok_or(WireError::Value("time"))?;
        }
        // What happened is read with the event's own values at hand.
        let mut event = Event { seq, term, at: Timestamp(at_ms), route, round, change: Change::TermBegan };
        event.change = reader.change(kind, &event)?;
        events.push(event);
    }
    if reader.rest.is_empty() { Ok(events) } else { Err(WireError::Value("bytes after the last event")) }
}

pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn change(&mut self, kind: u8, event: &Event) -> Result<Change, WireError> {
        Ok(match kind {
            kind::TERM_BEGAN => Change::TermBegan,
            kind::CLOCK_PUT_BACK => Change::ClockPutBack,
            kind::RESERVED => self.reserved(event)?,
            kind::CONFIRMED => {
                let (hold, made_seq) = self.made(event)?;
                let count = self.count()?;
                let taken = (0..count).map(|_| self.small("units")).collect::<Result<_, _>>()?;
                Change::Confirmed { hold, made_seq, taken }
            }
            kind::CANCELLED => {
                let (hold, made_seq) = self.made(event)?;
                Change::Cancelled { hold, made_seq }
            }
            kind::SPENT => Change::Spent { hold: self.key()?, id: self.text()?, caller: self.signed()? },
            kind::EXTENDED => {
                let (hold, made_seq) = self.made(event)?;
                Change::Extended { hold, made_seq, due: self.later(event)? }
            }
            kind::EXPIRED => {
                let (hold, made_seq) = self.made(event)?;
                Change::Expired { hold, made_seq }
            }
            kind::DRAWN => {
                let activity = ActivityId(event.route.0);
                Change::Drawn(Box::new(ticket::read_drawing(self, activity, event)?))
            }
            kind::ENTERED => Change::Entered(ticket::read_taking(self, ActivityId(event.route.0))?),
            kind if directive::has_kind(kind) => directive::read(self, kind, event)?,
            other => return Err(WireError::Kind(other)),
        })
    }

    fn reserved(&mut self, event: &Event) -> Result<Change, WireError> {
        let (key, digest, id, caller) = (self.key()?, self.digest()?, self.text()?, self.signed()?);
        let owner = match self.str()? {
            "" => None,
            text => Some(Owner::new(Text::new(text).ok_or(WireError::Value("owner"))?)),
        };
        let due = self.later(event)?;
        let count = self.count()?;
        let line = |at| match at {
            0 => Ok(TakenLine { pool: event.route, round: event.round, quantity: self.quantity()? }),
            _ => self.line(),
        };
        let lines = (0..count).map(line).collect::<Result<_, _>>()?;
        Ok(Change::Reserved { key, digest, id, caller, owner, due, lines })
    }

    pub fn line(&mut self) -> Result<TakenLine, WireError> {
        Ok(TakenLine { pool: self.pool()?, round: self.small("round")?, quantity: self.quantity()? })
    }

    fn quantity(&mut self) -> Result<Quantity, WireError> {
        let units = i64::try_from(self.number()?).unwrap_or(0);
        Quantity::new(units).ok_or(WireError::Value("quantity"))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], WireError> {
        let (head, rest) = self.rest.split_at_checked(length).ok_or(WireError::Short)?;
        self.rest = rest;
        Ok(head)
    }

    pub fn byte(&mut self) -> Result<u8, WireError> {
        Ok(self.take(1)?[0])
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    pub fn key(&mut self) -> Result<Key, WireError> {
        self.array().map(|bytes| Key(u128::from_le_bytes(bytes)))
    }

    pub fn digest(&mut self) -> Result<CommandDigest, WireError> {
        self.eight().map(CommandDigest)
    }

    pub fn prize(&mut self) -> Result<PrizeId, WireError> {
        let id = u16::try_from(self.number()?).ok();
        id.and_then(PrizeId::new).ok_or(WireError::Value("prize"))
    }

    pub fn flag(&mut self) -> Result<bool, WireError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(WireError::Value("flag")),
        }
    }

    pub fn pool(&mut self) -> Result<PoolId, WireError> {
        self.eight().map(|bits| PoolId(bits.cast_signed()))
    }

    /// A hold, and the event that made it: an earlier one.
    fn made(&mut self, event: &Event) -> Result<(Key, u64), WireError> {
        let hold = self.key()?;
        let made_seq = event.seq.checked_sub(self.number()?).ok_or(WireError::Value("made by"))?;
        Ok((hold, made_seq))
    }

    fn eight(&mut self) -> Result<u64, WireError> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn number(&mut self) -> Result<u64, WireError> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(WireError::Value("a number of more than 64 bits"));
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(WireError::Value("a number of more than 64 bits"))
    }

    pub fn signed(&mut self) -> Result<i64, WireError> {
        let value = self.number()?;
        Ok((value >> 1).cast_signed() ^ -((value & 1).cast_signed()))
    }

    pub fn small(&mut self, what: &'static str) -> Result<u32, WireError> {
        u32::try_from(self.number()?).map_err(|_| WireError::Value(what))
    }

    /// How many of something follow: never more than there are bytes.
    pub fn count(&mut self) -> Result<usize, WireError> {
        usize::try_from(self.number()?).ok().filter(|count| *count <= self.rest.len()).ok_or(WireError::Short)
    }

    fn later(&mut self, event: &Event) -> Result<Timestamp, WireError> {
        event.at.0.checked_add_unsigned(self.number()?).map(Timestamp).ok_or(WireError::Value("time"))
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], WireError> {
        let length = self.count()?;
        self.take(length)
    }

    pub fn str(&mut self) -> Result<&'a str, WireError> {
        std::str::from_utf8(self.bytes()?).map_err(|_| WireError::Value("text"))
    }

    fn text(&mut self) -> Result<Text, WireError> {
        Text::new(self.str()?).ok_or(WireError::Value("text"))
    }
}
