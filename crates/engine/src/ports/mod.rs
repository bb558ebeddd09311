//! What the flows need from outside the database: each has two real implementations, or will have.

mod auditor;
mod backups;
mod outbound;
mod outside;
mod payments;
mod stock;

pub use auditor::*;
pub use backups::*;
pub use outbound::*;
pub use outside::*;
pub use payments::*;
pub use stock::*;
