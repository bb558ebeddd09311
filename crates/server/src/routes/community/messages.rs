//! Private messages. A conversation is named by the other one of its two people; keys and staff have no way to it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::ids::UserId;
use domain::rejection::FieldProblem;
use engine::community::messages as flow;
use engine::community::messages::{ConversationPage, ConversationSummary, PrivateMessage};
use serde::{Deserialize, Serialize};
use store::model::MessagesPlace;
use utoipa::{IntoParams, ToSchema};

use super::wire::PersonBody;
use crate::app::App;
use crate::auth::Person;
use crate::body::Body;
use crate::feed_page::{FEED_DEFAULT, FEED_MAX, FeedPaged, FeedQuery, feed_body};
use crate::page::PageBody;
use crate::problem::Problem;
use crate::routes::{Path, Query};

/// A private message.
#[derive(Debug, Serialize, ToSchema)]
pub struct PrivateMessageBody {
    /// Its number in the conversation, from 1.
    pub n: i64,
    /// I sent it.
    pub mine: bool,
    /// Plain text; absent once its sender deleted the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    pub sent_at_ms: i64,
}

impl PrivateMessageBody {
    fn of(message: PrivateMessage, reader: UserId) -> Self {
        let PrivateMessage { n, sender, text, sent } = message;
        Self { n, mine: sender == reader, text, sent_at_ms: sent.0 }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrivateMessageRequest {
    /// Plain text, 1 to 2,000 characters.
    pub text: String,
}

/// Write to somebody
///
/// Only the two of you can read it. Somebody who neither follows you nor has answered gets one message; you can begin ten
/// conversations a day.
#[utoipa::path(post, path = "/users/{id}/messages", tag = "community",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = PrivateMessageBody)))]
pub async fn message_send(
    State(app): State<App>,
    person: Person,
    Path(id): Path<UserId>,
    body: Body<PrivateMessageRequest>,
) -> Result<Response, Problem> {
    let user = person.who.user;
    let sent = flow::message_send(&app.world, user, id, body.repeat, &body.value.text).await?;
    Ok((StatusCode::CREATED, Json(PrivateMessageBody::of(sent, user))).into_response())
}

/// Which messages to answer.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MessagesQuery {
    /// Messages per page, 20 unless told, 100 at most.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<i64>,
    /// Those before this number, the newest first.
    pub before: Option<i64>,
    /// Those after this number, the oldest first.
    pub after: Option<i64>,
}

/// A page of a conversation.
#[derive(Debug, Serialize, ToSchema)]
pub struct PrivateMessagesBody {
    pub items: Vec<PrivateMessageBody>,
    /// There are more in that direction.
    pub more: bool,
    /// The other one has read up to this number.
    pub read_by_other: i64,
}

/// What somebody and I wrote to each other
///
/// The newest first, unless `after` is named; empty when we never wrote.
#[utoipa::path(get, path = "/users/{id}/messages", tag = "community",
    params(MessagesQuery), responses((status = 200, body = PrivateMessagesBody)))]
pub async fn message_list(
    State(app): State<App>,
    person: Person,
    Path(id): Path<UserId>,
    Query(MessagesQuery { limit, before, after }): Query<MessagesQuery>,
) -> Result<Json<PrivateMessagesBody>, Problem> {
    let user = person.who.user;
    let out = || Rejection::invalid("limit", FieldProblem::OutOfRange { min: 1, max: i64::from(FEED_MAX) });
    let limit = u32::try_from(limit.unwrap_or(i64::from(FEED_DEFAULT))).map_err(|_| out())?;
    if !(1..=FEED_MAX).contains(&limit) {
        return Err(out().into());
    }
    let place = match (before, after) {
        (None, None) => MessagesPlace::Newest,
        (Some(n), None) => MessagesPlace::Before(n),
        (None, Some(n)) => MessagesPlace::After(n),
        (Some(_), Some(_)) => return Err(Rejection::invalid("after", FieldProblem::Malformed).into()),
    };
    let ConversationPage { items, more, read_by_other } =
        flow::message_list(&app.world, user, id, place, limit).await?;
    let items = items.into_iter().map(|message| PrivateMessageBody::of(message, user)).collect();
    Ok(Json(PrivateMessagesBody { items, more, read_by_other }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessagesReadRequest {
    /// The number of the newest message that was read.
    pub until: i64,
}

/// I have read what somebody wrote
///
/// Up to a message; what came after it stays unread. Again is the same.
#[utoipa::path(post, path = "/users/{id}/messages/read", tag = "community", responses((status = 204)))]
pub async fn messages_read(
    State(app): State<App>,
    person: Person,
    Path(id): Path<UserId>,
    body: Body<MessagesReadRequest>,
) -> Result<StatusCode, Problem> {
    flow::messages_read(&app.world, person.who.user, id, body.value.until).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A conversation of mine.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConversationBody {
    /// The other one's id, which names the conversation.
    #[schema(example = "7318349394477056")]
    pub id: String,
    /// Absent once they deleted their account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonBody>,
    /// Messages that I have not read.
    pub unread: i64,
    pub newest: PrivateMessageBody,
}

impl ConversationBody {
    fn of(summary: ConversationSummary, reader: UserId) -> Self {
        let ConversationSummary { other_id, other, unread, newest } = summary;
        let (person, newest) = (other.map(PersonBody::from), PrivateMessageBody::of(newest, reader));
        Self { id: other_id.to_string(), person, unread, newest }
    }
}

/// My conversations, those with the newest message first
#[utoipa::path(get, path = "/me/conversations", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<ConversationBody>)))]
pub async fn conversation_list(
    State(app): State<App>,
    person: Person,
    FeedPaged(page): FeedPaged,
) -> Result<Json<PageBody<ConversationBody>>, Problem> {
    let user = person.who.user;
    let found = flow::conversation_list(&app.world, user, page).await?;
    Ok(Json(feed_body(found, |summary| ConversationBody::of(summary, user))))
}
