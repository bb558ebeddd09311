//! The bytes of forms that are published: strategies, records of draws, rule trees.
//!
//! All are read by strangers' programs, so all are canonical: for each value there is one way to write it, and a
//! reader refuses any other. Fixed-width numbers are big-endian. Short numbers are LEB128 (seven bits a byte, lowest
//! first, the high bit says that more follow) without needless bytes. Whatever the bytes are, reading them answers with
//! a value or a named error, never a panic and never more memory than the bytes justify.

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LotteryWireError {
    #[error("the bytes end too early")]
    Short,
    #[error("there are bytes after the end")]
    Long,
    #[error("version {0} is not known to this program")]
    Version(u8),
    #[error("a value that cannot be, or is not written in the one way: {0}")]
    Value(&'static str),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    pub fn i64(&mut self, value: i64) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    /// LEB128.
    pub fn short(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.u8(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.u8(value.to_le_bytes()[0]);
    }

    /// How many follow, in two bytes, then each of them.
    pub fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.u16(u16::try_from(items.len()).unwrap_or(u16::MAX));
        items.iter().for_each(|item| one(self, item));
    }

    /// A byte 0 for nothing; 1 and the thing otherwise.
    pub fn option<T>(&mut self, item: Option<&T>, one: impl FnOnce(&mut Self, &T)) {
        self.u8(u8::from(item.is_some()));
        if let Some(item) = item {
            one(self, item);
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn end(&self) -> Result<(), LotteryWireError> {
        if self.rest.is_empty() { Ok(()) } else { Err(LotteryWireError::Long) }
    }

    pub fn take(&mut self, length: usize) -> Result<&'a [u8], LotteryWireError> {
        let (head, rest) = self.rest.split_at_checked(length).ok_or(LotteryWireError::Short)?;
        self.rest = rest;
        Ok(head)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], LotteryWireError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    pub fn u8(&mut self) -> Result<u8, LotteryWireError> {
        self.array().map(u8::from_be_bytes)
    }

    pub fn u16(&mut self) -> Result<u16, LotteryWireError> {
        self.array().map(u16::from_be_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, LotteryWireError> {
        self.array().map(u32::from_be_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, LotteryWireError> {
        self.array().map(u64::from_be_bytes)
    }

    pub fn i64(&mut self) -> Result<i64, LotteryWireError> {
        self.array().map(i64::from_be_bytes)
    }

    pub fn short(&mut self) -> Result<u64, LotteryWireError> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            if (shift == 63 && bits > 1) || (shift > 0 && byte == 0) {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(LotteryWireError::Value("a short number"))
    }

    pub fn short_u32(&mut self) -> Result<u32, LotteryWireError> {
        u32::try_from(self.short()?).map_err(|_| LotteryWireError::Value("a short number of 32 bits"))
    }

    pub fn short_u16(&mut self) -> Result<u16, LotteryWireError> {
        u16::try_from(self.short()?).map_err(|_| LotteryWireError::Value("a short number of 16 bits"))
    }

    /// Things take at least a byte each, so a count never asks for more memory than there are bytes.
    pub fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, LotteryWireError>,
    ) -> Result<Vec<T>, LotteryWireError> {
        let count = usize::from(self.u16()?);
        if count > self.rest.len() {
            return Err(LotteryWireError::Short);
        }
        (0..count).map(|_| one(self)).collect()
    }

    pub fn option<T>(
        &mut self,
        one: impl FnOnce(&mut Self) -> Result<T, LotteryWireError>,
    ) -> Result<Option<T>, LotteryWireError> {
        match self.u8()? {
            0 => Ok(None),
            1 => one(self).map(Some),
            _ => Err(LotteryWireError::Value("an optional value")),
        }
    }
}

#[cfg(test)]
mod rows {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_short_number_is_written_in_one_way() {
        for (bytes, expected) in [
            (vec![0], Ok(0)),
            (vec![0x7f], Ok(127)),
            (vec![0x80, 0x01], Ok(128)),
            (vec![0x80, 0x00], Err(LotteryWireError::Value("a short number"))),
            (vec![0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], Ok(u64::MAX)),
            (
                vec![0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
                Err(LotteryWireError::Value("a short number")),
            ),
            (vec![0x80], Err(LotteryWireError::Short)),
        ] {
            assert_eq!(Reader::new(&bytes).short(), expected, "{bytes:02x?}");
        }
    }

    proptest! {
        #[test]
        fn short_numbers_come_back(value: u64) {
            let mut writer = Writer::default();
            writer.short(value);
            let mut reader = Reader::new(&writer.bytes);
            prop_assert_eq!(reader.short(), Ok(value));
            prop_assert_eq!(reader.end(), Ok(()));
        }
    }
}
