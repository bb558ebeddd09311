//! A statement for one row, rewritten for many: its parameters become arrays, and the server runs one statement for a
//! whole batch.
//!
//! What a text may look like to be rewritten is a small part of SQL: `INSERT … VALUES (…)` whose `ON CONFLICT` names no
//! parameter and lets no row go, `UPDATE … WHERE …`, `DELETE FROM … WHERE …`, and any query. Everything else is left as it is, and runs row
//! by row. The rewriting reads words and parentheses and judges nothing else: the server does that when it prepares the
//! result, and so do the suites that run on both databases.

/// Where the rows of a batch stand in the text; its columns are `v1`, `v2`, …, and `n`, the place of the row.
const ROWS: &str = "batch_row";

/// What a rewritten statement answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BatchAnswer {
    /// How many rows were touched in all.
    Touched,
    /// The place of the row, for each row that was touched.
    Places,
    /// The place of the row first, then the columns of the query.
    Found,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct BatchText {
    pub sql: String,
    pub answer: BatchAnswer,
}

/// `types` are those of `$1`, `$2`, … in the order of their numbers, as PostgreSQL names them.
pub(super) fn rewrite(sql: &str, types: &[&str]) -> Option<BatchText> {
    let source = rows_source(types);
    let words = top_words(sql);
    let at = |word: &str| words.iter().find(|(_, found)| *found == word).map(|(at, _)| *at);
    let has = |word: &str| at(word).is_some();
    match words.first()?.1 {
        "INSERT" if !has("RETURNING") => insert(sql, &source, at("VALUES")?),
        "UPDATE" if !has("RETURNING") && !has("FROM") => {
            let (head, condition) = sql.split_at(at("WHERE")?);
            Some(touching(head, &format!("FROM {source}"), condition))
        }
        "DELETE" if !has("RETURNING") && !has("USING") => {
            let (head, condition) = sql.split_at(at("WHERE")?);
            Some(touching(head, &format!("USING {source}"), condition))
        }
        "SELECT" => Some(BatchText {
            sql: format!(
                "SELECT {ROWS}.n, found.* FROM {source} CROSS JOIN LATERAL ({}) AS found",
                columns_for_parameters(sql)
            ),
            answer: BatchAnswer::Found,
        }),
        _ => None,
    }
}

fn touching(head: &str, source: &str, condition: &str) -> BatchText {
    let (head, condition) = (columns_for_parameters(head), columns_for_parameters(condition));
    BatchText { sql: format!("{head} {source} {condition} RETURNING {ROWS}.n"), answer: BatchAnswer::Places }
}

fn insert(sql: &str, source: &str, values_at: usize) -> Option<BatchText> {
    let (head, values) = sql.split_at(values_at);
    let open = values.find('(')?;
    let end = open + closing(&values[open..])?;
    let (row, tail) = (&values[open + 1..end], &values[end + 1..]);
    if tail.contains('$') || tail.contains("DO NOTHING") || tail.trim_start().starts_with(',') {
        return None;
    }
    let row = columns_for_parameters(row);
    Some(BatchText {
        // In the order of the batch: rows that follow each other are neighbours on disk.
        sql: format!("{head} SELECT {row} FROM {source} ORDER BY {ROWS}.n {tail}"),
        answer: BatchAnswer::Touched,
    })
}

/// `unnest($1::bigint[], …) WITH ORDINALITY AS batch_row(v1, …, n)`
fn rows_source(types: &[&str]) -> String {
    let arrays: Vec<String> = (1..).zip(types).map(|(at, name)| format!("${at}::{name}[]")).collect();
    let columns: Vec<String> = (1..=types.len()).map(|at| format!("v{at}")).collect();
    format!("unnest({}) WITH ORDINALITY AS {ROWS}({}, n)", arrays.join(", "), columns.join(", "))
}

/// `$3` becomes `batch_row.v3`; what is in quotes stays.
fn columns_for_parameters(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len() * 2);
    let mut quoted = false;
    let mut letters = sql.chars().peekable();
    while let Some(letter) = letters.next() {
        quoted ^= letter == '\'';
        if letter == '$' && !quoted && letters.peek().is_some_and(char::is_ascii_digit) {
            text.push_str(ROWS);
            text.push_str(".v");
        } else {
            text.push(letter);
        }
    }
    text
}

