//! Webhooks: which events there are, who wants them, how a delivery is signed, where it may go, and when a receiver is
//! given up.
//!
//! Pure: addresses are judged here and looked up elsewhere; when to try again is [`crate::outbox`]'s.

mod address;
mod fields;
mod format;
mod health;
mod kind;
mod signature;
mod url;

pub use address::is_private;
pub use fields::{Field, FieldShape};
pub use format::HookFormat;
pub use health::{FAILURES_MIN, OFF_AFTER_MS, ReceiverHealth};
pub use kind::{ALL_KINDS, EventFilter, EventKind};
pub use signature::{Direction, SIGNED_MAX, sign, verify};
pub use url::{HookUrl, URL_MAX};
