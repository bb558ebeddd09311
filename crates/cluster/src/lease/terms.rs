//! How long a lease lasts.

/// Durations of a lease, in milliseconds of a clock that goes on while the machine sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseTerms {
    /// A leader that was not renewed for so long tells nothing more.
    pub lease_ms: u64,
    /// A candidate waits so much longer: by so much two clocks may differ over one lease.
    pub margin_ms: u64,
    /// How often a leader renews, and a candidate looks.
    pub renew_ms: u64,
}

impl LeaseTerms {
    /// Serving again within five seconds of a leader's sudden end.
    pub const USUAL: Self = Self { lease_ms: 2_000, margin_ms: 500, renew_ms: 400 };
}
