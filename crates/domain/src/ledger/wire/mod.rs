//! The journal's form of events: one block of bytes per batch, compact, versioned, checked.
//!
//! ```text
//! batch  := version (1 byte) ‖ term ‖ first seq ‖ first time ‖ count ‖ event* ‖ checksum (8 bytes)
//! event  := kind (1 byte) ‖ milliseconds since the event before ‖ route ‖ round ‖ what the kind needs
//! ```
//!
//! Whole numbers are LEB128; signed ones zig-zagged first; keys are 16 bytes as they are; texts carry their length.
//! The checksum is the head of SHA-256 over everything before it. All events of a batch share a term, and their
//! numbers are dense. A new version is a new first byte: what was written stays readable.

mod directive;
mod read;
mod ticket;
mod write;

pub use read::{WireError, decode};
pub use write::BatchWriter;

const VERSION: u8 = 1;
const CHECKSUM: usize = 8;

/// Kinds of events. A number once given keeps its meaning; 14 and 15 were tickets that were settled later, which no
/// ledger writes any more, and are not given again.
mod kind {
    pub const TERM_BEGAN: u8 = 0;
    pub const POOL_OPENED: u8 = 1;
    pub const POOL_ADJUSTED: u8 = 2;
    pub const POOL_LIMITED: u8 = 3;
    pub const POOL_STATE_SET: u8 = 4;
    pub const RESERVED: u8 = 5;
    pub const CONFIRMED: u8 = 6;
    pub const CANCELLED: u8 = 7;
    pub const SPENT: u8 = 8;
    pub const EXTENDED: u8 = 9;
    pub const EXPIRED: u8 = 10;
    pub const ACTIVITY_OPENED: u8 = 11;
    pub const ACTIVITY_STATE_SET: u8 = 12;
    pub const CHANCES_GRANTED: u8 = 13;
    pub const ACTIVITY_TERMS_SET: u8 = 16;
    pub const PRIZE_STATE_SET: u8 = 17;
    pub const HALTED: u8 = 18;
    pub const DRAWN: u8 = 19;
    pub const ENTERED: u8 = 20;
    pub const CHANCES_REVOKED: u8 = 21;
    pub const CLOCK_PUT_BACK: u8 = 22;
}

#[cfg(test)]
mod tests;
