//! Raffles from the closed round to winners that anybody can check.
//!
//! The job makes the roll public ([`publish`]) and draws ([`draw`]); each is decided by one transaction that happens once.
//! Between the two nothing can change the winners: the secret was committed to before anybody entered, and the roll fixes
//! everything else but the beacon's value. So a crash anywhere, or a second run, leads to the same winners.

mod beacon;
mod drawing;
mod export;
mod queries;
mod roll;

pub use beacon::beacon_set;
pub use drawing::draw;
pub use export::RaffleExport;
pub use queries::{
    RaffleState, RaffleView, RaffleWinner, WINNERS_SHOWN, raffle, roll_get, roll_stream, winners,
};
pub use roll::publish;
