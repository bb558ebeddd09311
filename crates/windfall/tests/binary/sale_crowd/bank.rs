//! The bank: takes people's money, tells the server of it until the server has heard, and gives back what it is asked to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::wire::{Ask, Wire};
use crate::webhooks::receiver::Receiver;

const SECRET: &str = "between the bank and the shop";

#[derive(Clone, Debug)]
pub struct Bank {
    /// Where refunds are asked for.
    refunds: Receiver,
    /// By reference: for which order, and how much.
    taken: Arc<Mutex<BTreeMap<String, (String, i64)>>>,
}

impl Bank {
    pub async fn open() -> Self {
        Self { refunds: Receiver::start().await, taken: Arc::default() }
    }

    /// What the server has to be told of it.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("WINDFALL__PAYMENTS__PROVIDER", "webhook".to_owned()),
            ("WINDFALL__PAYMENTS__PAY_URL", "http://bank.test/{order}".to_owned()),
            ("WINDFALL__PAYMENTS__REFUND_URL", self.refunds.url()),
            ("WINDFALL__PAYMENTS__SECRET", SECRET.to_owned()),
        ]
    }

    /// Somebody pays. The money is the bank's from here on, whatever the server says; the same reference is the same money,
    /// however often it is told of.
    pub async fn pay(&self, wire: &mut Wire, order: &str, amount_minor: i64, reference: &str, times: u32) {
        self.taken.lock().unwrap().insert(reference.to_owned(), (order.to_owned(), amount_minor));
        let body = json!({ "reference": reference, "order": order, "amount_minor": amount_minor,
            "currency": "CNY" })
        .to_string();
        for _ in 0..times {
            loop {
                let signature = sign(&body);
                let headers = [("windfall-signature", &*signature)];
                let path = "/payments/webhook/callback";
                let ask = Ask { method: "POST", path, headers: &headers, body: body.clone() };
                let heard = wire.ask_surely(&ask).await;
                match heard.status {
                    200 => break,
                    // The order is the ledger's already, and its row comes in a moment; or the server is busy.
                    404 | 503 => tokio::task::yield_now().await,
                    _ => panic!("{reference}: {heard:?}"),
                }
            }
        }
    }

    /// All the money that was taken, and all that was given back: by reference, each once.
    pub fn balance(&self) -> (i64, i64) {
        let taken = self.taken.lock().unwrap();
        let mut back = BTreeMap::new();
        for seen in self.refunds.taken() {
            assert!(seen.is_refund_signed_with(SECRET), "{seen:?}");
            let told: Value = serde_json::from_str(&seen.body).unwrap();
            let reference = told["reference"].as_str().unwrap().to_owned();
            let (order, amount) = &taken[&reference];
            assert_eq!(
                (told["order"].as_str(), told["amount_minor"].as_i64()),
                (Some(&**order), Some(*amount))
            );
            // Told again after a crash it is the same refund.
            back.insert(reference, *amount);
        }
        (taken.values().map(|(_, amount)| amount).sum(), back.values().sum())
    }
}

fn sign(body: &str) -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
    let signed = ring::hmac::sign(&key, format!("{seconds}.callback.{body}").as_bytes());
    let hex = signed.as_ref().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    format!("t={seconds},v1={hex}")
}
