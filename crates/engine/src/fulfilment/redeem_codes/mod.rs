//! Redeem codes: pools are made, codes imported in pieces, and a code is shown to whom it was given.

mod import;
mod known_codes;
mod pools;
mod preview;
mod queries;
mod retire;

pub use import::{CodesImport, LINES_TOLD_MAX, codes_import};
pub use known_codes::KnownCodes;
pub use pools::{LOW_BELOW_DEFAULT, code_pool_edit, code_pool_find, code_pool_list, code_pool_make};
pub use preview::{CodesPreview, codes_preview};
pub use queries::{code_look, code_of};
pub use retire::{CodesRetirement, codes_retire};
