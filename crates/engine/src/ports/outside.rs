//! Randomness, keys, limits and messages: the world beyond the database.

use async_trait::async_trait;
use domain::account::{CodePurpose, Phone, PhoneCode};
use domain::limit::{Allowance, Quota};
use domain::time::Timestamp;

use crate::failure::Fault;

pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}

/// What is encrypted, and under which context: a sealed phone cannot be opened as an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealContext {
    Phone,
    Address,
    /// The part of an answer that idempotency has to give again.
    Answer,
    /// What an activity's draws are derived from, until it is revealed.
    Secret,
    /// Redeem codes, a chunk of them together.
    Code,
    /// What deliveries to a subscription are signed with.
    Webhook,
    /// The secret of an authenticator app.
    SecondFactor,
    /// What one person writes to another.
    PrivateMessage,
}

impl SealContext {
    pub const fn context(self) -> &'static str {
        match self {
            SealContext::Phone => "phone",
            SealContext::Address => "address",
            SealContext::Answer => "answer",
            SealContext::Secret => "secret",
            SealContext::Code => "code",
            SealContext::Webhook => "webhook",
            SealContext::SecondFactor => "second_factor",
            SealContext::PrivateMessage => "private_message",
        }
    }
}

/// Encryption at rest under a key outside the database.
pub trait Vault: Send + Sync {
    fn seal(&self, kind: SealContext, plain: &[u8]) -> Vec<u8>;
    fn open(&self, kind: SealContext, sealed: &[u8]) -> Result<Vec<u8>, Fault>;
    /// A keyed hash to look something up by without storing it: the same text gives the same 32 bytes.
    fn index(&self, domain: &str, text: &str) -> [u8; 32];
    /// Whether `sealed` was made under the newest key.
    fn is_current(&self, sealed: &[u8]) -> bool;
}

/// Counts requests per key. One atomic step: counted and judged at once.
#[async_trait]
pub trait RateLimiter: Send + Sync {
    async fn take(
        &self,
        class: &'static str,
        key: &str,
        quota: Quota,
        now: Timestamp,
    ) -> Result<Allowance, Fault>;

    /// What [`RateLimiter::take`] would answer; counts nothing.
    async fn look(
        &self,
        class: &'static str,
        key: &str,
        quota: Quota,
        now: Timestamp,
    ) -> Result<Allowance, Fault>;

    /// Counts a try at a password or a code ([`domain::account::begin_try`]). `Err` inside is how long to wait, in
    /// milliseconds.
    async fn begin_try(&self, key: &str, free: u32, now: Timestamp) -> Result<Result<(), i64>, Fault>;
    /// The try was right.
    async fn forget_tries(&self, key: &str) -> Result<(), Fault>;
}

/// Carries a code to a phone.
#[async_trait]
pub trait CodeSender: Send + Sync {
    async fn send(&self, phone: &Phone, purpose: CodePurpose, code: &PhoneCode) -> Result<(), Fault>;
}
