//! Who hears of a comment: whoever is replied to, whose thread it is in, and who is named in it; each once.

use domain::community::{CommentSubject, NotificationKind, NotificationSubject};
use domain::ids::{CommentId, UserId};
use domain::time::Timestamp;

use super::comments::LockedComment;
use super::mentions::{self, MentionSubject};
use crate::failure::Result;
use crate::model::{CommentModerate, ThreadId};
use crate::steps::notifications::{NewNotification, notify};
use crate::tx::Tx;

/// A comment that others see for the first time.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewComment<'a> {
    pub id: CommentId,
    pub author: UserId,
    pub thread: ThreadId,
    pub reply_to: Option<CommentId>,
    pub text: &'a str,
    pub at: Timestamp,
}

pub(super) async fn tell_people(
    tx: &Tx<'_>,
    step: &NewComment<'_>,
    owner: Option<UserId>,
    replied: Option<&LockedComment>,
) -> Result<()> {
    let new = |recipient, kind, about| NewNotification {
        recipient,
        kind,
        actor: Some(step.author),
        object: step.id.0,
        about,
        post: step.thread.post(),
        at: step.at,
    };
    let mut news: Vec<NewNotification> = Vec::new();
    if let (Some(replied), Some(reply_to)) = (replied.filter(|replied| !replied.gone), step.reply_to) {
        let about = (NotificationSubject::Comment, reply_to.0);
        news.push(new(replied.author, NotificationKind::Reply, about));
    }
    let about = match step.thread.subject {
        CommentSubject::Post => (NotificationSubject::Post, step.thread.id),
        CommentSubject::Person => (NotificationSubject::Person, step.thread.id),
        CommentSubject::Activity => (NotificationSubject::Activity, step.thread.id),
    };
    let is_told = |news: &[NewNotification], user| news.iter().any(|new| new.recipient == user);
    if let Some(owner) = owner.filter(|owner| !is_told(&news, *owner)) {
        news.push(new(owner, NotificationKind::Comment, about));
    }
    let place = (MentionSubject::Comment, step.id.0);
    for user in mentions::write(tx, place, step.text, step.author, step.at).await? {
        if !is_told(&news, user) {
            let about = (NotificationSubject::Comment, step.id.0);
            news.push(new(user, NotificationKind::Mention, about));
        }
    }
    notify(tx, &news).await
}

/// Its author hears that a moderator judged it.
pub(super) async fn tell_judged(tx: &Tx<'_>, step: &CommentModerate, found: &LockedComment) -> Result<()> {
    let new = NewNotification {
        recipient: found.author,
        kind: NotificationKind::Moderation,
        actor: None,
        object: step.terms.decision,
        about: (NotificationSubject::Comment, step.id.0),
        post: None,
        at: step.signed.at,
    };
    notify(tx, &[new]).await
}
