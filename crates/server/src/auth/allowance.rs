//! How often: signed-in people are counted by user, keys by key, everybody else by address.

use axum::http::{HeaderMap, HeaderValue};
use domain::Rejection;
use domain::limit::{Allowance, Quota, address_key};
use domain::time::SECOND_MS;
use engine::Result;

use super::identity::Identity;
use crate::app::App;
use crate::context::Context;

/// How many headers say what is left of an allowance.
const LIMIT_HEADERS: usize = 3;

/// Requests of those whom nobody knows are counted by their address.
const ADDRESSES: &str = "ip";

/// Counts the request: signed-in people by user, keys by key, everybody else by address.
pub(super) async fn count(app: &App, context: &Context, identity: &Identity) -> Result<Option<Allowance>> {
    let quotas = app.world.settings.quotas;
    let (class, key, quota) = match identity {
        Identity::Console => return Ok(None),
        Identity::Person(person) => ("user", person.who.user.to_string(), quotas.user),
        Identity::Key { holder, .. } => ("key", holder.key.to_string(), quotas.key),
        Identity::Nobody | Identity::Refused(_) => {
            return count_address(app, context, ADDRESSES, quotas.ip).await.map(Some);
        }
    };
    Ok(Some(app.world.outside.limits.take(class, &key, quota, app.world.now()).await?))
}

pub(super) async fn count_address(
    app: &App,
    context: &Context,
    class: &'static str,
    quota: Quota,
) -> Result<Allowance> {
    Ok(app.world.outside.limits.take(class, &address_key(context.client), quota, app.world.now()).await?)
}

/// Counts a request for a page that anybody may ask for, as one of its address; refuses it beyond the allowance.
pub(crate) async fn count_page(app: &App, context: &Context) -> Result<()> {
    let allowance = count_address(app, context, ADDRESSES, app.world.settings.quotas.ip).await?;
    if allowance.allowed { Ok(()) } else { Err(too_often(allowance).into()) }
}

/// Whether this address may ask for one more token or key to be looked for. What is found costs its owner's allowance, and
/// what is not costs the address's; an address that has none left makes nobody look.
pub(super) async fn may_ask(app: &App, context: &Context) -> Result<()> {
    let quota = app.world.settings.quotas.ip;
    let left = app
        .world
        .outside
        .limits
        .look(ADDRESSES, &address_key(context.client), quota, app.world.now())
        .await?;
    if left.allowed { Ok(()) } else { Err(too_often(left).into()) }
}

pub(super) fn too_often(Allowance { retry_ms, .. }: Allowance) -> Rejection {
    Rejection::RateLimited { retry_after_s: (retry_ms + SECOND_MS - 1) / SECOND_MS }
}

pub(super) fn limit_headers(headers: &mut HeaderMap, allowance: Allowance) {
    headers.reserve(LIMIT_HEADERS);
    headers.insert("ratelimit-limit", HeaderValue::from(allowance.limit));
    headers.insert("ratelimit-remaining", HeaderValue::from(allowance.remaining));
    headers.insert("ratelimit-reset", HeaderValue::from((allowance.reset_ms + SECOND_MS - 1) / SECOND_MS));
}
