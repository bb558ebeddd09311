//! The list of the word filter: changed under a lock on its version, which rises with every change.

use domain::Rejection;
use domain::community::{FILTER_WORDS_MAX, FilterWord, FoldedWord, WordAction};
use domain::ids::UserId;
use domain::page::{Page, PageRequest};
use serde_json::json;

use crate::failure::{Fault, Result};
use crate::model::{
    FilterWordRow, PersonCard, WORD_CHANGES_SHOWN_MAX, WordChangeRow, WordList, WordsChange, WordsFind,
};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, params};

/// Answers the version after it. What is so already writes nothing.
pub(super) async fn change(tx: &Tx<'_>, step: &WordsChange) -> Result<i64> {
    let sql = "SELECT version FROM word_filter WHERE id = 1 FOR UPDATE";
    let before =
        tx.one(sql, params![], Row::int).await?.ok_or_else(|| Fault::new("the word filter is gone"))?;
    let version = before + 1;
    let (mut set, mut removed) = (0, 0);
    for (id, folded, word) in &step.set {
        set += i64::from(set_one(tx, step, version, (*id, folded, word)).await?);
    }
    for folded in &step.remove {
        removed += i64::from(remove_one(tx, step, version, folded).await?);
    }
    if set + removed == 0 {
        return Ok(before);
    }
    let words = tx.count("SELECT COUNT(*) FROM filter_words", params![]).await?;
    if words > i64::from(FILTER_WORDS_MAX) {
        return Err(Rejection::FilterFull { max: FILTER_WORDS_MAX }.into());
    }
    tx.execute("UPDATE word_filter SET version = $1 WHERE id = 1", params![version]).await?;
    let (was, is) =
        (json!({ "version": before }), json!({ "version": version, "set": set, "removed": removed }));
    audit::write(tx, &step.signed, "words.change", &format!("words:{version}"), &was, &is).await?;
    Ok(version)
}

async fn set_one(
    tx: &Tx<'_>,
    step: &WordsChange,
    version: i64,
    (id, folded, word): (i64, &FoldedWord, &FilterWord),
) -> Result<bool> {
    let found = find_one(tx, folded).await?;
    if found.as_ref() == Some(word) {
        return Ok(false);
    }
    tx.execute(
        "INSERT INTO filter_words (id, folded, word, action) VALUES ($1, $2, $3, $4)
         ON CONFLICT (folded) DO UPDATE SET word = excluded.word, action = excluded.action",
        params![id, folded.as_str(), &word.word, word.action.name()],
    )
    .await?;
    let before = found.map(|word| word.action);
    note(tx, step, (version, folded, &word.word), before, Some(word.action)).await?;
    Ok(true)
}

async fn remove_one(tx: &Tx<'_>, step: &WordsChange, version: i64, folded: &FoldedWord) -> Result<bool> {
    let Some(found) = find_one(tx, folded).await? else { return Ok(false) };
    tx.execute("DELETE FROM filter_words WHERE folded = $1", params![folded.as_str()]).await?;
    note(tx, step, (version, folded, &found.word), Some(found.action), None).await?;
    Ok(true)
}

async fn find_one(tx: &Tx<'_>, folded: &FoldedWord) -> Result<Option<FilterWord>> {
    let sql = "SELECT word, action FROM filter_words WHERE folded = $1";
    tx.one(sql, params![folded.as_str()], read_word).await
}

async fn note(
    tx: &Tx<'_>,
    step: &WordsChange,
    (version, folded, word): (i64, &FoldedWord, &str),
    before: Option<WordAction>,
    after: Option<WordAction>,
) -> Result<()> {
    tx.execute(
        "INSERT INTO filter_changes (version, folded, word, before, after, changed_ms, moderator_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        params![
            version,
            folded.as_str(),
            word,
            before.map(WordAction::name),
            after.map(WordAction::name),
            step.signed.at,
            step.signed.responsible,
        ],
    )
    .await
    .map(drop)
}

fn read_word(row: &mut Row) -> Result<FilterWord, Fault> {
    Ok(FilterWord { word: row.text()?, action: row.named(WordAction::parse)? })
}

/// The whole list, unless its version is known.
pub(super) async fn load(tx: &Tx<'_>, known: &Option<i64>) -> Result<Option<WordList>> {
    let version = tx.count("SELECT version FROM word_filter WHERE id = 1", params![]).await?;
    if Some(version) == *known {
        return Ok(None);
    }
    let sql = "SELECT word, action FROM filter_words ORDER BY id LIMIT $1";
    let words = tx.all(sql, params![FILTER_WORDS_MAX], read_word).await?;
    Ok(Some(WordList { version, words }))
}

pub(super) async fn find(
    tx: &Tx<'_>,
    (find, page): &(WordsFind, PageRequest),
) -> Result<Page<FilterWordRow>> {
    let part = find.part.as_ref().map(|part| format!("%{}%", part.as_str()));
    let rows = tx
        .all(
            "SELECT id, word, action FROM filter_words
             WHERE id < $1 AND (CAST($2 AS TEXT) IS NULL OR folded LIKE $2)
               AND (CAST($3 AS TEXT) IS NULL OR action = $3)
             ORDER BY id DESC LIMIT $4",
            params![page.before(), part, find.action.map(WordAction::name), page.fetch()],
            |row| Ok(FilterWordRow { id: row.int()?, word: read_word(row)? }),
        )
        .await?;
    Ok(Page::cut(rows, *page, |row| row.id))
}

/// The newest changes.
pub(super) async fn changes(tx: &Tx<'_>, (): &()) -> Result<Vec<WordChangeRow>> {
    tx.all(
        "SELECT c.version, c.word, c.before, c.after, c.changed_ms, u.id, u.name, u.avatar, u.level
         FROM filter_changes c LEFT JOIN users u ON u.id = c.moderator_id AND u.deleted_at IS NULL
         ORDER BY c.version DESC, c.folded LIMIT $1",
        params![WORD_CHANGES_SHOWN_MAX],
        |row| {
            Ok(WordChangeRow {
                version: row.int()?,
                word: row.text()?,
                before: row.opt_named(WordAction::parse)?,
                after: row.opt_named(WordAction::parse)?,
                changed: row.time()?,
                moderator: read_moderator(row)?,
            })
        },
    )
    .await
}

/// Somebody who may be nobody.
pub(super) fn read_moderator(row: &mut Row) -> Result<Option<PersonCard>, Fault> {
    let (id, name, avatar, level) = (row.opt_int()?, row.opt_text()?, row.opt_text()?, row.opt_int()?);
    Ok(match (id, name, avatar, level) {
        (Some(id), Some(name), Some(avatar), Some(level)) => {
            Some(PersonCard { id: UserId(id), name, avatar, level })
        }
        _ => None,
    })
}
