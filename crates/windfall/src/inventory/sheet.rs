//! A CSV file of pools, read and checked whole before anything is sent.
//!
//! UTF-8, with or without a mark at its beginning; quotes as in RFC 4180. The columns are name, total and owner_max, in
//! this order, or in any order under a heading. Each row's id comes from the file's bytes and the row's line, so that
//! importing the same file again changes nothing.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use engine::inventory::{InventoryRequest, Wish, check};
use ring::digest::{Context as Hash, SHA256};

/// The largest file, in bytes.
const FILE_MAX: u64 = 256 * 1024 * 1024;
/// Mistakes that are told, at most.
const TOLD_MAX: usize = 20;
const COLUMNS: [&str; 3] = ["name", "total", "owner_max"];

#[derive(Debug)]
pub struct PoolSheet {
    pub rows: Vec<PoolSheetRow>,
}

#[derive(Debug)]
pub struct PoolSheetRow {
    pub line: u64,
    pub id: String,
    pub name: String,
    pub total: i64,
    pub owner_max: i64,
}

impl PoolSheet {
    pub fn units(&self) -> i128 {
        self.rows.iter().map(|row| i128::from(row.total)).sum()
    }
}

pub fn read(path: &Path, reason: &str) -> anyhow::Result<PoolSheet> {
    let file = || path.display().to_string();
    let size = std::fs::metadata(path).with_context(file)?.len();
    ensure!(size <= FILE_MAX, "{} is larger than {FILE_MAX} bytes: split it", file());
    parse(&std::fs::read(path).with_context(file)?, reason).with_context(file)
}

/// Every row is sound, or the mistakes are told with their lines.
fn parse(bytes: &[u8], reason: &str) -> anyhow::Result<PoolSheet> {
    let content = ring::digest::digest(&SHA256, bytes);
    let mut table = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let (mut rows, mut wrong, mut columns) = (Vec::new(), Vec::new(), None);
    let mut lines_of: HashMap<String, u64> = HashMap::new();
    for record in table.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                wrong.push(error.to_string());
                break;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        let order = match columns {
            Some(order) => order,
            None => match heading(&record)? {
                Some(order) => {
                    columns = Some(order);
                    continue;
                }
                None => *columns.insert([Some(0), Some(1), Some(2)]),
            },
        };
        match row(&record, order, line, content.as_ref(), reason) {
            Ok(row) => {
                if let Some(first) = lines_of.insert(row.name.clone(), line) {
                    wrong.push(format!("line {line}: {} is already in line {first}", row.name));
                }
                rows.push(row);
            }
            Err(what) => wrong.push(format!("line {line}: {what}")),
        }
    }
    if !wrong.is_empty() {
        let more = wrong.len().saturating_sub(TOLD_MAX);
        wrong.truncate(TOLD_MAX);
        let rest = if more > 0 { format!("\nand {more} more") } else { String::new() };
        bail!("nothing was imported:\n{}{rest}", wrong.join("\n"));
    }
    ensure!(!rows.is_empty(), "it has no rows");
    Ok(PoolSheet { rows })
}

/// Where each column is; for each of [`COLUMNS`] its place in the record.
type Order = [Option<usize>; COLUMNS.len()];

/// The order that a heading names; nothing when the first row is no heading.
fn heading(record: &csv::StringRecord) -> anyhow::Result<Option<Order>> {
    let names: Vec<String> = record.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
    if !(names.iter().any(|name| name == "name") && names.iter().any(|name| name == "total")) {
        return Ok(None);
    }
    if let Some(unknown) = names.iter().find(|name| !COLUMNS.contains(&name.as_str())) {
        bail!("line 1: unknown column {unknown:?}; the columns are {}", COLUMNS.join(", "));
    }
    Ok(Some(COLUMNS.map(|column| names.iter().position(|name| name == column))))
}

