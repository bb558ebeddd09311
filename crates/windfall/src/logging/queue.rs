//! The lines of the log on their way to standard error.
//!
//! Nobody who logs waits for whoever reads: a line is put into a bounded queue, and one thread writes. A line that does not
//! fit, because the reader is stuck, or that cannot be written, because the disk is full, is lost and counted. As soon as
//! a line gets through again, the log says how many are missing. What is in the queue when the process is killed is lost.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most lines that wait.
const LINES_MAX: usize = 16_384;
/// The most bytes that wait.
const BYTES_MAX: usize = 2 * 1024 * 1024;
/// How often an end looks whether everything is written.
const FLUSH_LOOK: Duration = Duration::from_millis(2);

/// The writing end; clones share one queue.
#[derive(Clone, Debug)]
pub struct LogQueue {
    lines: SyncSender<Vec<u8>>,
    state: Arc<QueueState>,
}

#[derive(Debug, Default)]
struct QueueState {
    /// The size of what waits or is being written.
    bytes_waiting: AtomicUsize,
    /// Lines lost since one was written.
    lost: AtomicU64,
}

impl LogQueue {
    /// Starts the thread that writes to `out`.
    pub fn start(out: impl Write + Send + 'static) -> io::Result<Self> {
        let (lines, waiting) = sync_channel(LINES_MAX);
        let state = Arc::new(QueueState::default());
        let shared = Arc::clone(&state);
        thread::Builder::new().name("log".to_owned()).spawn(move || write_all(&waiting, out, &shared))?;
        Ok(Self { lines, state })
    }

    /// Queues a whole line, or counts it as lost.
    pub fn push(&self, line: Vec<u8>) {
        let bytes = line.len();
        let before = self.state.bytes_waiting.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > BYTES_MAX || self.lines.try_send(line).is_err() {
            self.state.bytes_waiting.fetch_sub(bytes, Ordering::Relaxed);
            self.state.lose();
        }
    }

    /// Waits until everything is written, at most so long.
    pub fn flush(&self, at_most: Duration) {
        let begin = Instant::now();
        while self.state.bytes_waiting.load(Ordering::Acquire) > 0 && begin.elapsed() < at_most {
            thread::sleep(FLUSH_LOOK);
        }
    }
}

impl QueueState {
    fn lose(&self) {
        self.lost.fetch_add(1, Ordering::Relaxed);
        metrics::counter!("windfall_log_lines_lost_total").increment(1);
    }
}

fn write_all(lines: &Receiver<Vec<u8>>, mut out: impl Write, state: &QueueState) {
    while let Ok(line) = lines.recv() {
        if out.write_all(&line).is_err() {
            state.lose();
        } else {
            let lost = state.lost.swap(0, Ordering::Relaxed);
            if lost > 0 {
                tracing::warn!(lines = lost, "lines of the log were lost");
            }
        }
        state.bytes_waiting.fetch_sub(line.len(), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Takes a line each time the test lets it, and hands it to the test.
    struct Gated {
        go: Receiver<()>,
        written: Sender<Vec<u8>>,
    }

    impl Write for Gated {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.go.recv().map_err(io::Error::other)?;
            self.written.send(line.to_vec()).map_err(io::Error::other)?;
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stuck_reader_loses_lines_and_stops_nobody() {
        let (go, gate) = channel();
        let (written, seen) = channel();
        let queue = LogQueue::start(Gated { go: gate, written }).unwrap();
        let line = |at: usize| format!("{at:0>1024}\n").into_bytes();
        let fit = BYTES_MAX / line(0).len();
        for at in 0..fit + 50 {
            queue.push(line(at));
        }
        assert_eq!(queue.state.lost.load(Ordering::Relaxed), 50);
        queue.flush(FLUSH_LOOK);
        for at in 0..fit {
            go.send(()).unwrap();
            assert_eq!(seen.recv().unwrap(), line(at), "those that fitted come whole and in order");
        }
        queue.push(line(7));
        go.send(()).unwrap();
        assert_eq!(seen.recv().unwrap(), line(7), "and it goes on");
    }
}
