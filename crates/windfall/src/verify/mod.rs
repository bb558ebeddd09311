//! `windfall verify`: every draw of an export decided again, offline; and one ticket looked up in it by its receipt.

mod receipt;
mod report;

use std::fs::File;
use std::io::{Seek as _, SeekFrom};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::{ArgGroup, Args};
use domain::export::VerifiedCounts;
use engine::draws::verification::{Unverified, find_ticket, verify};
use report::{VerifyReport, sealed_lines};

use crate::config::Config;
use crate::console::ConsoleClient;
use crate::progress::ProgressPrinter;

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["file", "activity"])))]
pub struct VerifyCommand {
    /// An export
    #[arg(long, value_name = "EXPORT")]
    file: Option<PathBuf>,
    /// Download the export of this activity first
    #[arg(long, value_name = "ID")]
    activity: Option<i64>,
    /// Download it from this server, such as `https://play.example.com`; no key is needed
    #[arg(long, value_name = "URL", requires = "activity")]
    url: Option<String>,
    /// Also look up a ticket by what its player kept: `PLACE LINK`, the response to the draw as JSON, a file with either,
    /// or - for standard input
    #[arg(long, value_name = "RECEIPT")]
    receipt: Option<String>,
    /// Threads; all cores by default
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// One flat JSON object on one line
    #[arg(long)]
    json: bool,
}

/// 0: all reproduce; 1: one does not, or the receipt fits none; 2: it could not be found out.
pub async fn run(config: anyhow::Result<Config>, command: &VerifyCommand) -> ExitCode {
    match verify_export(config, command).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("windfall: {error:#}");
            ExitCode::from(2)
        }
    }
}

async fn verify_export(config: anyhow::Result<Config>, command: &VerifyCommand) -> anyhow::Result<ExitCode> {
    let wanted = command.receipt.as_deref().map(receipt::read).transpose()?;
    let mut file = match (&command.file, command.activity) {
        (Some(path), _) => File::open(path).with_context(|| format!("{} cannot be read", path.display()))?,
        (None, Some(activity)) => fetch_export(config, command, activity).await?,
        (None, None) => bail!("name an export (--file) or an activity (--activity)"),
    };
    let threads = command.threads.or(std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let progress = ProgressPrinter::new(file.metadata().map_or(0, |data| data.len()), "bytes");
    let begun = Instant::now();
    let verified =
        tokio::task::block_in_place(|| verify(&mut file, threads, |bytes| progress.reached(bytes)));
    let elapsed = begun.elapsed();
    progress.done();
    let (verified, found) = match verified {
        Ok(VerifiedCounts { chains: 0, raffles: 0, sealed, .. }) => bail!(
            "nothing_to_verify: the export has no finished round; a secret is revealed when its round has ended{}",
            sealed_lines(&sealed).iter().map(|line| format!("\n  {line}")).collect::<String>()
        ),
        Ok(verified) => (verified, None),
        Err(Unverified::Found { found, .. }) if found.finding.is_no_export() => match &command.file {
            Some(path) => bail!("{}: {}", path.display(), found.finding),
            None => bail!("what the server sent: {}", found.finding),
        },
        Err(Unverified::Found { found, before }) => (*before, Some(found)),
        Err(Unverified::Unreadable(error)) => return Err(error).context("the export cannot be read"),
    };
    let sought = match wanted {
        None => None,
        Some(wanted) => {
            file.seek(SeekFrom::Start(0))?;
            let sought = tokio::task::block_in_place(|| find_ticket(&mut file, wanted));
            Some((wanted, sought.context("the export cannot be read")?))
        }
    };
    let verdict = VerifyReport { verified, found, sought, elapsed };
    if command.json {
        println!("{}", verdict.json());
    } else {
        verdict.lines().iter().for_each(|line| println!("{line}"));
    }
    Ok(if verdict.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The server's export in a file that goes when this ends.
async fn fetch_export(
    config: anyhow::Result<Config>,
    command: &VerifyCommand,
    activity: i64,
) -> anyhow::Result<File> {
    let console = match &command.url {
        Some(url) => ConsoleClient::remote(url, None)?,
        None => ConsoleClient::open_existing(&config?).await?,
    };
    let mut file = tempfile::tempfile().context("no space for the export")?;
    let downloaded = console.download(&format!("/activities/{activity}/export"), &mut file).await;
    console.close().await;
    downloaded?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}
