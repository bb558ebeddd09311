//! Activities, players and tickets in the projection.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `sheet`, `sums` | what a batch changes, each row once |
//! | `write` | the sheet as statements, in order: `tickets`, `players`, `rounds` |
//! | `ask` | what can be asked: tickets, wins, rounds and their sums |
//! | `find` | what an id stands for |
//! | `load` | what a ledger goes on from |

pub(crate) mod ask;
mod columns;
pub(super) mod find;
pub(super) mod load;
mod players;
mod rounds;
pub(super) mod sheet;
mod sums;
mod tickets;
pub(super) mod write;

pub(crate) use columns::read_prize;
