//! Pure decisions: what Windfall allows, refuses and records.
//!
//! Nothing in this crate reads a clock, draws a random number, waits, or touches a disk or a socket.
//! Time comes in as [`time::Timestamp`], randomness as bytes, and a decision goes out as data. That is
//! what lets every rule be written down as rows of a table and replayed from one number.

pub mod access;
pub mod account;
pub mod activity;
pub mod attention;
pub mod backup;
pub mod civil_date;
pub mod community;
pub mod export;
pub mod fingerprint;
pub mod flaw;
pub mod fulfilment;
pub mod grants;
pub mod hex;
pub mod ids;
pub mod job;
pub mod ledger;
pub mod limit;
pub mod lottery;
pub mod names;
pub mod nearest;
pub mod outbox;
pub mod page;
pub mod picture;
pub mod player_number;
pub mod points;
pub mod raffle;
pub mod redeem;
pub mod rejection;
pub mod sale;
pub mod search;
pub mod shop;
pub mod snowflake;
pub mod statistics;
pub mod time;
pub mod tree;
pub mod webhook;

pub use rejection::{Lang, Rejection};
