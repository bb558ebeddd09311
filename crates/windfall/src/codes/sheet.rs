//! A file of codes, read and checked whole before anything is sent: a list, or a CSV sheet under the heading `code`.
//!
//! A code that stands in the file twice is found here, so that it is told by its lines however the file is cut in pieces.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use domain::Rejection;
use domain::redeem::{self, CodeLine, SheetKind};

/// The largest file, in bytes.
const FILE_MAX: u64 = 256 * 1024 * 1024;
/// Mistakes and repetitions that are told, at most.
pub const TOLD_MAX: usize = 20;

#[derive(Debug)]
pub struct CodeSheet {
    /// Each once, in the order of the file.
    pub codes: Vec<CodeLine>,
    pub repeated: usize,
    /// The first of them: their lines, and where each stands first.
    pub repeated_lines: Vec<(u32, u32)>,
}

pub fn read(path: &Path) -> anyhow::Result<CodeSheet> {
    let file = || path.display().to_string();
    let size = std::fs::metadata(path).with_context(file)?.len();
    ensure!(size <= FILE_MAX, "{} is larger than {FILE_MAX} bytes: split it", file());
    let named = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("csv"));
    parse(&std::fs::read(path).with_context(file)?, named).with_context(file)
}

fn parse(bytes: &[u8], named_csv: bool) -> anyhow::Result<CodeSheet> {
    let text = std::str::from_utf8(bytes).context("it is not UTF-8")?;
    let lines =
        redeem::read(text, kind(text, named_csv)).map_err(|rejection| anyhow::anyhow!(wrong(&rejection)))?;
    let mut sheet = CodeSheet { codes: Vec::new(), repeated: 0, repeated_lines: Vec::new() };
    let mut first = HashMap::with_capacity(lines.len());
    let mut kept = Vec::with_capacity(lines.len());
    for line in &lines {
        match first.entry(line.code.as_str()) {
            Entry::Vacant(free) => {
                free.insert(line.number);
                kept.push(true);
            }
            Entry::Occupied(first) => {
                kept.push(false);
                sheet.repeated += 1;
                if sheet.repeated_lines.len() < TOLD_MAX {
                    sheet.repeated_lines.push((line.number, *first.get()));
                }
            }
        }
    }
    drop(first);
    sheet.codes = lines.into_iter().zip(kept).filter_map(|(line, kept)| kept.then_some(line)).collect();
    if u32::try_from(sheet.codes.len()).is_err() {
        bail!("too many codes for one file: split it");
    }
    Ok(sheet)
}

/// A file whose first line begins with the heading `code` is a sheet, and so is one that is called so and has several
/// columns: its cells are no codes.
fn kind(text: &str, named_csv: bool) -> SheetKind {
    let first = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    let cell = first.split(',').next().unwrap_or_default();
    let heading = cell.trim().trim_matches('"').eq_ignore_ascii_case("code");
    if heading || (named_csv && first.contains(',')) { SheetKind::Csv } else { SheetKind::List }
}

/// What is wrong, line by line.
fn wrong(rejection: &Rejection) -> String {
    let flaws = rejection.flaws();
    if flaws.is_empty() {
        return match rejection.field() {
            Some("lines") => "it has no codes".to_owned(),
            Some("lines.1") => "line 1: a CSV file has the single column `code`".to_owned(),
            Some(_) | None => rejection.to_string(),
        };
    }
    let told: Vec<String> = flaws
        .iter()
        .take(TOLD_MAX)
        .map(|flaw| {
            let line = flaw.field.rsplit('.').next().unwrap_or_default();
            format!("line {line}: {}", flaw.text(domain::Lang::En))
        })
        .collect();
    let more = flaws.len().saturating_sub(TOLD_MAX);
    let rest = if more > 0 { format!("\nand {more} more") } else { String::new() };
    format!("nothing was imported:\n{}{rest}", told.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_or_refused_with_their_lines() {
        for (text, expected) in [
            ("A\nB\nA\n", Ok("1=A 2=B; 1 repeated, [(3, 1)]")),
            ("code\nA\n\"B,C\"\n", Ok("2=A 3=B,C; 0 repeated, []")),
            ("\u{feff}\"Code\"\r\nA\r\n", Ok("2=A; 0 repeated, []")),
            ("", Err("it has no codes")),
            ("code\n", Err("it has no codes")),
            ("A\n\nB\n", Err("line 2:")),
            ("code\nA,B\n", Err("line 2:")),
            ("code,note\nA,B\n", Err("line 1:")),
            ("A,B\nC\n", Ok("1=A,B 2=C; 0 repeated, []")),
        ] {
            let read = parse(text.as_bytes(), false);
            let told = match &read {
                Ok(sheet) => {
                    let codes =
                        sheet.codes.iter().map(|line| format!("{}={}", line.number, line.code.as_str()));
                    let codes = codes.collect::<Vec<_>>().join(" ");
                    format!("{codes}; {} repeated, {:?}", sheet.repeated, sheet.repeated_lines)
                }
                Err(error) => error.to_string(),
            };
            match expected {
                Ok(codes) => assert_eq!(told, codes, "{text:?}"),
                Err(words) => assert!(read.is_err() && told.contains(words), "{text:?}: {told}"),
            }
        }
        assert!(parse(b"A\n\xff\n", false).is_err(), "not UTF-8");
        assert!(parse(b"A,B\nC,D\n", true).is_err(), "columns without the heading");
        assert_eq!(parse(b"A\nB\n", true).unwrap().codes.len(), 2, "a list may be called so");
    }
}
