//! Messages of sales, carried out: payments that wait to be settled, refunds, the sandbox's late callbacks.

pub(crate) mod orders;
pub(crate) mod refunds;
pub(crate) mod sandbox;
