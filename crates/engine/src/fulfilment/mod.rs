//! Prizes on their way: claimed by their winners, moved on by operators and by the systems that give them, and what became
//! of the messages in between.

mod claim;
mod dead_letters;
pub(crate) mod jobs;
pub(crate) mod low_codes_job;
mod operate;
pub mod order_things;
pub mod redeem_codes;
pub(crate) mod relay;
mod waits;

pub use claim::{ClaimAddress, claim};
pub use dead_letters::{LANES, LetterStory, letter, letter_list, redrive_lane, redrive_one};
pub use operate::{
    FulfilmentView, detail, fulfilment_list, fulfilment_view, fulfilment_views, report, ship, step, void_ask,
};
pub use waits::Missing;
