//! Prizes on their way: claimed by their winners, moved on by operators and by the systems that give them, and what became
//! of the messages in between.

mod claim;
pub(crate) mod jobs;
mod letters;
pub(crate) mod low_codes_job;
mod operate;
pub mod redeem_codes;
pub(crate) mod relay;
pub mod things;
mod waits;

pub use claim::{ClaimAddress, claim};
pub use letters::{LANES, LetterStory, letter, letter_list, redrive_lane, redrive_one};
pub use operate::{FulfilmentTold, detail, fulfilment_list, report, ship, step, told, told_all, void_ask};
pub use waits::Missing;
