//! What others wrote about somebody goes with the account: reasons of approvals, refunds and adjustments, and the facts
//! that the audit log repeats. Who did what to which number stays, so that the record still adds up.

use domain::ids::UserId;

use crate::failure::Result;
use crate::tx::Tx;
use crate::{audit, params};

/// By the user's number.
const BY_USER: [&str; 14] = [
    "UPDATE points_rows SET reason = '' WHERE user_id = $1",
    "UPDATE grants SET reason = '' WHERE user_id = $1 AND reason IS NOT NULL",
    "UPDATE play_commands SET note = NULL WHERE user_id = $1",
    "UPDATE audit SET reason = '', before_json = '', after_json = '' WHERE subject IN (
         SELECT 'fulfilment:' || CAST(id AS TEXT) FROM fulfilments WHERE user_id = $1)",
    "UPDATE audit SET reason = '' WHERE subject IN (
         SELECT 'order:' || CAST(id AS TEXT) FROM orders WHERE user_id = $1)",
    "UPDATE audit SET reason = '' WHERE subject IN (
         SELECT 'shop_order:' || CAST(id AS TEXT) FROM shop_orders WHERE user_id = $1)",
    "UPDATE audit SET reason = '' WHERE subject IN (
         SELECT 'post:' || CAST(id AS TEXT) FROM posts WHERE author_id = $1)",
    "UPDATE audit SET reason = '' WHERE subject IN (
         SELECT 'comment:' || CAST(id AS TEXT) FROM comments WHERE author_id = $1)",
    "UPDATE audit SET reason = '' WHERE subject IN (
         SELECT 'appeal:' || CAST(id AS TEXT) FROM decisions WHERE user_id = $1)",
    "UPDATE approvals SET reason = '', decision_reason = '' WHERE kind = 'void_fulfilment' AND request IN (
         SELECT '{\"fulfilment\":\"' || CAST(id AS TEXT) || '\"}' FROM fulfilments WHERE user_id = $1)",
    "UPDATE approvals SET reason = '', decision_reason = '' WHERE kind = 'refund_shop_order' AND request IN (
         SELECT '{\"order\":\"' || CAST(id AS TEXT) || '\"}' FROM shop_orders WHERE user_id = $1)",
    "UPDATE fulfilments SET note = NULL WHERE user_id = $1",
    "UPDATE refunds SET note = NULL WHERE order_id IN (SELECT id FROM orders WHERE user_id = $1)",
    "UPDATE shop_orders SET note = NULL WHERE user_id = $1",
];

/// By the subject of a line.
const BY_SUBJECT: [&str; 2] = [
    "UPDATE audit SET before_json = '', after_json = '' WHERE subject = $1
        AND action IN ('user.facts', 'user.ban', 'user.unban')",
    "UPDATE audit SET reason = '' WHERE subject = $1",
];

/// By how JSON names the user.
const BY_MENTION: [&str; 2] = [
    "UPDATE approvals SET reason = '', decision_reason = '' WHERE request LIKE $1",
    "UPDATE audit SET reason = '' WHERE action = 'activity.grant' AND after_json LIKE $1",
];

pub(super) async fn erase_words_about(tx: &Tx<'_>, user: UserId) -> Result<()> {
    // The lines of approvals name the request: they go before it is changed.
    let mention = format!("%\"user\":\"{user}\"%");
    let sql = "UPDATE audit SET reason = '' WHERE subject IN (
                   SELECT 'approval:' || CAST(id AS TEXT) FROM approvals WHERE request LIKE $1)";
    tx.execute(sql, params![&mention]).await?;
    for sql in BY_MENTION {
        tx.execute(sql, params![&mention]).await?;
    }
    for sql in BY_SUBJECT {
        tx.execute(sql, params![audit::user_subject(user)]).await?;
    }
    for sql in BY_USER {
        tx.execute(sql, params![user]).await?;
    }
    tx.execute("UPDATE orders SET note = NULL WHERE user_id = $1", params![user]).await.map(drop)
}
