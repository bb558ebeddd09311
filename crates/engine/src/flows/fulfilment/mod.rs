//! Prizes on their way: claimed by their winners, moved on by operators and by the systems that give them, and what became
//! of the messages in between.

mod claim;
mod letters;
mod operate;

pub use claim::{ClaimAddress, claim};
pub use letters::{LetterStory, letter, redrive_lane, redrive_one};
pub use operate::{FulfilmentTold, coupons_wait, detail, report, ship, step, told, void_ask};
