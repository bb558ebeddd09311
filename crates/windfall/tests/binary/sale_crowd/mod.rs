//! A crowd in front of a sale: more buyers than units, double clicks, second thoughts, money that comes early, late and
//! twice, and a server that is killed in the middle.

mod bank;
mod books;
mod buyer;
mod suite;
pub mod wire;
