//! Which requests of the API are visits, for statistics.
//!
//! A visitor is a browser that brings the cookie that a page gave it: programs that keep no cookies are none, however often they
//! ask. A person is whoever is signed in. Keys, the command line and staff are neither.

use axum::extract::Request;
use axum::http::Method;
use domain::ids::ActivityId;
use domain::limit::address_key;
use engine::statistics::{Visit, VisitingBrowser};

use crate::app::App;
use crate::auth::{Identity, Person};
use crate::context::Context;
use crate::cookies;

/// What is asked for where a campaign is opened: its id follows, and nothing else.
const CAMPAIGNS: [&str; 2] = ["/api/v1/play/activities/", "/api/v1/sales/"];

/// The visit that a request is, should it be answered.
pub(crate) fn visit_of(app: &App, context: &Context, request: &Request) -> Option<Visit> {
    let person = match request.extensions().get::<Identity>()? {
        Identity::Nobody => None,
        Identity::Person(Person { who, .. }) if !who.roles.staff() => Some(who.user),
        Identity::Person(_) | Identity::Key { .. } | Identity::Console | Identity::Refused(_) => return None,
    };
    let looks = *request.method() == Method::GET;
    let hash = looks.then(|| cookies::visitor(request.headers(), app.http.secure)).flatten();
    let hash = hash.and_then(|cookie| app.world.statistics.key().read(cookie));
    let browser = hash.map(|hash| VisitingBrowser { hash, address: address_key(context.client) });
    let activity = looks.then(|| opened(request.uri().path())).flatten();
    (browser.is_some() || person.is_some()).then_some(Visit { browser, person, activity })
}

fn opened(path: &str) -> Option<ActivityId> {
    CAMPAIGNS.iter().find_map(|before| path.strip_prefix(before))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_is_opened_by_its_own_address() {
        for (path, id) in [
            ("/api/v1/play/activities/7318349394477056", Some(7_318_349_394_477_056)),
            ("/api/v1/sales/7", Some(7)),
            ("/api/v1/sales/7/live", None),
            ("/api/v1/sales/", None),
            ("/api/v1/play/activities", None),
            ("/api/v1/activities/7", None),
            ("/activities/7", None),
        ] {
            assert_eq!(opened(path), id.map(ActivityId), "{path}");
        }
    }
}
