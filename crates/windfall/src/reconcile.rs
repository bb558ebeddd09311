//! `windfall reconcile`: the ledger against the database, on the running server or on its data folder.
//!
//! Without a server the ledger is started from the very rows it is held against: rows that do not fit together are then
//! refused at the start, and what is left to compare are the movements. Corrections need the server, because what it
//! has in memory is what rows are corrected by.
//!
//! The exit code says how it ended: 0 nothing differs, 1 differences remain, 2 it could not be found out.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use engine::inventory::reconcile::{Reconcile, reconcile_here};
use http::Method;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use server::AuditPassBody;
use store::model::Actor;

use crate::config::Config;
use crate::console::ConsoleClient;
use crate::node::Node;

/// How often a long audit is asked how far it is.
const POLL: Duration = Duration::from_millis(500);
const DIFFERENT: u8 = 1;
const UNKNOWN: u8 = 2;

#[derive(Debug, Args)]
pub struct ReconcileCommand {
    /// Correct the rows of the database that differ from the ledger
    #[arg(long, requires = "reason")]
    fix: bool,
    /// The reason, for the audit log; required with --fix
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
    /// One JSON object on one line
    #[arg(long)]
    json: bool,
}

pub async fn run(config: anyhow::Result<Config>, command: ReconcileCommand) -> ExitCode {
    let ReconcileCommand { fix, reason, json } = command;
    let audited = async { audit(&config?, fix, reason).await };
    match audited.await {
        Ok(pass) => {
            if json {
                println!("{pass}");
            } else {
                print(&pass);
            }
            ExitCode::from(code(&pass))
        }
        Err(error) => {
            eprintln!("windfall: {error:#}");
            ExitCode::from(UNKNOWN)
        }
    }
}

/// An audit to its end, wherever it runs.
async fn audit(config: &Config, fix: bool, reason: String) -> anyhow::Result<Value> {
    let Some(console) = ConsoleClient::running(config).await else {
        anyhow::ensure!(!fix, "no server responds: correcting rows needs a running server");
        ConsoleClient::check_folder(config)?;
        let node = Node::open(config, "")
            .await
            .context("no server responds, and the data folder cannot be opened")?;
        let ask = Reconcile { fix, reason, actor: Actor::Console, request_id: "console".to_owned() };
        let pass = reconcile_here(&node.world, ask).await;
        node.close().await;
        return Ok(serde_json::to_value(AuditPassBody::from(pass?))?);
    };
    let body = json!({ "fix": fix, "reason": reason });
    let mut pass = console.call(Method::POST, "/admin/ledger/reconcile", Some(body)).await?;
    let progress = ProgressBar::new_spinner();
    while pass.get("finished_ms").is_none() {
        progress.set_message(format!(
            "{} rows compared, {} differ",
            count_checked(&pass),
            number(&pass, "found")
        ));
        progress.tick();
        tokio::time::sleep(POLL).await;
        let console = ConsoleClient::running(config).await.context("the server has stopped")?;
        let ledger = console.call(Method::GET, "/admin/ledger", None).await?;
        let same = ledger.get("asked_audit").filter(|asked| asked.get("number") == pass.get("number"));
        pass = same.context("another audit was requested in the meantime")?.clone();
    }
    progress.finish_and_clear();
    Ok(pass)
}

fn code(pass: &Value) -> u8 {
    if pass.get("gave_up").is_some() {
        return UNKNOWN;
    }
    if number(pass, "found") == number(pass, "corrected") { 0 } else { DIFFERENT }
}

fn print(pass: &Value) {
    let differences = pass.get("differences").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if !differences.is_empty() {
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header(["what", "row", "ledger", "database", "corrected"]);
        for found in differences {
            let text = |name: &str| found.get(name).and_then(Value::as_str).unwrap_or("-").to_owned();
            let corrected = found.get("corrected") == Some(&Value::Bool(true));
            let corrected = if corrected { "yes" } else { "no" }.to_owned();
            table.add_row([text("what"), text("row"), text("ledger"), text("database"), corrected]);
        }
        println!("{table}");
    }
    let (found, corrected) = (number(pass, "found"), number(pass, "corrected"));
    println!("{} rows compared: {found} differ, {corrected} corrected.", count_checked(pass));
    if let Some(why) = pass.get("gave_up").and_then(Value::as_str) {
        println!("The audit was not completed: {why}.");
    } else if found > corrected {
        println!(
            "The remaining differences cannot be corrected, or --fix was not given: see docs/operations.md."
        );
    }
}

fn number(pass: &Value, name: &str) -> u64 {
    pass.get(name).and_then(Value::as_u64).unwrap_or(0)
}

fn count_checked(pass: &Value) -> u64 {
    let checked = pass.get("checked").and_then(Value::as_object);
    checked.map_or(0, |checked| checked.values().filter_map(Value::as_u64).sum())
}
