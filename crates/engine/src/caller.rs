//! What every flow may know of a request: where it came from, and what makes it repeatable.

use crate::people::tokens::SecretToken;

/// Where a request came from, for limits, session lists and the audit log.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The address as limits count it ([`domain::limit::address_key`]).
    pub ip: String,
    /// The network whose requests for codes count together ([`domain::limit::network_key`]).
    pub network: String,
    /// What this browser was given at an earlier sign-in, of whomever.
    pub device: Option<SecretToken>,
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
