//! Activities: written, reviewed, run, carried to the ledger, and looked at.
//!
//! A step is decided in the database and then carried to the ledger until it is there ([`carry`]). Whoever asked hears
//! where the activity stands and whether the ledger has it yet; if not, the job `activities` goes on.

mod carry;
mod check;
mod export;
mod goods;
mod logs;
mod look;
mod prizes;
mod published;
mod report;
mod review;
mod run;
mod sale;
mod winners;
mod write;

pub use carry::carry;
pub use export::{Export, RECORDS_AT_ONCE};
pub use logs::{DrawLine, DrawLog};
pub use look::{
    Detail, RevealedSecret, Shown, activity_detail, activity_list, activity_secrets, version_diff,
    version_find, version_list,
};
pub use prizes::{Restock, halt, halted, prize_restock, prize_switch};
pub use published::published_changed;
pub(crate) use report::whole_hours;
pub use report::{LIVE_PRIZES_MAX, LiveFigures, PrizeStand, Report, activity_live, activity_report};
pub use review::{Verdict, activity_approve, activity_refuse, activity_submit, activity_withdraw};
pub use run::{Run, activity_run};
pub use sale::{sale_extend, sale_restock};
pub use winners::{WinLine, WinLog, WinnerLine, winners_are_public, winners_page, winners_publish};
pub use write::{activity_clone, activity_create, activity_edit};
