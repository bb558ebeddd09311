//! Activities, players and tickets in the projection.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `sheet`, `sums` | what a batch changes, each row once |
//! | `write` | the sheet as statements, in order: `tickets`, `players`, `rounds` |
//! | `ask` | what can be asked: tickets, wins, rounds and their sums |
//! | `books`, `correct` | what the auditor asks, and rows brought in line with the ledger |
//! | `find` | what an id stands for |
//! | `load` | what a ledger goes on from |

pub(crate) mod ask;
pub(super) mod books;
mod columns;
pub(super) mod correct;
pub(super) mod find;
pub(super) mod load;
mod players;
mod rounds;
pub(super) mod sheet;
mod sums;
mod tickets;
pub(super) mod write;
