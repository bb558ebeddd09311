//! What players do with an activity: draw from it, enter it, see what they have left, what they won and what others did.

mod admission;
pub(crate) mod caught_up;
pub mod chances;
pub mod draw;
pub mod enter;
pub mod gone;
pub mod mine;
pub mod proof;
pub(crate) mod refusal;
pub(crate) mod told;
pub mod winners;

pub(crate) use admission::standing;
pub use mine::{MyWin, WinTold};
pub use proof::Proof;
pub use told::{ChancesLeft, DrawTold, TicketTold, Told};
pub use winners::{LeaderTold, WinnerTold};
