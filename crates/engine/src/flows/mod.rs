//! One file per flow: what it takes, what it promises, how it goes.
//!
//! A flow validates through `domain`, does the slow or random part first (hashing, tokens, ids), then takes
//! one atomic step through a port. What it was told by the outside stays text until `domain` has
//! accepted it.

pub mod account_delete;
pub mod activity;
pub mod activity_known;
pub mod address_book;
pub mod approval;
mod audited;
pub mod backups;
pub mod behaviours;
pub mod block_list;
pub mod code_send;
pub mod codes;
mod entry;
pub mod external_ids;
pub mod facts;
pub mod fulfilment;
pub mod grants;
pub mod inventory;
pub mod job_admin;
pub mod key_admin;
pub mod key_auth;
pub mod link;
pub mod password_change;
pub mod password_reset;
pub mod phone_change;
pub mod pictures;
pub mod play;
pub mod points;
pub mod profile;
pub mod quarantine;
pub mod raffle;
pub mod reconcile;
pub mod register;
pub mod reminders;
pub mod sale;
pub mod sales;
pub mod second_factor;
pub mod session_end;
pub mod shop;
pub mod sign_in_code;
pub mod sign_in_password;
pub mod support;
pub mod things;
pub mod tree;
mod tries;
pub mod user_admin;
pub mod webhook;

pub use entry::Entered;

use crate::tokens::Token;

/// Where a request came from, for limits, session lists and the audit log.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The address as limits count it ([`domain::limit::address_key`]).
    pub ip: String,
    /// The network whose requests for codes count together ([`domain::limit::network_key`]).
    pub network: String,
    /// What this browser was given at an earlier sign-in, of whomever.
    pub device: Option<Token>,
    /// The browser's own description, cut to a sensible length.
    pub agent: String,
    pub request_id: String,
}

/// The idempotency key of a request and the fingerprint of what it said.
#[derive(Clone, Debug)]
pub struct Repeat {
    pub key: String,
    pub fingerprint: domain::fingerprint::Fingerprint,
}
