//! Prize draws: what an operator publishes, how one draw is decided, and how anybody can decide it again.
//!
//! In the order of a draw's life:
//! - [`strategy`] is what an operator writes: prizes, whole-number odds, rules. [`check`] lists every reason why it
//!   cannot work, [`flaw`] has their names. [`publish`] is the one way to write it down, and its hash.
//! - [`random`] is where luck comes from: a secret that is committed to before and revealed after.
//! - [`deck`] is the strategy compiled once, [`wheel`] one table of it. [`shelf`] is what the activity still has to give,
//!   and [`live`] the tables without what is gone.
//! - [`decide`] is the draw: a pure function of deck, secret and inputs. [`ticket`] is one to ten of them in a row.
//! - [`record`] is what is kept: every input, every outcome. [`chain`] hangs the records on what was published.
//! - [`replay`] decides them again and names what is not the same; [`history`] asks whether their inputs follow from the
//!   draws before. [`chi`] asks whether the luck was fair, and [`simulate`] tries a strategy out before anybody draws.
//!
//! What always holds:
//! - The same inputs give the same outcome, for ever. Nothing is rolled twice, nothing is rounded.
//! - A prize that cannot be given is never given, whichever rule names it.
//! - Every prize on the wheel has exactly its published odds; weighed anew, exactly its share of what is left.
//!
//! Deliberately absent: clocks, ambient randomness, floating point in decisions, and the stock itself. The ledger takes
//! tickets and units ([`crate::ledger::play`]); a record is what it keeps as a ticket's settlement.

pub mod chain;
pub mod check;
pub mod chi;
pub mod decide;
pub mod deck;
pub mod flaw;
pub mod history;
pub mod live;
pub mod publish;
pub mod random;
pub mod record;
pub mod replay;
pub mod rule_path;
mod sha;
pub mod shelf;
pub mod simulate;
pub mod strategy;
#[cfg(test)]
pub(crate) mod tests;
pub mod ticket;
pub mod wheel;
pub(crate) mod wire;

pub use wire::LotteryWireError;
