//! Writing a batch, event by event, into one buffer.

use sha2::{Digest, Sha256};

use super::{CHECKSUM, VERSION, directive, kind, ticket};
use crate::ledger::command::{Key, Owner, PoolId, Text};
use crate::ledger::digest::CommandDigest;
use crate::ledger::event::{Change, Event, TakenLine};
use crate::time::Timestamp;

/// Collects the events of one batch. All of them carry the same term, and dense numbers.
#[derive(Clone, Debug, Default)]
pub struct BatchWriter {
    events: Vec<u8>,
    first: Option<(u32, u64, i64)>,
    last_ms: i64,
    count: u64,
}

impl BatchWriter {
    pub fn push(&mut self, event: &Event) {
        let (term, first_seq, first_ms) = *self.first.get_or_insert((event.term, event.seq, event.at.0));
        assert_eq!(
            (event.term, event.seq),
            (term, first_seq + self.count),
            "a batch has one term and no gap"
        );
        if self.count == 0 {
            self.last_ms = first_ms;
        }
        let out = &mut self.events;
        out.push(kind_of(&event.change));
        // Time goes back with one kind of event, which says by how much; with all others it goes on.
        let passed_ms = event.at.0 - self.last_ms;
        let put_back = matches!(event.change, Change::ClockPutBack);
        number(out, if put_back { 0 } else { passed_ms.cast_unsigned() });
        pool(out, event.route);
        number(out, u64::from(event.round));
        if put_back {
            signed(out, passed_ms);
        }
        change(out, event);
        self.last_ms = event.at.0;
        self.count += 1;
    }

    pub fn len(&self) -> u64 {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The finished block; the writer is empty again and keeps its memory.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut block = Vec::with_capacity(self.events.len() + 40);
        let (term, first_seq, first_ms) = self.first.take().unwrap_or_default();
        block.push(VERSION);
        number(&mut block, u64::from(term));
        number(&mut block, first_seq);
        signed(&mut block, first_ms);
        number(&mut block, self.count);
        block.extend_from_slice(&self.events);
        let digest: [u8; 32] = Sha256::digest(&block).into();
        block.extend_from_slice(&digest[..CHECKSUM]);
        self.events.clear();
        self.count = 0;
        block
    }
}

fn kind_of(change: &Change) -> u8 {
    match change {
        Change::TermBegan => kind::TERM_BEGAN,
        Change::ClockPutBack => kind::CLOCK_PUT_BACK,
        Change::Directed { act, .. } => directive::kind_of(act),
        Change::Reserved { .. } => kind::RESERVED,
        Change::Confirmed { .. } => kind::CONFIRMED,
        Change::Cancelled { .. } => kind::CANCELLED,
        Change::Spent { .. } => kind::SPENT,
        Change::Extended { .. } => kind::EXTENDED,
        Change::Expired { .. } => kind::EXPIRED,
        Change::Drawn(_) => kind::DRAWN,
        Change::Entered(_) => kind::ENTERED,
    }
}

/// What the kind needs beyond the event's own route and round.
fn change(out: &mut Vec<u8>, event: &Event) {
    match &event.change {
        Change::TermBegan | Change::ClockPutBack => {}
        Change::Directed { key, digest, note, act } => directive::write(out, *key, *digest, note, act),
        Change::Reserved { key, digest, id, caller, owner, due, lines } => {
            hold(out, *key);
            command_digest(out, *digest);
            text(out, id);
            signed(out, *caller);
            text_or_none(out, owner.as_ref());
            later(out, event, *due);
            number(out, lines.len() as u64);
            for (at, taken) in lines.iter().enumerate() {
                // The first line's pool and round are the event's own.
                if at == 0 {
                    number(out, u64::from(taken.quantity.units()));
                } else {
                    line(out, taken);
                }
            }
        }
        Change::Confirmed { hold: key, made_seq, taken } => {
            made(out, event, *key, *made_seq);
            number(out, taken.len() as u64);
            for units in taken {
                number(out, u64::from(*units));
            }
        }
        Change::Cancelled { hold: key, made_seq } | Change::Expired { hold: key, made_seq } => {
            made(out, event, *key, *made_seq);
        }
        Change::Spent { hold: key, id, caller } => {
            hold(out, *key);
            text(out, id);
            signed(out, *caller);
        }
        Change::Extended { hold: key, made_seq, due } => {
            made(out, event, *key, *made_seq);
            later(out, event, *due);
        }
        Change::Drawn(drawing) => ticket::write_drawing(out, event, drawing),
        Change::Entered(taking) => ticket::write_taking(out, taking),
    }
}

pub(super) fn command_digest(out: &mut Vec<u8>, CommandDigest(digest): CommandDigest) {
    out.extend_from_slice(&digest.to_le_bytes());
}

/// A hold, and how many events ago it was made.
fn made(out: &mut Vec<u8>, event: &Event, key: Key, made_seq: u64) {
    hold(out, key);
    number(out, event.seq - made_seq);
}

fn later(out: &mut Vec<u8>, event: &Event, at: Timestamp) {
    number(out, (at.0 - event.at.0).cast_unsigned());
}

/// Ids of pools are digests: a fixed width is the shortest.
pub(super) fn pool(out: &mut Vec<u8>, pool: PoolId) {
    out.extend_from_slice(&pool.0.to_le_bytes());
}

pub(super) fn line(out: &mut Vec<u8>, line: &TakenLine) {
    pool(out, line.pool);
    number(out, u64::from(line.round));
    number(out, u64::from(line.quantity.units()));
}

pub(super) fn hold(out: &mut Vec<u8>, key: Key) {
    out.extend_from_slice(&key.0.to_le_bytes());
}

fn text(out: &mut Vec<u8>, text: &Text) {
    bytes(out, text.as_str().as_bytes());
}

/// No owner is an empty text: an owner's own text never is.
fn text_or_none(out: &mut Vec<u8>, owner: Option<&Owner>) {
    bytes(out, owner.map_or(&[], |owner| owner.text.as_str().as_bytes()));
}

pub(super) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub(super) fn signed(out: &mut Vec<u8>, value: i64) {
    number(out, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

pub(super) fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}
