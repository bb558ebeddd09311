//! Prizes and what was bought, carried out: codes, coupons, chances, and what goes back.

pub(crate) mod codes;
pub(crate) mod coupons;
pub(crate) mod prizes;
pub(crate) mod returns;
pub(crate) mod take_back;
