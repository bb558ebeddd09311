//! The log in PostgreSQL on a real server, and the ledger's own suites on it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `model`, `answers`, `writer`, `queue`, `rows` | the suites of `crates/embedded/tests/ledger`, the same files |
//! | [`place`] | a database of its own on a server that syncs |
//! | [`fence`] | who may append, and what a writer that was replaced can do |
//! | [`planted`] | the commit statement without its conditions: each must fork a log |
//! | [`leading`] | two nodes: leases that lapse and that are handed over |
//! | [`doubt`] | commits and claims whose outcome nobody heard |
//! | [`rewound`] | a log that lost what was acknowledged |
//! | [`segments`] | made ahead, dropped behind the projection |
//! | [`durability`] | servers that are refused |
//! | [`contract`] | the whole contract of the ledger's port, projected into PostgreSQL |
//! | [`tls`] | connections that are encrypted |
//! | [`stories`] | rows of the whole ledger over this log |
//!
//! Every test here needs PostgreSQL: without it the whole binary is skipped.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

#[path = "../../../embedded/tests/ledger/answers.rs"]
mod answers;
mod contract;
mod doubt;
mod durability;
mod fence;
mod leading;
#[path = "../../../embedded/tests/ledger/model.rs"]
mod model;
mod place;
mod planted;
#[path = "../../../embedded/tests/ledger/queue.rs"]
mod queue;
mod rewound;
#[path = "../../../embedded/tests/ledger/rows.rs"]
mod rows;
mod segments;
mod stories;
#[path = "../../../embedded/tests/ledger/support.rs"]
mod support;
mod tls;
#[path = "../../../embedded/tests/ledger/writer.rs"]
mod writer;
