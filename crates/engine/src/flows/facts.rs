//! Facts about users, set by the company's backend or by staff; never by players.

use domain::Rejection;
use domain::account::{FACTS_MAX, FactKey, FactValue};
use domain::ids::UserId;

use crate::failure::Outcome;
use crate::ports::{FactRow, FactsPut, Signed};
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
pub async fn facts_put(
    world: &World,
    signed: Signed,
    user: UserId,
    given: Vec<(String, GivenFact)>,
) -> Outcome<Vec<FactRow>> {
    if given.len() > FACTS_MAX as usize {
        return Err(Rejection::FactsFull { max: FACTS_MAX }.into());
    }
    let facts = given.into_iter().map(check).collect::<Outcome<Vec<_>>>()?;
    world.people.facts_put(FactsPut { user, facts, signed }).await?;
    world.people.facts_of(user).await
}

fn check((key, value): (String, GivenFact)) -> Outcome<(FactKey, Option<FactValue>)> {
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
