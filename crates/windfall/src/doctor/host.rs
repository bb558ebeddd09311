//! What the operating system allows this process.

use super::check::{Check, Measured};

/// Files that are not connections: databases, journals, logs, the runtime's own.
const OPEN_FILES_RESERVE: u64 = 256;

pub fn check_open_files(max_connections: usize) -> Measured {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    judge_open_files(parse_open_files(&limits), max_connections)
}

fn judge_open_files(limit: Option<u64>, max_connections: usize) -> Measured {
    let name = "open files";
    let Some(limit) = limit else {
        return (Check::warn(name, "unknown", "look yourself: ulimit -n"), Vec::new());
    };
    let needed = u64::try_from(max_connections).unwrap_or(u64::MAX).saturating_add(OPEN_FILES_RESERVE);
    let figures = vec![("open_files_max", limit as f64)];
    if limit >= needed {
        return (Check::ok(name, format!("up to {limit}; {needed} may be needed")), figures);
    }
    let found = format!("up to {limit}, but http.max_connections = {max_connections} may need {needed}");
    let advice =
        format!("raise it (ulimit -n {needed}, or LimitNOFILE in systemd) or lower http.max_connections");
    (Check::warn(name, found, advice), figures)
}

/// The soft limit in `/proc/self/limits`.
fn parse_open_files(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    match line.split_whitespace().next()? {
        "unlimited" => Some(u64::MAX),
        number => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::State;
    use super::*;

    #[test]
    fn limits_by_rows() {
        let head = "Limit                     Soft Limit           Hard Limit           Units     \n";
        let rows = [
            ("Max open files            1024                 524288               files", 768, State::Ok),
            ("Max open files            1024                 524288               files", 769, State::Warn),
            ("Max open files            unlimited            unlimited            files", 20_000, State::Ok),
            ("Max processes             1                    1                    processes", 1, State::Warn),
            ("Max open files", 1, State::Warn),
        ];
        for (line, max_connections, state) in rows {
            let limit = parse_open_files(&format!("{head}{line}\n"));
            assert_eq!(judge_open_files(limit, max_connections).0.state, state, "{line}, {max_connections}");
        }
    }
}
