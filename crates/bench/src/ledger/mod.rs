//! `windfall bench ledger`: what the embedded ledger does per second, and what it costs.
//!
//! Every row runs the real path ([`ledger::RunningLedger`]) on a folder of its own: `journal.db` synced for
//! each block, `windfall.db` behind it with the projection running, distinct ids, distinct owners, a due time on each
//! hold. Beside it, where `redis-server` is installed, the classic Lua script gets its best on the same machine.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `command` | arguments, the order of the rows |
//! | `test_ledger` | a temporary folder with a database and a running ledger |
//! | `requests` | the reservations that are asked for |
//! | `drive` | many batches, many futures, and a light load at a fixed rate |
//! | `commits` | commit times and block sizes, as the ledger itself reports them |
//! | `memory`, `growth` | bytes per hold, user and finished id; cost per command as everything grows |
//! | `restart` | seconds until a ledger with a past serves again |
//! | `redis` | the classic script on a server of its own |
//! | `report` | the table, the JSON, and the goals beside what was measured |
//!
//! Deliberately absent: HTTP, sessions and limits; `bench http` and the benches of the flows have those.

mod command;
pub mod commits;
pub mod drive;
mod growth;
pub mod memory;
pub mod redis;
pub mod report;
pub mod requests;
mod restart;
pub mod test_ledger;

pub use command::{LedgerArgs, run};
pub use redis::CLASSIC_SCRIPT;
