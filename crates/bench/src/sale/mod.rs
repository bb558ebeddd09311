//! `windfall bench http --sale`: a flash sale over HTTP, beside the plain echo.
//!
//! The server is the one `windfall serve` starts, on a folder of its own with the default settings, but for one: the limit by
//! address, since the whole crowd comes from this machine. Sessions, tokens, limits by user, projection and jobs are on.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `command` | arguments, the order of the rows, the figures |
//! | `market` | the sales, a wheel, the buyers and their tokens |
//! | `rush` | the sell-out: everybody tries once and waits for what comes of it |
//! | `caller` | a buyer at a connection, in front of what is sold out or of what is not |
//! | `expiry` | holds that end in the same second, beside draws and sales that go on |

mod caller;
mod command;
mod expiry;
mod market;
mod rush;

pub use command::{SaleArgs, run};
