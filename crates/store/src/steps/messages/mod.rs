//! Private messages: sent, read, listed. Everything goes by two people, of whom the caller is one, so that no conversation of
//! others can be asked for.

mod lists;
mod methods;
mod read;
mod send;

/// What becomes of a person's messages when the account is deleted: their words go, and their view of every conversation.
pub(crate) const LEAVING: [&str; 2] = [
    "UPDATE private_messages SET sealed = NULL WHERE sender_id = $1",
    "DELETE FROM conversation_sides WHERE user_id = $1",
];
