//! Every "no" Windfall says, by name.
//!
//! A rejection is an answer, not a fault: it has a stable code for programs, a text in English and Chinese for people,
//! and (in the server) an HTTP status. The rows are in `table/`, one file per topic, each beside what its text comes to.

#[macro_use]
mod rows;

mod answer;
mod field;
mod lang;
mod span;
mod subject;
mod table;
#[cfg(test)]
mod tests;
mod worded;

pub use answer::{Details, Rejection};
pub use field::FieldProblem;
pub use lang::Lang;
pub use span::Milliseconds;
pub use subject::{BanEnd, CodeField, MissingThing};
