//! Sends a sheet to the server, a thousand rows at a time, and tells how it goes.
//!
//! A batch whose answer is missing or "too busy" is sent again: its ids make that safe.

use anyhow::{bail, ensure};
use engine::inventory::BATCH_MAX;
use http::Method;
use hyper::body::Bytes;
use serde_json::{Value, json};

use super::sheet::{PoolSheet, PoolSheetRow};
use crate::console::{ConsoleClient, JSON, refusal};
use crate::progress::ProgressPrinter;

/// Refused rows that are told, at most.
const TOLD_MAX: usize = 20;

#[derive(Debug, Default)]
struct Tally {
    made: usize,
    already: usize,
    refused: Vec<String>,
}

pub async fn import(console: &ConsoleClient, sheet: &PoolSheet, reason: &str) -> anyhow::Result<()> {
    let mut tally = Tally::default();
    let progress = ProgressPrinter::new(sheet.rows.len() as u64, "rows");
    for rows in sheet.rows.chunks(BATCH_MAX) {
        let outcomes = send(console, rows, reason).await?;
        ensure!(
            outcomes.len() == rows.len(),
            "the server processed {} of {} rows",
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
        "{} created, {} already existed, {} rejected; {} units in the file",
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
    fn count(&mut self, row: &PoolSheetRow, outcome: &Value) {
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

async fn send(console: &ConsoleClient, rows: &[PoolSheetRow], reason: &str) -> anyhow::Result<Vec<Value>> {
    let command = |row: &PoolSheetRow| {
        json!({ "do": "open", "id": row.id, "name": row.name, "total": row.total,
            "owner_max": row.owner_max, "reason": reason })
    };
    let body = json!({ "commands": rows.iter().map(command).collect::<Vec<_>>() });
    let body = (JSON, Bytes::from(body.to_string()));
    let mut answer = console.exchange_again(Method::POST, "/inventory/batch", body).await?;
    Ok(match answer.get_mut("outcomes").map(Value::take) {
        Some(Value::Array(outcomes)) => outcomes,
        _ => Vec::new(),
    })
}
