//! `windfall bench fulfilment`: what giving prizes takes. One file per row.

mod codes;
mod relay;
mod webhooks;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::ledger::report::LedgerReport;
use super::node::{NodeSettings, NodeStarter};

#[derive(Debug, Args)]
pub struct FulfilmentArgs {
    /// Print one flat JSON object on one line
    #[arg(long)]
    json: bool,

    /// Codes to import
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    codes: u32,

    /// Messages in the backlog that the relay drains
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    messages: u32,

    /// Webhooks to deliver
    #[arg(long, default_value_t = 30_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    webhooks: u32,

    /// The folder to work in; a temporary folder in it is made and removed (default: the system's)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub async fn run(args: &FulfilmentArgs, nodes: &dyn NodeStarter) -> anyhow::Result<()> {
    let parent = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::Builder::new().prefix("windfall-bench-").tempdir_in(parent)?;
    let settings = |row| NodeSettings::on(folder.path().join(row));
    let mut report = LedgerReport::default();
    // First: memory that was used and freed before would be used again unseen.
    relay::measure(nodes, settings("relay"), args.messages, &mut report).await?;
    codes::measure(nodes, settings("codes"), args.codes, &mut report).await?;
    webhooks::measure(nodes, settings("webhooks"), args.webhooks, &mut report).await?;
    report.print(args.json);
    folder.close().context("removing the folder of the bench")
}
