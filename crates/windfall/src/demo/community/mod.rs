//! A community that is alive when the first visitor comes: people with faces, posts, comments, likes, votes for a hot list,
//! somebody to follow, and a streak.

mod face;
mod people;
mod posts;
mod streak;

use domain::ids::UserId;
use store::model::{FeedRequest, PostList, PostsFind};

use crate::node::Node;

/// Once. It comes before the rules of grants, so that none of it is worth anything.
pub async fn seed(node: &Node, player: UserId) -> anyhow::Result<()> {
    streak::seed(node, player).await?;
    let people = people::seed(node, player).await?;
    // A start that was cut short goes on where it stopped, and the last post comes last.
    let find = PostsFind {
        list: PostList::By(posts::last_author(&people)?),
        reader: None,
        page: FeedRequest { limit: 1, after: None },
        now: node.world.now(),
    };
    if !node.world.db.posts_find(find).await?.items.is_empty() {
        return Ok(());
    }
    people::follow(node, &people).await?;
    posts::seed(node, &people).await
}
