//! Requests to receivers that strangers have named.

use async_trait::async_trait;
use domain::Rejection;

/// One request to a receiver.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub url: &'a str,
    pub headers: &'a [(&'static str, String)],
    pub body: &'a str,
}

/// What a receiver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboundResponse {
    pub status: u16,
    /// [`store::model::ANSWER_MAX`] bytes at most.
    pub body: Vec<u8>,
}

/// Carries requests to receivers that strangers have named.
#[async_trait]
pub trait Outbound: Send + Sync {
    /// Refuses an address that is plainly none, or plainly private.
    fn check(&self, url: &str) -> Result<(), Rejection>;
    /// One attempt, within a bounded time; or why there was no whole answer. Redirects are answers like any other.
    async fn post(&self, call: Call<'_>) -> Result<OutboundResponse, String>;
}
