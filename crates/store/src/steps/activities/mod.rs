//! Activities: their versions, their life, what the ledger has to hear of them, and their secrets.

mod act;
mod clock;
pub(super) mod columns;
mod discard;
mod extend;
mod ledger_sync;
mod low_stock;
mod prices;
mod read;
mod secrets;
mod state;
mod switches;
mod write;

pub(crate) use act::act;
pub(crate) use clock::{due, tick};
pub(crate) use discard::discard;
pub(crate) use extend::extend;
pub(crate) use ledger_sync::{carry_find, mark_synced};
pub(crate) use low_stock::{activities_open, low_stock_list, low_stock_set};
pub(crate) use read::{
    find, list, list_reminded, published_find, published_list, published_version, sale_list, tree_uses,
    version_find, version_list,
};
pub(crate) use secrets::{list as secret_list, reveal};
pub(crate) use state::subject;
pub(crate) use switches::is_halted;
pub(crate) use write::{create, edit};
