//! What players do with an activity: draw from it, enter it, see what they have left.

mod admission;
pub mod chances;
pub mod draw;
pub mod enter;
mod refusal;
mod told;

pub use told::{ChancesLeft, DrawTold, TicketTold, Told};
