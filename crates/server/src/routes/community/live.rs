//! One stream for each person.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use domain::community::FeedKey;
use domain::ids::UserId;
use engine::community::live::{NewsSince, news_begin, news_follow, news_since};
use engine::community::news::NewsFollower;
use futures::stream::unfold;
use tokio::time::Instant;

use super::notifications::{NotificationBody, UnreadBody, parse_key, write_key};
use crate::app::App;
use crate::auth::Person;
use crate::context::Context;
use crate::problem::Problem;
use crate::streams::{Audience, KEEP_ALIVE, LIFE, Place};

/// A look so often finds what another node wrote.
const LOOK_EVERY: Duration = Duration::from_secs(10);
const LAST_EVENT_ID: &str = "last-event-id";

/// My news, live
///
/// Server-sent events. `unread` has the counts: at once, and whenever they change. `notification` is an entry of the list of
/// notifications that came, or came to the top again. Each event has an id; send the last one as `Last-Event-ID`, as browsers
/// do, and nothing since then is missed. The stream ends after ten minutes and when the server stops; connect again.
#[utoipa::path(get, path = "/me/events", tag = "community",
    params(("Last-Event-ID" = Option<String>, Header)),
    responses((status = 200, body = UnreadBody, content_type = "text/event-stream")))]
pub async fn my_events(
    State(app): State<App>,
    context: Context,
    person: Person,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let user = person.who.user;
    let place = app.streams.enter(Audience::Player(context.client, user))?;
    // Before the first look: what comes between the two is a sign that waits.
    let follower = news_follow(&app.world, user);
    let seen = headers.get(LAST_EVENT_ID).and_then(|id| parse_key(id.to_str().ok()?));
    let after = match seen {
        Some(seen) => seen,
        None => news_begin(&app.world, user).await?,
    };
    let over = Instant::now() + LIFE;
    let begin = NewsStream { app, user, place, follower, after, unread: None, ready: VecDeque::new(), over };
    let events = unfold(begin, |mut stream| async move {
        let event = stream.next().await?;
        Some((Ok::<_, Infallible>(event), stream))
    });
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    Ok(([("x-accel-buffering", "no")], events).into_response())
}

/// One open stream.
struct NewsStream {
    app: App,
    user: UserId,
    place: Place,
    follower: NewsFollower,
    after: FeedKey,
    /// As it was told last; nothing before the first look.
    unread: Option<UnreadBody>,
    ready: VecDeque<Event>,
    over: Instant,
}

impl NewsStream {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.unread.is_some() {
                tokio::select! {
                    () = self.follower.changed() => {}
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                    () = self.place.stopped() => return None,
                    () = tokio::time::sleep_until(self.over) => return None,
                }
            }
            self.look().await?;
        }
    }

    /// Everything since the last look; nothing for whoever may not look any more. A look that fails is repeated.
    async fn look(&mut self) -> Option<()> {
        loop {
            let Ok(found) = news_since(&self.app.world, self.user, self.after).await else {
                // Told already, or nothing to tell yet: the client connects again.
                return self.unread.map(drop);
            };
            let NewsSince { unread, notifications, last, more } = found?;
            self.after = last;
            for row in notifications {
                let id = write_key(row.key);
                self.push("notification", &id, &NotificationBody::from(row));
            }
            if more {
                continue;
            }
            let unread = UnreadBody::from(unread);
            if self.unread != Some(unread) {
                self.unread = Some(unread);
                self.push("unread", &write_key(last), &unread);
            }
            return Some(());
        }
    }

    fn push(&mut self, name: &str, id: &str, body: &impl serde::Serialize) {
        // Numbers and texts: nothing that could fail to be written.
        self.ready.push_back(Event::default().event(name).id(id).json_data(body).unwrap_or_default());
    }
}
