//! People: how they come in, what is known of them, and how they leave.

pub mod account_delete;
pub mod address_book;
pub mod code_send;
pub(crate) mod entry;
pub mod external_ids;
pub mod facts;
pub mod link;
pub mod names;
pub mod password_change;
pub mod password_reset;
pub mod passwords;
pub mod phone_change;
pub mod profile;
pub mod register;
pub mod second_factor;
pub mod session_end;
pub mod sessions;
pub mod sign_in_code;
pub mod sign_in_password;
pub mod tokens;
pub(crate) mod tries;
pub mod user_admin;
pub(crate) mod words;

pub use entry::SignedInUser;
pub use words::WordFilterCache;
