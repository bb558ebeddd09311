//! What staff do with accounts: create, find, ban.

use domain::Rejection;
use domain::access::staff_in_person;
use domain::account::Ban;
use domain::ids::UserId;
use domain::page::{Page, PageRequest};
use domain::rejection::BanEnd;
use domain::time::Timestamp;
use serde_json::{Value as Json, json};

use super::users::{self, Creation, user_sql};
use super::{daily_sums, keys};
use crate::each::all_each;
use crate::failure::Result;
use crate::model::{AccountRow, Actor, AuditStamp, NAMES_MAX, UserBan, UserCreate, UserMade, UserQuery};
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;
use crate::{audit, params};

/// Answers the account the phone has, when it has one; nothing about that account changes.
pub(crate) async fn create(tx: &Tx<'_>, step: &UserCreate) -> Result<UserMade> {
    if let Some(phone) = &step.phone
        && let Some(user) = users::lock_by_phone(tx, phone).await?
    {
        return Ok(UserMade { user: user.id(), new: false });
    }
    let new = Creation {
        id: step.user.id,
        name: &step.user.name,
        phone: step.phone.as_ref().map(|index| (index, step.user.phone_sealed.as_slice())),
        password_hash: step.user.password_hash.as_deref(),
        external_id: None,
        mark: step.phone.as_ref(),
        roles: step.roles,
        sign_up_day: step.user.sign_up_day,
        now: step.signed.at,
    };
    let created = users::create(tx, &new).await?;
    let after = json!({ "roles": step.roles.names() });
    audit::write(tx, &step.signed, "user.create", &audit::user_subject(created.id), &Json::Null, &after)
        .await?;
    Ok(UserMade { user: created.id, new: true })
}

/// Sets or lifts a ban; all sessions end at once. The same ban again changes nothing.
pub(crate) async fn ban(tx: &Tx<'_>, step: &UserBan) -> Result<()> {
    if step.ban.is_some() && step.signed.actor == Actor::Person(step.user) {
        return Err(Rejection::SelfBan.into());
    }
    let user = users::lock(tx, step.user).await?;
    staff_in_person(step.signed.by_key(), user.account.roles)?;
    let (before, after) = (user.account.ban.as_ref(), step.ban.as_ref());
    if ban_terms(before) == ban_terms(after) {
        return Ok(());
    }
    if after.is_some() {
        daily_sums::count_bars(tx, &step.signed, 1).await?;
    }
    // Whoever has the machine can make another admin, and may have to ban the one there is.
    if after.is_some() && step.signed.actor != Actor::Console {
        users::spare_last_admin(tx, &user, step.signed.at).await?;
    }
    let (reason, since, until) = users::ban_columns(after);
    tx.execute(
        "UPDATE users SET ban_reason = $2, ban_since = $3, ban_until = $4 WHERE id = $1",
        params![step.user, reason, since, until],
    )
    .await?;
    users::raise_epoch(tx, step.user).await?;
    let action = if after.is_some() { "user.ban" } else { "user.unban" };
    let subject = audit::user_subject(step.user);
    let mut now = ban_json(after);
    if after.is_some() {
        let ended = keys::revoke_made_by(tx, step.user, step.signed.at).await?;
        if !ended.is_empty() {
            now["keys_revoked"] = json!(ended);
        }
    }
    audit::write(tx, &step.signed, action, &subject, &ban_json(before), &now).await
}

pub(crate) async fn sign_out(tx: &Tx<'_>, (user, signed): &(UserId, AuditStamp)) -> Result<()> {
    let person = users::lock(tx, *user).await?;
    staff_in_person(signed.by_key(), person.account.roles)?;
    daily_sums::count_bars(tx, signed, 1).await?;
    let open = tx.count("SELECT COUNT(*) FROM sessions WHERE user_id = $1", params![*user]).await?;
    users::raise_epoch(tx, *user).await?;
    let (before, after) = (json!({ "sessions": open }), json!({ "sessions": 0 }));
    audit::write(tx, signed, "user.sign_out", &audit::user_subject(*user), &before, &after).await
}

