//! The steps, one file per subject. Each is written once for both databases.

pub(crate) mod activities;
pub(crate) mod addresses;
pub(crate) mod approvals;
pub(crate) mod block_list;
pub(crate) mod code_pools;
pub(crate) mod codes;
pub(crate) mod deletion;
pub(crate) mod facts;
pub(crate) mod fulfilments;
pub(crate) mod jobs;
pub(crate) mod keys;
pub(crate) mod links;
pub(crate) mod nodes;
pub(crate) mod outbox;
pub(crate) mod passwords;
pub(crate) mod people;
pub(crate) mod phones;
pub(crate) mod points;
pub(crate) mod profile;
pub(crate) mod raffles;
pub(crate) mod runs;
pub(crate) mod sessions;
pub(crate) mod sign_in;
pub(crate) mod sweeps;
mod tree_rows;
pub(crate) mod trees;
pub(crate) mod users;
