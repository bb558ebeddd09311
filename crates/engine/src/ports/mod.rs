//! What the flows need from outside the database: each has two real implementations, or will have.

mod backups;
mod disks;
mod outbound;
mod outside;
mod payments;
mod timelines;

pub use backups::*;
pub use disks::*;
pub use outbound::*;
pub use outside::*;
pub use payments::*;
pub use timelines::*;

pub use ledger::{
    Auditor, Clock, Lane, LedgerClock, LedgerFigures, Place, Slice, Sliced, Stock, StockAnswer,
};