/// What makes two bans the same: when it was said does not.
fn ban_terms(ban: Option<&Ban>) -> Option<(&str, BanEnd)> {
    ban.map(|ban| (ban.reason.as_str(), ban.until))
}

fn ban_json(ban: Option<&Ban>) -> Json {
    let Some(ban) = ban else { return Json::Null };
    let until = match ban.until {
        BanEnd::Never => json!("never"),
        BanEnd::At(end) => json!(end),
    };
    json!({ "reason": ban.reason, "since": ban.since, "until": until })
}

/// Every filter is in every text, so that all take the same values; what leads names an index.
macro_rules! list_sql {
    ($lead:literal) => {
        user_sql!(
            "WHERE id < $1 AND deleted_at IS NULL AND ",
            $lead,
            " AND (CAST($2 AS BIGINT) IS NULL OR id = $2)
              AND (CAST($3 AS TEXT) IS NULL OR name_folded LIKE $3 ESCAPE '!')
              AND (roles & $4) = $4
              AND (CAST($5 AS BIGINT) IS NULL OR ban_until > $5)
              ORDER BY id DESC LIMIT $6"
        )
    };
}

/// Newest first. Deleted accounts are nobody and are not listed.
pub(crate) async fn list(tx: &Tx<'_>, (query, page): &(UserQuery, PageRequest)) -> Result<Page<AccountRow>> {
    let exact = match exactly(tx, query).await? {
        Exactly::Anybody => None,
        Exactly::User(id) => Some(id),
        Exactly::Nobody => return Ok(Page { items: Vec::new(), next: None }),
    };
    let sql = match query {
        _ if exact.is_some() => list_sql!("id = $2"),
        UserQuery { banned: true, .. } => list_sql!("ban_until IS NOT NULL"),
        UserQuery { roles, .. } if roles.staff() => list_sql!("roles <> 0"),
        UserQuery { .. } => list_sql!("id > 0"),
    };
    let pattern = query.name.as_deref().map(contains);
    let banned_at = query.banned.then_some(query.now);
    let params = params![page.before(), exact, pattern, query.roles, banned_at, page.fetch()];
    let users = tx.all(sql, params, users::read).await?;
    Ok(Page::cut(users, *page, |user| user.id().0).map(|user| user.account))
}

pub(crate) async fn names_of(tx: &Tx<'_>, users: &[(UserId, Timestamp)]) -> Result<Vec<Option<String>>> {
    let keys: Vec<[Value; 2]> =
        users.iter().take(NAMES_MAX).map(|(user, at)| [Value::from(*user), Value::from(*at)]).collect();
    let sql = "SELECT name FROM users
               WHERE id = $1 AND deleted_at IS NULL AND (revived_at IS NULL OR revived_at <= $2)";
    let found = all_each(tx, sql, &keys, Row::text).await?;
    Ok(found.into_iter().map(|mut names| names.pop()).collect())
}

/// Whom the filters that fit one user at most leave.
enum Exactly {
    Anybody,
    User(i64),
    Nobody,
}

async fn exactly(tx: &Tx<'_>, query: &UserQuery) -> Result<Exactly> {
    let mut exact = Exactly::Anybody;
    let by_phone =
        query.phone.map(|phone| ("SELECT id FROM users WHERE phone_index = $1", Value::from(phone)));
    let by_external = query.external_id.as_ref();
    let by_external = by_external.map(|id| ("SELECT id FROM users WHERE external_id = $1", Value::from(id)));
    for (sql, key) in [by_phone, by_external].into_iter().flatten() {
        exact = match (exact, tx.one(sql, &[key], Row::int).await?) {
            (Exactly::Anybody, Some(id)) => Exactly::User(id),
            (Exactly::User(one), Some(id)) if one == id => Exactly::User(id),
            (_, _) => Exactly::Nobody,
        };
    }
    Ok(exact)
}

/// A pattern for "has this in it", with the pattern's own signs taken literally.
pub(super) fn contains(part: &str) -> String {
    let literal = users::fold_case(part).replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{literal}%")
}
