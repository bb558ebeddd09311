//! Rule trees: saved version by version, looked at, tried out.
//!
//! A tree is checked when it is saved, and everything that is wrong is told at once. A version that was saved never
//! changes; an activity names the version it is judged by.

mod dry_run;
mod queries;
mod save;

pub use dry_run::{DryRun, TriedFacts, dry_run_draft, dry_run_saved};
pub use queries::{LoadedTree, tree_find, tree_list, tree_load, tree_uses};
pub use save::{GivenTree, tree_create, tree_save};
