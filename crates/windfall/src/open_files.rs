//! How many files this process may open, and how many connections fit.
//!
//! Every connection is a file. A process that runs out of them can no longer open its own, so the limit is looked at before
//! anything is served: raised as far as the system lets us, and what does not fit is not offered.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that are not connections: databases, journals, logs, the runtime's own.
pub const RESERVE: u64 = 256;
/// With fewer connections than this a server is of no use.
const CONNECTIONS_MIN: u64 = 16;

/// What the system allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenFiles {
    /// Now.
    pub soft: u64,
    /// After it was raised.
    pub hard: u64,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// All connections fit; the limit has to be raised to that.
    Whole { raise_to: Option<u64> },
    /// So many connections fit.
    Fewer { connections: u64, raise_to: Option<u64> },
    /// There is no use in starting.
    Nothing,
}

impl OpenFiles {
    pub fn read() -> Self {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        Self { soft: current.unwrap_or(u64::MAX), hard: maximum.unwrap_or(u64::MAX) }
    }

    pub fn needed(max_connections: usize) -> u64 {
        u64::try_from(max_connections).unwrap_or(u64::MAX).saturating_add(RESERVE)
    }

    pub fn fit(self, max_connections: usize) -> Fit {
        let needed = Self::needed(max_connections);
        let may = needed.min(self.hard.max(self.soft));
        let raise_to = (may > self.soft).then_some(may);
        match may.saturating_sub(RESERVE) {
            _ if may >= needed => Fit::Whole { raise_to },
            connections if connections >= CONNECTIONS_MIN => Fit::Fewer { connections, raise_to },
            _ => Fit::Nothing,
        }
    }
}

/// Makes room for so many connections, or for as many as there can be; answers how many. Says so when they are fewer.
pub fn make_room(max_connections: usize) -> anyhow::Result<usize> {
    let files = OpenFiles::read();
    let (fits, raise_to) = match files.fit(max_connections) {
        Fit::Whole { raise_to } => (max_connections, raise_to),
        Fit::Fewer { connections, raise_to } => {
            (usize::try_from(connections).unwrap_or(usize::MAX), raise_to)
        }
        Fit::Nothing => anyhow::bail!(
            "open_files_limit: this process may open {} files, and needs at least {}: raise the limit \
             (ulimit -n, or LimitNOFILE in systemd)",
            files.hard,
            RESERVE + CONNECTIONS_MIN
        ),
    };
    let Some(raise_to) = raise_to else { return Ok(warn_if_fewer(fits, max_connections, files.soft)) };
    let raised =
        Rlimit { current: Some(raise_to), maximum: Some(files.hard).filter(|hard| *hard < u64::MAX) };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => Ok(warn_if_fewer(fits, max_connections, raise_to)),
        Err(error) => {
            tracing::warn!(%error, "the limit of open files could not be raised");
            let fits = usize::try_from(files.soft.saturating_sub(RESERVE)).unwrap_or(usize::MAX);
            Ok(warn_if_fewer(fits.clamp(1, max_connections), max_connections, files.soft))
        }
    }
}

fn warn_if_fewer(fits: usize, max_connections: usize, open_files: u64) -> usize {
    if fits < max_connections {
        let needed = OpenFiles::needed(max_connections);
        tracing::warn!(
            open_files,
            needed,
            connections = fits,
            "http.max_connections = {max_connections} does not fit the limit of open files; serving {fits} connections \
             at most. Raise it (ulimit -n {needed}, or LimitNOFILE in systemd) or lower http.max_connections"
        );
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_by_rows() {
        const MAX: u64 = u64::MAX;
        for (soft, hard, connections, fit) in [
            (1_024, 524_288, 768, Fit::Whole { raise_to: None }),
            (1_024, 524_288, 769, Fit::Whole { raise_to: Some(1_025) }),
            (1_024, 524_288, 20_000, Fit::Whole { raise_to: Some(20_256) }),
            (1_024, 1_024, 20_000, Fit::Fewer { connections: 768, raise_to: None }),
            (1_024, 4_096, 20_000, Fit::Fewer { connections: 3_840, raise_to: Some(4_096) }),
            (MAX, MAX, 20_000, Fit::Whole { raise_to: None }),
            (256, MAX, 20_000, Fit::Whole { raise_to: Some(20_256) }),
            (272, 272, 20_000, Fit::Fewer { connections: 16, raise_to: None }),
            (271, 271, 20_000, Fit::Nothing),
            (64, 64, 1, Fit::Nothing),
        ] {
            assert_eq!(OpenFiles { soft, hard }.fit(connections), fit, "{soft} {hard} {connections}");
        }
    }
}
