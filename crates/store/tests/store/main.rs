//! The whole suite, on SQLite and on a real PostgreSQL.
//!
//! `on_both!` makes two tests of each function it lists: `cargo test -p windfall-store sqlite` runs one side
//! alone.

// What fails here fails a test.
#![allow(clippy::unwrap_used)]

// By the name that the workspace knows it under.
extern crate windfall_store as store;

#[macro_use]
mod both;
mod fixtures;

mod activities;
mod activities_carried;
mod activities_steps;
mod activity_fixtures;
mod addresses;
mod approvals;
mod attention;
mod audit_intents;
mod block_list;
mod code_pools;
mod codes;
mod community;
mod deletion;
mod facts;
mod fulfilments;
mod grants;
mod jobs;
mod keys;
mod ledger;
mod ledger_fixtures;
mod ledger_holes;
mod ledger_plays;
mod ledger_random;
mod links;
mod log;
mod migrations;
mod nodes;
mod orders;
mod outbox;
mod passwords;
mod people;
mod phones;
mod plays;
mod points;
mod points_random;
mod postgres_only;
mod quarantine;
mod raffles;
mod rooms;
mod sales;
mod search;
mod sessions;
mod shop;
mod sign_in;
mod sqlite_only;
mod statistics;
mod steps;
mod sweeps;
mod trees;
mod voiding;
mod webhooks;
