//! Sends a file of codes to the server piece by piece, and tells how it goes.
//!
//! A piece whose answer is missing or "too busy" is sent again: what is there already is not added again.

use anyhow::Context as _;
use domain::redeem::CodeLine;
use http::Method;
use hyper::body::Bytes;
use serde_json::{Value, json};
use server::percent;

use super::sheet::{CodeSheet, TOLD_MAX};
use crate::console::ConsoleClient;
use crate::progress::ProgressPrinter;

/// Bytes of codes in one piece: well below what the server takes, so that each is answered soon.
const PIECE_BYTES_MAX: usize = 1024 * 1024;

#[derive(Debug, Default)]
struct Tally {
    added: u64,
    already: u64,
    /// The first of them, in the file.
    already_lines: Vec<u32>,
    left: u64,
}

pub async fn import(
    console: &ConsoleClient,
    sheet: &CodeSheet,
    name: &str,
    low_below: Option<u32>,
) -> anyhow::Result<()> {
    let pool = pool(console, name, low_below).await?;
    let (mut tally, mut sent) = (Tally::default(), 0);
    let progress = ProgressPrinter::new(sheet.codes.len() as u64, "codes");
    while sent < sheet.codes.len() {
        let rest = sheet.codes.get(sent..).unwrap_or_default();
        let piece = rest.get(..piece_of(rest)).unwrap_or_default();
        tally.count(piece, &send(console, &pool, piece).await?);
        sent += piece.len();
        progress.reached(sent as u64);
    }
    progress.done();
    let Tally { added, already, already_lines, left } = tally;
    println!(
        "{added} added, {already} already imported, {} repeated in the file; {left} left in {name}",
        sheet.repeated
    );
    print_first(
        sheet.repeated as u64,
        sheet.repeated_lines.iter().map(|(line, first)| format!("line {line} repeats line {first}")),
    );
    print_first(already, already_lines.iter().map(|line| format!("line {line} was imported earlier")));
    Ok(())
}

/// The first lines of some, and how many more there are.
fn print_first(count: u64, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.take(TOLD_MAX).collect();
    for line in &lines {
        eprintln!("{line}");
    }
    let more = count.saturating_sub(lines.len() as u64);
    if more > 0 && !lines.is_empty() {
        eprintln!("and {more} more");
    }
}

impl Tally {
    fn count(&mut self, piece: &[CodeLine], answer: &Value) {
        let number = |value: Option<&Value>| value.and_then(Value::as_u64).unwrap_or(0);
        self.added += number(answer.get("added"));
        self.already += number(answer.get("already"));
        self.left = number(answer.get("pool").and_then(|pool| pool.get("left")));
        let lines = answer.get("already_lines").and_then(Value::as_array);
        // The server counts the lines of the piece, from 1.
        let of_file = |line: &Value| {
            let at = usize::try_from(line.as_u64()?).ok()?.checked_sub(1)?;
            piece.get(at).map(|line| line.number)
        };
        self.already_lines.extend(lines.into_iter().flatten().filter_map(of_file));
        self.already_lines.truncate(TOLD_MAX);
    }
}

/// How many codes go into the next piece: one at least.
fn piece_of(codes: &[CodeLine]) -> usize {
    let mut bytes = 0;
    let fit = codes.iter().take_while(|line| {
        bytes += line.code.as_str().len() + 1;
        bytes <= PIECE_BYTES_MAX
    });
    fit.count().max(1)
}

/// The pool of this name, made if there is none. Answers its id.
async fn pool(console: &ConsoleClient, name: &str, low_below: Option<u32>) -> anyhow::Result<String> {
    let path = format!("/code-pools?name={}", percent(name));
    let found = console.ask(Method::GET, &path, None).await?;
    let id = |pool: &Value| pool.get("id").and_then(Value::as_str).map(str::to_owned);
    if let Some(pool) = found.get("items").and_then(|items| items.get(0)) {
        return id(pool).context("the server returned a pool without an id");
    }
    let mut body = json!({ "name": name });
    if let Some(below) = low_below {
        body["low_below"] = json!(below);
    }
    let made = console.ask(Method::POST, "/code-pools", Some(body)).await?;
    id(&made).context("the server returned a pool without an id")
}

async fn send(console: &ConsoleClient, pool: &str, piece: &[CodeLine]) -> anyhow::Result<Value> {
    let mut text = String::with_capacity(piece.iter().map(|line| line.code.as_str().len() + 1).sum());
    for line in piece {
        text.push_str(line.code.as_str());
        text.push('\n');
    }
    let text = Bytes::from(text);
    let path = format!("/code-pools/{pool}/codes");
    console.exchange_again(Method::POST, &path, ("text/plain", text)).await
}
