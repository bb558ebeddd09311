//! Prizes on their way to their winners: rows that begin with a win, and the steps that lead on.

mod begin;
mod clock;
mod columns;
mod methods;
mod queries;
mod step;
mod take_back;
mod winners;

pub(crate) use begin::{begin, insert, message};
pub(crate) use step::{
    apply_void, may, nobodys, of_order, redriven, send_to, void_bought, void_open, void_ready,
};
