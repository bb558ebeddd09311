//! The community's steps as methods of `Db`.

use domain::ids::{CommentId, PostId, UserId};
use domain::time::Timestamp;

use super::{comment_likes, comment_lists, comments, edges, likes, lists, moderate, people, posts, votes};
use crate::db::Db;
use crate::failure::Result;
use crate::model::*;

impl Db {
    pub async fn post_publish(&self, step: PostPublish) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(posts::publish(tx, step))).await
    }

    /// Answers the new version.
    pub async fn post_edit(&self, step: PostEdit) -> Result<u32> {
        self.write(step, |tx, step| Box::pin(posts::edit(tx, step))).await
    }

    pub async fn post_delete(&self, post: PostId, author: UserId) -> Result<()> {
        self.write((post, author), |tx, step| Box::pin(posts::delete(tx, step))).await
    }

    pub async fn post_like(&self, step: PostLike) -> Result<LikeCount> {
        self.write(step, |tx, step| Box::pin(likes::set(tx, step))).await
    }

    pub async fn post_vote(&self, step: PostVote) -> Result<VoteCount> {
        self.write(step, |tx, step| Box::pin(votes::vote(tx, step))).await
    }

    pub async fn post_moderate(&self, step: PostModerate) -> Result<()> {
        self.write(step, |tx, step| Box::pin(moderate::apply(tx, step))).await
    }

    pub async fn posts_find(&self, step: PostsFind) -> Result<FeedPage<PostRow>> {
        self.read(step, |tx, step| Box::pin(lists::find(tx, step))).await
    }

    pub async fn posts_pick(&self, step: PostsPick) -> Result<Vec<PostRow>> {
        self.read(step, |tx, step| Box::pin(lists::pick(tx, step))).await
    }

    pub async fn post_whole(
        &self,
        post: PostId,
        reader: Option<UserId>,
        now: Timestamp,
    ) -> Result<Option<PostWhole>> {
        let step = PostsPick { ids: vec![post], reader, now };
        self.read(step, |tx, step| Box::pin(lists::whole(tx, step))).await
    }

    pub async fn posts_hot(&self, limit: u32) -> Result<Vec<PostId>> {
        self.read(limit, |tx, step| Box::pin(lists::hot(tx, step))).await
    }

    pub async fn post_versions(&self, post: PostId) -> Result<Vec<PostVersion>> {
        self.read(post, |tx, step| Box::pin(lists::versions(tx, step))).await
    }

    pub async fn follow(&self, step: FollowSet) -> Result<Relation> {
        self.write(step, |tx, step| Box::pin(edges::follow(tx, step))).await
    }

    pub async fn unfollow(&self, user: UserId, other: UserId) -> Result<Relation> {
        self.write((user, other), |tx, step| Box::pin(edges::unfollow(tx, step))).await
    }

    pub async fn block(&self, user: UserId, other: UserId, now: Timestamp) -> Result<Relation> {
        self.write((user, other, now), |tx, step| Box::pin(edges::block(tx, step))).await
    }

    pub async fn unblock(&self, user: UserId, other: UserId) -> Result<Relation> {
        self.write((user, other), |tx, step| Box::pin(edges::unblock(tx, step))).await
    }

    pub async fn relation(&self, user: UserId, other: UserId) -> Result<Relation> {
        self.read((user, other), |tx, step| Box::pin(edges::relation(tx, step))).await
    }

    pub async fn comment_create(&self, step: CommentCreate) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(comments::create(tx, step))).await
    }

    pub async fn comment_delete(&self, comment: CommentId, author: UserId) -> Result<()> {
        self.write((comment, author), |tx, step| Box::pin(comments::delete(tx, step))).await
    }

    pub async fn comment_moderate(&self, step: CommentModerate) -> Result<()> {
        self.write(step, |tx, step| Box::pin(comments::moderate(tx, step))).await
    }

    pub async fn comment_like(&self, step: CommentLike) -> Result<LikeCount> {
        self.write(step, |tx, step| Box::pin(comment_likes::set(tx, step))).await
    }

    pub async fn comments_find(&self, step: CommentsFind) -> Result<FeedPage<CommentRow>> {
        self.read(step, |tx, step| Box::pin(comment_lists::find(tx, step))).await
    }

    pub async fn comments_pick(&self, step: CommentsPick) -> Result<Vec<CommentRow>> {
        self.read(step, |tx, step| Box::pin(comment_lists::pick(tx, step))).await
    }

    pub async fn comments_liked_most(&self, thread: ThreadId, limit: u32) -> Result<Vec<CommentId>> {
        self.read((thread, limit), |tx, step| Box::pin(comment_lists::liked_most(tx, step))).await
    }

    pub async fn people_find(&self, step: PeopleFind) -> Result<FeedPage<PersonRow>> {
        self.read(step, |tx, step| Box::pin(people::find(tx, step))).await
    }
}
