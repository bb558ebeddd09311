//! Statistics: counts of days that only ever grow by union, so that adding the same again changes nothing.

mod add;
mod methods;
mod people;
mod read;
mod totals;
