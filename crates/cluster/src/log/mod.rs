//! The log of a shard in PostgreSQL (decision 28).
//!
//! | module | what it is |
//! | --- | --- |
//! | `postgres_log` | [`PostgresLog`], the log behind [`ledger::Log`] |
//! | `settings` | where it is, what is demanded of its server, and what is kept |
//! | `tables` | the head, the segments, and the one statement that commits ([`commit_statement`]) |
//! | `writer` | claims and commits |
//! | `reader` | reads blocks and checks their chain |
//! | `kept` | positions kept elsewhere, which a claim compares with the log |
//! | `projected` | the position that the projection keeps |
//! | `segments` | made ahead, and dropped behind the projection |
//! | `connection` | a connection that threads may wait for; what it notices of its server |
//! | `durability` | which settings of a server are refused |
//! | `tls` | encryption of the connection |

mod connection;
mod durability;
mod kept;
mod postgres_log;
mod projected;
mod reader;
mod segments;
mod settings;
mod tables;
mod tls;
mod writer;

pub use kept::KeptPosition;
pub use postgres_log::PostgresLog;
pub use projected::keep_projected;
pub use settings::{Candidacy, KeptPositions, PostgresLogSettings, StandbyRule};
pub use tables::commit_statement;
