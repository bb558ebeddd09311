//! Copies of everything: what was told before a backup is in it, what might go out twice waits for a look, and a standby has
//! what was shipped to it.

mod copies;
mod crowd;
mod quarantine;
mod standby;
