//! Telling that something happened, in the transaction in which it does.
//!
//! An event that nobody wants is not written: an installation without subscriptions pays one look at a small table per
//! batch. From the lane of events the relay copies it to those who want it.

use domain::fingerprint::Fingerprint;
use domain::ids::{ActivityId, FulfilmentId, UserId};
use domain::lottery::strategy::PrizeId;
use domain::time::Timestamp;
use domain::webhook::{EventFilter, EventKind, Field, FieldShape};
use serde_json::{Value as Json, json};

use crate::failure::Result;
use crate::model::{EVENTS, NewMessage, Win};
use crate::params;
use crate::row::Row;
use crate::steps::outbox;
use crate::tx::Tx;

/// No id of another message has this bit before the year 2058.
const TOLD: i64 = 1 << 62;
/// With it an event is of what became of a win, and comes after the one that says that it was won.
const MOVED: i64 = TOLD | 1 << 61;
/// Below the two highest bits six say which kind it is; the rest is a hash.
const RANK_AT: u32 = 55;
const _: () =
    assert!(EventKind::ALL.len() as i64 <= SEARCH_RANK, "a kind has six bits, and four numbers are taken");
/// The rank of messages that bring something into the index.
const SEARCH_RANK: i64 = BEHAVIOUR_RANK - 1;
/// The ranks of behaviours and, after them, of those that are undone.
const BEHAVIOUR_RANK: i64 = (1 << 6) - 3;
/// What ids of notifications on their way begin with: the last rank.
pub(crate) const NOTIFICATION_BITS: i64 = MOVED | ((1 << 6) - 1) << RANK_AT;

/// Something that happened. Its id is of this event alone, among all messages.
#[derive(Clone, Debug)]
pub(crate) struct NewEvent {
    pub id: i64,
    pub kind: EventKind,
    /// Whose order it keeps.
    pub user: Option<UserId>,
    pub subject: i64,
    pub data: Json,
    pub at: Timestamp,
}

impl NewEvent {
    pub fn won(win: &Win) -> Self {
        let mut data = json!({
            "win_id": win.id.to_string(),
            "activity_id": win.activity.to_string(),
            "round": win.round,
            "version": win.version,
            "draw": win.draw,
            "prize_id": win.prize.number(),
        });
        // Points that the fallback gave; everything else says by its prize what it is.
        if win.points > 0 {
            data["points"] = win.points.into();
        }
        let (kind, user) = (EventKind::WinMade, Some(win.user));
        Self { id: win.id | TOLD, kind, user, subject: win.id, data, at: win.at }
    }

    /// What became of a win.
    pub fn moved(
        kind: EventKind,
        (id, user): (FulfilmentId, Option<UserId>),
        (activity, prize): (ActivityId, PrizeId),
        note: Option<&str>,
        at: Timestamp,
    ) -> Self {
        let data = json!({
            "win_id": id.to_string(),
            "activity_id": activity.to_string(),
            "prize_id": prize.number(),
            "note": note,
        });
        Self::of(kind, id.0, user, data, at)
    }

    /// Anything else that has no id of its own yet.
    pub fn of(kind: EventKind, subject: i64, user: Option<UserId>, data: Json, at: Timestamp) -> Self {
        let (user_id, text) = (user.map_or(0, |user| user.0), data.to_string());
        let id = id_of(kind, &[&subject.to_be_bytes(), &user_id.to_be_bytes(), text.as_bytes()], at);
        Self { id, kind, user, subject, data, at }
    }
}

/// The same thing may come to the same state again (after a redrive, say), so an id is made of what it is about and says,
/// of the kind and of the moment: whoever receives events twice tells them apart by their ids. The same id is the same event. Of what happens to one thing in one
/// moment the kind that is first in the list is told first. No other message has both of its highest bits.
fn id_of(kind: EventKind, about: &[&[u8]], at: Timestamp) -> i64 {
    ranked_id(kind as i64, kind.name(), about, at)
}

/// The same for a message of something that somebody did, or took back: whoever does both at once has done it first.
pub(crate) fn behaviour_message_id(is_undone: bool, kind: &str, key: &str, at: Timestamp) -> i64 {
    ranked_id(BEHAVIOUR_RANK + i64::from(is_undone), kind, &[key.as_bytes()], at)
}

/// The same for a message of something that may be found by other words now.
pub(crate) fn search_message_id(kind: &'static str, id: i64, at: Timestamp) -> i64 {
    ranked_id(SEARCH_RANK, kind, &[&id.to_be_bytes()], at)
}

fn ranked_id(rank: i64, name: &str, about: &[&[u8]], at: Timestamp) -> i64 {
    let moment = at.0.to_be_bytes();
    let parts: Vec<&[u8]> = about.iter().copied().chain([name.as_bytes(), &moment[..]]).collect();
    let [a, b, c, d, e, f, g, h, ..] = Fingerprint::of(&parts).0;
    let hash = i64::from_be_bytes([a, b, c, d, e, f, g, h]) & ((1 << RANK_AT) - 1);
    MOVED | rank << RANK_AT | hash
}

