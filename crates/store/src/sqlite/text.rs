//! One SQL text for both databases, made fit for SQLite.
//!
//! In SQLite `$1` is a *name*, numbered by first appearance: `SELECT $2, $1` would bind the wrong way
//! round. `?1` is a number. Row locks have no meaning here and are dropped.

use std::collections::HashMap;

/// Rewritten texts by their original. It only grows by texts written in the program.
#[derive(Debug, Default)]
pub(super) struct Texts(HashMap<&'static str, String>);

impl Texts {
    pub fn of(&mut self, sql: &'static str) -> &str {
        self.0.entry(sql).or_insert_with(|| for_sqlite(sql))
    }
}

fn for_sqlite(sql: &str) -> String {
    let sql = sql.trim_end();
    let sql = sql.strip_suffix("SKIP LOCKED").unwrap_or(sql).trim_end();
    let sql = sql.strip_suffix("FOR UPDATE").unwrap_or(sql).trim_end();
    number_parameters(sql)
}

/// `$N` becomes `?N`, except inside quotes.
fn number_parameters(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut quote: Option<char> = None;
    let mut rest = sql.chars().peekable();
    while let Some(c) = rest.next() {
        match quote {
            // A doubled quote ends and begins at once, which comes to the same.
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            Some(_) | None => {}
        }
        let parameter = c == '$' && quote.is_none() && rest.peek().is_some_and(char::is_ascii_digit);
        out.push(if parameter { '?' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_of_a_text() {
        for (sql, expected) in [
            ("SELECT $2, $1", "SELECT ?2, ?1"),
            ("SELECT $1 WHERE x = $12", "SELECT ?1 WHERE x = ?12"),
            ("SELECT '$1', $1", "SELECT '$1', ?1"),
            ("SELECT 'it''s $1', $2", "SELECT 'it''s $1', ?2"),
            ("SELECT \"a$1\" FROM t", "SELECT \"a$1\" FROM t"),
            ("SELECT 'π', $1, '$'", "SELECT 'π', ?1, '$'"),
            ("SELECT a$b, $x", "SELECT a$b, $x"),
            ("SELECT a FROM t FOR UPDATE", "SELECT a FROM t"),
            ("SELECT a FROM t LIMIT 1 FOR UPDATE SKIP LOCKED", "SELECT a FROM t LIMIT 1"),
        ] {
            assert_eq!(for_sqlite(sql), expected);
        }
    }

    #[test]
    fn a_text_is_rewritten_once() {
        let mut texts = Texts::default();
        let first = texts.of("SELECT $1").as_ptr();
        assert_eq!(texts.of("SELECT $1").as_ptr(), first);
    }
}
