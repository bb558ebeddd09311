//! Mistakes that somebody could make. The world must notice each of them.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The head holds a moment until which the lease lasts, and a candidate compares it with its own wall clock.
    LeaseByTimestamps,
    /// A claim leaves the term as it is.
    TermNotRaised,
    /// The commit statement does not look at the term.
    NoTermInTheCommit,
    /// A leader does not look at its lease before it says no.
    RefusalsAfterTheLease,
    /// The lease counts from when the renewal's answer came.
    LeaseFromTheAnswer,
    /// After a commit without an answer, the leader reads without claiming anew.
    ReadsBeforeClaiming,
    /// A candidate claims whatever happened since it looked.
    ClaimWithoutCondition,
    /// What was decided before the lead was lost is told after it was won again.
    DecisionsOfALostLead,
}

pub const FAULTS: [Fault; 8] = [
    Fault::LeaseByTimestamps,
    Fault::TermNotRaised,
    Fault::NoTermInTheCommit,
    Fault::RefusalsAfterTheLease,
    Fault::LeaseFromTheAnswer,
    Fault::ReadsBeforeClaiming,
    Fault::ClaimWithoutCondition,
    Fault::DecisionsOfALostLead,
];
