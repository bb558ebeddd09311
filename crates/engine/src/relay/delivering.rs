//! One attempt at a time to one receiver: signed, sent, and written down as it went.

use std::sync::{Mutex, PoisonError};

use domain::outbox::is_last_attempt;
use domain::time::{SECOND_MS, Timestamp};
use domain::webhook::{HookFormat, sign};
use store::model::Actor;
use store::model::{ANSWER_MAX, AttemptBatch, AttemptOutcome, DeliveryRow, Message, WebhookRow};
use tokio::time::Instant;

use crate::failure::{Fault, Result};
use crate::ports::{Call, OutboundResponse, SealContext};
use crate::relay::{HandlerOutcome, chat};
use crate::world::World;

/// A receiver, with what it knows us by and the attempts so far.
pub(crate) struct Delivering<'w> {
    world: &'w World,
    hook: &'w WebhookRow,
    secrets: Vec<String>,
    rows: Mutex<Vec<DeliveryRow>>,
}

impl<'w> Delivering<'w> {
    pub fn to(world: &'w World, hook: &'w WebhookRow) -> Result<Self> {
        let now = world.now();
        let previous = hook.previous.iter().filter(|(_, until)| now < *until).map(|(sealed, _)| sealed);
        let open = |sealed: &Vec<u8>| -> Result<String, Fault> {
            let plain = world.outside.vault.open(SealContext::Webhook, sealed)?;
            String::from_utf8(plain).map_err(|error| Fault::caused("a webhook's secret", error))
        };
        let secrets: Result<Vec<String>, Fault> =
            std::iter::once(&hook.secret).chain(previous).map(open).collect();
        Ok(Self { world, hook, secrets: secrets?, rows: Mutex::default() })
    }

    /// `body` is what is posted: of a copy of an event that is the message's own.
    pub async fn attempt(&self, message: &Message, kind: &str, body: &str) -> HandlerOutcome {
        let (at, began) = (self.world.now(), Instant::now());
        let said = chat::render(self.hook.format, body);
        let body = said.as_deref().unwrap_or(body);
        let headers = self.headers(message, kind, body, at);
        let call = Call { url: &self.hook.url, headers: &headers, body };
        let answered = self.world.outside.outbound.post(call).await;
        let took_ms = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        let handled = judge(self.hook.format, &answered);
        let came = match &handled {
            HandlerOutcome::Again(_) if is_last_attempt(message.attempts.saturating_add(1)) => {
                AttemptOutcome::Dead
            }
            HandlerOutcome::Again(_) => AttemptOutcome::Again,
            _ => AttemptOutcome::Done,
        };
        count(came, began.elapsed().as_secs_f64());
        let head: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let (status, answer) = match &answered {
            Ok(answer) => (Some(answer.status), text(&answer.body)),
            Err(_) => (None, String::new()),
        };
        let row = DeliveryRow {
            id: self.world.next_id(),
            webhook: self.hook.id,
            delivery: message.id,
            user: message.user,
            kind: kind.to_owned(),
            subject: message.subject,
            attempt: message.attempts.saturating_add(1),
            at,
            took_ms,
            came,
            status,
            error: if let HandlerOutcome::Again(error) = &handled { Some(error.clone()) } else { None },
            request_head: format!("POST {}\n{}", self.hook.url, head.join("\n")),
            request_body: body.to_owned(),
            answer,
            replayed: None,
        };
        self.rows().push(row);
        handled
    }

    /// Attempts that succeeded and that failed so far.
    pub fn score(&self) -> (usize, usize) {
        let rows = self.rows();
        let succeeded = rows.iter().filter(|row| row.came == AttemptOutcome::Done).count();
        (succeeded, rows.len() - succeeded)
    }

    /// Writes the attempts down; a receiver that failed for days is switched off.
    pub async fn finish(self) -> Result<()> {
        let rows = self.rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        if rows.is_empty() {
            return Ok(());
        }
        let signed = self.world.audit_stamp(Actor::System, "", "");
        let step = AttemptBatch { webhook: self.hook.id, rows, signed };
        if self.world.db.deliveries_write(step).await? {
            metrics::counter!("windfall_webhooks_off_total").increment(1);
            tracing::error!(webhook = %self.hook.id, name = self.hook.name, "a webhook that only fails is switched off");
        }
        Ok(())
    }

    fn rows(&self) -> std::sync::MutexGuard<'_, Vec<DeliveryRow>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn headers(
        &self,
        message: &Message,
        kind: &str,
        body: &str,
        at: Timestamp,
    ) -> [(&'static str, String); 4] {
        let secrets: Vec<&str> = self.secrets.iter().map(String::as_str).collect();
        [
            ("content-type", "application/json".to_owned()),
            ("windfall-delivery", message.id.to_string()),
            ("windfall-event", kind.to_owned()),
            ("windfall-signature", sign(&secrets, at.0 / SECOND_MS, body.as_bytes())),
        ]
    }
}

/// Anything but a success is worth another try: receivers are repaired.
fn judge(format: HookFormat, answered: &Result<OutboundResponse, String>) -> HandlerOutcome {
    match answered {
        Ok(OutboundResponse { status: 200..=299, body }) => {
            chat::refusal(format, body).map_or(HandlerOutcome::Done, HandlerOutcome::Again)
        }
        Ok(OutboundResponse { status: status @ 300..=399, .. }) => {
            HandlerOutcome::Again(format!("answered {status}: redirects are not followed"))
        }
        Ok(OutboundResponse { status, .. }) => HandlerOutcome::Again(format!("answered {status}")),
        Err(error) => HandlerOutcome::Again(error.clone()),
    }
}

/// As it can be kept: no database takes every byte.
fn text(bytes: &[u8]) -> String {
    let kept = bytes.get(..ANSWER_MAX).unwrap_or(bytes);
    String::from_utf8_lossy(kept).replace('\0', "\u{fffd}")
}

fn count(came: AttemptOutcome, took_s: f64) {
    metrics::counter!("windfall_webhook_attempts_total", "came" => came.name()).increment(1);
    metrics::histogram!("windfall_webhook_attempt_seconds").record(took_s);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_success_is_one() {
        for (status, done) in
            [(199, false), (200, true), (204, true), (299, true), (301, false), (404, false), (500, false)]
        {
            let handled = judge(HookFormat::Event, &Ok(OutboundResponse { status, body: Vec::new() }));
            assert_eq!(handled == HandlerOutcome::Done, done, "{status}");
        }
        assert_eq!(
            judge(HookFormat::Event, &Err("timed out".into())),
            HandlerOutcome::Again("timed out".into())
        );
    }

    #[test]
    fn what_is_kept_of_an_answer_is_text_and_short() {
        assert_eq!(text(b"a\0b\xff"), "a\u{fffd}b\u{fffd}");
        assert_eq!(text(&[b'x'; ANSWER_MAX + 1]).len(), ANSWER_MAX);
    }
}
