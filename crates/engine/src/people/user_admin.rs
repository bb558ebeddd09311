//! What staff do with accounts: find, create, ban.

use domain::Rejection;
use domain::access::{Role, Roles};
use domain::account::{Ban, Name, Phone, Reason, check_password};
use domain::ids::UserId;
use domain::page::{Page, PageRequest};
use domain::rejection::{BanEnd, FieldProblem};
use domain::time::Timestamp;
use store::model::{AuditStamp, UserBan, UserCreate, UserMade, UserQuery};

use crate::failure::Result;
use crate::people::entry::{new_user, phone_index};
use crate::people::profile::{OpenAccount, open};
use crate::world::World;

/// How staff look for people; every part given must fit.
#[derive(Clone, Debug, Default)]
pub struct UserFilter<'a> {
    pub name: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub external_id: Option<&'a str>,
    pub role: Option<&'a str>,
    pub banned: bool,
}

pub async fn user_list(
    world: &World,
    search: UserFilter<'_>,
    page: PageRequest,
) -> Result<Page<OpenAccount>> {
    let query = UserQuery {
        name: search
            .name
            .map(|name| Name::parse_as("name", name))
            .transpose()?
            .map(|name| name.as_str().to_owned()),
        phone: search
            .phone
            .map(|phone| Phone::parse(&world.settings.phone_country, phone))
            .transpose()?
            .map(|phone| phone_index(world, &phone)),
        external_id: search.external_id.map(str::to_owned),
        roles: parse_roles("role", search.role.into_iter())?,
        banned: search.banned,
        now: world.now(),
    };
    let page = world.db.user_list(query, page).await?;
    let items = page.items.into_iter().map(|account| open(world, account)).collect::<Result<Vec<_>>>()?;
    Ok(Page { items, next: page.next })
}

/// An account made from the command line; answers the existing one when the phone has an account.
pub async fn user_create(
    world: &World,
    signed: AuditStamp,
    phone: &str,
    name: Option<&str>,
    password: Option<&str>,
    roles: Roles,
) -> Result<UserMade> {
    let phone = Phone::parse(&world.settings.phone_country, phone)?;
    let name = name.map(Name::parse).transpose()?;
    let hash = match password {
        None => None,
        Some(password) => {
            check_password(password, &phone)?;
            Some(world.people.passwords.hash(password, world.bytes()).await?)
        }
    };
    let user = new_user(world, &phone, name.map(|name| name.as_str().to_owned()), hash);
    let index = phone_index(world, &phone);
    world.db.user_create(UserCreate { user, phone: Some(index), roles, signed }).await
}

/// Bans until a moment, or for good; all sessions end at once.
pub async fn user_ban(
    world: &World,
    signed: AuditStamp,
    user: UserId,
    reason: &str,
    until: Option<Timestamp>,
) -> Result<()> {
    let reason = Reason::parse(reason)?.as_str().to_owned();
    let now = world.now();
    if let Some(end) = until
        && end <= now
    {
        return Err(Rejection::invalid(
            "until_ms",
            FieldProblem::OutOfRange { min: now.0 + 1, max: i64::MAX },
        )
        .into());
    }
    let ban = Ban { reason, since: now, until: until.map_or(BanEnd::Never, BanEnd::At) };
    world.db.user_ban(UserBan { user, ban: Some(ban), signed }).await?;
    world.people.sessions.forget_user(user);
    Ok(())
}

/// Ends all of somebody's sessions at once.
pub async fn user_sign_out(world: &World, signed: AuditStamp, user: UserId) -> Result<()> {
    world.db.user_sign_out(user, signed).await?;
    world.people.sessions.forget_user(user);
    Ok(())
}

pub async fn user_unban(world: &World, signed: AuditStamp, user: UserId) -> Result<()> {
    world.db.user_ban(UserBan { user, ban: None, signed }).await?;
    world.people.sessions.forget_user(user);
    Ok(())
}

/// Roles by name; `player` is everybody's and adds nothing.
pub fn parse_roles<'a>(field: &str, names: impl Iterator<Item = &'a str>) -> Result<Roles, Rejection> {
    let roles: Option<Vec<Role>> = names.map(Role::parse).collect();
    let unknown = || Rejection::invalid(field, FieldProblem::NotOneOf { allowed: Role::NAMES });
    roles.map(|roles| Roles::of(&roles)).ok_or_else(unknown)
}
