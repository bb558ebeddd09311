//! Figures of the process and its disks, told every few seconds. What the system does not tell is left out.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Ticks of `/proc/self/stat` in a second, on every Linux.
const TICKS_PER_S: u64 = 100;

/// What is looked at.
#[derive(Clone, Debug)]
pub struct Host {
    data: PathBuf,
    /// Folders by name: their disks may fill up.
    folders: Vec<(&'static str, PathBuf)>,
}

impl Host {
    pub fn new(data: &Path, backup: Option<&Path>, standby: Option<&Path>) -> Self {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        metrics::gauge!("process_start_time_seconds").set(started.as_secs_f64());
        let named = [("data", Some(data)), ("backup", backup), ("standby", standby)];
        let folders = named.into_iter().filter_map(|(name, path)| Some((name, path?.to_owned())));
        Self { data: data.to_owned(), folders: folders.collect() }
    }

    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    pub fn tell(&self) {
        for (name, folder) in &self.folders {
            if let Ok(disk) = rustix::fs::statvfs(folder) {
                let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize) as f64;
                metrics::gauge!("windfall_disk_free_bytes", "folder" => *name).set(bytes(disk.f_bavail));
                metrics::gauge!("windfall_disk_bytes", "folder" => *name).set(bytes(disk.f_blocks));
            }
        }
        for file in ["windfall.db", "windfall.db-wal", "journal.db", "journal.db-wal"] {
            let bytes = std::fs::metadata(self.data.join(file)).map_or(0, |file| file.len());
            metrics::gauge!("windfall_file_bytes", "file" => file).set(bytes as f64);
        }
        let read = |name: &str| std::fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
        let status = read("status");
        if let Some(kib) = number_after(&status, "VmRSS:") {
            metrics::gauge!("process_resident_memory_bytes").set(kib as f64 * 1024.0);
        }
        if let Some(threads) = number_after(&status, "Threads:") {
            metrics::gauge!("process_threads").set(threads as f64);
        }
        if let Some(limit) = number_after(&read("limits"), "Max open files") {
            metrics::gauge!("process_max_fds").set(limit as f64);
        }
        if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
            metrics::gauge!("process_open_fds").set(open.count() as f64);
        }
        if let Some(ticks) = cpu_ticks(&read("stat")) {
            metrics::counter!("process_cpu_seconds_total").absolute(ticks / TICKS_PER_S);
        }
    }
}

/// The first number behind a heading of a file of `/proc`.
fn number_after(text: &str, heading: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(heading))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Time in the program and in the system for it. The name of the program is in parentheses, and may hold anything.
fn cpu_ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(user + system)
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn the_files_of_the_system_are_read() {
        assert_eq!(number_after("Name:\ta\nVmRSS:\t  120 kB\n", "VmRSS:"), Some(120));
        assert_eq!(
            number_after("Max open files            unlimited            unlimited", "Max open files"),
            None
        );
        let stat = "12 (a b) c) S 1 2 3 4 5 6 7 8 9 10 700 33 0 0 20 0 4 0 100";
        assert_eq!(cpu_ticks(stat), Some(733));
        assert_eq!(cpu_ticks(""), None);
    }
}
