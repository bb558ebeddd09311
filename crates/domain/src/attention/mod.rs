//! What needs an operator (待处理事项): what is stuck, broken or about to run out.
//!
//! [`judge`] turns figures into items, the most urgent first. Every item names what it is about, how many are concerned and
//! since when, so that a list, a badge, an event and a chat message all say the same. Deliberately absent: who does
//! what about it, and where the figures come from.

mod facts;
mod judge;
mod words;

#[cfg(test)]
mod tests;

pub use facts::{
    AttentionFacts, AttentionLimits, DiskFact, JobFact, LaneFact, LedgerFact, PoolFact, PrizeFact, StockFact,
    WebhookFact,
};
pub use judge::judge;

use crate::time::Timestamp;

crate::names! {
    /// What is the matter.
    pub enum AttentionKind {
        /// Winners wait for codes, and their pool has none.
        CodesMissing = "codes_missing",
        /// Winners wait for coupons, and no webhook asks for them.
        IssuerMissing = "issuer_missing",
        /// Giving them was given up.
        PrizesFailed = "prizes_failed",
        /// On their way for too long, though nothing is missing.
        PrizesStuck = "prizes_stuck",
        /// Messages that nobody could deliver.
        DeadLetters = "dead_letters",
        /// Messages and pools of codes that wait for a look after a restore.
        Quarantine = "quarantine",
        /// The projection does not go on.
        LedgerStopped = "ledger_stopped",
        /// The rows are far behind the ledger.
        LedgerBehind = "ledger_behind",
        /// The last audit left differences.
        LedgerDiffers = "ledger_differs",
        /// Draws and reservations are refused.
        ClockBehind = "clock_behind",
        /// A disk is nearly full.
        DiskLow = "disk_low",
        /// A webhook was switched off because it only failed.
        WebhookOff = "webhook_off",
        /// A webhook fails, and is still tried.
        WebhookFailing = "webhook_failing",
        /// More units were approved than there are codes.
        CodesShort = "codes_short",
        /// Fewer codes are left than the pool's threshold.
        CodesLow = "codes_low",
        /// A prize, or what a sale sells, is nearly gone.
        StockLow = "stock_low",
        /// A recurring job failed the last time.
        JobFailing = "job_failing",
        /// A recurring job is paused.
        JobPaused = "job_paused",
        /// Staff who sign in with a password alone.
        SecondFactorMissing = "second_factor_missing",
        /// Money that is to go back to buyers.
        RefundsDue = "refunds_due",
        /// Prizes that an operator lets go.
        ToRelease = "to_release",
        /// Parcels that have to be sent.
        ToShip = "to_ship",
    }
}

crate::names! {
    /// How soon somebody should look.
    pub enum AttentionLevel {
        /// Players are affected now.
        Urgent = "urgent",
        /// They will be.
        Soon = "soon",
        /// Ordinary work that waits; told to nobody outside.
        Todo = "todo",
    }
}

/// One thing that needs an operator. A kind and a subject are there once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttentionItem {
    pub kind: AttentionKind,
    pub level: AttentionLevel,
    /// The id or name of what it is about; empty where there is one of its kind.
    pub subject: String,
    /// What people call it; empty where the kind says it all.
    pub name: String,
    /// How many are concerned, or are left.
    pub count: u64,
    /// Of how many; 0 where that says nothing.
    pub of: u64,
    /// Where it is known.
    pub since: Option<Timestamp>,
}
