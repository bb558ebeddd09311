//! The hot list: pinned posts, then by score, paged over a snapshot. Each page is checked against what its reader may see now.

use domain::ids::{PostId, UserId};
use store::model::{PostRow, PostsPick};

use super::check_reader;
use super::snapshots::{SNAPSHOT_MAX, SnapshotPlace};
use crate::failure::Result;
use crate::world::World;

/// Entries that are looked at for one page.
pub(super) const SCANNED_MAX: usize = 400;

/// A page of the hot list, and where the next one begins.
pub async fn hot_posts(
    world: &World,
    reader: Option<UserId>,
    limit: u32,
    after: Option<SnapshotPlace>,
) -> Result<(Vec<PostRow>, Option<SnapshotPlace>)> {
    check_reader(world, reader)?;
    let now = world.now();
    let read = async {
        let posts = world.db.posts_hot(SNAPSHOT_MAX).await?;
        Ok(posts.into_iter().map(|post| post.0).collect())
    };
    let snapshot = world.community.hot.find((), after, now, read).await?;
    let (wanted, mut items) = (limit as usize, Vec::new());
    let begin = after.map_or(0, |after| after.place as usize);
    let mut place = begin;
    while items.len() < wanted && place < snapshot.ids.len() && place - begin < SCANNED_MAX {
        // As many as are missing, so that nothing that is looked at is left out.
        let until = snapshot.ids.len().min(place + wanted - items.len());
        let ids = snapshot.ids[place..until].iter().map(|id| PostId(*id)).collect();
        items.extend(world.db.posts_pick(PostsPick { ids, reader, now }).await?);
        place = until;
    }
    let more = place < snapshot.ids.len();
    let next = more.then(|| SnapshotPlace {
        taken: snapshot.taken,
        place: u32::try_from(place).unwrap_or(SNAPSHOT_MAX),
    });
    Ok((items, next))
}
