//! Private messages: encrypted before they are kept, and opened for the two people whose they are.

use domain::community::{MessageText, WordRuling};
use domain::ids::UserId;
use domain::time::Timestamp;
use store::model::{
    ConversationRow, ConversationsFind, FeedPage, FeedRequest, MessageSend, MessagesFind, MessagesPlace,
    MessagesRead, PersonCard, PrivateMessageRow,
};

use super::today;
use crate::caller::Repeat;
use crate::failure::{Fault, Result};
use crate::people::entry::once;
use crate::people::words::word_filter;
use crate::ports::SealContext;
use crate::world::World;

/// A message as one of the two reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateMessage {
    /// Its number in the conversation.
    pub n: i64,
    pub sender: UserId,
    /// Nothing once its sender deleted the account.
    pub text: Option<String>,
    pub sent: Timestamp,
}

/// A page of a conversation.
#[derive(Clone, Debug)]
pub struct ConversationPage {
    pub items: Vec<PrivateMessage>,
    pub more: bool,
    pub read_by_other: i64,
}

/// A conversation in its list.
#[derive(Clone, Debug)]
pub struct ConversationSummary {
    pub other_id: UserId,
    pub other: Option<PersonCard>,
    pub unread: i64,
    pub newest: PrivateMessage,
}

pub async fn message_send(
    world: &World,
    sender: UserId,
    recipient: UserId,
    repeat: Option<Repeat>,
    text: &str,
) -> Result<PrivateMessage> {
    let text = MessageText::parse(text)?;
    let mut ruling = WordRuling::default();
    let text = MessageText::parse(&ruling.read_sealed(word_filter(world).await?.as_ref(), text.as_str()))?;
    let day = today(world);
    let sent = world
        .db
        .message_send(MessageSend {
            conversation: world.next_id(),
            sender,
            recipient,
            sealed: world.outside.vault.seal(SealContext::PrivateMessage, text.as_str().as_bytes()),
            has_links: text.has_links(),
            ruling,
            day,
            once: repeat.map(|repeat| once(world, format!("user:{sender}"), repeat, None)),
        })
        .await?;
    for user in [sender, recipient] {
        world.community.news.announce(user);
    }
    let place = MessagesPlace::After(sent.id - 1);
    let page = message_list(world, sender, recipient, place, 1).await?;
    let found = page.items.into_iter().next();
    Ok(found.ok_or_else(|| Fault::new("a message that was just sent is gone"))?)
}

pub async fn message_list(
    world: &World,
    user: UserId,
    other: UserId,
    place: MessagesPlace,
    limit: u32,
) -> Result<ConversationPage> {
    let page = world.db.messages_find(MessagesFind { user, other, place, limit }).await?;
    let items: Result<Vec<PrivateMessage>> = page.items.into_iter().map(|row| open(world, row)).collect();
    Ok(ConversationPage { items: items?, more: page.more, read_by_other: page.read_by_other })
}

/// Everything up to a number was read. Again is the same.
pub async fn messages_read(world: &World, user: UserId, other: UserId, until: i64) -> Result<()> {
    world.db.messages_read(MessagesRead { user, other, until }).await?;
    for user in [user, other] {
        world.community.news.announce(user);
    }
    Ok(())
}

pub async fn conversation_list(
    world: &World,
    user: UserId,
    page: FeedRequest,
) -> Result<FeedPage<ConversationSummary>> {
    let found = world.db.conversations_find(ConversationsFind { user, page, now: world.now() }).await?;
    let open_row = |ConversationRow { id: _, other_id, other, unread, newest }| {
        Ok(ConversationSummary { other_id, other, unread, newest: open(world, newest)? })
    };
    let items: Result<Vec<ConversationSummary>> = found.items.into_iter().map(open_row).collect();
    Ok(FeedPage { items: items?, next: found.next })
}

pub(super) fn open(world: &World, row: PrivateMessageRow) -> Result<PrivateMessage> {
    let text = row.sealed.map(|sealed| -> Result<String> {
        let plain = world.outside.vault.open(SealContext::PrivateMessage, &sealed)?;
        Ok(String::from_utf8(plain).map_err(|error| Fault::caused("a private message", error))?)
    });
    Ok(PrivateMessage { n: row.n, sender: row.sender, text: text.transpose()?, sent: row.sent })
}
