//! The steps of private messages as methods of `Db`.

use domain::ids::UserId;
use domain::time::Timestamp;

use super::{lists, read, send};
use crate::db::Db;
use crate::failure::Result;
use crate::model::{
    ConversationRow, ConversationsFind, CreateOutcome, FeedPage, MessageSend, MessagesFind, MessagesPage,
    MessagesRead,
};

impl Db {
    /// Answers the number of the message.
    pub async fn message_send(&self, step: MessageSend) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(send::send(tx, step))).await
    }

    pub async fn messages_find(&self, step: MessagesFind) -> Result<MessagesPage> {
        self.read(step, |tx, step| Box::pin(lists::messages(tx, step))).await
    }

    pub async fn messages_read(&self, step: MessagesRead) -> Result<()> {
        self.write(step, |tx, step| Box::pin(read::mark(tx, step))).await
    }

    pub async fn conversations_find(&self, step: ConversationsFind) -> Result<FeedPage<ConversationRow>> {
        self.read(step, |tx, step| Box::pin(lists::conversations(tx, step))).await
    }

    /// Messages that were not read.
    pub async fn messages_unread(&self, user: UserId, now: Timestamp) -> Result<i64> {
        self.read((user, now), |tx, step| Box::pin(lists::count_unread(tx, step))).await
    }
}
