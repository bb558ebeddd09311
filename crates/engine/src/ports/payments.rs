//! Whoever takes money for us: one provider at a time begins a payment and gives money back.
//!
//! What came is told by the provider, not by the buyer's return: callbacks may come before it, twice, late or never.

use async_trait::async_trait;
use domain::ids::{OrderId, PaymentId};
use domain::sale::Money;
use domain::time::Timestamp;

use crate::failure::Result;

/// What is to be paid.
#[derive(Clone, Debug)]
pub struct PaymentAsk {
    pub order: OrderId,
    pub money: Money,
}

/// What goes back.
#[derive(Clone, Debug)]
pub struct ProviderRefund {
    /// Repeated under the same id it is the same refund.
    pub payment: PaymentId,
    pub order: OrderId,
    /// The one that took it.
    pub provider: String,
    pub reference: String,
    pub money: Money,
}

#[async_trait]
pub trait PaymentGateway: Send + Sync {
    /// The stable name of the provider, as in the address of its callback; nothing where none is switched on.
    fn provider(&self) -> Option<&'static str>;

    /// Where the buyer goes to pay.
    async fn begin(&self, ask: &PaymentAsk) -> Result<String>;

    /// Done, or why it has to be tried again. Safe to repeat.
    async fn refund(&self, refund: &ProviderRefund) -> Result<(), String>;

    /// Whether a callback's body is signed by the provider, now.
    fn is_signed(&self, provider: &str, signature: &str, body: &[u8], now: Timestamp) -> bool;
}
