//! `windfall inventory …`: stock from the command line, on the running server or on another one.

mod import;
mod sheet;
mod show;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::config::Config;
use crate::console::ConsoleClient;

#[derive(Debug, Subcommand)]
pub enum InventoryCommand {
    /// Create pools from a CSV file with the columns name, total and optionally owner_max
    Import {
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
        /// Stored with the movements
        #[arg(long, default_value = "import")]
        reason: String,
        /// Only check the file
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        place: TargetArgs,
    },
    /// List pools, newest first
    List {
        /// The beginning of the names
        #[arg(long, default_value = "")]
        under: String,
        /// Any part of the names
        #[arg(long, default_value = "")]
        search: String,
        #[arg(long, default_value_t = 50)]
        limit: u32,
        #[command(flatten)]
        place: TargetArgs,
    },
    /// Show a pool and its latest movements
    Show {
        #[arg(value_name = "NAME")]
        name: String,
        #[command(flatten)]
        place: TargetArgs,
    },
}

/// Which Windfall: the one on this machine, unless an address is given.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The address of a server, such as `https://play.example.com`
    #[arg(long, value_name = "URL", requires = "key")]
    url: Option<String>,
    /// The API key for --url
    #[arg(long, value_name = "KEY", env = "WINDFALL_KEY", hide_env_values = true)]
    key: Option<String>,
}

impl TargetArgs {
    pub async fn open(&self, config: &Config) -> anyhow::Result<ConsoleClient> {
        match (&self.url, &self.key) {
            (Some(url), Some(key)) => ConsoleClient::remote(url, Some(key)),
            _ => ConsoleClient::open_existing(config).await,
        }
    }
}

pub async fn run(config: &Config, command: InventoryCommand) -> anyhow::Result<()> {
    match command {
        InventoryCommand::Import { file, reason, dry_run, place } => {
            let sheet = sheet::read(&file, &reason)?;
            if dry_run {
                let rows = sheet.rows.len();
                println!("{} is valid: {rows} pools with {} units", file.display(), sheet.units());
                return Ok(());
            }
            let console = place.open(config).await?;
            let imported = import::import(&console, &sheet, &reason).await;
            console.close().await;
            imported
        }
        InventoryCommand::List { under, search, limit, place } => {
            show::list(place.open(config).await?, &under, &search, limit).await
        }
        InventoryCommand::Show { name, place } => show::show(&place.open(config).await?, &name).await,
    }
}
