//! Facts about users, set by the company's backend, by staff, or by Windfall itself; never by players.

use domain::Rejection;
use domain::access::own_account;
use domain::account::{FACTS_MAX, FactKey, FactValue, check_setting};
use domain::ids::UserId;
use domain::rejection::MissingThing;
use domain::tree::Facts;
use jiff::civil::Date;
use store::model::{AccountRow, AuditStamp, FactRow, FactsPut};

use crate::failure::Result;
use crate::world::World;

/// A value as it was sent, before it is known to fit.
#[derive(Clone, Debug)]
pub enum GivenFact {
    Number(i64),
    Text(String),
    Flag(bool),
    Tags(Vec<String>),
    /// Takes the fact away.
    Nothing,
}

/// Sets some facts and leaves the others alone: all of them or none.
pub async fn facts_set(
    world: &World,
    signed: AuditStamp,
    user: UserId,
    given: Vec<(String, GivenFact)>,
) -> Result<Vec<FactRow>> {
    own_account(signed.responsible, user)?;
    let facts = parse_facts(given)?;
    facts.iter().try_for_each(|(key, value)| check_setting(key, value.as_ref()))?;
    world.db.facts_set(FactsPut { user, facts, signed }).await?;
    world.db.facts_of(user).await
}

/// Facts by name, checked; `None` is a fact that is to be missing.
pub(crate) fn parse_facts(given: Vec<(String, GivenFact)>) -> Result<Vec<(FactKey, Option<FactValue>)>> {
    if given.len() > FACTS_MAX as usize {
        return Err(Rejection::FactsFull { max: FACTS_MAX }.into());
    }
    given.into_iter().map(check).collect()
}

fn check((key, value): (String, GivenFact)) -> Result<(FactKey, Option<FactValue>)> {
    let key = FactKey::parse(&key)?;
    let value = match value {
        GivenFact::Number(number) => Some(FactValue::Number(number)),
        GivenFact::Text(text) => Some(FactValue::text(&key, &text)?),
        GivenFact::Flag(flag) => Some(FactValue::Flag(flag)),
        GivenFact::Tags(tags) => Some(FactValue::tags(&key, &tags)?),
        GivenFact::Nothing => None,
    };
    Ok((key, value))
}

/// The facts a rule tree asks for, as the server knows them. There is no way in for what a player's request says.
pub async fn facts_for<'a>(
    world: &World,
    user: UserId,
    wanted: impl IntoIterator<Item = &'a FactKey>,
) -> Result<Facts> {
    let (own, stored): (Vec<&FactKey>, Vec<&FactKey>) = wanted.into_iter().partition(|key| key.is_own());
    let mut facts = Vec::with_capacity(own.len() + stored.len());
    if !stored.is_empty() {
        let rows = world.db.facts_of(user).await?;
        let row_of = |key: &&FactKey| rows.iter().find(|row| row.key == key.as_str());
        facts.extend(stored.iter().filter_map(|key| Some(((*key).clone(), row_of(key)?.value.clone()))));
    }
    if !own.is_empty() {
        let account = world.db.account(user).await?.filter(|account| !account.deleted);
        let account = account.ok_or(Rejection::NotFound { what: MissingThing::User })?;
        let today = world.site_day(world.now());
        facts.extend(own.iter().filter_map(|key| Some(((*key).clone(), own_fact(&account, today, key)?))));
    }
    Ok(facts.into_iter().collect())
}

fn own_fact(account: &AccountRow, today: i64, key: &FactKey) -> Option<FactValue> {
    let day = account.profile.sign_up_day;
    match key.as_str() {
        "registered_day" => Some(FactValue::Number(day)),
        "registered_days_ago" => days_between(day, today).map(FactValue::Number),
        "level" => Some(FactValue::Number(account.profile.level)),
        "phone_verified" => Some(FactValue::Flag(account.phone_index.is_some())),
        _ => None,
    }
}

/// Between two days written as yyyymmdd; the same day is 0.
fn days_between(from: i64, to: i64) -> Option<i64> {
    let date = |day: i64| {
        let part = |number: i64| i8::try_from(number % 100).ok();
        Date::new(i16::try_from(day / 10_000).ok()?, part(day / 100)?, part(day)?).ok()
    };
    Some(i64::from(date(from)?.until(date(to)?).ok()?.get_days()))
}

/// What is known of somebody, by key.
pub async fn facts_of(world: &World, user: UserId) -> Result<Vec<FactRow>> {
    world.db.facts_of(user).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since() {
        for (from, to, expected) in [
            (20_261_115, 20_261_115, Some(0)),
            (20_261_114, 20_261_115, Some(1)),
            (20_240_228, 20_240_301, Some(2)),
            (20_250_228, 20_250_301, Some(1)),
            (20_251_231, 20_260_101, Some(1)),
            (20_240_101, 20_260_101, Some(731)),
            (20_241_301, 20_260_101, None),
        ] {
            assert_eq!(days_between(from, to), expected, "{from} to {to}");
        }
    }
}
