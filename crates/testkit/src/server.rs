//! A server program on a free port, for tests to stop, kill and start again on the same data.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::guard::{Guard, ServerFault};
use crate::ports;
use crate::wait::{self, PATIENCE};

/// What tells one server program from another.
pub trait Program {
    /// What is waited for after a start, in words.
    const READY: &'static str;

    fn path(&self) -> &Path;

    fn arguments(&self, folder: &Path, port: u16) -> Vec<String>;

    /// Whether our own process, not another that took the port, serves.
    fn is_ready(folder: &Path, port: u16, pid: u32) -> bool;

    /// Whether a start that failed with this log is worth another try.
    fn passes(log: &str) -> bool;
}

/// A running server, gone when dropped and with the test process at the latest.
#[derive(Debug)]
pub struct Server<P> {
    pub(crate) program: P,
    guard: Guard,
    port: u16,
}

/// Which port a server that starts may use.
#[derive(Clone, Copy, Debug)]
enum Port {
    Any,
    Same,
}

impl<P: Program> Server<P> {
    pub(crate) async fn serve_in(guard: Guard, program: P) -> Result<Self, ServerFault> {
        let mut server = Self { program, guard, port: ports::free()? };
        server.serve(Port::Any).await?;
        Ok(server)
    }

    /// The server's port on 127.0.0.1. It stays the same over [`Server::restart`].
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The process and the folder, for tests that look closer.
    #[must_use]
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Stops the server in an orderly way, ending its connections. The data stays.
    ///
    /// # Errors
    /// [`ServerFault`] when it does not stop.
    pub async fn stop(&mut self) -> Result<(), ServerFault> {
        self.guard.stop().await
    }

    /// Kills the server without warning. The data stays, to be recovered by [`Server::restart`].
    ///
    /// # Errors
    /// [`ServerFault`] when it is still there.
    pub async fn kill(&mut self) -> Result<(), ServerFault> {
        self.guard.kill().await
    }

    /// Starts the server again on the same data and port, stopping it first when it runs.
    ///
    /// # Errors
    /// [`ServerFault`], with the end of the server's log.
    pub async fn restart(&mut self) -> Result<(), ServerFault> {
        self.guard.stop().await?;
        self.serve(Port::Same).await
    }

    /// Starts the server and waits until it serves, trying again after failures that pass.
    async fn serve(&mut self, port: Port) -> Result<(), ServerFault> {
        let started = Instant::now();
        loop {
            match self.serve_once().await {
                Err(ServerFault::Ended { log, .. }) if P::passes(&log) && started.elapsed() < PATIENCE => {}
                outcome => return outcome,
            }
            match port {
                Port::Any => self.port = ports::free()?,
                Port::Same => wait::pause().await,
            }
        }
    }

    async fn serve_once(&mut self) -> Result<(), ServerFault> {
        // Each attempt is judged by its own log. The first makes it: as root, it belongs to the server's account.
        let log = self.guard.folder().join("log");
        if log.exists() {
            fs::write(log, "")?;
        }
        let (folder, port) = (self.guard.folder().to_owned(), self.port);
        let arguments = self.program.arguments(&folder, port);
        let pid = self.guard.start(self.program.path(), &arguments).await?;
        let ready = || P::is_ready(&folder, port, pid).then_some(());
        self.guard.wait_ready(PATIENCE, P::READY, ready).await
    }
}
