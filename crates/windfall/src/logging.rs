//! Structured logs on standard error, as text for people or JSON for machines; and codes "sent" to the log.

use std::io::IsTerminal;

use async_trait::async_trait;
use domain::account::{Code, Phone, Purpose};
use engine::Fault;
use engine::ports::CodeSender;
use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};

pub fn start(log: &Log) {
    let filter = EnvFilter::try_new(&log.level).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // Colours are for people: a file or a collector gets plain text.
        .with_ansi(std::io::stderr().is_terminal());
    // A second start (a test in the same process) keeps the first subscriber.
    let _ = match log.format {
        LogFormat::Text => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}

/// The default way to send a code: it stands in the server's log, for whoever runs the server to read.
#[derive(Debug)]
pub struct LogCodeSender;

#[async_trait]
impl CodeSender for LogCodeSender {
    async fn send(&self, phone: &Phone, purpose: Purpose, code: &Code) -> Result<(), Fault> {
        tracing::info!(
            phone = phone.masked(),
            purpose = purpose.name(),
            code = code.as_str(),
            "verification code"
        );
        Ok(())
    }
}
