//! The data folder: is it there, has it room, how long does a sync take, and who can read the key.
//!
//! A folder that does not exist yet is judged by the nearest one above it that does.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::check::{Check, MeasuredCheck};

const SYNC_ROUNDS: usize = 20;
const SYNC_BLOCK_BYTES: usize = 4096;
const SYNC_MEDIAN_MS_MAX: f64 = 20.0;
const FREE_BYTES_MIN: u64 = 1 << 30;

pub fn check_folder(folder: &Path) -> Check {
    let name = "data folder";
    let shown = folder.display();
    let existing = nearest_existing(folder);
    match Probe::create(&existing) {
        Err(error) => {
            let found = format!("cannot write in {}: {error}", existing.display());
            Check::fail(name, found, "allow the user that runs Windfall to write there, or set data.dir")
        }
        Ok(_) if existing != folder => {
            let advice = "it is created at the first start; if there should be data, check data.dir";
            Check::warn(name, format!("{shown} does not exist yet"), advice)
        }
        Ok(_) => Check::ok(name, format!("{shown} is writable")),
    }
}

pub fn check_free_space(folder: &Path) -> MeasuredCheck {
    let name = "free space";
    // The standard library does not tell, and a system call of our own would be unsafe code.
    let output = Command::new("df").arg("-Pk").arg(nearest_existing(folder)).output();
    let free_bytes = output.ok().and_then(|output| parse_df(&String::from_utf8_lossy(&output.stdout)));
    let Some(free_bytes) = free_bytes else {
        return (Check::warn(name, "unknown: `df` failed", "look yourself"), Vec::new());
    };
    let found = format!("{:.1} GiB", free_bytes as f64 / f64::from(1 << 30));
    let check = if free_bytes < FREE_BYTES_MIN {
        Check::warn(name, found, "free some space: below 1 GiB the journal has little room to grow")
    } else {
        Check::ok(name, found)
    };
    (check, vec![("disk_free_bytes", free_bytes as f64)])
}

/// What every commit waits for: the time to make a small write durable.
pub fn check_sync(folder: &Path) -> MeasuredCheck {
    let name = "disk sync";
    let mut spans = match measure_sync(&nearest_existing(folder)) {
        Ok(spans) => spans,
        Err(error) => {
            let advice = "fix the data folder first";
            return (Check::fail(name, format!("cannot be measured: {error}"), advice), Vec::new());
        }
    };
    spans.sort_unstable();
    let ms = |span: Option<&Duration>| span.map_or(0.0, |span| whole_us(*span) / 1_000.0);
    let (median_ms, max_ms) = (ms(spans.get(spans.len() / 2)), ms(spans.last()));
    let found = format!("median {median_ms:.2} ms, longest {max_ms:.2} ms of {SYNC_ROUNDS}");
    let check = if median_ms > SYNC_MEDIAN_MS_MAX {
        Check::warn(name, found, "every commit waits this long: put data.dir on a local SSD")
    } else {
        Check::ok(name, found)
    };
    (check, vec![("sync_median_ms", median_ms), ("sync_max_ms", max_ms)])
}

pub fn check_key_file(key_file: &Path, folder: &Path, demo: bool) -> Check {
    let name = "key file";
    let shown = key_file.display();
    let mode = match fs::metadata(key_file) {
        Ok(metadata) => metadata.permissions().mode() & 0o777,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = key_file.parent().filter(|above| !above.as_os_str().is_empty());
            if let Some(above) = above.filter(|above| !above.is_dir() && *above != folder) {
                let found = format!("{shown} cannot be created: {} does not exist", above.display());
                return Check::fail(name, found, format!("create the folder: mkdir -p {}", above.display()));
            }
            let advice = "it is created at the first start; keep a copy separately from the data";
            return Check::warn(name, format!("{shown} does not exist yet"), advice);
        }
        Err(error) => return Check::fail(name, format!("{shown}: {error}"), "make it readable by Windfall"),
    };
    if mode != 0o600 {
        let found = format!("{shown} has mode {mode:03o}");
        return Check::warn(
            name,
            found,
            format!("only its owner should be able to read it: chmod 600 {shown}"),
        );
    }
    if is_inside(key_file, folder) && !demo {
        let advice = "a copy of the folder includes the key: move it and set data.key_file";
        return Check::warn(name, format!("{shown} is inside the data folder"), advice);
    }
    Check::ok(name, format!("{shown}, mode 600"))
}

