//! What I hear about, and what I do not want to hear of.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Rejection;
use domain::community::{FeedKey, MuteSubject, NotificationKind};
use domain::rejection::{FieldProblem, MissingThing};
use domain::time::Timestamp;
use engine::community::notifications as flow;
use engine::community::notifications::UnreadCounts;
use serde::{Deserialize, Serialize};
use store::model::{Mute, NotificationRow, NotificationSettings};
use utoipa::ToSchema;

use super::wire::PersonBody;
use crate::app::App;
use crate::auth::Player;
use crate::body::{Body, NoBody};
use crate::feed_page::{FeedPaged, FeedQuery, feed_body};
use crate::page::PageBody;
use crate::problem::Problem;
use crate::routes::Path;

/// Everything of one kind about one thing.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationBody {
    /// That of the newest in it: it changes when another one comes.
    #[schema(example = "1763450000000-7318349394477056")]
    pub id: String,
    pub kind: &'static str,
    /// What it is about.
    pub about: &'static str,
    pub about_id: String,
    /// What the newest one is: a comment, a reply, a win.
    pub object: String,
    /// The newest people in it, 3 at most; none when the site itself speaks.
    pub people: Vec<PersonBody>,
    pub people_count: i64,
    /// How many there are.
    pub times: i64,
    pub unread: bool,
    pub at_ms: i64,
    /// What the thing is called, or how it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_en: Option<String>,
    /// The beginning of what was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where to read it: the thread of a post, an activity or a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Where what was judged stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'static str>,
}

impl From<NotificationRow> for NotificationBody {
    fn from(row: NotificationRow) -> Self {
        let thread = row.context.thread;
        Self {
            id: write_key(row.key),
            kind: row.kind.name(),
            about: row.about.name(),
            about_id: row.about_id.to_string(),
            object: row.object.to_string(),
            people: row.people.into_iter().map(PersonBody::from).collect(),
            people_count: row.people_count,
            times: row.times,
            unread: row.unread > 0,
            at_ms: row.key.time.0,
            title: row.context.title,
            title_en: row.context.title_en,
            text: row.context.text,
            on: thread.map(|thread| thread.subject.name()),
            subject: thread.map(|thread| thread.id.to_string()),
            state: row.context.state.map(domain::community::PostState::name),
        }
    }
}

/// A place among somebody's notifications, as ids of notifications and of events say it.
pub(super) fn write_key(key: FeedKey) -> String {
    format!("{}-{}", key.time.0, key.id)
}

pub(super) fn parse_key(text: &str) -> Option<FeedKey> {
    let (time, id) = text.split_once('-')?;
    Some(FeedKey { time: Timestamp(time.parse().ok()?), id: id.parse().ok()? })
}

/// What is not read yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct UnreadBody {
    /// Entries of the list of notifications.
    pub notifications: i64,
    /// Messages.
    pub messages: i64,
}

impl From<UnreadCounts> for UnreadBody {
    fn from(UnreadCounts { notifications, messages }: UnreadCounts) -> Self {
        Self { notifications, messages }
    }
}

/// What I hear about, newest first
///
/// In groups: everything of one kind about one thing is one entry, which comes to the top again with the next. Kept for 90
/// days.
#[utoipa::path(get, path = "/me/notifications", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<NotificationBody>)))]
pub async fn notification_list(
    State(app): State<App>,
    Player(user): Player,
    FeedPaged(page): FeedPaged,
) -> Result<Json<PageBody<NotificationBody>>, Problem> {
    let found = flow::notification_list(&app.world, user, page).await?;
    Ok(Json(feed_body(found, NotificationBody::from)))
}

