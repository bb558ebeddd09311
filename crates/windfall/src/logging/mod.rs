//! Structured logs on standard error, as text for people or JSON for machines; and codes "sent" to the log.

mod queue;

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use domain::account::{CodePurpose, Phone, PhoneCode};
use engine::Fault;
use engine::ports::CodeSender;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use self::queue::LogQueue;
use crate::config::{LogConfig, LogFormat};

/// How long the end of the process waits for the last lines.
const LAST_LINES: Duration = Duration::from_secs(1);

static QUEUE: OnceLock<LogQueue> = OnceLock::new();

/// A second start (a test in the same process) keeps the first subscriber.
pub fn start(log: &LogConfig) -> io::Result<()> {
    if QUEUE.get().is_some() {
        return Ok(());
    }
    let queue = LogQueue::start(io::stderr())?;
    let queue = QUEUE.get_or_init(|| queue).clone();
    // A line for each request is asked for by itself, however little else is logged.
    let filter =
        if log.access { format!("{},{}=info", log.level, server::ACCESS_TARGET) } else { log.level.clone() };
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Marked { queue, format: log.format })
        // Colours are for people: a file or a collector gets plain text.
        .with_ansi(io::stderr().is_terminal());
    let _ = match log.format {
        LogFormat::Text => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    Ok(())
}

/// Lets the last lines out; called once, at the end.
pub fn flush() {
    if let Some(queue) = QUEUE.get() {
        queue.flush(LAST_LINES);
    }
}

/// Writes lines with the id of the request that they belong to: of whatever is logged while a request is worked on, and does
/// not name it by itself. A span for each request would do the same and cost every request something; this costs those that
/// have something to say.
#[derive(Clone, Debug)]
struct Marked {
    queue: LogQueue,
    format: LogFormat,
}

impl MakeWriter<'_> for Marked {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl Write for Marked {
    /// Lines come whole. This never fails: an error would become a panic of whoever had something to say.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let marked = server::with_request_id(|id| mark_line(line, self.format, id)).flatten();
        self.queue.push(marked.unwrap_or_else(|| line.to_vec()));
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A line with a request's id at its end; nothing when it has one.
fn mark_line(line: &[u8], format: LogFormat, id: &str) -> Option<Vec<u8>> {
    const NAME: &str = "request_id";
    if line.windows(NAME.len()).any(|part| part == NAME.as_bytes()) {
        return None;
    }
    let (end, mark) = match format {
        LogFormat::Text => (&b"\n"[..], format!(" {NAME}={id}")),
        LogFormat::Json => (&b"}\n"[..], format!(",\"{NAME}\":\"{id}\"")),
    };
    let begin = line.strip_suffix(end)?;
    Some([begin, mark.as_bytes(), end].concat())
}

/// The default way to send a code: it stands in the server's log, for whoever runs the server to read.
#[derive(Debug)]
pub struct LogCodeSender;

#[async_trait]
impl CodeSender for LogCodeSender {
    async fn send(&self, phone: &Phone, purpose: CodePurpose, code: &PhoneCode) -> Result<(), Fault> {
        tracing::info!(
            phone = phone.masked(),
            purpose = purpose.name(),
            code = code.as_str(),
            "verification code"
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_marked_once_and_stay_what_they_are() {
        for (line, format, expected) in [
            ("WARN slow\n", LogFormat::Text, Some("WARN slow request_id=ab12\n")),
            ("WARN slow request_id=cd\n", LogFormat::Text, None),
            (
                "{\"message\":\"slow\"}\n",
                LogFormat::Json,
                Some("{\"message\":\"slow\",\"request_id\":\"ab12\"}\n"),
            ),
            ("{\"request_id\":\"cd\"}\n", LogFormat::Json, None),
            ("half a line", LogFormat::Text, None),
        ] {
            let found = mark_line(line.as_bytes(), format, "ab12");
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{line}");
        }
    }
}
