//! The extractors: who may call a handler is in its signature.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use domain::Rejection;
use domain::access::{Role, Scope};
use domain::ids::UserId;
use engine::access::key_auth::acting_user;
use engine::sales::gate::Buyer;
use store::model::{Actor, AuditStamp};
use utoipa::openapi::security::SecurityRequirement;

use super::identity::{Identity, Person};
use crate::app::App;
use crate::context::Context;
use crate::openapi::security::{console, key, session};
use crate::openapi::signature::Argument;
use crate::problem::Problem;

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

impl Argument for Person {
    fn callers() -> Option<Vec<SecurityRequirement>> {
        Some(vec![session()])
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

impl Argument for Viewer {}

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

impl Argument for Player {
    fn callers() -> Option<Vec<SecurityRequirement>> {
        Some(vec![session(), key(Scope::Play)])
    }
}

/// Anybody. Whoever is signed in, or named by a `play` key, is known by their account.
#[derive(Clone, Copy, Debug)]
pub struct Spectator(pub Option<UserId>);

impl FromRequestParts<App> for Spectator {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        Ok(Self(Player::from_request_parts(parts, app).await.ok().map(|Player(user)| user)))
    }
}

impl Argument for Spectator {}

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

impl Argument for AtGate {
    fn callers() -> Option<Vec<SecurityRequirement>> {
        Player::callers()
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

impl Argument for ActingFor {
    fn callers() -> Option<Vec<SecurityRequirement>> {
        Some(vec![key(Scope::Play)])
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

        impl Argument for $name {
            fn callers() -> Option<Vec<SecurityRequirement>> {
                let scopes: &[Scope] = &$scopes;
                Some([session()].into_iter().chain(scopes.iter().copied().map(key)).collect())
            }
        }

        impl $name {
            /// The signature under what this caller is about to do.
            pub fn sign(&self, app: &App, reason: &str) -> AuditStamp {
                app.world.audit_stamp(self.actor, reason, &self.context.request_id).with_maker(self.maker)
            }
        }
    )+};
}

staff! {
    /// Operators, reviewers and admins, and `read` and `admin` keys: may see what staff see.
    Reader: [Role::Operator, Role::Reviewer, Role::Admin], [Scope::Read, Scope::Admin];
    /// Admins, and `admin` keys: may administer accounts, keys, jobs.
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
    /// Operators and admins, and `admin` keys: may run campaigns, sales and the shop, refunds within a day's limit included.
    Operator: [Role::Operator, Role::Admin], [Scope::Admin];
    /// May change stock: the company's backend, operators and admins.
    StockKeeper: [Role::Operator, Role::Admin], [Scope::Inventory, Scope::Admin];
    /// May look at stock.
    StockReader: [Role::Operator, Role::Reviewer, Role::Admin], [Scope::Inventory, Scope::Read, Scope::Admin];
    /// May write what a second person has to approve, and so in person only.
    Author: [Role::Operator, Role::Admin], [];
    /// May judge what people write; in person only.
    Moderator: [Role::Moderator, Role::Admin], [];
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

impl Argument for Console {
    fn callers() -> Option<Vec<SecurityRequirement>> {
        Some(vec![console()])
    }
}