/// The words in capitals that stand outside of parentheses and quotes, with their places.
fn top_words(sql: &str) -> Vec<(usize, &str)> {
    let (mut depth, mut quoted, mut start) = (0_usize, false, None);
    let mut words = Vec::new();
    for (at, letter) in sql.char_indices().chain([(sql.len(), ' ')]) {
        quoted ^= letter == '\'';
        let in_word = letter.is_ascii_uppercase() && depth == 0 && !quoted;
        match (in_word, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push((from, &sql[from..at]));
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
        match letter {
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    words
}

/// Where the parenthesis closes that `text` begins with.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, letter) in text.char_indices() {
        quoted ^= letter == '\'';
        match letter {
            '(' if !quoted => depth += 1,
            ')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn statements_for_one_row_become_statements_for_many() {
        let rows = "unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS batch_row(v1, v2, n)";
        for (sql, expected, answer) in [
            (
                "INSERT INTO t (a, b) VALUES ($1, $2)",
                format!(
                    "INSERT INTO t (a, b)  SELECT batch_row.v1, batch_row.v2 FROM {rows} ORDER BY batch_row.n "
                ),
                BatchAnswer::Touched,
            ),
            (
                "INSERT INTO t (a, b) VALUES ($1, COALESCE($2, (SELECT b FROM u WHERE a = $1))) \
                 ON CONFLICT (a) DO UPDATE SET b = excluded.b",
                format!(
                    "INSERT INTO t (a, b)  SELECT batch_row.v1, COALESCE(batch_row.v2, (SELECT b FROM u WHERE a = \
                     batch_row.v1)) FROM {rows} ORDER BY batch_row.n  ON CONFLICT (a) DO UPDATE SET b = excluded.b"
                ),
                BatchAnswer::Touched,
            ),
            (
                "UPDATE t SET b = (SELECT x FROM u WHERE y = $2), c = 'WHERE $2' WHERE a = $1",
                format!(
                    "UPDATE t SET b = (SELECT x FROM u WHERE y = batch_row.v2), c = 'WHERE $2'  FROM {rows} \
                     WHERE a = batch_row.v1 RETURNING batch_row.n"
                ),
                BatchAnswer::Places,
            ),
            (
                "DELETE FROM t WHERE a = $1 AND b = $2",
                format!(
                    "DELETE FROM t  USING {rows} WHERE a = batch_row.v1 AND b = batch_row.v2 RETURNING batch_row.n"
                ),
                BatchAnswer::Places,
            ),
            (
                "SELECT a FROM t WHERE a = $1 AND b = $2 LIMIT 3",
                format!(
                    "SELECT batch_row.n, found.* FROM {rows} CROSS JOIN LATERAL (SELECT a FROM t WHERE a = \
                     batch_row.v1 AND b = batch_row.v2 LIMIT 3) AS found"
                ),
                BatchAnswer::Found,
            ),
        ] {
            let got = rewrite(sql, &["bigint", "text"]);
            assert_eq!(got, Some(BatchText { sql: expected, answer }), "{sql}");
        }
    }

    #[test]
    fn what_cannot_be_rewritten_runs_row_by_row() {
        for sql in [
            "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = COALESCE($2, t.b)",
            "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO NOTHING",
            "INSERT INTO t (a, b) VALUES ($1, $2) RETURNING b",
            "INSERT INTO t (a, b) VALUES ($1, $2), ($2, $1)",
            "INSERT INTO t (a, b) SELECT $1, $2",
            "UPDATE t SET b = $2 WHERE a = $1 RETURNING b",
            "UPDATE t SET b = $2 FROM u WHERE t.a = u.a",
            "UPDATE t SET b = $2",
            "WITH x AS (SELECT 1) DELETE FROM t WHERE a = $1",
            "",
        ] {
            assert_eq!(rewrite(sql, &["bigint", "text"]), None, "{sql}");
        }
    }
}
