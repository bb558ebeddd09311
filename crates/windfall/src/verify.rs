//! `windfall verify`: every draw of an export decided again, offline.

use std::fs::File;
use std::io::{Seek as _, SeekFrom};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use domain::export::{Found, Verified};
use engine::verification::{Unverified, verify};
use serde_json::json;

use crate::config::Config;
use crate::inventory::Place;
use crate::progress::Progress;

#[derive(Debug, Args)]
pub struct VerifyCommand {
    /// An export
    #[arg(long, value_name = "EXPORT", conflicts_with = "activity", required_unless_present = "activity")]
    file: Option<PathBuf>,
    /// Fetch the export of this activity first
    #[arg(long, value_name = "ID")]
    activity: Option<i64>,
    #[command(flatten)]
    place: Place,
    /// All cores unless said otherwise
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// One flat JSON object on one line
    #[arg(long)]
    json: bool,
}

/// 0: all reproduce; 1: one does not; 2: it could not be found out.
pub async fn run(config: anyhow::Result<Config>, command: &VerifyCommand) -> ExitCode {
    match checked(config, command).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("windfall: {error:#}");
            ExitCode::from(2)
        }
    }
}

async fn checked(config: anyhow::Result<Config>, command: &VerifyCommand) -> anyhow::Result<ExitCode> {
    let file = match (&command.file, command.activity) {
        (Some(path), _) => File::open(path).with_context(|| format!("{} cannot be read", path.display()))?,
        (None, Some(activity)) => fetched(&config?, command, activity).await?,
        (None, None) => bail!("name an export (--file) or an activity (--activity)"),
    };
    let threads = command.threads.or(std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let progress = Progress::new(file.metadata().map_or(0, |data| data.len()), "bytes");
    let begun = Instant::now();
    let verdict = tokio::task::block_in_place(|| verify(file, threads, |bytes| progress.reached(bytes)));
    let elapsed = begun.elapsed();
    progress.done();
    match verdict {
        Ok(Verified { chains: 0, raffles: 0, .. }) => bail!(
            "nothing_to_verify: the export has no finished round; a secret is revealed when its round has ended"
        ),
        Ok(verified) => {
            tell(command.json, &verified, elapsed, None);
            Ok(ExitCode::SUCCESS)
        }
        Err(Unverified::Found { found, before }) => {
            tell(command.json, &before, elapsed, Some(&found));
            Ok(ExitCode::FAILURE)
        }
        Err(Unverified::Unreadable(error)) => Err(error).context("the export cannot be read"),
    }
}

/// The server's export in a file that goes when this ends.
async fn fetched(config: &Config, command: &VerifyCommand, activity: i64) -> anyhow::Result<File> {
    let console = command.place.open(config).await?;
    let mut file = tempfile::tempfile().context("no room for the export")?;
    let downloaded = console.download(&format!("/activities/{activity}/export"), &mut file).await;
    console.close().await;
    downloaded?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

fn tell(as_json: bool, verified: &Verified, elapsed: Duration, found: Option<&Found>) {
    let Verified { chains, records, draws, raffles, winners } = *verified;
    if as_json {
        let told = json!({
            "reproduces": found.is_none(),
            "chains": chains,
            "records": records,
            "draws": draws,
            "raffles": raffles,
            "winners": winners,
            "draws_per_s": per_second(draws, elapsed),
            "line": found.map(|found| found.line),
            "code": found.map(|found| found.finding.name()),
            "finding": found.map(|found| found.finding.to_string()),
        });
        println!("{told}");
        return;
    }
    let winners = if raffles > 0 { format!(" and {winners} winners of raffles") } else { String::new() };
    match found {
        None => println!(
            "{draws} draws{winners}, all reproduce ({} draws/s in {:.2} s)",
            per_second(draws, elapsed),
            elapsed.as_secs_f64()
        ),
        Some(found) => {
            println!("{found} ({}); {draws} draws{winners} before it reproduce", found.finding.name());
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate for people"
)]
fn per_second(draws: u64, elapsed: Duration) -> u64 {
    (draws as f64 / elapsed.as_secs_f64().max(1e-9)) as u64
}
