//! What the database says of timelines: what is missing in those that are kept, and all of it where none is kept.
//!
//! A page of a kept timeline is right because of the order in which things are read. The newest key of all comes first:
//! whatever has a smaller key is committed and seen by everything that is read later. Then come the posts that are not
//! delivered to everybody yet. The kept timeline is read after that, so what has left those posts meanwhile is in it.

use domain::community::timeline::kept::KEPT_MAX;
use domain::community::timeline::merge::merge_newest;
use domain::community::timeline::pull::AuthorMerge;
use domain::community::{FeedKey, FollowsVersion, TimelineSnapshot};
use domain::ids::UserId;

use crate::failure::{Fault, Result};
use crate::model::{PulledPosts, PulledTimeline, TimelineAsk, TimelineFacts, TimelinePull};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

/// Keys of one author's posts below a place. What its author deleted never comes back, and what was never shown gets another
/// key when it is; everything else may come back where it was.
macro_rules! keys_sql {
    ($which:literal) => {
        concat!(
            "SELECT published_ms, id FROM posts
             WHERE author_id = $1 AND (published_ms, id) < ($2, $3) ",
            $which,
            " AND state <> 'deleted' AND shown = 1 AND author_gone = 0
             ORDER BY published_ms DESC, id DESC LIMIT $4"
        )
    };
}

const ALL: &str = keys_sql!("");
const PUSHED: &str = keys_sql!("AND merged = 0");
const MERGED: &str = keys_sql!("AND merged = 1");

pub(super) async fn facts(tx: &Tx<'_>, step: &TimelineAsk) -> Result<TimelineFacts> {
    let newest =
        tx.one("SELECT time_ms, post_id FROM community_clock WHERE id = 1", params![], read_key).await?;
    let newest = newest.ok_or_else(|| Fault::new("the clock of posts is gone"))?;
    let before = step.before.min(FeedKey { id: newest.id + 1, ..newest });
    let version = version(tx, step.user).await?;
    let limit = Value::Int(step.limit as i64);
    let on_the_way = tx
        .all(
            "SELECT o.published_ms, o.post_id FROM post_fan_outs o
             WHERE (o.published_ms, o.post_id) < ($2, $3) AND (o.author_id = $1 OR EXISTS (
                 SELECT 1 FROM follows f WHERE f.user_id = $1 AND f.followed_id = o.author_id))
             ORDER BY o.published_ms DESC, o.post_id DESC LIMIT $4",
            &[step.user.into(), before.time.into(), before.id.into(), limit],
            read_key,
        )
        .await?;
    let authors = tx
        .all(
            "SELECT a.author_id FROM merged_authors a WHERE a.author_id = $1 OR EXISTS (
                 SELECT 1 FROM follows f WHERE f.user_id = $1 AND f.followed_id = a.author_id)",
            params![step.user],
            |row| Ok(UserId(row.int()?)),
        )
        .await?;
    let merged = merge(tx, MERGED, &authors, before, step.limit).await?;
    let beside = merge_newest(&[&on_the_way, &merged.keys], step.limit);
    Ok(TimelineFacts { version, before, beside })
}

pub(super) async fn pull(tx: &Tx<'_>, step: &TimelinePull) -> Result<PulledTimeline> {
    // Before the follows: what is newer than the version is noticed, what is older is not.
    let version = version(tx, step.user).await?;
    let sql = "SELECT followed_id FROM follows WHERE user_id = $1";
    let mut authors = tx.all(sql, params![step.user], |row| Ok(UserId(row.int()?))).await?;
    authors.push(step.user);
    let sql = match step.posts {
        PulledPosts::All => ALL,
        PulledPosts::Pushed => PUSHED,
    };
    let snapshot = merge(tx, sql, &authors, step.before, step.limit).await?;
    Ok(PulledTimeline { version, snapshot })
}

pub(super) async fn list_pushed(tx: &Tx<'_>, author: UserId) -> Result<TimelineSnapshot> {
    merge(tx, PUSHED, &[author], FeedKey::NEWEST, KEPT_MAX).await
}

async fn version(tx: &Tx<'_>, user: UserId) -> Result<FollowsVersion> {
    tx.count("SELECT follows_version FROM users WHERE id = $1", params![user]).await.map(FollowsVersion)
}

async fn merge(
    tx: &Tx<'_>,
    sql: &'static str,
    authors: &[UserId],
    before: FeedKey,
    limit: usize,
) -> Result<TimelineSnapshot> {
    let mut merge = AuthorMerge::new(authors.len(), before, limit);
    loop {
        let reads = merge.list_reads();
        if reads.is_empty() {
            return Ok(merge.finish());
        }
        let keys: Vec<[Value; 4]> = reads
            .iter()
            .filter_map(|read| {
                let author = authors.get(read.author)?;
                let (before, limit) = (read.before, Value::Int(read.limit as i64));
                Some([(*author).into(), before.time.into(), before.id.into(), limit])
            })
            .collect();
        let found = tx.all_each(sql, &keys, read_key).await?;
        merge.take(&reads, &found);
    }
}

pub(super) fn read_key(row: &mut Row) -> Result<FeedKey, Fault> {
    Ok(FeedKey { time: row.time()?, id: row.int()? })
}
