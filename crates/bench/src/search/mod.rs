//! `windfall bench search`: how long a search takes. One file per row.

mod corpus;
mod posts;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::ledger::report::LedgerReport;
use super::node::{NodeSettings, NodeStarter};

#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Print one flat JSON object on one line
    #[arg(long)]
    json: bool,

    /// Posts to search, half of them in Chinese and half in English
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(100..=50_000_000))]
    posts: u32,

    /// Searches to measure
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(10..=10_000_000))]
    searches: u32,

    /// Searches at the same time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=256))]
    at_once: u32,

    /// The folder to work in; a temporary folder in it is made and removed (default: the system's)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub async fn run(args: &SearchArgs, nodes: &dyn NodeStarter) -> anyhow::Result<()> {
    let parent = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::Builder::new().prefix("windfall-bench-").tempdir_in(parent)?;
    let mut report = LedgerReport::default();
    let settings = NodeSettings::on(folder.path().join("posts"));
    posts::measure(nodes, settings, (args.posts, args.searches, args.at_once), &mut report).await?;
    report.print(args.json);
    folder.close().context("removing the folder of the bench")
}
