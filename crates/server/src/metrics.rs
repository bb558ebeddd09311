//! `/metrics` in Prometheus' text form: for this machine, or for a key that may read.

use axum::extract::{FromRequestParts, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::access::Scope;
use engine::sales::gate::gauges;

use crate::app::App;
use crate::auth::{count_page, key_holder};
use crate::context::{Connection, Context};
use crate::problem::Problem;

/// May read metrics: somebody on this machine, or the holder of a `read` or `admin` key.
#[derive(Debug)]
pub struct Scraper;

impl FromRequestParts<App> for Scraper {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut axum::http::request::Parts, app: &App) -> Result<Self, Problem> {
        let context = Context::from_request_parts(parts, app).await?;
        // A proxy on this machine speaks for strangers: what it forwards is not local.
        let forwarded =
            ["x-forwarded-for", "forwarded", "via"].iter().any(|name| parts.headers.contains_key(*name));
        if context.connection == Connection::Console || (context.client.is_loopback() && !forwarded) {
            return Ok(Self);
        }
        let value = parts.headers.get(header::AUTHORIZATION).ok_or(Rejection::Unauthenticated)?;
        let holder = match key_holder(app, &context, value).await {
            Ok(holder) => holder,
            Err(failure) => {
                count_page(app, &context).await?;
                return Err(Problem(failure));
            }
        };
        if holder.scopes.has(Scope::Read) || holder.scopes.has(Scope::Admin) {
            Ok(Self)
        } else {
            Err(Rejection::ScopeMissing { needs: Scope::Read }.into())
        }
    }
}

pub async fn scrape(_: Scraper, State(app): State<App>) -> Response {
    gauges(&app.world);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.render()).into_response()
}
