//! Who is named in a text. A name is looked up once, when the text is written: pages link it to the account that it meant then.

use domain::community::{MentionCandidate, mentioned_names, resolve_mention};
use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::Result;
use crate::model::MentionRow;
use crate::params;
use crate::tx::Tx;

/// People of one name who are looked at.
const CANDIDATES_MAX: u32 = 20;

/// Where somebody is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MentionSubject {
    Post,
    Comment,
}

impl MentionSubject {
    const fn name(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Comment => "comment",
        }
    }
}

/// Replaces who is named in a text; answers them.
pub(super) async fn write(
    tx: &Tx<'_>,
    (subject, id): (MentionSubject, i64),
    text: &str,
    author: UserId,
    now: Timestamp,
) -> Result<Vec<UserId>> {
    let sql = "DELETE FROM mentions WHERE about = $1 AND about_id = $2";
    tx.execute(sql, params![subject.name(), id]).await?;
    let mut users = Vec::new();
    for name in mentioned_names(text) {
        let Some(user) = resolve(tx, &name, author, now).await? else { continue };
        let sql = "INSERT INTO mentions (about, about_id, name_folded, mentioned_id) VALUES ($1, $2, $3, $4)";
        tx.execute(sql, params![subject.name(), id, &name, user]).await?;
        if !users.contains(&user) {
            users.push(user);
        }
    }
    Ok(users)
}

/// Only people who show themselves in the community can be named: those who post, comment or follow.
async fn resolve(tx: &Tx<'_>, name: &str, author: UserId, now: Timestamp) -> Result<Option<UserId>> {
    let candidates = tx
        .all(
            "SELECT u.id, (SELECT COUNT(*) FROM follows f WHERE f.user_id = $2 AND f.followed_id = u.id)
             FROM users u
             WHERE u.name_folded = $1 AND u.deleted_at IS NULL AND (u.ban_until IS NULL OR u.ban_until <= $3)
               AND (u.posts > 0 OR u.following > 0 OR EXISTS (
                   SELECT 1 FROM comments c WHERE c.author_id = u.id AND c.author_gone = 0))
               AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $2 AND b.blocked_id = u.id)
               AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = u.id AND b.blocked_id = $2)
             ORDER BY 2 DESC, u.id LIMIT $4",
            params![name, author, now, CANDIDATES_MAX],
            |row| Ok(MentionCandidate { user: UserId(row.int()?), followed: row.int()? > 0 }),
        )
        .await?;
    Ok(resolve_mention(&candidates))
}

/// Who is named in some texts, text by text.
pub(super) async fn find(
    tx: &Tx<'_>,
    subject: MentionSubject,
    ids: impl Iterator<Item = i64> + Send,
) -> Result<Vec<Vec<MentionRow>>> {
    let keys: Vec<_> = ids.map(|id| [subject.name().into(), id.into()]).collect();
    let sql = "SELECT name_folded, mentioned_id FROM mentions WHERE about = $1 AND about_id = $2 ORDER BY name_folded";
    tx.all_each(sql, &keys, |row| Ok(MentionRow { name: row.text()?, user: UserId(row.int()?) })).await
}
