//! Reading what the function wrote: fixed widths, the highest byte first.

use domain::ledger::{Key, Note, PoolId, PoolName, PoolState, Quantity, Text};
use domain::time::Timestamp;

/// What came is not what this library writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not what the function writes: {0}")]
pub struct Garbled(pub &'static str);

pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], Garbled> {
        let (head, rest) = self.0.split_at_checked(length).ok_or(Garbled("it ends too early"))?;
        self.0 = rest;
        Ok(head)
    }

    /// So many bytes as said before them, in four bytes.
    pub fn block(&mut self) -> Result<Reader<'a>, Garbled> {
        let length = self.u32()?;
        self.take(usize::try_from(length).map_err(|_| Garbled("a length"))?).map(Reader)
    }

    pub fn byte(&mut self) -> Result<u8, Garbled> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub fn u32(&mut self) -> Result<u32, Garbled> {
        self.array().map(u32::from_be_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Garbled> {
        self.array().map(u64::from_be_bytes)
    }

    pub fn i64(&mut self) -> Result<i64, Garbled> {
        self.array().map(i64::from_be_bytes)
    }

    pub fn key(&mut self) -> Result<Key, Garbled> {
        self.array().map(|bytes| Key(u128::from_be_bytes(bytes)))
    }

    pub fn pool(&mut self) -> Result<PoolId, Garbled> {
        self.i64().map(PoolId)
    }

    pub fn time(&mut self) -> Result<Timestamp, Garbled> {
        self.i64().map(Timestamp)
    }

    pub fn state(&mut self) -> Result<PoolState, Garbled> {
        match self.byte()? {
            0 => Ok(PoolState::Open),
            1 => Ok(PoolState::Frozen),
            2 => Ok(PoolState::Closed),
            _ => Err(Garbled("a pool's state")),
        }
    }

    pub fn quantity(&mut self) -> Result<Quantity, Garbled> {
        Quantity::new(i64::from(self.u32()?)).ok_or(Garbled("a quantity"))
    }

    /// A short text with its length in one byte; empty for none.
    pub fn text(&mut self) -> Result<Option<Text>, Garbled> {
        let text = self.short()?;
        if text.is_empty() { Ok(None) } else { Text::new(text).map(Some).ok_or(Garbled("a text")) }
    }

    pub fn name(&mut self) -> Result<PoolName, Garbled> {
        PoolName::new(self.short()?).ok_or(Garbled("a pool's name"))
    }

    fn short(&mut self) -> Result<&'a str, Garbled> {
        let length = usize::from(self.byte()?);
        std::str::from_utf8(self.take(length)?).map_err(|_| Garbled("a text"))
    }

    /// The rest as a note.
    pub fn note(&mut self) -> Result<Note, Garbled> {
        let by = self.i64()?;
        let rest = self.take(self.0.len())?;
        std::str::from_utf8(rest)
            .ok()
            .and_then(Note::new)
            .map(|note| note.signed(by))
            .ok_or(Garbled("a note"))
    }

    pub fn end(&self) -> Result<(), Garbled> {
        if self.0.is_empty() { Ok(()) } else { Err(Garbled("there is more than there should be")) }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Garbled> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }
}
