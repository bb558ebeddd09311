//! The word filter: the list that moderators keep, what it would do to a text, and what was changed.

use axum::Json;
use axum::extract::State;
use domain::account::Reason;
use domain::community::{WordAction, WordFinding};
use engine::community::word_filter as flow;
use engine::community::word_filter::{WordTrial, WordsWritten};
use serde::{Deserialize, Serialize};
use store::model::{FilterWordRow, WordChangeRow};
use utoipa::{IntoParams, ToSchema};

use super::wire::PersonBody;
use crate::app::App;
use crate::auth::Moderator;
use crate::body::Body;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::routes::Query;

/// A word of the list.
#[derive(Serialize, ToSchema)]
pub struct FilterWordBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub word: String,
    /// What becomes of a text with it.
    pub action: &'static str,
}

impl From<FilterWordRow> for FilterWordBody {
    fn from(FilterWordRow { id, word }: FilterWordRow) -> Self {
        Self { id: id.to_string(), word: word.word, action: word.action.name() }
    }
}

/// Which words.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FilterWordsQuery {
    /// Part of a word, as texts are compared with it.
    pub part: Option<String>,
    pub action: Option<String>,
}

/// Words of the filter, newest first
#[utoipa::path(get, path = "/admin/words", tag = "moderation",
    params(FilterWordsQuery, PageQuery), responses((status = 200, body = PageBody<FilterWordBody>)))]
pub async fn words_list(
    State(app): State<App>,
    _: Moderator,
    Paged(page): Paged,
    Query(FilterWordsQuery { part, action }): Query<FilterWordsQuery>,
) -> Result<Json<PageBody<FilterWordBody>>, Problem> {
    let found = flow::words_list(&app.world, part.as_deref(), action.as_deref(), page).await?;
    Ok(Json(PageBody::of(found, FilterWordBody::from)))
}

/// A word and what becomes of a text with it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FilterWordRequest {
    /// 1 to 40 characters, with a letter or a digit.
    pub word: String,
    pub action: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FilterWordsRequest {
    /// Words to add, or to give another action.
    #[serde(default)]
    pub set: Vec<FilterWordRequest>,
    /// Words to take out.
    #[serde(default)]
    pub remove: Vec<String>,
    pub reason: String,
}

/// Which list is in effect.
#[derive(Serialize, ToSchema)]
pub struct FilterVersionBody {
    /// One more with every change.
    pub version: i64,
}

/// Change the word filter
///
/// At most 500 words at a time, and 10,000 in the list. It is in effect for every text that is sent from then on. Different
/// spellings of a word are one word. The same again changes nothing.
#[utoipa::path(post, path = "/admin/words", tag = "moderation", responses((status = 200, body = FilterVersionBody)))]
pub async fn words_change(
    State(app): State<App>,
    moderator: Moderator,
    body: Body<FilterWordsRequest>,
) -> Result<Json<FilterVersionBody>, Problem> {
    let FilterWordsRequest { set, remove, reason } = body.value;
    let reason = Reason::parse(&reason)?;
    let set = set.into_iter().map(|FilterWordRequest { word, action }| (word, action)).collect();
    let signed = moderator.sign(&app, reason.as_str());
    let version = flow::words_change(&app.world, WordsWritten { set, remove }, signed).await?;
    Ok(Json(FilterVersionBody { version }))
}

/// What a version changed of one word.
#[derive(Serialize, ToSchema)]
pub struct FilterChangeBody {
    pub version: i64,
    pub word: String,
    /// Absent where it was not in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<&'static str>,
    /// Absent where it is not in the list any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<&'static str>,
    pub changed_at_ms: i64,
    /// Who did; absent of the machine's own console and of deleted accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moderator: Option<PersonBody>,
}

impl From<WordChangeRow> for FilterChangeBody {
    fn from(WordChangeRow { version, word, before, after, changed, moderator }: WordChangeRow) -> Self {
        Self {
            version,
            word,
            before: before.map(WordAction::name),
            after: after.map(WordAction::name),
            changed_at_ms: changed.0,
            moderator: moderator.map(PersonBody::from),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct FilterChangesBody {
    /// Newest first, 200 at most.
    pub items: Vec<FilterChangeBody>,
}

/// What was changed of the word filter
#[utoipa::path(get, path = "/admin/words/changes", tag = "moderation", responses((status = 200, body = FilterChangesBody)))]
pub async fn words_changes(State(app): State<App>, _: Moderator) -> Result<Json<FilterChangesBody>, Problem> {
    let items = flow::words_history(&app.world).await?.into_iter().map(FilterChangeBody::from).collect();
    Ok(Json(FilterChangesBody { items }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FilterTrialRequest {
    /// Markdown, 1 to 20,000 characters.
    pub text: String,
}

/// A word that is in a text.
#[derive(Serialize, ToSchema)]
pub struct FilterFindingBody {
    pub word: String,
    pub action: &'static str,
    /// How the text writes it, cut after 40 characters.
    pub passage: String,
}

impl From<WordFinding> for FilterFindingBody {
    fn from(WordFinding { word, action, passage }: WordFinding) -> Self {
        Self { word, action: action.name(), passage }
    }
}

#[derive(Serialize, ToSchema)]
pub struct FilterTrialBody {
    /// The list that was asked.
    pub version: i64,
    /// What would become of a post or a comment; absent where it would be shown as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'static str>,
    /// Each word once, 20 at most, the strictest first.
    pub found: Vec<FilterFindingBody>,
    /// What others would read.
    pub masked: String,
}

impl From<WordTrial> for FilterTrialBody {
    fn from(WordTrial { version, action, found, masked }: WordTrial) -> Self {
        let found = found.into_iter().map(FilterFindingBody::from).collect();
        Self { version, action: action.map(WordAction::name), found, masked }
    }
}

/// Try a text
///
/// What the word filter would do to it as a post or a comment. Nothing is kept.
#[utoipa::path(post, path = "/admin/words/try", tag = "moderation", responses((status = 200, body = FilterTrialBody)))]
pub async fn words_try(
    State(app): State<App>,
    _: Moderator,
    body: Body<FilterTrialRequest>,
) -> Result<Json<FilterTrialBody>, Problem> {
    Ok(Json(flow::words_try(&app.world, &body.value.text).await?.into()))
}
