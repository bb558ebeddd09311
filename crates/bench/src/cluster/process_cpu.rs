//! Processor time of a process and of those it started, as Linux tells it; nothing elsewhere.

use std::path::Path;

/// Linux counts in hundredths of a second, on every machine it runs on.
const TICKS_PER_S: f64 = 100.0;

/// Seconds spent by a process and its children, those that have ended included.
pub fn process_cpu_s(pid: u32) -> Option<f64> {
    let processes = std::fs::read_dir("/proc").ok()?;
    let spent = processes.flatten().filter_map(|entry| {
        let stat = read(&entry.path())?;
        (stat.pid == pid || stat.parent == pid).then_some(stat)
    });
    let spent: Vec<_> = spent.collect();
    let own = spent.iter().any(|stat| stat.pid == pid);
    let ended: u64 = spent.iter().filter(|stat| stat.pid == pid).map(|stat| stat.ended_ticks).sum();
    let running: u64 = spent.iter().map(|stat| stat.ticks).sum();
    own.then(|| (running + ended) as f64 / TICKS_PER_S)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    pid: u32,
    parent: u32,
    ticks: u64,
    /// Of children that have ended.
    ended_ticks: u64,
}

fn read(folder: &Path) -> Option<Stat> {
    parse(&std::fs::read_to_string(folder.join("stat")).ok()?)
}

/// The second field is a name in brackets, which may hold anything.
fn parse(stat: &str) -> Option<Stat> {
    let (head, rest) = stat.rsplit_once(')')?;
    let pid = head.split_whitespace().next()?.parse().ok()?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let parent = u32::try_from(number(1)?).ok()?;
    Some(Stat { pid, parent, ticks: number(11)? + number(12)?, ended_ticks: number(13)? + number(14)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_process_and_its_children_are_read() {
        let stat = Stat { pid: 7, parent: 3, ticks: 154, ended_ticks: 9 };
        for (text, expected) in [
            ("7 (postgres) S 3 7 7 0 -1 4194560 9 0 0 0 120 34 4 5 20 0 8 0", Some(stat)),
            ("7 (a) b) S 3 7 7 0 -1 4194560 9 0 0 0 120 34 4 5 20 0 8 0", Some(stat)),
            ("7 (short) S 1", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert!(process_cpu_s(std::process::id()).is_none_or(|seconds| seconds >= 0.0));
    }
}
