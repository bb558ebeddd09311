//! Who may do what: every endpoint × every kind of caller.

mod body;
mod caller;
mod request;
mod suite;
mod table;
