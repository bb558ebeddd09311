//! The write-ahead log as bytes: which of them are whole, committed transactions.
//!
//! The format is SQLite's own and documented as stable: a header of 32 bytes, then frames of 24 bytes and one page. Each
//! frame carries the log's salts and a checksum over everything before it, so that whatever was cut off, overwritten or
//! belongs to an earlier turn of the log is told from what counts.

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;
const MAGIC: u32 = 0x377f_0682;

/// One turn of the log: it begins anew with other salts once everything in it has been moved into the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogHeader {
    big_endian: bool,
    page_bytes: usize,
    /// Counts the turns.
    pub turn: u32,
    salts: [u8; 8],
    sum: (u32, u32),
}

/// How far a log was read: whole transactions only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogCursor {
    /// Bytes from the beginning of the log.
    pub end: u64,
    sum: (u32, u32),
}

impl LogHeader {
    pub const BYTES: u64 = HEADER_BYTES as u64;

    /// Nothing when these bytes are no header: the log is empty, or a new turn is being written.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..HEADER_BYTES)?;
        let magic = be(head, 0)?;
        if magic & !1 != MAGIC {
            return None;
        }
        let big_endian = magic & 1 == 1;
        let sum = checksum(big_endian, head.get(..24)?, (0, 0));
        if sum != (be(head, 24)?, be(head, 28)?) {
            return None;
        }
        Some(Self {
            big_endian,
            page_bytes: usize::try_from(be(head, 8)?).ok()?,
            turn: be(head, 12)?,
            salts: head.get(16..24)?.try_into().ok()?,
            sum,
        })
    }

    /// Right behind the header.
    pub fn start(&self) -> LogCursor {
        LogCursor { end: Self::BYTES, sum: self.sum }
    }

    /// The cursor behind the last whole transaction in `bytes`, which begin at `from`.
    pub fn advance(&self, from: LogCursor, bytes: &[u8]) -> LogCursor {
        let (mut whole, mut sum, mut at) = (from, from.sum, 0);
        let frame_bytes = FRAME_HEADER_BYTES + self.page_bytes;
        while let Some(frame) = bytes.get(at..at + frame_bytes) {
            let Some((next, commits)) = self.check(frame, sum) else { break };
            (sum, at) = (next, at + frame_bytes);
            if commits {
                whole = LogCursor { end: from.end + at as u64, sum };
            }
        }
        whole
    }

    /// The checksum behind a frame that continues the log, and whether it ends a transaction.
    fn check(&self, frame: &[u8], sum: (u32, u32)) -> Option<((u32, u32), bool)> {
        if frame.get(8..16)? != self.salts {
            return None;
        }
        let sum = checksum(self.big_endian, frame.get(..8)?, sum);
        let sum = checksum(self.big_endian, frame.get(FRAME_HEADER_BYTES..)?, sum);
        (sum == (be(frame, 16)?, be(frame, 20)?)).then_some((sum, be(frame, 4)? != 0))
    }
}

fn checksum(big_endian: bool, bytes: &[u8], (mut first, mut second): (u32, u32)) -> (u32, u32) {
    let word =
        |bytes: [u8; 4]| if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
    for [a, b, c, d, e, f, g, h] in bytes.as_chunks::<8>().0 {
        first = first.wrapping_add(word([*a, *b, *c, *d])).wrapping_add(second);
        second = second.wrapping_add(word([*e, *f, *g, *h])).wrapping_add(first);
    }
    (first, second)
}

fn be(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log as SQLite writes it, cut and spoilt at every place: only whole transactions count.
    #[test]
    fn only_whole_transactions_count() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        let sqlite = rusqlite::Connection::open(&file).unwrap();
        sqlite.pragma_update(None, "journal_mode", "wal").unwrap();
        sqlite
            .execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2);")
            .unwrap();
        let log = std::fs::read(folder.path().join("a.db-wal")).unwrap();
        let header = LogHeader::read(&log).unwrap();
        let body = &log[HEADER_BYTES..];
        let whole = header.advance(header.start(), body);
        assert_eq!(whole.end, log.len() as u64);
        let mut ends: Vec<u64> = Vec::new();
        for cut in (0..body.len()).step_by(97) {
            let end = header.advance(header.start(), &body[..cut]).end;
            assert!(end <= LogHeader::BYTES + cut as u64);
            ends.push(end);
            // In two readings it comes to the same.
            let first = header.advance(header.start(), &body[..cut]);
            let rest = usize::try_from(first.end).unwrap() - HEADER_BYTES;
            assert_eq!(header.advance(first, &body[rest..]), whole);
        }
        ends.dedup();
        assert!(ends.len() > 2, "several transactions: {ends:?}");
        for at in (0..body.len()).step_by(61) {
            let mut spoilt = body.to_vec();
            spoilt[at] ^= 1;
            assert!(header.advance(header.start(), &spoilt).end <= LogHeader::BYTES + at as u64, "{at}");
        }
        assert_eq!(LogHeader::read(&log[..31]), None);
        assert_eq!(LogHeader::read(&[0; 64]), None);
    }
}
