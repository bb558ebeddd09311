//! Activities: written, reviewed, run, carried to the ledger, and looked at.
//!
//! A step is decided in the database and then carried to the ledger until it is there ([`sync_with_ledger`]). Whoever asked hears
//! where the activity stands and whether the ledger has it yet; if not, the job `activities` goes on.

pub mod block_list;
mod check;
pub(crate) mod clock_job;
pub mod code_promises;
mod export;
mod goods;
mod halt_status;
mod ledger_sync;
mod logs;
pub(crate) mod low_stock_job;
pub(crate) mod prizes;
pub(crate) mod queries;
mod report;
mod review;
pub(crate) mod run;
pub mod simulation;
mod timeline;
mod winners;
mod write;

pub use export::{ActivityExport, RECORDS_AT_ONCE};
pub use halt_status::{HaltStatus, halt_status};
pub use ledger_sync::sync_with_ledger;
pub use logs::{DrawLine, DrawLog};
pub use prizes::{Restock, halt, prize_restock, prize_switch};
pub use queries::{
    Detail, RevealedSecret, VersionView, activity_detail, activity_list, activity_secrets, published_list,
    version_diff, version_find, version_list,
};
pub(crate) use report::whole_hours;
pub use report::{ActivityReport, LIVE_PRIZES_MAX, LiveFigures, PrizeStand, activity_live, activity_report};
pub use review::{ReviewTarget, activity_approve, activity_refuse, activity_submit, activity_withdraw};
pub use run::{Run, activity_run};
pub use timeline::activity_timeline;
pub use winners::{WinLine, WinLog, WinnerLine, winners_are_public, winners_page, winners_publish};
pub use write::{activity_clone, activity_create, activity_discard, activity_edit};
