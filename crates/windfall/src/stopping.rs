//! Being told to stop, also when every thread that answers requests is busy for good.
//!
//! Signals are received by a thread of its own. It passes them on, and watches: a process that was told to stop and does not
//! get as far as closing its files within the drain time is ended as it is. Nothing acknowledged is lost by that, as by no
//! other end of the process; only the next start has more to read.

use std::process;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Beyond the drain time, for what comes between the last answer and the close.
const MARGIN: Duration = Duration::from_secs(15);
/// Closing writes what the ledger has decided and the database does not have yet.
const CLOSE_MAX: Duration = Duration::from_secs(300);

/// How far a stop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    /// By this signal.
    Told(&'static str),
    Closing,
    Closed,
}

/// The stop of this process.
#[derive(Clone, Debug)]
pub struct Stopping(Arc<watch::Sender<Stage>>);

impl Stopping {
    /// From now on the signals that stop a process are received here.
    pub fn listen(drain: Duration) -> anyhow::Result<Self> {
        Self::listen_for(drain + MARGIN)
    }

    /// So long may pass between a signal and the close.
    fn listen_for(limit: Duration) -> anyhow::Result<Self> {
        let this = Self(Arc::new(watch::channel(Stage::Running).0));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (terminate, interrupt) = {
            let _here = runtime.enter();
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        };
        let (mut terminate, mut interrupt) = (terminate.context("signals")?, interrupt.context("signals")?);
        let watched = this.clone();
        let watch = move || {
            let ended = runtime.block_on(async {
                let name = tokio::select! {
                    _ = terminate.recv() => "terminate",
                    _ = interrupt.recv() => "interrupt",
                };
                watched.reach(Stage::Told(name));
                watched.end_in_time(limit, CLOSE_MAX).await
            });
            if !ended {
                tracing::error!("the stop did not come to its end; what does not come back is left behind");
                crate::logging::flush();
                process::exit(1);
            }
        };
        thread::Builder::new().name("stopping".to_owned()).spawn(watch).context("a thread for signals")?;
        Ok(this)
    }

    /// Waits for a signal; answers its name.
    pub async fn told(&self) -> &'static str {
        let mut stage = self.0.subscribe();
        match stage.wait_for(|stage| *stage != Stage::Running).await.map(|stage| *stage) {
            Ok(Stage::Told(name)) => name,
            Ok(Stage::Running | Stage::Closing | Stage::Closed) | Err(_) => "stop",
        }
    }

    /// All requests are answered, or their time is over.
    pub fn closing(&self) {
        self.reach(Stage::Closing);
    }

    pub fn closed(&self) {
        self.reach(Stage::Closed);
    }

    fn reach(&self, stage: Stage) {
        self.0.send_replace(stage);
    }

    /// Whether the stop came to its end within these times.
    async fn end_in_time(&self, drain: Duration, close: Duration) -> bool {
        let mut stage = self.0.subscribe();
        for (limit, until) in [(drain, Stage::Closing), (close, Stage::Closed)] {
            let reached = tokio::time::timeout(limit, stage.wait_for(|stage| *stage >= until)).await;
            if reached.is_err() {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);
    /// Says that this process is the one that hangs.
    const HANGS: &str = "WINDFALL_TEST_HANGS";

    /// Every thread that answers requests waits for something that never comes, and so does the stop: a signal still ends the
    /// process. It is another one than that of the tests, started from the same file.
    #[test]
    fn a_process_all_of_whose_threads_are_busy_for_good_is_ended_by_a_signal() {
        const NAME: &str =
            "stopping::tests::a_process_all_of_whose_threads_are_busy_for_good_is_ended_by_a_signal";
        if std::env::var_os(HANGS).is_some() {
            return hang();
        }
        let mut command = process::Command::new(std::env::current_exe().unwrap());
        command.args([NAME, "--exact", "--nocapture"]).env(HANGS, "1").stdout(process::Stdio::piped());
        let mut hangs = command.stderr(process::Stdio::null()).spawn().unwrap();
        let mut said = std::io::BufReader::new(hangs.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("busy") {
            line.clear();
            assert!(std::io::BufRead::read_line(&mut said, &mut line).unwrap() > 0, "it ended by itself");
        }
        let id = hangs.id().to_string();
        assert!(process::Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
        assert_eq!(hangs.wait().unwrap().code(), Some(1));
    }

    fn hang() {
        let threads = 2;
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(threads).enable_all().build().unwrap();
        let stopping = Stopping::listen_for(Duration::from_millis(1)).unwrap();
        let all_busy = Arc::new(std::sync::Barrier::new(threads + 1));
        for _ in 0..threads {
            let all_busy = Arc::clone(&all_busy);
            runtime.spawn(async move {
                all_busy.wait();
                loop {
                    thread::park();
                }
            });
        }
        all_busy.wait();
        println!("busy");
        runtime.block_on(async {
            stopping.told().await;
            // What a stop waits for needs a thread.
            let _ = tokio::spawn(async {}).await;
        });
    }

    /// What is reached, the times there are, and whether it ended.
    #[tokio::test]
    async fn a_stop_that_hangs_is_found_out() {
        for (stage, drain, close, ended) in [
            (Stage::Told("terminate"), Duration::ZERO, LONG, false),
            (Stage::Closing, LONG, Duration::ZERO, false),
            (Stage::Closed, LONG, LONG, true),
        ] {
            let stopping = Stopping(Arc::new(watch::channel(Stage::Running).0));
            stopping.reach(stage);
            assert_eq!(stopping.end_in_time(drain, close).await, ended, "{stage:?}");
        }
    }

    #[tokio::test]
    async fn whoever_waits_hears_which_signal_it_was() {
        let stopping = Stopping(Arc::new(watch::channel(Stage::Running).0));
        let waiting = tokio::spawn({
            let stopping = stopping.clone();
            async move { stopping.told().await }
        });
        stopping.reach(Stage::Told("interrupt"));
        assert_eq!(waiting.await.unwrap(), "interrupt");
    }
}
