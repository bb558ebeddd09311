//! An activity as people write it: the same words in the JSON API and in TOML files.
//!
//! [`ActivityForm`] is what is written. [`ActivityForm::read`] turns it into what the domain knows, or says everything
//! that is wrong, each with its field (`prizes[2].units`). What was read can be written again, with every default filled
//! in. Whether it can work is asked at submit: [`domain::activity::flaws`] says why not, and
//! [`form_field`] where in the form.
//!
//! Deliberately absent: where forms come from and who may send them.

mod cards;
mod field_names;
mod form;
mod granting;
mod moment;
mod raffle;
mod read;
mod relative;
mod sale;
mod simulation;
mod strategy;
#[cfg(test)]
mod tests;
mod write;
mod wrong;

pub use cards::{DETAILS_MAX, PICTURE_MAX};
pub use field_names::form_field;
pub use form::{
    ActivityForm, BudgetForm, ChancesForm, FallbackForm, OddsForm, PityForm, PrizeForm, ReleaseForm,
    TierForm, TiersForm, UnlockForm,
};
pub use granting::{GrantForm, Span};
pub(crate) use moment::MOMENT_WORDS;
pub use moment::Moment;
pub use relative::resolve_moments;
pub use sale::{GateForm, ItemForm, RoomForm, SaleForm};
pub use simulation::{
    RefusedBody, SimulatedCellBody, SimulatedPrizeBody, SimulatedTableBody, SimulationBody,
};
pub use strategy::TIERS_MAX;
