//! `windfall bench http --draw`: durable draws over HTTP, beside the plain echo and beside a draw of the usual kind.
//!
//! The server is the one `windfall serve` starts, on a folder of its own with the default settings: sessions, limits,
//! metrics, log, jobs, audit and projection are on. Echo and draws share one process, one runtime and one load generator,
//! and take turns, so that what disturbs the machine disturbs both.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `command` | arguments, the order of the rows, the figures |
//! | `campaign` | a running activity, its players and their sessions |
//! | `caller` | a player at a connection: the bytes of a draw, and which answers are expected |
//! | `peer` | a script on Redis and then an insert into PostgreSQL |
//! | `cpu_timer` | processor time, which neighbours on the machine disturb less than rates |
//!
//! Deliberately absent: TLS, and players who draw more than once a second or so, whom the limits would refuse.

mod caller;
mod campaign;
mod command;
mod cpu_timer;
mod peer;

pub use caller::{CallerSlot, DrawCaller};
pub use campaign::{ACTIVITY, wait_until_projected};
pub use command::{DrawArgs, median, run};
