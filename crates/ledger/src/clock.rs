//! Time for whoever does not decide: the ledger's threads read it and hand it in as a value.

use domain::time::Timestamp;

pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}
