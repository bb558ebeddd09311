//! Activities: the life of a campaign (draws, a raffle or a sale) and its configuration.
//!
//! The life is a small machine. [`Life::step`] says what follows an action or why not; [`due`] says what the clock asks
//! for and [`look_at`] when to look next, so that the job that carries it out has nothing to decide.
//!
//! ```text
//! editing   ── submit ──► in_review
//! in_review ── approve ─► approved     ── refuse ──► refused     ── withdraw ─► editing
//! refused   ── edit ────► editing
//! approved  ── start ───► running
//! running   ── pause ───► paused       paused ── resume ─► running
//! approved, reopened, running, paused  ── end, close ────► closed
//! closed    ── reopen ──► reopened (a new round)
//! reopened  ── start ───► running
//! ```
//!
//! What always holds:
//! - Nothing runs before the first moment of its window, or from the last on. The window is half open.
//! - Nobody approves or refuses what they wrote a part of.
//! - A configuration that was published does not change: a change is a new [`Version`] with a [`FieldChange`] per field.
//!
//! Deliberately absent: the compare-and-set on the state (the store's and the ledger's), the ledger commands that
//! follow from a step, calendars and the list of time zones.

mod card_check;
mod configuration;
mod content;
mod due;
mod game;
mod life;
mod plan;
mod plan_bytes;
mod plan_fields;
mod pools;
mod presentation;
mod refusal;
#[cfg(test)]
pub(crate) mod tests;
mod validate;
mod version;
mod workable;
mod worst_case;

pub use card_check::card_flaws;
pub use configuration::{ActivityKind, Chances, Configuration, KindSettings, Window};
pub use content::{Content, PoolUse, StockDiff, stock_diff};
pub use due::{due, look_at};
pub use game::Game;
pub use life::{Action, Life, LifeState};
pub use plan::{Card, Plan, RafflePrize};
pub use pools::{entries_pool, prize_pool, sale_pool};
pub use presentation::{CONTACT_MAX, ORGANISER_MAX, Presentation, RULES_MAX};
pub use refusal::StepRefusal;
pub use validate::{
    ActivityDraft, BEACON_MAX, CHANCES_MAX, DESCRIPTION_MAX, ENTRIES_MAX, NAME_MAX, WINDOW_MS_MAX, ZONE_MAX,
    names_a_zone,
};
pub use version::{FieldChange, Version, describe, diff};
pub use workable::{FieldNames, flaws};
pub use worst_case::{CostBound, WorstCase, worst_case};
