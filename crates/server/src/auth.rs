//! Who is asking, and the extractors that say in a handler's signature who may.
//!
//! `identify` runs once per API request: it resolves the key or the session, refuses state-changing requests
//! that a browser sent from another site, and counts the request against the caller's allowance.

use axum::extract::{DefaultBodyLimit, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::access::{Role, Scope};
use domain::ids::UserId;
use domain::limit::{Allowance, Quota, address_key};
use domain::rejection::FieldProblem;
use domain::time::SECOND_MS;
use engine::flows::key_auth::{KeyHolder, acting_user, is_known_key, key_resolve};
use engine::gate::Buyer;
use engine::ports::{Actor, Signed};
use engine::sessions::SignedIn;
use engine::{Failure, Outcome};

use crate::app::App;
use crate::body::STRANGER_BYTES_MAX;
use crate::context::{Connection, Context};
use crate::cookies;
use crate::problem::Problem;

/// How many headers say what is left of an allowance.
const LIMIT_HEADERS: usize = 3;

/// What payment providers tell comes as fast as people pay, from one address: it has an allowance of its own.
const PAYMENT_CALLBACKS: &str = "/api/v1/payments/";

/// Requests of those whom nobody knows are counted by their address.
const ADDRESSES: &str = "ip";

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
    /// Somebody who may come in.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Person(_) | Self::Key { .. } | Self::Console => true,
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

/// Who is asking and what is left of their allowance go with the request; what `answer` makes of it comes back with the
/// headers that say so.
pub(crate) async fn identify<F: Future<Output = Response>>(
    app: &App,
    context: &Context,
    mut request: Request,
    answer: impl FnOnce(Request) -> F,
) -> Response {
    let identity = match resolve(app, context, request.headers()).await {
        Ok(identity) => identity,
        Err(failure) => return Problem(failure).into_response(),
    };
    let from_browser = matches!(identity, Identity::Nobody | Identity::Person(_) | Identity::Refused(_));
    if from_browser && !same_site(&request, app.http.public_url.as_deref()) {
        return Problem::from(Rejection::CrossSite).into_response();
    }
    let is_callback =
        matches!(identity, Identity::Nobody) && request.uri().path().starts_with(PAYMENT_CALLBACKS);
    let counted = if is_callback {
        count_address(app, context, "callback", app.world.settings.quotas.callback_ip).await.map(Some)
    } else {
        count(app, context, &identity).await
    };
    let allowance = match counted {
        Ok(allowance) => allowance,
        Err(failure) => return Problem(failure).into_response(),
    };
    if !identity.is_known() && !request.method().is_safe() {
        DefaultBodyLimit::max(STRANGER_BYTES_MAX.min(app.http.body_limit_bytes)).apply(&mut request);
    }
    let mut response = match allowance {
        Some(allowance) if !allowance.allowed => Problem::from(too_often(allowance)).into_response(),
        Some(_) | None => {
            request.extensions_mut().insert(identity);
            answer(request).await
        }
    };
    // Answers of the API are for this caller at this moment.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(allowance) = allowance {
        limit_headers(response.headers_mut(), allowance);
    }
    response
}

async fn resolve(app: &App, context: &Context, headers: &HeaderMap) -> Outcome<Identity> {
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
    if !world.sessions.has_seen(&token_hash) {
        may_ask(app, context).await?;
    }
    let found = world
        .sessions
        .resolve(world.accounts.as_ref(), world.settings.session, token_hash, world.now())
        .await;
    match found {
        Ok(who) => Ok(Identity::Person(Person { who, token_hash })),
        // An old cookie must not keep anybody from signing in again.
        Err(Failure::Rejected(Rejection::Unauthenticated)) => Ok(Identity::Nobody),
        Err(Failure::Rejected(rejection)) => Ok(Identity::Refused(rejection)),
        Err(fault) => Err(fault),
    }
}

