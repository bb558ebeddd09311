//! Rows of statements as columns.

use domain::points::{Entry, EntryKind, LotChange, NEVER};
use domain::time::Timestamp;

use crate::failure::Fault;
use crate::row::Row;
use crate::value::Value;

/// When points expire that may never do.
pub(super) fn opt_expiry(expires: Timestamp) -> Value {
    if expires == NEVER { Value::Null } else { expires.into() }
}

/// Reads `n, kind, delta, balance, reverses, expires, parts`.
pub(super) fn entry(row: &mut Row) -> Result<Entry, Fault> {
    Ok(Entry {
        n: row.int()?,
        kind: row.named(EntryKind::parse)?,
        delta: row.int()?,
        balance: row.int()?,
        reverses: row.opt_int()?,
        expires: row.opt_time()?.unwrap_or(NEVER),
        parts: row.named(parts)?,
    })
}

/// What a spending took; of every other row nobody asks.
pub(super) fn parts_text(entry: &Entry) -> String {
    match entry.kind {
        EntryKind::Spend => {
            let parts: Vec<_> =
                entry.parts.iter().map(|part| format!("{}:{}", part.expires.0, -part.left)).collect();
            parts.join(",")
        }
        EntryKind::Credit | EntryKind::Reverse | EntryKind::Expire => String::new(),
    }
}

fn parts(text: &str) -> Option<Vec<LotChange>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let part = |text: &str| {
        let (expires, points) = text.split_once(':')?;
        let points: i64 = points.parse().ok()?;
        Some(LotChange { expires: Timestamp(expires.parse().ok()?), left: -points, lapsed: 0 })
    };
    text.split(',').map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_as_they_were() {
        let part = |expires, left| LotChange { expires, left, lapsed: 0 };
        for kept in [vec![], vec![part(NEVER, -5)], vec![part(Timestamp(7), -1), part(NEVER, -2)]] {
            let entry = Entry {
                n: 1,
                kind: EntryKind::Spend,
                delta: -1,
                balance: 0,
                reverses: None,
                expires: NEVER,
                parts: kept.clone(),
            };
            assert_eq!(parts(&parts_text(&entry)), Some(kept));
        }
        for text in ["1", "1:", ":1", "a:1", "1:1,"] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
