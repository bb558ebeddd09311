//! `windfall backup`: a copy of everything while the server runs, read back before it counts; and `windfall restore`.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`maker`] | makes one, for the command and for the job `backup` |
//! | [`manifest`] | what a backup says of itself, and whether that is so |
//! | [`restore`] | an installation from a backup, with what might go out twice in quarantine |

mod command;
mod maker;
mod manifest;
pub mod restore;

pub use command::{BackupCommand, run};
pub use maker::{BackupMaker, write_private};
