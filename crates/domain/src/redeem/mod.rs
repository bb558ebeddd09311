//! Redeem codes (兑换码): what a prize may be, imported in pools and given one by one.
//!
//! Here is what a code may look like, how a file of codes is read, and how many codes become one piece of bytes that is
//! encrypted as a whole. Deliberately absent: keys, hashes and where the pieces are kept.

mod chunk;
mod sheet;

pub use chunk::{CHUNK_CODES_MAX, Chunk};
pub use sheet::{CODE_BYTES_MAX, CodeLine, RedeemCode, SheetKind, is_heading, read, sift};

use crate::Rejection;
use crate::account::name::short_text;

/// Characters in the name of a pool of codes.
pub const POOL_NAME_MAX: usize = 80;

/// The name of a pool of codes.
pub fn pool_name(text: &str) -> Result<String, Rejection> {
    short_text("name", text, 1, POOL_NAME_MAX)
}
