//! What a receiver reads: the same shape for every kind.

use std::collections::{HashMap, HashSet};

use domain::ids::UserId;
use serde::Serialize;
use serde_json::Value as Json;
use store::model::Message;

use crate::failure::Result;
use crate::world::World;

#[derive(Serialize)]
struct WebhookEnvelope<'a> {
    /// Of the event, the same for every receiver.
    id: String,
    kind: &'a str,
    at_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<EnvelopeUser<'a>>,
    data: Json,
}

#[derive(Serialize)]
struct EnvelopeUser<'a> {
    id: UserId,
    /// The company's own id.
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<&'a str>,
}

/// The company's own ids of those a batch is about.
#[derive(Debug, Default)]
pub(crate) struct ExternalIds(HashMap<UserId, String>);

impl ExternalIds {
    pub async fn of(world: &World, batch: &[Message]) -> Result<Self> {
        let users: HashSet<UserId> = batch.iter().filter_map(|message| message.user).collect();
        if users.is_empty() {
            return Ok(Self::default());
        }
        let known = world.db.external_ids(users.into_iter().collect()).await?;
        Ok(Self(known.into_iter().collect()))
    }
}

/// What is posted of a message; nothing if it cannot be written.
pub(crate) fn render(message: &Message, kind: &str, data: Json, whose: &ExternalIds) -> Option<String> {
    let told_user = |id: UserId| EnvelopeUser { id, external_id: whose.0.get(&id).map(String::as_str) };
    let told = WebhookEnvelope {
        id: message.id.to_string(),
        kind,
        at_ms: message.made.0,
        user: message.user.map(told_user),
        data,
    };
    serde_json::to_string(&told).ok()
}

#[cfg(test)]
mod tests {
    use domain::time::Timestamp;

    use super::*;

    #[test]
    fn the_shape_is_pinned() {
        let message = Message {
            id: 7,
            lane: "events".into(),
            due: Timestamp(0),
            user: Some(UserId(5)),
            attempts: 0,
            kind: "win.made".into(),
            subject: 1,
            body: r#"{"win_id":"1"}"#.into(),
            made: Timestamp(9),
        };
        let known = ExternalIds([(UserId(5), "shop-5".to_owned())].into());
        for (message, whose, expected) in [
            (
                message.clone(),
                &known,
                Some(
                    r#"{"id":"7","kind":"win.made","at_ms":9,"user":{"id":"5","external_id":"shop-5"},"data":{"win_id":"1"}}"#,
                ),
            ),
            (
                message.clone(),
                &ExternalIds::default(),
                Some(r#"{"id":"7","kind":"win.made","at_ms":9,"user":{"id":"5"},"data":{"win_id":"1"}}"#),
            ),
            (
                Message { user: None, ..message.clone() },
                &known,
                Some(r#"{"id":"7","kind":"win.made","at_ms":9,"data":{"win_id":"1"}}"#),
            ),
        ] {
            let data = serde_json::from_str(&message.body).unwrap();
            assert_eq!(render(&message, &message.kind, data, whose).as_deref(), expected);
        }
    }
}