/// The holder of a key. One that nobody has seen is looked for as long as its address may ask.
pub(crate) async fn key_holder(app: &App, context: &Context, value: &HeaderValue) -> Outcome<KeyHolder> {
    let secret = bearer(value);
    if !is_known_key(&app.world, secret) {
        may_ask(app, context).await?;
    }
    key_resolve(&app.world, secret).await
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

/// Browsers say where a request comes from; what they say must be this site. Clients that are no browsers say
/// nothing and carry no cookie they did not mean to send.
fn same_site(request: &Request, public_url: Option<&str>) -> bool {
    if request.method().is_safe() {
        return true;
    }
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    // HTTP/2 names the host in the address itself.
    let host = text("host").or_else(|| request.uri().authority().map(Authority::as_str));
    let Some(origin) = text("origin") else { return true };
    // A proxy may speak TLS for us, so both schemes of our own host are ours.
    let ours = |(scheme, authority): (&str, &str)| {
        matches!(scheme, "http" | "https") && host.is_some_and(|host| host.eq_ignore_ascii_case(authority))
    };
    public_url == Some(origin) || origin.split_once("://").is_some_and(ours)
}

/// Counts the request: signed-in people by user, keys by key, everybody else by address.
async fn count(app: &App, context: &Context, identity: &Identity) -> Outcome<Option<Allowance>> {
    let quotas = app.world.settings.quotas;
    let (class, key, quota) = match identity {
        Identity::Console => return Ok(None),
        Identity::Person(person) => ("user", person.who.user.to_string(), quotas.user),
        Identity::Key { holder, .. } => ("key", holder.key.to_string(), quotas.key),
        Identity::Nobody | Identity::Refused(_) => {
            return count_address(app, context, ADDRESSES, quotas.ip).await.map(Some);
        }
    };
    Ok(Some(app.world.limits.take(class, &key, quota, app.world.now()).await?))
}

async fn count_address(
    app: &App,
    context: &Context,
    class: &'static str,
    quota: Quota,
) -> Outcome<Allowance> {
    Ok(app.world.limits.take(class, &address_key(context.client), quota, app.world.now()).await?)
}

/// Counts a request for a page that anybody may ask for, as one of its address; refuses it beyond the allowance.
pub(crate) async fn count_page(app: &App, context: &Context) -> Outcome<()> {
    let allowance = count_address(app, context, ADDRESSES, app.world.settings.quotas.ip).await?;
    if allowance.allowed { Ok(()) } else { Err(too_often(allowance).into()) }
}

/// Whether this address may ask for one more token or key to be looked for. What is found costs its owner's allowance, and
/// what is not costs the address's; an address that has none left makes nobody look.
async fn may_ask(app: &App, context: &Context) -> Outcome<()> {
    let quota = app.world.settings.quotas.ip;
    let left = app.world.limits.look(ADDRESSES, &address_key(context.client), quota, app.world.now()).await?;
    if left.allowed { Ok(()) } else { Err(too_often(left).into()) }
}

fn too_often(Allowance { retry_ms, .. }: Allowance) -> Rejection {
    Rejection::RateLimited { retry_after_s: (retry_ms + SECOND_MS - 1) / SECOND_MS }
}

fn limit_headers(headers: &mut HeaderMap, allowance: Allowance) {
    headers.reserve(LIMIT_HEADERS);
    headers.insert("ratelimit-limit", HeaderValue::from(allowance.limit));
    headers.insert("ratelimit-remaining", HeaderValue::from(allowance.remaining));
    headers.insert("ratelimit-reset", HeaderValue::from((allowance.reset_ms + SECOND_MS - 1) / SECOND_MS));
}

fn identity(parts: &Parts) -> Identity {
    parts.extensions.get::<Identity>().cloned().unwrap_or(Identity::Nobody)
}

fn context(parts: &Parts) -> Result<Context, Problem> {
    Ok(parts
        .extensions
        .get::<Context>()
        .cloned()
        .ok_or_else(|| engine::Fault::new("a request without its context"))?)
}

impl FromRequestParts<App> for Context {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        context(parts)
    }
}

impl FromRequestParts<App> for Person {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        match identity(parts) {
            Identity::Person(person) => Ok(person),
            Identity::Nobody => Err(Rejection::Unauthenticated.into()),
            Identity::Refused(rejection) => Err(rejection.into()),
            Identity::Key { .. } | Identity::Console => Err(Rejection::PeopleOnly.into()),
        }
    }
}

