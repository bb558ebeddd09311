//! `windfall codes …`: redeem codes from the command line, on the running server or on another one.

mod import;
mod sheet;

use std::path::PathBuf;

use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use http::Method;
use serde_json::Value;

use crate::config::Config;
use crate::console::ConsoleClient;
use crate::inventory::TargetArgs;

#[derive(Debug, Subcommand)]
pub enum CodesCommand {
    /// Import codes from a file: one per line, or a CSV file with the single column `code`
    Import {
        /// The pool to import into; created if it does not exist
        #[arg(long, value_name = "NAME")]
        pool: String,
        /// For a new pool: alert operators when fewer codes than this are left; 0 means never
        #[arg(long, value_name = "COUNT")]
        low_below: Option<u32>,
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Only check the file
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        place: TargetArgs,
    },
    /// List code pools, newest first
    List {
        #[arg(long, default_value_t = 50)]
        limit: u32,
        #[command(flatten)]
        place: TargetArgs,
    },
}

pub async fn run(config: &Config, command: CodesCommand) -> anyhow::Result<()> {
    match command {
        CodesCommand::Import { pool, low_below, file, dry_run, place } => {
            let sheet = sheet::read(&file)?;
            if dry_run {
                println!(
                    "{} is valid: {} codes, {} repeated in the file",
                    file.display(),
                    sheet.codes.len(),
                    sheet.repeated
                );
                return Ok(());
            }
            let console = place.open(config).await?;
            let imported = import::import(&console, &sheet, &pool, low_below).await;
            console.close().await;
            imported
        }
        CodesCommand::List { limit, place } => list(place.open(config).await?, limit).await,
    }
}

async fn list(console: ConsoleClient, limit: u32) -> anyhow::Result<()> {
    let page = console.call(Method::GET, &format!("/code-pools?limit={limit}"), None).await?;
    let pools = page.get("items").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if pools.is_empty() {
        println!("no code pools");
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(["name", "imported", "given", "left", "told below", "id"]);
    for pool in pools {
        table.add_row(["name", "imported", "given", "left", "low_below", "id"].map(|cell| text(pool, cell)));
    }
    println!("{table}");
    if page.get("next").is_some() {
        println!("There are more; use --limit, up to 200.");
    }
    Ok(())
}

fn text(pool: &Value, name: &str) -> String {
    match pool.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}
