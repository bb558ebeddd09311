//! Votes for articles: the deadline first, then the row, the count and the score in one step (hole 62).

use domain::community::{ArticleScore, check_vote};
use domain::grants::OwnBehaviour;

use super::{acts, gate, likes};
use crate::failure::Result;
use crate::model::{PostVote, VoteCount};
use crate::params;
use crate::tx::Tx;

/// Votes, for good. Again is the same.
pub(super) async fn vote(tx: &Tx<'_>, step: &PostVote) -> Result<VoteCount> {
    let (_, newcomer) = gate::lock_writer(tx, step.user, step.now).await?;
    let post = likes::lock_readable(tx, step.post, step.user, step.now).await?;
    let published = post.published;
    check_vote(published, step.now)?;
    let new = tx
        .execute(
            "INSERT INTO post_votes (user_id, post_id, at_ms) VALUES ($1, $2, $3)
             ON CONFLICT (user_id, post_id) DO NOTHING",
            params![step.user, step.post, step.now],
        )
        .await?;
    if new > 0
        && let Some(author) = post.author
    {
        let voted = acts::on_post(OwnBehaviour::Vote, step.user, step.post, step.now);
        acts::report_towards(tx, voted, newcomer, author, step.site_day).await?;
    }
    let votes = tx.count("SELECT votes FROM posts WHERE id = $1", params![step.post]).await?;
    let votes = votes + i64::from(new > 0);
    let score = ArticleScore::of(published, votes);
    let sql = "UPDATE posts SET votes = $2, score = $3 WHERE id = $1";
    tx.execute(sql, params![step.post, votes, score.0]).await?;
    Ok(VoteCount { votes, score })
}