/// Anybody, for what depends on who looks.
#[derive(Clone, Debug)]
pub struct Viewer(Identity);

impl Viewer {
    /// Whole names are for their owner and for staff; everybody else sees how they begin.
    pub fn sees_name_of(&self, user: UserId) -> bool {
        match &self.0 {
            Identity::Console => true,
            Identity::Person(Person { who, .. }) => who.user == user || who.roles.staff(),
            Identity::Key { holder, .. } => {
                [Scope::Read, Scope::Admin].into_iter().any(|scope| holder.scopes.has(scope))
            }
            Identity::Nobody | Identity::Refused(_) => false,
        }
    }
}

impl FromRequestParts<App> for Viewer {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        Ok(Self(identity(parts)))
    }
}

/// A player: signed in, or named by a `play` key.
#[derive(Clone, Copy, Debug)]
pub struct Player(pub UserId);

impl FromRequestParts<App> for Player {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        match identity(parts) {
            Identity::Person(person) => Ok(Self(person.who.user)),
            Identity::Key { holder, external } => {
                Ok(Self(acting_user(&app.world, holder, external.as_deref()).await?))
            }
            Identity::Nobody => Err(Rejection::Unauthenticated.into()),
            Identity::Refused(rejection) => Err(rejection.into()),
            Identity::Console => Err(Rejection::PeopleOnly.into()),
        }
    }
}

/// A player in front of a sale: where they are counts too, unless a company's backend asks for them.
#[derive(Clone, Copy, Debug)]
pub struct AtGate(pub Buyer);

impl FromRequestParts<App> for AtGate {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let address = match identity(parts) {
            Identity::Person(_) => Some(context(parts)?.client),
            Identity::Key { .. } | Identity::Nobody | Identity::Refused(_) | Identity::Console => None,
        };
        let Player(user) = Player::from_request_parts(parts, app).await?;
        Ok(Self(Buyer { user, address }))
    }
}

/// A user named by a `play` key, and by nothing else.
#[derive(Clone, Copy, Debug)]
pub struct ActingFor(pub UserId);

impl FromRequestParts<App> for ActingFor {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        match identity(parts) {
            Identity::Key { holder, external } => {
                Ok(Self(acting_user(&app.world, holder, external.as_deref()).await?))
            }
            Identity::Nobody => Err(Rejection::Unauthenticated.into()),
            Identity::Refused(rejection) => Err(rejection.into()),
            Identity::Person(_) | Identity::Console => {
                Err(Rejection::ScopeMissing { needs: Scope::Play }.into())
            }
        }
    }
}

/// Declares an extractor for staff: a role for people, a scope for keys (or none), and the console.
macro_rules! staff {
    ($($(#[$doc:meta])* $name:ident: $roles:expr, $scopes:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name { pub actor: Actor, pub maker: Option<UserId>, pub context: Context }

        impl FromRequestParts<App> for $name {
            type Rejection = Problem;
            async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
                let second_factor = app.world.settings.staff_second_factor;
                let (actor, maker) = authorize(&identity(parts), &$roles, &$scopes, second_factor)?;
                Ok(Self { actor, maker, context: context(parts)? })
            }
        }

        impl $name {
            /// The signature under what this caller is about to do.
            pub fn sign(&self, app: &App, reason: &str) -> Signed {
                app.world.signed(self.actor, reason, &self.context.request_id).with_maker(self.maker)
            }
        }
    )+};
}

