//! What becomes of a person's part in the community when the account is deleted: posts and comments stay, by nobody; likes and edges go,
//! and the counts of others with them. Votes are final and stay without a name.

use domain::ids::UserId;
use domain::search::IndexedKind;

use crate::failure::Result;
use crate::params;
use crate::steps::{messages, notifications, reports, search};
use crate::tx::Tx;

const STEPS: [&str; 16] = [
    "UPDATE posts SET likes = likes - 1 WHERE id IN (SELECT post_id FROM post_likes WHERE user_id = $1)",
    "DELETE FROM post_likes WHERE user_id = $1",
    "UPDATE users SET followers = followers - 1
     WHERE id IN (SELECT followed_id FROM follows WHERE user_id = $1)",
    "UPDATE users SET following = following - 1
     WHERE id IN (SELECT user_id FROM follows WHERE followed_id = $1)",
    "DELETE FROM follows WHERE user_id = $1 OR followed_id = $1",
    // Whom others blocked stays blocked, should they return.
    "DELETE FROM blocks WHERE user_id = $1",
    "DELETE FROM community_days WHERE user_id = $1",
    // Who invited whom stays, by number, and so does the mark of a phone that was invited.
    "DELETE FROM invite_codes WHERE user_id = $1",
    // Milestones stay: they are once per account, also for whoever returns.
    "DELETE FROM check_ins WHERE user_id = $1",
    "UPDATE comments SET likes = likes - 1 WHERE id IN (SELECT comment_id FROM comment_likes WHERE user_id = $1)",
    "DELETE FROM comment_likes WHERE user_id = $1",
    "DELETE FROM appeals WHERE user_id = $1",
    "DELETE FROM decisions WHERE user_id = $1",
    "UPDATE comments SET author_gone = 1 WHERE author_id = $1",
    "UPDATE posts SET author_gone = 1 WHERE author_id = $1",
    "UPDATE users SET posts = 0, followers = 0, following = 0, follows_version = follows_version + 1 WHERE id = $1",
];

pub(crate) async fn leave(tx: &Tx<'_>, user: UserId) -> Result<()> {
    for sql in
        STEPS.into_iter().chain(notifications::BELONGINGS).chain(messages::LEAVING).chain(reports::LEAVING)
    {
        tx.execute(sql, params![user]).await?;
    }
    search::forget(tx, IndexedKind::Person, user.0).await?;
    Ok(())
}
