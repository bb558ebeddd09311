//! Faults planted on purpose, each a mistake somebody could make. The auditor must find every one; if it did not, its
//! silence about the real thing would mean nothing.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An answer leaves when it is decided.
    AnswersBeforeCommit,
    /// A repetition is answered although what it repeats is still on its way to the disk.
    RepetitionsBeforeCommit,
    /// "Already confirmed" is said although the confirmation is still on its way to the disk.
    OutcomesBeforeCommit,
    /// A claim fences nobody, and a new writer says no before its term is on disk: the one before may still be writing.
    ClaimWithoutFence,
    /// The disk says "done" and has not synced.
    SyncSkipped,
    /// Recovery stops one block too early.
    LastBlockSkipped,
    /// After a failed commit the ledger goes on with what it had decided.
    MemoryKept,
    /// After a failed commit, blocks that were decided on top of it are still written.
    LaterBlocksKept,
    /// A writer that was replaced may still write.
    OldWriterNotFenced,
    /// What was read back counts as durable before it is synced again.
    ProjectedBeforeSynced,
    /// Ids leave memory although the database has not heard of them, and it is said to be as far as the journal.
    ForgottenBeforeProjected,
    /// An id that looks old is taken for new without asking the database.
    LookUpsSkipped,
    /// Each request gets an id of the server's own.
    DuplicatesNotRecognised,
    /// "Sold out" is kept and said again.
    RefusalsRemembered,
    /// A hold is said to be over, and its end is not written down.
    ExpiryNotWritten,
}

pub const FAULTS: [Fault; 15] = [
    Fault::AnswersBeforeCommit,
    Fault::RepetitionsBeforeCommit,
    Fault::OutcomesBeforeCommit,
    Fault::ClaimWithoutFence,
    Fault::SyncSkipped,
    Fault::LastBlockSkipped,
    Fault::MemoryKept,
    Fault::LaterBlocksKept,
    Fault::OldWriterNotFenced,
    Fault::ProjectedBeforeSynced,
    Fault::ForgottenBeforeProjected,
    Fault::LookUpsSkipped,
    Fault::DuplicatesNotRecognised,
    Fault::RefusalsRemembered,
    Fault::ExpiryNotWritten,
];