/// A folder for backups or a standby: there, writable, and on another disk than the data.
pub fn check_second_folder(name: &'static str, folder: &Path, data: &Path) -> Check {
    let shown = folder.display();
    if !folder.is_dir() {
        let found = format!("{shown} does not exist");
        return Check::warn(
            name,
            found,
            "it is created when it is needed; if it is on a drive, check that the drive is mounted",
        );
    }
    if let Err(error) = Probe::create(folder) {
        let advice = "allow the user that runs Windfall to write there";
        return Check::fail(name, format!("cannot write in {shown}: {error}"), advice);
    }
    let device =
        |path: &Path| fs::metadata(path).ok().map(|found| std::os::unix::fs::MetadataExt::dev(&found));
    if device(folder) == device(&nearest_existing(data)) {
        let advice = "put it on another disk: one failure would affect both";
        return Check::warn(name, format!("{shown} is on the same disk as the data"), advice);
    }
    Check::ok(name, format!("{shown} is writable, on another disk"))
}

fn nearest_existing(folder: &Path) -> PathBuf {
    let above = folder.ancestors().find(|path| path.is_dir());
    above.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

fn is_inside(file: &Path, folder: &Path) -> bool {
    match (fs::canonicalize(file), fs::canonicalize(folder)) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => file.starts_with(folder),
    }
}

/// The fourth column of the last line of `df -Pk`, in bytes.
fn parse_df(output: &str) -> Option<u64> {
    let line = output.lines().skip(1).last()?;
    let free_kib: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
    free_kib.checked_mul(1024)
}

fn measure_sync(folder: &Path) -> io::Result<Vec<Duration>> {
    let mut probe = Probe::create(folder)?;
    let block = [0x57; SYNC_BLOCK_BYTES];
    (0..SYNC_ROUNDS)
        .map(|_| {
            let start = Instant::now();
            probe.file.write_all(&block)?;
            probe.file.sync_data()?;
            Ok(start.elapsed())
        })
        .collect()
}

fn whole_us(span: Duration) -> f64 {
    (span.as_secs_f64() * 1_000_000.0).round()
}

/// A file that is gone when the check is over.
struct Probe {
    file: File,
    path: PathBuf,
}

impl Probe {
    fn create(folder: &Path) -> io::Result<Self> {
        let path = folder.join(format!(".windfall-doctor-{}", std::process::id()));
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        Ok(Self { file, path })
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // Nothing better to do about a file that cannot be removed than to leave it.
        fs::remove_file(&self.path).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::CheckState;
    use super::*;

    #[test]
    fn df_by_rows() {
        let head = "Filesystem 1024-blocks Used Available Capacity Mounted on\n";
        let rows = [
            ("/dev/sda1 100 40 60 40% /", Some(60 * 1024)),
            ("overlay 100 100 0 100% /with a space", Some(0)),
            ("/dev/sda1 100", None),
            ("/dev/sda1 100 40 - 40% /", None),
            ("", None),
        ];
        for (line, free) in rows {
            assert_eq!(parse_df(&format!("{head}{line}")), free, "{line}");
        }
    }

    #[test]
    fn a_folder_is_examined_and_left_clean() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(check_folder(home.path()).state, CheckState::Ok);
        assert_eq!(check_folder(&home.path().join("a/b")).state, CheckState::Warn);
        let (_, figures) = check_sync(&home.path().join("a/b"));
        assert_eq!(
            figures.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            ["sync_median_ms", "sync_max_ms"]
        );
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }

    #[test]
    fn second_folders_by_rows() {
        let home = tempfile::tempdir().unwrap();
        let here = home.path();
        for (folder, state, found) in [
            (here.join("gone"), CheckState::Warn, "does not exist"),
            (here.to_owned(), CheckState::Warn, "the same disk"),
            (PathBuf::from("/proc"), CheckState::Fail, "cannot write"),
        ] {
            let check = check_second_folder("backups", &folder, &here.join("data"));
            assert_eq!(check.state, state, "{check:?}");
            assert!(check.found.contains(found), "{check:?}");
        }
    }

    #[test]
    fn key_files_by_rows() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("data");
        fs::create_dir(&folder).unwrap();
        let rows = [
            ("windfall.key", None, false, CheckState::Warn),
            ("windfall.key", Some(0o600), false, CheckState::Ok),
            ("windfall.key", Some(0o640), false, CheckState::Warn),
            ("data/windfall.key", Some(0o600), false, CheckState::Warn),
            ("data/windfall.key", Some(0o600), true, CheckState::Ok),
            ("data/windfall.key", Some(0o644), true, CheckState::Warn),
            ("keys/of/windfall.key", None, false, CheckState::Fail),
        ];
        for (path, mode, demo, state) in rows {
            let path = home.path().join(path);
            if let Some(mode) = mode {
                fs::write(&path, "key").unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
            let check = check_key_file(&path, &folder, demo);
            assert_eq!(check.state, state, "{mode:?}, demo: {demo}: {check:?}");
        }
    }
}
