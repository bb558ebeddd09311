//! The list of the word filter, as moderators keep it, and what it would do to a text.

use domain::Rejection;
use domain::community::{FILTER_CHANGES_MAX, FilterWord, FoldedWord, WordAction, WordFinding, WordRuling};
use domain::page::{Page, PageRequest};
use domain::rejection::FieldProblem;
use store::model::{AuditStamp, FilterWordRow, WordChangeRow, WordsChange, WordsFind};

use super::markdown::render_with_words;
use crate::failure::Result;
use crate::people::words::word_filter;
use crate::world::World;

/// Words to set, each with its action, and words to take out.
#[derive(Clone, Debug, Default)]
pub struct WordsWritten {
    pub set: Vec<(String, String)>,
    pub remove: Vec<String>,
}

/// What the list would make of a text.
#[derive(Clone, Debug)]
pub struct WordTrial {
    pub version: i64,
    /// As a post or a comment.
    pub action: Option<WordAction>,
    pub found: Vec<WordFinding>,
    /// What others would read.
    pub masked: String,
}

/// Changes the list; answers its version. It is in effect for every text that is sent from then on.
pub async fn words_change(world: &World, written: WordsWritten, signed: AuditStamp) -> Result<i64> {
    let WordsWritten { set, remove } = written;
    if set.len() + remove.len() > FILTER_CHANGES_MAX {
        let max = FILTER_CHANGES_MAX as u64;
        return Err(Rejection::invalid("set", FieldProblem::TooLong { max }).into());
    }
    let set: Result<Vec<_>, Rejection> = set
        .into_iter()
        .map(|(word, action)| {
            let (word, folded) = FoldedWord::parse(&word)?;
            Ok((world.next_id(), folded, FilterWord { word, action: parse_action(&action)? }))
        })
        .collect();
    let remove: Result<Vec<FoldedWord>, Rejection> =
        remove.iter().map(|word| FoldedWord::parse(word).map(|(_, folded)| folded)).collect();
    world.db.words_change(WordsChange { set: set?, remove: remove?, signed }).await
}

fn parse_action(name: &str) -> Result<WordAction, Rejection> {
    let unknown = || Rejection::invalid("action", FieldProblem::NotOneOf { allowed: WordAction::NAMES });
    WordAction::parse(name).ok_or_else(unknown)
}

/// The list, newest first: all of it, those with some letters in them, or those of one action.
pub async fn words_list(
    world: &World,
    part: Option<&str>,
    action: Option<&str>,
    page: PageRequest,
) -> Result<Page<FilterWordRow>> {
    let part = part.map(|part| FoldedWord::parse(part).map(|(_, folded)| folded)).transpose()?;
    let action = action.map(parse_action).transpose()?;
    world.db.words_find(WordsFind { part, action }, page).await
}

/// What its newest versions changed.
pub async fn words_history(world: &World) -> Result<Vec<WordChangeRow>> {
    world.db.words_changes().await
}

/// What the list would do to the text of a post or a comment; nothing is kept.
pub async fn words_try(world: &World, text: &str) -> Result<WordTrial> {
    let text = domain::community::post::long_text("text", text, domain::community::post::BODY_MAX)?;
    let filter = word_filter(world).await?;
    let verdict = filter.judge(&text);
    let mut ruling = WordRuling::default();
    let masked = ruling.read(&filter, &text);
    let words = render_with_words(&masked).1;
    ruling.read_rendered(&filter, &words);
    let mut found = verdict.found;
    for hidden in filter.judge(&words).found {
        if !found.iter().any(|one| one.word == hidden.word) {
            found.push(hidden);
        }
    }
    let action = match (ruling.refused.is_some(), ruling.is_held()) {
        (true, _) => Some(WordAction::Reject),
        (false, true) => Some(WordAction::Hold),
        (false, false) => verdict.action,
    };
    Ok(WordTrial { version: filter.version(), action, found, masked })
}
