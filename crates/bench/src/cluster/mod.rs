//! `windfall bench cluster`: what a leader on a PostgreSQL log does per second, and what it costs.
//!
//! Log and rows are on one server of the bench's own, durable as it comes, with and without a synchronous standby beside it
//! on the same machine. The ledger is the real one ([`ledger::RunningLedger`]) with its projection running. Deliberately
//! absent: routing between nodes and HTTP.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `command` | arguments, the order of the rows |
//! | `test_cluster` | the servers, and a running leader on them |
//! | `process_cpu` | processor time of a server and its processes |

mod command;
mod process_cpu;
mod test_cluster;

pub use command::{ClusterArgs, run};
