//! Payment providers: none, the sandbox, or a generic one that is told where to send the buyer and signs what it tells us.
//!
//! How the generic one is integrated stands in `docs/sales.md`.

use std::sync::Arc;

use async_trait::async_trait;
use domain::time::{SECOND_MS, Timestamp};
use domain::webhook::Direction;
use engine::Result;
use engine::ports::{Call, Clock, Outbound, PaymentAsk, PaymentGateway, ProviderRefund};
use serde::Serialize;
use store::model::SANDBOX;

/// The generic provider's name, as in the address of its callback.
pub const WEBHOOK: &str = "webhook";

/// Nobody takes money here.
#[derive(Clone, Copy, Debug)]
pub struct NoPayments;

#[async_trait]
impl PaymentGateway for NoPayments {
    fn provider(&self) -> Option<&'static str> {
        None
    }

    async fn begin(&self, _: &PaymentAsk) -> Result<String> {
        Err(domain::Rejection::PaymentsOff.into())
    }

    async fn refund(&self, refund: &ProviderRefund) -> Result<(), String> {
        Err(format!("the provider {} is switched off", refund.provider))
    }

    fn is_signed(&self, _: &str, _: &str, _: &[u8], _: Timestamp) -> bool {
        false
    }
}

/// A page of this server on which one presses pay.
#[derive(Clone, Debug)]
pub struct SandboxPayments;

#[async_trait]
impl PaymentGateway for SandboxPayments {
    fn provider(&self) -> Option<&'static str> {
        Some(SANDBOX)
    }

    async fn begin(&self, ask: &PaymentAsk) -> Result<String> {
        Ok(format!("/sandbox/pay/{}", ask.order))
    }

    async fn refund(&self, refund: &ProviderRefund) -> Result<(), String> {
        if refund.provider == SANDBOX {
            return Ok(());
        }
        Err(format!("the provider {} is switched off", refund.provider))
    }

    /// It tells from inside; nobody calls back.
    fn is_signed(&self, _: &str, _: &str, _: &[u8], _: Timestamp) -> bool {
        false
    }
}

#[derive(Clone, Debug)]
pub struct WebhookPaymentsSettings {
    /// Where the buyer goes: `{order}`, `{amount_minor}` and `{currency}` are filled in.
    pub pay_url: String,
    /// Where refunds are told.
    pub refund_url: String,
    pub secret: String,
}

/// The company's own payment system, in its own words.
pub struct WebhookPayments {
    settings: WebhookPaymentsSettings,
    outbound: Arc<dyn Outbound>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for WebhookPayments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookPayments").field("pay_url", &self.settings.pay_url).finish_non_exhaustive()
    }
}

/// What the provider hears of a refund.
#[derive(Serialize)]
struct RefundTold<'a> {
    /// Repeated with the same id it is the same refund.
    id: String,
    reference: &'a str,
    order: String,
    amount_minor: u64,
    currency: String,
}

impl WebhookPayments {
    pub fn new(
        settings: WebhookPaymentsSettings,
        outbound: Arc<dyn Outbound>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { settings, outbound, clock }
    }
}

#[async_trait]
impl PaymentGateway for WebhookPayments {
    fn provider(&self) -> Option<&'static str> {
        Some(WEBHOOK)
    }

    async fn begin(&self, ask: &PaymentAsk) -> Result<String> {
        Ok(self
            .settings
            .pay_url
            .replace("{order}", &ask.order.to_string())
            .replace("{amount_minor}", &ask.money.minor.to_string())
            .replace("{currency}", &ask.money.currency.to_string()))
    }

    async fn refund(&self, refund: &ProviderRefund) -> Result<(), String> {
        if refund.provider != WEBHOOK {
            return Err(format!("the provider {} is switched off", refund.provider));
        }
        let told = RefundTold {
            id: refund.payment.to_string(),
            reference: &refund.reference,
            order: refund.order.to_string(),
            amount_minor: refund.money.minor,
            currency: refund.money.currency.to_string(),
        };
        let body = serde_json::to_string(&told).map_err(|error| error.to_string())?;
        let seconds = self.clock.now().0 / SECOND_MS;
        let signature = Direction::Refund.sign(&self.settings.secret, seconds, body.as_bytes());
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("windfall-signature", signature),
            ("windfall-event", "refund".to_owned()),
        ];
        let call = Call { url: &self.settings.refund_url, headers: &headers, body: &body };
        let answer = self.outbound.post(call).await?;
        if (200..300).contains(&answer.status) { Ok(()) } else { Err(format!("answered {}", answer.status)) }
    }

    fn is_signed(&self, provider: &str, signature: &str, body: &[u8], now: Timestamp) -> bool {
        provider == WEBHOOK
            && Direction::Callback.verify(&self.settings.secret, signature, body, now.0 / SECOND_MS)
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::OrderId;
    use domain::sale::{Currency, Money};
    use engine::ports::OutboundResponse;

    use super::*;

    struct Nobody;

    #[async_trait]
    impl Outbound for Nobody {
        fn check(&self, _: &str) -> Result<(), domain::Rejection> {
            Ok(())
        }

        async fn post(&self, _: Call<'_>) -> Result<OutboundResponse, String> {
            Err("nobody is there".to_owned())
        }
    }

    struct Still;

    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp(1_700_000_000_000)
        }
    }

    fn webhook() -> WebhookPayments {
        let settings = WebhookPaymentsSettings {
            pay_url: "https://pay.example/?o={order}&a={amount_minor}&c={currency}".to_owned(),
            refund_url: "https://pay.example/refunds".to_owned(),
            secret: "shared".to_owned(),
        };
        WebhookPayments::new(settings, Arc::new(Nobody), Arc::new(Still))
    }

    #[tokio::test]
    async fn where_buyers_are_sent() {
        let money = Money { minor: 990, currency: Currency::parse("CNY").unwrap() };
        let ask = PaymentAsk { order: OrderId(7), money };
        let address = "https://pay.example/?o=7&a=990&c=CNY";
        assert_eq!(webhook().begin(&ask).await.unwrap(), address);
        assert_eq!(SandboxPayments.begin(&ask).await.unwrap(), "/sandbox/pay/7");
        assert_eq!(NoPayments.begin(&ask).await.unwrap_err().code(), Some("payments_off"));
    }

    #[test]
    fn callbacks_are_the_providers_own_and_new() {
        let (now, body) = (Timestamp(1_700_000_000_000), br#"{"a":1}"#);
        let signed = |secret: &str, seconds| Direction::Callback.sign(secret, seconds, body);
        let refund = Direction::Refund.sign("shared", 1_700_000_000, body);
        for (provider, signature, passes) in [
            ("webhook", signed("shared", 1_700_000_000), true),
            ("webhook", signed("shared", 1_700_000_000 - 299), true),
            ("webhook", signed("shared", 1_700_000_000 - 301), false),
            ("webhook", signed("shared", 1_700_000_000 + 301), false),
            ("webhook", signed("other", 1_700_000_000), false),
            ("webhook", refund, false),
            ("webhook", String::new(), false),
            ("sandbox", signed("shared", 1_700_000_000), false),
        ] {
            assert_eq!(
                webhook().is_signed(provider, &signature, body, now),
                passes,
                "{provider} {signature}"
            );
        }
        assert!(!SandboxPayments.is_signed("sandbox", "", body, now));
        assert!(!NoPayments.is_signed("webhook", &signed("shared", 1_700_000_000), body, now));
    }
}