fn row(
    record: &csv::StringRecord,
    [name, total, owner_max]: Order,
    line: u64,
    content: &[u8],
    reason: &str,
) -> Result<PoolSheetRow, String> {
    let cell = |at: Option<usize>| at.and_then(|at| record.get(at)).map(str::trim);
    if record.len() > COLUMNS.len() {
        return Err(format!("{} columns instead of 2 or 3", record.len()));
    }
    let number = |column: &str, text: &str| {
        text.parse::<i64>().map_err(|_| format!("{column}: {text:?} is not an integer"))
    };
    let row = PoolSheetRow {
        line,
        id: row_id(content, line),
        name: cell(name).unwrap_or("").to_owned(),
        total: number("total", cell(total).ok_or("total: is missing")?)?,
        owner_max: match cell(owner_max) {
            None | Some("") => 0,
            Some(text) => number("owner_max", text)?,
        },
    };
    let wish = Wish::Open {
        name: row.name.clone(),
        round: 1,
        total: row.total,
        owner_max: row.owner_max,
        reason: reason.to_owned(),
    };
    check(InventoryRequest { id: row.id.clone(), wish }).map_err(|rejection| rejection.to_string())?;
    Ok(row)
}

fn row_id(content: &[u8], line: u64) -> String {
    let mut hash = Hash::new(&SHA256);
    hash.update(content);
    hash.update(&line.to_be_bytes());
    let digest = hash.finish();
    let hex: String = digest.as_ref().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("import-{hex}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file, and its rows as `name=total/owner_max`, or what is told about it.
    #[test]
    fn files_are_read_or_refused_with_their_lines() {
        for (text, expected) in [
            ("tea,5\ncup,7,2\n", Ok("tea=5/0 cup=7/2")),
            ("name,total,owner_max\ntea,5,\n", Ok("tea=5/0")),
            ("\u{feff}Total,Name\r\n5,tea\r\n", Ok("tea=5/0")),
            ("\"a, b/茶\", 5\n", Ok("a, b/茶=5/0")),
            ("\"say \"\"tea\"\"\",5", Ok("say \"tea\"=5/0")),
            ("name,total\n\ntea,5\n", Ok("tea=5/0")),
            ("", Err("it has no rows")),
            ("name,total\n", Err("it has no rows")),
            ("name,total,colour\ntea,5,red", Err("line 1: unknown column \"colour\"")),
            ("tea,5\ncup,many\n", Err("line 2: total: \"many\" is not an integer")),
            ("tea,5\ncup,0.5\n", Err("line 2: total")),
            ("tea,5\n\"two\nlines\",7\ncup,-1\n", Err("line 4: total: must be between 0 and")),
            ("tea\n", Err("line 1: total: is missing")),
            ("tea,5\ncup,1\ntea,6\n", Err("line 3: tea is already in line 1")),
            ("a//b,5\n", Err("line 1: name: is not written as expected")),
            ("tea,5,1,x\n", Err("line 1: 4 columns instead of 2 or 3")),
        ] {
            let read = parse(text.as_bytes(), "import");
            let told = match &read {
                Ok(sheet) => {
                    let rows = sheet.rows.iter();
                    let rows = rows.map(|row| format!("{}={}/{}", row.name, row.total, row.owner_max));
                    rows.collect::<Vec<_>>().join(" ")
                }
                Err(error) => error.to_string(),
            };
            match expected {
                Ok(rows) => assert_eq!(told, rows, "{text:?}"),
                Err(words) => assert!(read.is_err() && told.contains(words), "{text:?}: {told}"),
            }
        }
        assert!(parse(b"tea,5\ncup\xff,5\n", "import").is_err(), "not UTF-8");
    }

    #[test]
    fn ids_come_from_the_file_and_the_line() {
        let ids = |text: &str| -> Vec<String> {
            let sheet = parse(text.as_bytes(), "import").unwrap();
            sheet.rows.into_iter().map(|row| row.id).collect()
        };
        let first = ids("tea,5\ncup,5\n");
        assert_eq!(first, ids("tea,5\ncup,5\n"));
        assert_ne!(first[0], first[1]);
        assert_ne!(first[0], ids("tea,5\ncup,6\n")[0]);
        assert!(first.iter().all(|id| id.len() <= domain::ledger::TEXT_MAX));
    }
}
