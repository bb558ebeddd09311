//! `windfall quarantine`: what waits for a look after a restore or a promotion.

use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use http::Method;
use serde_json::{Value, json};
use server::percent;

use crate::config::Config;
use crate::console::ConsoleClient;

#[derive(Debug, Subcommand)]
pub enum QuarantineCommand {
    /// List what is in quarantine
    List,
    /// Send the messages of a lane, in their order
    Release {
        #[arg(long)]
        lane: String,
        /// Only this message
        #[arg(long, value_name = "MESSAGE_ID")]
        message: Option<String>,
        #[arg(long)]
        reason: String,
    },
    /// Turn the messages of a lane into dead letters, which can be replayed one by one
    Discard {
        #[arg(long)]
        lane: String,
        /// Only this message
        #[arg(long, value_name = "MESSAGE_ID")]
        message: Option<String>,
        #[arg(long)]
        reason: String,
    },
    /// Let a pool give redeem codes again
    ReleaseCodes {
        #[arg(value_name = "POOL_ID")]
        pool: String,
        /// Codes to skip, because the old installation may have given them since the backup
        #[arg(long, default_value_t = 0)]
        skip: u32,
        #[arg(long)]
        reason: String,
    },
}

pub async fn run(config: &Config, command: QuarantineCommand) -> anyhow::Result<()> {
    match command {
        QuarantineCommand::List => {
            let found = ConsoleClient::open_existing(config)
                .await?
                .call(Method::GET, "/admin/quarantine", None)
                .await?;
            print(&found);
        }
        QuarantineCommand::Release { lane, message, reason } => {
            act(config, "release", &lane, message, &reason).await?;
        }
        QuarantineCommand::Discard { lane, message, reason } => {
            act(config, "discard", &lane, message, &reason).await?;
        }
        QuarantineCommand::ReleaseCodes { pool, skip, reason } => {
            let path = format!("/admin/quarantine/code-pools/{}/release", percent(&pool));
            let body = json!({ "skip": skip, "reason": reason });
            let pool =
                ConsoleClient::open_existing(config).await?.call(Method::POST, &path, Some(body)).await?;
            println!("{} gives codes again; {} are left", text(&pool, "name"), number(&pool, "left"));
        }
    }
    Ok(())
}

async fn act(
    config: &Config,
    act: &str,
    lane: &str,
    message: Option<String>,
    reason: &str,
) -> anyhow::Result<()> {
    let mut body = json!({ "act": act, "lane": lane, "reason": reason });
    if let Some(message) = message {
        body["message"] = json!(message);
    }
    let console = ConsoleClient::open_existing(config).await?;
    let moved = console.call(Method::POST, "/admin/quarantine/messages", Some(body)).await?;
    println!("{act}: {} messages", number(&moved, "messages"));
    Ok(())
}

fn print(found: &Value) {
    let list = |name: &str| found.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let (lanes, pools) = (list("lanes"), list("code_pools"));
    if lanes.is_empty() && pools.is_empty() {
        println!("nothing is in quarantine");
        return;
    }
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(["what", "name", "how many"]);
    for lane in &lanes {
        let messages = number(lane, "messages").to_string();
        table.add_row(["messages".to_owned(), text(lane, "lane"), messages]);
    }
    for pool in &pools {
        let name = format!("{} ({})", text(pool, "id"), text(pool, "name"));
        table.add_row(["redeem codes".to_owned(), name, format!("{} left", number(pool, "left"))]);
    }
    println!("{table}");
}

fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or("").to_owned()
}

fn number(value: &Value, name: &str) -> u64 {
    value.get(name).and_then(Value::as_u64).unwrap_or(0)
}
