//! The community's steps as methods of `Db`.

use domain::community::{FeedKey, TimelineSnapshot};
use domain::ids::{CommentId, PostId, UserId};
use domain::time::Timestamp;

use super::{
    check_ins, comment_likes, comment_lists, comments, edges, fan_outs, invites, likes, lists, moderate,
    people, posts, timelines, votes,
};
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

    pub async fn post_delete(&self, post: PostId, author: UserId, now: Timestamp) -> Result<()> {
        self.write((post, author, now), |tx, step| Box::pin(posts::delete(tx, step))).await
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

    pub async fn follow(&self, step: FollowSet) -> Result<FollowOutcome> {
        self.write(step, |tx, step| Box::pin(edges::follow(tx, step))).await
    }

    pub async fn unfollow(&self, user: UserId, other: UserId, now: Timestamp) -> Result<FollowOutcome> {
        self.write((user, other, now), |tx, step| Box::pin(edges::unfollow(tx, step))).await
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

    pub async fn timeline_facts(&self, step: TimelineAsk) -> Result<TimelineFacts> {
        self.read(step, |tx, step| Box::pin(timelines::facts(tx, step))).await
    }

    pub async fn timeline_pull(&self, step: TimelinePull) -> Result<PulledTimeline> {
        self.read(step, |tx, step| Box::pin(timelines::pull(tx, step))).await
    }

    pub async fn timeline_pick(&self, step: TimelinePick) -> Result<Vec<Option<PostRow>>> {
        self.read(step, |tx, step| Box::pin(lists::pick_timeline(tx, step))).await
    }

    /// The newest posts of one author that are delivered and not merged at read.
    pub async fn pushed_posts(&self, author: UserId) -> Result<TimelineSnapshot> {
        self.read(author, |tx, author| Box::pin(timelines::list_pushed(tx, *author))).await
    }

    pub async fn fan_out_find(&self, post: PostId) -> Result<Option<PostFanOut>> {
        self.read(post, |tx, post| Box::pin(fan_outs::find(tx, *post))).await
    }

    /// Some followers, those who follow longest first; nobody where the post is deleted.
    pub async fn fan_out_followers(&self, step: FollowersAfter) -> Result<Vec<FeedKey>> {
        self.read(step, |tx, step| Box::pin(fan_outs::followers(tx, step))).await
    }

    /// Those of some people who follow the author; nobody where the post is deleted.
    pub async fn fan_out_filter(&self, post: PostId, users: Vec<UserId>) -> Result<Vec<UserId>> {
        self.read((post, users), |tx, (post, users)| Box::pin(fan_outs::filter(tx, *post, users))).await
    }

    /// Keeps how far a fan-out has come.
    pub async fn fan_out_move(&self, post: PostId, after: FeedKey) -> Result<()> {
        self.write((post, after), |tx, (post, after)| Box::pin(fan_outs::advance(tx, *post, *after))).await
    }

    pub async fn fan_out_finish(&self, post: PostId) -> Result<()> {
        self.write(post, |tx, post| Box::pin(fan_outs::finish(tx, *post))).await
    }

    pub async fn comment_create(&self, step: CommentCreate) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(comments::create(tx, step))).await
    }

    pub async fn comment_delete(&self, comment: CommentId, author: UserId, now: Timestamp) -> Result<()> {
        self.write((comment, author, now), |tx, step| Box::pin(comments::delete(tx, step))).await
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

    /// Answers whether it is the first check-in of the day.
    pub async fn check_in(&self, step: CheckIn) -> Result<bool> {
        self.write(step, |tx, step| Box::pin(check_ins::check_in(tx, step))).await
    }

    /// Answers whether the day was missed.
    pub async fn check_in_make_up(&self, step: CheckInMakeUp) -> Result<bool> {
        self.write(step, |tx, step| Box::pin(check_ins::make_up(tx, step))).await
    }

    pub async fn check_ins_find(&self, step: CheckInsFind) -> Result<CheckInsRow> {
        self.read(step, |tx, step| Box::pin(check_ins::find(tx, step))).await
    }

    /// The code that somebody has already stays.
    pub async fn invite_code_make(&self, step: InviteCodeMake) -> Result<()> {
        self.write(step, |tx, step| Box::pin(invites::make_code(tx, step))).await
    }

    pub async fn invite_accept(&self, step: InviteAccept) -> Result<()> {
        self.write(step, |tx, step| Box::pin(invites::accept(tx, step))).await
    }

    pub async fn invites_find(&self, user: UserId) -> Result<InvitesRow> {
        self.read(user, |tx, step| Box::pin(invites::find(tx, step))).await
    }

    /// Whose code it is, if they can invite.
    pub async fn inviter_find(&self, code: String, now: Timestamp) -> Result<Option<UserId>> {
        self.read((code, now), |tx, step| Box::pin(invites::find_inviter(tx, step))).await
    }

    pub async fn people_find(&self, step: PeopleFind) -> Result<FeedPage<PersonRow>> {
        self.read(step, |tx, step| Box::pin(people::find(tx, step))).await
    }
}
