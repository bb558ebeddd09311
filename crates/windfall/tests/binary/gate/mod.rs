//! The gate of a sale: on a stage whose clock the test sets, and over HTTP.

mod captcha;
mod empty_handed;
pub mod fixtures;
mod keyed;
mod over_http;
mod room;
mod sold_out;
mod tokens;
mod unknown;
