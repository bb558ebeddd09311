//! Sends a sheet to the server, a thousand rows at a time, and tells how it goes.
//!
//! A batch whose answer is missing or "too busy" is sent again: its ids make that safe.

use std::time::Duration;

use anyhow::{bail, ensure};
use engine::flows::inventory::BATCH_MAX;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::sheet::{Row, Sheet};
use crate::console::{Console, refusal};
use crate::progress::Progress;

/// How often a batch is sent before giving up, and the pause in between.
const TRIES_MAX: u32 = 10;
const PAUSE: Duration = Duration::from_secs(1);
/// Refused rows that are told, at most.
const TOLD_MAX: usize = 20;

#[derive(Debug, Default)]
struct Tally {
    made: usize,
    already: usize,
    refused: Vec<String>,
}

pub async fn import(console: &Console, sheet: &Sheet, reason: &str) -> anyhow::Result<()> {
    let mut tally = Tally::default();
    let progress = Progress::new(sheet.rows.len() as u64, "rows");
    for rows in sheet.rows.chunks(BATCH_MAX) {
        let outcomes = send(console, rows, reason).await?;
        ensure!(
            outcomes.len() == rows.len(),
            "the server answered {} of {} rows",
            outcomes.len(),
            rows.len()
        );
        for (row, outcome) in rows.iter().zip(&outcomes) {
            tally.count(row, outcome);
        }
        progress.reached((tally.made + tally.already + tally.refused.len()) as u64);
    }
    progress.done();
    println!(
        "{} made, {} already there, {} refused; {} units in the file",
        tally.made,
        tally.already,
        tally.refused.len(),
        sheet.units()
    );
    if tally.refused.is_empty() {
        return Ok(());
    }
    let more = tally.refused.len().saturating_sub(TOLD_MAX);
    tally.refused.truncate(TOLD_MAX);
    let rest = if more > 0 { format!("\nand {more} more") } else { String::new() };
    bail!("not all rows were imported:\n{}{rest}", tally.refused.join("\n"))
}

impl Tally {
    fn count(&mut self, row: &Row, outcome: &Value) {
        match outcome.get("status").and_then(Value::as_u64) {
            Some(201) => self.made += 1,
            Some(200) => self.already += 1,
            _ => {
                let why = refusal(outcome.get("problem").unwrap_or(&Value::Null));
                self.refused.push(format!("line {}: {why}", row.line));
            }
        }
    }
}

async fn send(console: &Console, rows: &[Row], reason: &str) -> anyhow::Result<Vec<Value>> {
    let command = |row: &Row| {
        json!({ "do": "open", "id": row.id, "name": row.name, "total": row.total,
            "owner_max": row.owner_max, "reason": reason })
    };
    let body = json!({ "commands": rows.iter().map(command).collect::<Vec<_>>() });
    let mut tries = 1;
    loop {
        let answered = console.exchange(Method::POST, "/inventory/batch", Some(body.clone())).await;
        let trouble = match answered {
            Ok((status, mut answer)) if status.is_success() => {
                let outcomes = answer.get_mut("outcomes").map(Value::take);
                return Ok(match outcomes {
                    Some(Value::Array(outcomes)) => outcomes,
                    _ => Vec::new(),
                });
            }
            Ok((status, problem)) if !passes(status) => bail!(refusal(&problem)),
            Ok((_, problem)) => refusal(&problem),
            Err(error) => format!("{error:#}"),
        };
        if tries == TRIES_MAX {
            bail!("{trouble}; tried {TRIES_MAX} times. Import the same file again to go on");
        }
        eprintln!("{trouble}; trying again");
        tries += 1;
        tokio::time::sleep(PAUSE).await;
    }
}

/// Whether trying again may help.
fn passes(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}
