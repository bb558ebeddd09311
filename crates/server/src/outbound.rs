//! Codes by webhook: the company's own gateway carries them to the phone.
//!
//! `POST` with a JSON body; `Windfall-Signature: t=<seconds>,v1=<hex>` is HMAC-SHA256 over `<t>.<body>` with the
//! configured secret, so that the receiver can tell us from others and an old message from a new one.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::account::{CodePurpose, Phone, PhoneCode};
use domain::time::SECOND_MS;
use domain::webhook::sign;
use engine::Fault;
use engine::ports::{Clock, CodeSender};
use serde::Serialize;
use tokio::sync::Semaphore;

use crate::http_client::http_client;

const TIMEOUT: Duration = Duration::from_secs(5);
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(300);
/// Deliveries under way at once; beyond it a code is not sent and the caller may ask for another.
const UNDER_WAY_MAX: usize = 256;

pub struct WebhookCodeSender {
    client: reqwest::Client,
    url: String,
    secret: String,
    clock: Arc<dyn Clock>,
    places: Semaphore,
}

impl std::fmt::Debug for WebhookCodeSender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookCodeSender").field("url", &self.url).finish_non_exhaustive()
    }
}

#[derive(Serialize)]
struct Message<'a> {
    phone: &'a str,
    purpose: &'static str,
    code: &'a str,
}

impl WebhookCodeSender {
    pub fn new(url: &str, secret: &str, clock: Arc<dyn Clock>) -> Result<Self, Fault> {
        let client = http_client()
            .timeout(TIMEOUT)
            .build()
            .map_err(|error| Fault::caused("the code webhook's client", error))?;
        let places = Semaphore::new(UNDER_WAY_MAX);
        Ok(Self { client, url: url.to_owned(), secret: secret.to_owned(), clock, places })
    }

    async fn try_once(&self, body: &[u8]) -> Result<(), Fault> {
        let signature = sign(&[&self.secret], self.clock.now().0 / SECOND_MS, body);
        let response = self
            .client
            .post(&self.url)
            .header("content-type", "application/json")
            .header("windfall-signature", signature)
            .body(body.to_vec())
            .send()
            .await
            // The address may hold a secret of its own.
            .map_err(|error| Fault::caused("the code webhook", error.without_url()))?;
        if response.status().is_success() {
            Ok(())
        } else {
            Err(Fault::new(format!("the code webhook answered {}", response.status())))
        }
    }
}

#[async_trait]
impl CodeSender for WebhookCodeSender {
    async fn send(&self, phone: &Phone, purpose: CodePurpose, code: &PhoneCode) -> Result<(), Fault> {
        let _place =
            self.places.try_acquire().map_err(|_| Fault::new("too many codes under way to the webhook"))?;
        let message = Message { phone: phone.as_str(), purpose: purpose.name(), code: code.as_str() };
        let body =
            serde_json::to_vec(&message).map_err(|error| Fault::caused("writing a code message", error))?;
        let mut tried = 0;
        loop {
            tried += 1;
            match self.try_once(&body).await {
                Ok(()) => return Ok(()),
                Err(fault) if tried >= TRIES => return Err(fault),
                Err(_) => tokio::time::sleep(PAUSE * tried).await,
            }
        }
    }
}