staff! {
    /// May see what operators see: any staff role, or a key with `read`.
    Reader: [Role::Operator, Role::Reviewer, Role::Admin], [Scope::Read, Scope::Admin];
    /// May administer: accounts, keys, jobs.
    Admin: [Role::Admin], [Scope::Admin];
    /// May ask for and decide what needs a second person: an admin in person, never a key, which is nobody's second
    /// pair of eyes.
    AdminInPerson: [Role::Admin], [];
    /// May set facts about users.
    FactSetter: [Role::Admin], [Scope::Facts, Scope::Admin];
    /// May delete the company's own users: its backend, and admins.
    UserKeeper: [Role::Admin], [Scope::Play];
    /// May say what became of a prize: the system that gives it, operators and admins.
    Fulfiller: [Role::Operator, Role::Admin], [Scope::Fulfil, Scope::Admin];
    /// May see what has to be given, without addresses.
    FulfilmentReader: [Role::Operator, Role::Reviewer, Role::Admin], [Scope::Fulfil, Scope::Read, Scope::Admin];
    /// May draw up campaigns: rule trees, block lists.
    Operator: [Role::Operator, Role::Admin], [Scope::Admin];
    /// May change stock: the company's backend, operators and admins.
    StockKeeper: [Role::Operator, Role::Admin], [Scope::Inventory, Scope::Admin];
    /// May look at stock.
    StockReader: [Role::Operator, Role::Reviewer, Role::Admin], [Scope::Inventory, Scope::Read, Scope::Admin];
    /// May write what a second person has to approve, and so in person only.
    Author: [Role::Operator, Role::Admin], [];
    /// May approve or refuse what somebody else wrote; in person only.
    Reviewer: [Role::Reviewer, Role::Admin], [];
}

/// Who acts, and who made the key if one does. With `second_factor`, people have no powers of staff without one.
fn authorize(
    identity: &Identity,
    roles: &[Role],
    scopes: &[Scope],
    second_factor: bool,
) -> Result<(Actor, Option<UserId>), Rejection> {
    match identity {
        Identity::Nobody => Err(Rejection::Unauthenticated),
        Identity::Refused(rejection) => Err(rejection.clone()),
        Identity::Console => Ok((Actor::Console, None)),
        Identity::Person(Person { who, .. }) => {
            if roles.iter().any(|role| who.roles.has(*role)) {
                if second_factor && !who.second_factor {
                    return Err(Rejection::SecondFactorRequired);
                }
                Ok((Actor::Person(who.user), None))
            } else {
                Err(Rejection::Forbidden { needs: roles[0] })
            }
        }
        Identity::Key { holder, .. } => match scopes.first() {
            None => Err(Rejection::PeopleOnly),
            Some(_) if scopes.iter().any(|scope| holder.scopes.has(*scope)) => {
                Ok((Actor::Key(holder.key), holder.maker))
            }
            Some(needs) => Err(Rejection::ScopeMissing { needs: *needs }),
        },
    }
}

/// Only the command line on the machine itself.
#[derive(Clone, Debug)]
pub struct Console {
    pub context: Context,
}

impl FromRequestParts<App> for Console {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        match identity(parts) {
            Identity::Console => Ok(Self { context: context(parts)? }),
            Identity::Nobody => Err(Rejection::Unauthenticated.into()),
            Identity::Refused(rejection) => Err(rejection.into()),
            Identity::Person(_) | Identity::Key { .. } => Err(Rejection::ConsoleOnly.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Method;

    use super::*;

    /// Method, what the browser says, and whether the request is carried out.
    #[test]
    fn requests_from_other_sites_are_refused() {
        for (method, pairs, passes) in [
            (Method::POST, vec![], true),
            (Method::POST, vec![("sec-fetch-site", "same-origin")], true),
            (Method::POST, vec![("sec-fetch-site", "none")], true),
            (Method::POST, vec![("sec-fetch-site", "cross-site")], false),
            (Method::POST, vec![("sec-fetch-site", "same-site")], false),
            (Method::GET, vec![("sec-fetch-site", "cross-site")], true),
            (Method::POST, vec![("origin", "http://shop.example"), ("host", "shop.example")], true),
            (Method::DELETE, vec![("origin", "http://evil.example"), ("host", "shop.example")], false),
            (Method::PUT, vec![("origin", "null"), ("host", "shop.example")], false),
            (Method::POST, vec![("origin", "https://play.example"), ("host", "10.0.0.1:8088")], true),
            (Method::POST, vec![("origin", "http://shop.example.evil"), ("host", "shop.example")], false),
            (Method::POST, vec![("origin", "ftp://shop.example"), ("host", "shop.example")], false),
        ] {
            let mut request = Request::builder().method(&method).uri("/");
            for (name, value) in &pairs {
                request = request.header(*name, *value);
            }
            let request = request.body(axum::body::Body::empty()).unwrap();
            assert_eq!(same_site(&request, Some("https://play.example")), passes, "{method} {pairs:?}");
        }
    }
}