pub(crate) async fn tell(tx: &Tx<'_>, events: &[NewEvent]) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let Some(wants) = load_filter(tx).await? else { return Ok(()) };
    debug_assert!(events.iter().all(|event| fits(event.kind, &event.data)), "another shape: {events:?}");
    let messages: Vec<NewMessage> = events
        .iter()
        .filter(|event| wants.wants(event.kind))
        .map(|event| NewMessage {
            id: event.id,
            lane: EVENTS.to_owned(),
            user: event.user,
            kind: event.kind.name(),
            subject: event.subject,
            body: event.data.to_string(),
            made: event.at,
            due: event.at,
        })
        .collect();
    outbox::put_once(tx, &messages).await
}

/// Whether anybody wants a kind, for those who would make thousands of events for nobody.
pub(crate) async fn is_wanted(tx: &Tx<'_>, kind: EventKind) -> Result<bool> {
    Ok(load_filter(tx).await?.is_some_and(|wants| wants.wants(kind)))
}

/// Whether `data` has what the list of kinds says, and nothing else. What only the relay knows (what a prize is called) is not
/// there yet.
fn fits(kind: EventKind, data: &Json) -> bool {
    let fields: Vec<&Field> = kind.fields().iter().flat_map(|group| group.iter()).collect();
    has(&fields, data)
}

fn has(fields: &[&Field], data: &Json) -> bool {
    let Some(members) = data.as_object() else { return false };
    let shaped = |field: &Field, value: &Json| match field.shape {
        FieldShape::Id | FieldShape::Text => value.is_string(),
        FieldShape::Count => value.is_u64(),
        FieldShape::Number | FieldShape::Moment => value.is_i64(),
        FieldShape::List(fields) => {
            let fields: Vec<&Field> = fields.iter().collect();
            value.as_array().is_some_and(|rows| rows.iter().all(|row| has(&fields, row)))
        }
    };
    let present = fields.iter().all(|field| match members.get(field.name) {
        None | Some(Json::Null) => !field.always,
        Some(value) => shaped(field, value),
    });
    present && members.keys().all(|name| fields.iter().any(|field| field.name == name))
}

/// What all subscriptions together want now; nothing where there is none.
async fn load_filter(tx: &Tx<'_>) -> Result<Option<EventFilter>> {
    let kinds = tx
        .all(
            "SELECT DISTINCT k.kind FROM webhook_kinds k JOIN webhooks w ON w.id = k.webhook_id
             WHERE w.off_ms IS NULL AND w.removed_ms IS NULL",
            params![],
            Row::text,
        )
        .await?;
    Ok(if kinds.is_empty() { None } else { Some(EventFilter::parse(&kinds)?) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_of_a_win_has_an_id_of_its_own() {
        let prize = PrizeId::new(1).unwrap();
        let moved = |win: i64, kind: EventKind, at: i64| {
            NewEvent::moved(kind, (FulfilmentId(win), None), (ActivityId(1), prize), None, Timestamp(at)).id
        };
        let mut ids = vec![
            moved(7, EventKind::WinGiven, 1),
            moved(7, EventKind::WinFailed, 1),
            moved(7, EventKind::WinFailed, 2),
            moved(7, EventKind::WinVoided, 1),
            moved(8, EventKind::WinGiven, 1),
        ];
        assert_eq!(moved(7, EventKind::WinGiven, 1), ids[0], "the same again is the same");
        assert!(ids.iter().all(|id| *id > 7 | TOLD), "after the win, and above zero: {ids:?}");
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 5);
        let points = |n: i64| {
            let data = json!({ "n": n });
            NewEvent::of(EventKind::PointsChanged, 7, None, data, Timestamp(1)).id
        };
        assert_ne!(points(1), points(2), "what says something else is another event");
        let of = |kind| moved(7, kind, 1);
        assert!(of(EventKind::WinClaimed) < of(EventKind::WinToShip), "in the order of the list");
    }

    #[test]
    fn an_event_has_the_shape_that_is_listed() {
        for (kind, data, expected) in [
            (EventKind::RaffleDrawn, json!({ "activity_id": "1", "round": 1, "winners": 3 }), true),
            (EventKind::RaffleDrawn, json!({ "activity_id": 1, "round": 1, "winners": 3 }), false),
            (EventKind::RaffleDrawn, json!({ "activity_id": "1", "round": 1 }), false),
            (
                EventKind::RaffleDrawn,
                json!({ "activity_id": "1", "round": 1, "winners": 3, "more": 1 }),
                false,
            ),
            (
                EventKind::WinGiven,
                json!({ "win_id": "1", "activity_id": "1", "prize_id": 1, "note": null }),
                true,
            ),
            (
                EventKind::HoldExpired,
                json!({ "hold_id": "a", "lines": [{ "pool": "a", "quantity": 1 }] }),
                true,
            ),
            (EventKind::HoldExpired, json!({ "hold_id": "a", "lines": [{ "pool": "a" }] }), false),
        ] {
            assert_eq!(fits(kind, &data), expected, "{data}");
        }
    }
}
