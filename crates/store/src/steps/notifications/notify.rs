//! Putting notifications into the outbox, in the transaction of what they speak of. Whether their recipient wants to hear of
//! it is asked when they are written.

use domain::community::{NotificationKind, NotificationSubject};
use domain::fingerprint::Fingerprint;
use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::{Fault, Result};
use crate::model::{NOTIFICATIONS, NewMessage, NotificationMessage};
use crate::steps::events::NOTIFICATION_BITS;
use crate::steps::outbox;
use crate::tx::Tx;

/// Something that somebody may want to hear of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewNotification {
    pub recipient: UserId,
    pub kind: NotificationKind,
    /// Nobody: the site itself.
    pub actor: Option<UserId>,
    pub object: i64,
    pub about: (NotificationSubject, i64),
    /// The post in whose thread it was said.
    pub post: Option<i64>,
    pub at: Timestamp,
}

/// Nobody hears of what they did themselves.
pub(crate) async fn notify(tx: &Tx<'_>, news: &[NewNotification]) -> Result<()> {
    let others = news.iter().filter(|one| one.actor != Some(one.recipient));
    let messages: Result<Vec<NewMessage>, Fault> = others.map(message).collect();
    let messages = messages?;
    if messages.is_empty() {
        return Ok(());
    }
    outbox::put_once(tx, &messages).await
}

fn message(new: &NewNotification) -> Result<NewMessage, Fault> {
    let (about, about_id) = new.about;
    let actor = new.actor.map_or(0, |actor| actor.0);
    let said =
        NotificationMessage { kind: new.kind, actor, object: new.object, about, about_id, post: new.post };
    let body =
        serde_json::to_string(&said).map_err(|error| Fault::caused("writing a notification", error))?;
    Ok(NewMessage {
        id: id_of(new.recipient, &body, new.at),
        lane: NOTIFICATIONS.to_owned(),
        user: Some(new.recipient),
        kind: NOTIFICATIONS,
        subject: new.object,
        body,
        made: new.at,
        due: new.at,
    })
}

/// The same notification of the same moment is the same message. No other message has these bits.
fn id_of(recipient: UserId, body: &str, at: Timestamp) -> i64 {
    let parts = [&recipient.0.to_be_bytes()[..], body.as_bytes(), &at.0.to_be_bytes()[..]];
    let [a, b, c, d, e, f, g, h, ..] = Fingerprint::of(&parts).0;
    NOTIFICATION_BITS
        | i64::from_be_bytes([a, b, c, d, e, f, g, h]) & !(-1 << NOTIFICATION_BITS.trailing_zeros())
}
