//! Who is asking: by key, by session, at the machine's command line, or nobody.

use axum::http::{HeaderMap, HeaderValue, header};
use domain::Rejection;
use domain::access::Scope;
use domain::ids::UserId;
use domain::rejection::FieldProblem;
use engine::access::key_auth;
use engine::access::key_auth::{KeyHolder, is_known_key, key_resolve};
use engine::people::sessions::{SignedIn, session_resolve};
use engine::{Failure, Result};

use super::allowance::may_ask;
use crate::app::App;
use crate::context::{Connection, Context};
use crate::cookies;

/// The header in which a `play` key names one of the company's own users.
pub const ACTING_USER: &str = "windfall-user";

#[derive(Clone, Debug)]
pub enum Identity {
    Nobody,
    Person(Person),
    Key {
        holder: KeyHolder,
        external: Option<String>,
    },
    /// The command line on this machine.
    Console,
    /// Somebody known who may not come in: banned, or with a key that is no longer good.
    Refused(Rejection),
}

impl Identity {
    /// Whether bodies of this caller may be long: activities, rule trees and batches are written by staff and by a company's
    /// systems. What players and strangers send is short.
    pub fn may_send_long_bodies(&self) -> bool {
        match self {
            Self::Person(Person { who, .. }) => who.roles.staff(),
            Self::Key { holder, .. } => {
                Scope::ALL.into_iter().any(|scope| scope != Scope::Play && holder.scopes.has(scope))
            }
            Self::Console => true,
            Self::Nobody | Self::Refused(_) => false,
        }
    }
}

/// A signed-in person, and the session they use.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    pub who: SignedIn,
    pub token_hash: [u8; 32],
}

pub(super) async fn resolve(app: &App, context: &Context, headers: &HeaderMap) -> Result<Identity> {
    if context.connection == Connection::Console {
        return Ok(Identity::Console);
    }
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let external = acting_for(headers)?;
        return match key_holder(app, context, value).await {
            Ok(holder) => Ok(Identity::Key { holder, external }),
            Err(Failure::Rejected(rejection)) => Ok(Identity::Refused(rejection)),
            Err(fault) => Err(fault),
        };
    }
    let Some(token) = cookies::session_token(headers, app.http.secure) else { return Ok(Identity::Nobody) };
    let world = &app.world;
    let token_hash = token.hash();
    if !world.people.sessions.has_seen(&token_hash) {
        may_ask(app, context).await?;
    }
    match session_resolve(world, token_hash).await {
        Ok(who) => Ok(Identity::Person(Person { who, token_hash })),
        // An old cookie must not keep anybody from signing in again.
        Err(Failure::Rejected(Rejection::Unauthenticated)) => Ok(Identity::Nobody),
        Err(Failure::Rejected(rejection)) => Ok(Identity::Refused(rejection)),
        Err(fault) => Err(fault),
    }
}

/// The holder of a key. One that nobody has seen is looked for as long as its address may ask.
pub(crate) async fn key_holder(app: &App, context: &Context, value: &HeaderValue) -> Result<KeyHolder> {
    let secret = bearer(value);
    if !is_known_key(&app.world, secret) {
        may_ask(app, context).await?;
    }
    key_resolve(&app.world, secret).await
}

/// Whom a key acts for, from memory alone; nothing where that is not certain.
pub(crate) fn acting_in_memory(app: &App, headers: &HeaderMap) -> Option<UserId> {
    let secret = bearer(headers.get(header::AUTHORIZATION)?);
    let external = acting_for(headers).ok()??;
    key_auth::acting_in_memory(&app.world, secret, &external)
}

/// The secret of an `Authorization: Bearer …`, or nothing that could be one.
fn bearer(value: &HeaderValue) -> &str {
    let parts = value.to_str().ok().and_then(|text| text.split_once(' '));
    parts.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map_or("", |(_, secret)| secret.trim())
}

/// The company's own id of a user, read as it is or not at all: two ids that differ must never become the same.
fn acting_for(headers: &HeaderMap) -> Result<Option<String>, Rejection> {
    let malformed = || Rejection::invalid("user", FieldProblem::Malformed);
    let mut values = headers.get_all(ACTING_USER).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => {
            String::from_utf8(value.as_bytes().to_vec()).map(Some).map_err(|_| malformed())
        }
        (Some(_), Some(_)) => Err(Rejection::invalid("user", FieldProblem::Duplicate)),
    }
}
