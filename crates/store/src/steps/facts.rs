//! Facts about users, kept as JSON: the JSON type of the value is the type of the fact.

use std::collections::BTreeMap;

use domain::Rejection;
use domain::account::{FACTS_MAX, FactValue};
use domain::ids::UserId;
use serde_json::{Map, Value as Json, json};

use super::users;
use crate::failure::{Fault, Result};
use crate::model::{FactRow, FactsPut};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, params};

/// Sets some facts and leaves the others alone: all of them or none. What already is so is not written.
pub(crate) async fn set(tx: &Tx<'_>, step: &FactsPut) -> Result<()> {
    users::lock(tx, step.user).await?;
    let known: BTreeMap<String, FactValue> =
        of(tx, &step.user).await?.into_iter().map(|fact| (fact.key, fact.value)).collect();
    let mut kept = known.clone();
    for (key, value) in &step.facts {
        match value {
            Some(value) => kept.insert(key.as_str().to_owned(), value.clone()),
            None => kept.remove(key.as_str()),
        };
    }
    if kept.len() > FACTS_MAX as usize {
        return Err(Rejection::FactsFull { max: FACTS_MAX }.into());
    }
    let (mut before, mut after) = (Map::new(), Map::new());
    for (key, _) in &step.facts {
        let key = key.as_str();
        let (old, new) = (known.get(key), kept.get(key));
        if old == new || before.contains_key(key) {
            continue;
        }
        write(tx, step, key, new).await?;
        before.insert(key.to_owned(), old.map_or(Json::Null, to_json));
        after.insert(key.to_owned(), new.map_or(Json::Null, to_json));
    }
    if before.is_empty() {
        return Ok(());
    }
    let subject = audit::user_subject(step.user);
    audit::write(tx, &step.signed, "user.facts", &subject, &before.into(), &after.into()).await
}

async fn write(tx: &Tx<'_>, step: &FactsPut, key: &str, value: Option<&FactValue>) -> Result<()> {
    let Some(value) = value else {
        tx.execute("DELETE FROM facts WHERE user_id = $1 AND name = $2", params![step.user, key]).await?;
        return Ok(());
    };
    let by = audit::actor_text(step.signed.actor);
    tx.execute(
        "INSERT INTO facts (user_id, name, value, set_at, set_by) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, name)
         DO UPDATE SET value = excluded.value, set_at = excluded.set_at, set_by = excluded.set_by",
        params![step.user, key, to_json(value).to_string(), step.signed.at, by],
    )
    .await?;
    Ok(())
}

/// By name.
pub(crate) async fn of(tx: &Tx<'_>, user: &UserId) -> Result<Vec<FactRow>> {
    tx.all(
        "SELECT name, value, set_at, set_by FROM facts WHERE user_id = $1 ORDER BY name",
        params![*user],
        read,
    )
    .await
}

fn read(row: &mut Row) -> Result<FactRow, Fault> {
    Ok(FactRow {
        key: row.text()?,
        value: row.named(from_json)?,
        set_at: row.time()?,
        set_by: row.named(audit::parse_actor)?,
    })
}

fn to_json(value: &FactValue) -> Json {
    match value {
        FactValue::Number(number) => json!(number),
        FactValue::Text(text) => json!(text),
        FactValue::Flag(flag) => json!(flag),
        FactValue::Tags(tags) => json!(tags),
    }
}

fn from_json(text: &str) -> Option<FactValue> {
    match serde_json::from_str(text).ok()? {
        Json::Number(number) => number.as_i64().map(FactValue::Number),
        Json::String(text) => Some(FactValue::Text(text)),
        Json::Bool(flag) => Some(FactValue::Flag(flag)),
        Json::Array(tags) => {
            let tags: Option<Vec<String>> = tags.iter().map(|tag| tag.as_str().map(str::to_owned)).collect();
            tags.map(FactValue::Tags)
        }
        Json::Null | Json::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        for value in [
            FactValue::Number(i64::MIN),
            FactValue::Text("5".into()),
            FactValue::Flag(true),
            FactValue::Tags(vec![]),
            FactValue::Tags(vec!["new".into(), "vip".into()]),
        ] {
            assert_eq!(from_json(&to_json(&value).to_string()), Some(value));
        }
        for text in ["", "null", "1.5", "{}", "[1]"] {
            assert_eq!(from_json(text), None, "{text}");
        }
    }
}
