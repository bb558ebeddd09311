//! How much room there is.

use domain::attention::DiskFact;

/// The disks that folders of this installation are on.
pub trait Disks: Send + Sync {
    /// What cannot be asked is left out.
    fn list(&self) -> Vec<DiskFact>;
}
