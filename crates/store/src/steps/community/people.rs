//! Lists of people, newest first. Whoever is banned, deleted or blocked either way is in none of them.

use domain::ids::UserId;

use super::lists::reader_id;
use crate::failure::{Fault, Result};
use crate::model::{FeedPage, PeopleFind, PersonCard, PersonList, PersonRow};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// `$1` is the reader, `$2` the moment of looking, `$3` whose list it is; `e` has `at_ms`.
macro_rules! people_sql {
    ($edges:literal, $id:literal, $of:literal) => {
        concat!(
            "SELECT u.id, u.name, u.avatar, u.level, e.at_ms FROM ",
            $edges,
            " e JOIN users u ON u.id = e.",
            $id,
            " WHERE e.",
            $of,
            " = $3 AND (e.at_ms, e.",
            $id,
            ") < ($4, $5) AND u.deleted_at IS NULL AND (u.ban_until IS NULL OR u.ban_until <= $2)
              AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = $1 AND b.blocked_id = u.id)
              AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = u.id AND b.blocked_id = $1)
              ORDER BY e.at_ms DESC, e.",
            $id,
            " DESC LIMIT $6"
        )
    };
}

const FOLLOWERS: &str = people_sql!("follows", "user_id", "followed_id");
const FOLLOWING: &str = people_sql!("follows", "followed_id", "user_id");
const LIKERS: &str = people_sql!("post_likes", "user_id", "post_id");
/// One's own list of whom one blocked has all of them, so that each can be unblocked.
const BLOCKED: &str = "SELECT u.id, u.name, u.avatar, u.level, e.at_ms
     FROM blocks e JOIN users u ON u.id = e.blocked_id
     WHERE e.user_id = $1 AND (e.at_ms, e.blocked_id) < ($2, $3)
     ORDER BY e.at_ms DESC, e.blocked_id DESC LIMIT $4";

pub(super) async fn find(tx: &Tx<'_>, step: &PeopleFind) -> Result<FeedPage<PersonRow>> {
    let (reader, before, fetch) = (reader_id(step.reader), step.page.before(), step.page.fetch());
    let (sql, of) = match step.list {
        PersonList::Followers(user) => (FOLLOWERS, user.0),
        PersonList::Following(user) => (FOLLOWING, user.0),
        PersonList::LikersOf(post) => (LIKERS, post.0),
        PersonList::Blocked => {
            let rows = tx.all(BLOCKED, params![reader, before.time, before.id, fetch], read).await?;
            return Ok(FeedPage::cut(rows, step.page, PersonRow::key));
        }
    };
    let rows = tx.all(sql, params![reader, step.now, of, before.time, before.id, fetch], read).await?;
    Ok(FeedPage::cut(rows, step.page, PersonRow::key))
}

fn read(row: &mut Row) -> Result<PersonRow, Fault> {
    let person =
        PersonCard { id: UserId(row.int()?), name: row.text()?, avatar: row.text()?, level: row.int()? };
    Ok(PersonRow { person, since: row.time()? })
}
