//! Structured logs on standard error, as text for people or JSON for machines; and codes "sent" to the log.

use std::io::{self, IsTerminal, Write};

use async_trait::async_trait;
use domain::account::{Code, Phone, Purpose};
use engine::Fault;
use engine::ports::CodeSender;
use tracing::Metadata;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::config::{Log, LogFormat};

pub fn start(log: &Log) {
    // A line for each request is asked for by itself, however little else is logged.
    let filter =
        if log.access { format!("{},{}=info", log.level, server::ACCESS_TARGET) } else { log.level.clone() };
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Marked { to: io::stderr, format: log.format })
        // Colours are for people: a file or a collector gets plain text.
        .with_ansi(io::stderr().is_terminal());
    // A second start (a test in the same process) keeps the first subscriber.
    let _ = match log.format {
        LogFormat::Text => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}

/// Writes lines with the id of the request that they belong to: of whatever is logged while a request is worked on, and does
/// not name it by itself. A span for each request would do the same and cost every request something; this costs those that
/// have something to say.
#[derive(Clone, Debug)]
struct Marked<M> {
    to: M,
    format: LogFormat,
}

struct Line<W> {
    to: W,
    format: LogFormat,
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for Marked<M> {
    type Writer = Line<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        Line { to: self.to.make_writer(), format: self.format }
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> Self::Writer {
        Line { to: self.to.make_writer_for(about), format: self.format }
    }
}

impl<W: Write> Write for Line<W> {
    /// Lines come whole. One that cannot be written, on a full disk or to a collector that is gone, is counted and lost: an
    /// error would become a panic of whoever had something to say, the database's writer among them.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let marked = server::with_request_id(|id| marked(line, self.format, id)).flatten();
        if self.to.write_all(marked.as_deref().unwrap_or(line)).is_err() {
            metrics::counter!("windfall_log_lines_lost_total").increment(1);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.to.flush();
        Ok(())
    }
}

/// A line with a request's id at its end; nothing when it has one.
fn marked(line: &[u8], format: LogFormat, id: &str) -> Option<Vec<u8>> {
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
            let found = marked(line.as_bytes(), format, "ab12");
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{line}");
        }
    }
}
