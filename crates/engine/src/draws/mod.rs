//! What players do with an activity: draw from it, enter it, see what they have left, what they won and what others did.

mod admission;
pub(crate) mod answer;
pub mod chances;
pub mod crowd;
pub mod draw;
pub mod enter;
pub mod mine;
pub mod proof;
pub mod raffle;
pub(crate) mod raffle_job;
pub(crate) mod refusal;
pub mod sold_out;
pub mod verification;
pub mod winners;

pub(crate) use admission::standing;
pub use answer::{ChancesLeft, DrawAnswer, DrawView, TicketSummary};
pub use mine::{MyWin, WinView};
pub use proof::Proof;