/// How much I have not read
#[utoipa::path(get, path = "/me/unread", tag = "community", responses((status = 200, body = UnreadBody)))]
pub async fn unread_get(State(app): State<App>, Player(user): Player) -> Result<Json<UnreadBody>, Problem> {
    Ok(Json(flow::unread_counts(&app.world, user).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NotificationsReadRequest {
    /// The `id` of the newest notification that was seen.
    #[schema(example = "1763450000000-7318349394477056")]
    pub until: String,
}

/// I have seen notifications
///
/// Everything up to one of them; what came after it stays unread. Again is the same.
#[utoipa::path(post, path = "/me/notifications/read", tag = "community",
    responses((status = 200, body = UnreadBody)))]
pub async fn notifications_read(
    State(app): State<App>,
    Player(user): Player,
    body: Body<NotificationsReadRequest>,
) -> Result<Json<UnreadBody>, Problem> {
    let malformed = || Rejection::invalid("until", FieldProblem::Malformed);
    let until = parse_key(&body.value.until).ok_or_else(malformed)?;
    Ok(Json(flow::notifications_read(&app.world, user, until).await?.into()))
}

/// Somebody or something that I do not hear of.
#[derive(Serialize, ToSchema)]
pub struct MuteBody {
    pub on: &'static str,
    pub id: String,
}

#[derive(Serialize, ToSchema)]
pub struct NotificationSettingsBody {
    /// Every kind there is.
    pub kinds: Vec<&'static str>,
    /// Those that are switched off.
    pub off: Vec<&'static str>,
    /// People and posts that I muted, the newest first.
    pub mutes: Vec<MuteBody>,
}

impl From<NotificationSettings> for NotificationSettingsBody {
    fn from(NotificationSettings { off, mutes }: NotificationSettings) -> Self {
        let mute = |Mute { muted, id }| MuteBody { on: muted.name(), id: id.to_string() };
        Self {
            kinds: NotificationKind::ALL.map(NotificationKind::name).to_vec(),
            off: off.into_iter().map(NotificationKind::name).collect(),
            mutes: mutes.into_iter().map(mute).collect(),
        }
    }
}

/// What I do not hear of
#[utoipa::path(get, path = "/me/notification-settings", tag = "community",
    responses((status = 200, body = NotificationSettingsBody)))]
pub async fn notification_settings(
    State(app): State<App>,
    Player(user): Player,
) -> Result<Json<NotificationSettingsBody>, Problem> {
    Ok(Json(flow::notification_settings(&app.world, user).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NotificationSettingsRequest {
    /// Kinds that are off; all others are on.
    pub off: Vec<String>,
}

/// Switch kinds of notifications on and off
///
/// Again is the same.
#[utoipa::path(put, path = "/me/notification-settings", tag = "community",
    responses((status = 200, body = NotificationSettingsBody)))]
pub async fn notification_settings_update(
    State(app): State<App>,
    Player(user): Player,
    body: Body<NotificationSettingsRequest>,
) -> Result<Json<NotificationSettingsBody>, Problem> {
    Ok(Json(flow::notification_settings_update(&app.world, user, &body.value.off).await?.into()))
}

/// What an address says that is muted; anything else is nothing that exists.
fn mute((on, id): (String, String)) -> Result<Mute, Rejection> {
    let missing = Rejection::NotFound { what: MissingThing::Page };
    let muted = MuteSubject::parse(&on).ok_or(missing.clone())?;
    Ok(Mute { muted, id: id.parse().map_err(|_| missing)? })
}

/// Mute a person or the thread of a post
///
/// Again is the same.
#[utoipa::path(put, path = "/me/mutes/{on}/{id}", tag = "community", responses((status = 204)))]
pub async fn mute_create(
    State(app): State<App>,
    Player(user): Player,
    Path(address): Path<(String, String)>,
    _: NoBody,
) -> Result<StatusCode, Problem> {
    flow::mute_set(&app.world, user, mute(address)?, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Hear of a person or a thread again
///
/// Again is the same.
#[utoipa::path(delete, path = "/me/mutes/{on}/{id}", tag = "community", responses((status = 204)))]
pub async fn mute_delete(
    State(app): State<App>,
    Player(user): Player,
    Path(address): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    flow::mute_set(&app.world, user, mute(address)?, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let key = FeedKey { time: Timestamp(1_763_450_000_000), id: 7 };
        assert_eq!(parse_key(&write_key(key)), Some(key));
        for text in ["", "-", "1", "1-", "x-1", "1-x", "1-2-3"] {
            assert_eq!(parse_key(text), None, "{text}");
        }
    }
}
