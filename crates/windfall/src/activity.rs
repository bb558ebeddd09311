//! `windfall activity …`: activities from the command line, on the running server or on another one.
//!
//! A file is read whole before anything is sent. It goes in pieces, each of which may be sent again: who is on a block
//! list already stays there.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use clap::Subcommand;
use http::Method;
use serde_json::{Value, json};

use crate::config::Config;
use crate::console::ConsoleClient;
use crate::inventory::TargetArgs;

/// The largest file, in bytes.
const FILE_MAX: u64 = 64 * 1024 * 1024;
/// Users that are sent at once.
const PIECE_MAX: usize = 1_000;
/// Unknown users that are told, at most.
const TOLD_MAX: usize = 20;

#[derive(Debug, Subcommand)]
pub enum ActivityCommand {
    /// Users who can win only the consolation prize
    #[command(subcommand)]
    BlockList(BlockListCommand),
}

#[derive(Debug, Subcommand)]
pub enum BlockListCommand {
    /// Add the users of a CSV file, whose first line is `user_id` or `external_id`
    Import {
        #[arg(value_name = "ACTIVITY")]
        activity: String,
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
        /// Stored with every user that is added
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        place: TargetArgs,
    },
}

pub async fn run(config: &Config, command: ActivityCommand) -> anyhow::Result<()> {
    let ActivityCommand::BlockList(BlockListCommand::Import { activity, file, reason, place }) = command;
    ensure!(activity.parse::<domain::ids::ActivityId>().is_ok(), "{activity:?} is not an activity's id");
    let sheet = read(&file)?;
    let console = place.open(config).await?;
    let imported = import(&console, &activity, &sheet, &reason).await;
    console.close().await;
    imported
}

/// The users of a file, and the member of the request that names them.
#[derive(Debug, PartialEq, Eq)]
struct Sheet {
    member: &'static str,
    users: Vec<String>,
}

fn read(path: &Path) -> anyhow::Result<Sheet> {
    let file = || path.display().to_string();
    let size = std::fs::metadata(path).with_context(file)?.len();
    ensure!(size <= FILE_MAX, "{} is larger than {FILE_MAX} bytes: split it", file());
    parse(&std::fs::read(path).with_context(file)?).with_context(file)
}

fn parse(bytes: &[u8]) -> anyhow::Result<Sheet> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut table = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let heading: Vec<String> = table.headers()?.iter().map(str::to_owned).collect();
    let member = match heading.as_slice() {
        [column] if column == "user_id" => "users",
        [column] if column == "external_id" => "external_ids",
        _ => bail!("line 1: the header must be user_id or external_id, without other columns"),
    };
    let mut users = Vec::new();
    for record in table.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        match record.get(0).filter(|id| !id.is_empty()) {
            Some(id) => users.push(id.to_owned()),
            None => bail!("line {line}: the id is missing"),
        }
    }
    ensure!(!users.is_empty(), "it has no users");
    Ok(Sheet { member, users })
}

async fn import(console: &ConsoleClient, activity: &str, sheet: &Sheet, reason: &str) -> anyhow::Result<()> {
    let (mut added, mut already, mut duplicates, mut sent) = (0, 0, 0, 0);
    let mut unknown: Vec<String> = Vec::new();
    for piece in sheet.users.chunks(PIECE_MAX) {
        let body = json!({ sheet.member: piece, "reason": reason });
        let told =
            console.ask(Method::POST, &format!("/activities/{activity}/block-list"), Some(body)).await?;
        let count = |name: &str| told.get(name).and_then(Value::as_u64).unwrap_or(0);
        let list = |name: &str| told.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        added += count("added");
        already += count("already");
        duplicates += list("duplicates").len();
        let ids = list("unknown").iter().filter_map(Value::as_object).flat_map(|named| named.values());
        unknown.extend(ids.filter_map(Value::as_str).map(str::to_owned));
        sent += piece.len();
        if sheet.users.len() > PIECE_MAX {
            eprintln!("{sent} of {} users", sheet.users.len());
        }
    }
    println!(
        "{added} added, {already} already on the list, {duplicates} repeated, {} unknown",
        unknown.len()
    );
    if unknown.is_empty() {
        return Ok(());
    }
    let more = unknown.len().saturating_sub(TOLD_MAX);
    unknown.truncate(TOLD_MAX);
    let rest = if more > 0 { format!("\nand {more} more") } else { String::new() };
    bail!("these ids are unknown; everybody else was added:\n{}{rest}", unknown.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_or_refused() {
        for (text, expected) in [
            ("user_id\n5\r\n 6 \n", Ok(("users", vec!["5", "6"]))),
            ("\u{feff}external_id\n\"a,b\"\n\n5\n", Ok(("external_ids", vec!["a,b", "5"]))),
            ("", Err("line 1")),
            ("5\n6\n", Err("line 1")),
            ("user_id,external_id\n5,a\n", Err("line 1")),
            ("user_id\n", Err("it has no users")),
            ("user_id\n5\n\"\"\n", Err("line 3: the id is missing")),
            ("user_id\n5,6\n", Err("found record with 2 fields")),
        ] {
            let read = parse(text.as_bytes());
            match expected {
                Ok((member, users)) => {
                    let users = users.into_iter().map(str::to_owned).collect();
                    assert_eq!(read.unwrap(), Sheet { member, users }, "{text:?}");
                }
                Err(words) => {
                    let told = read.unwrap_err().to_string();
                    assert!(told.contains(words), "{text:?}: {told}");
                }
            }
        }
    }
}
