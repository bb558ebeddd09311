//! The community: posts, likes and votes, who follows and blocks whom.

use domain::community::{
    ArticleScore, AuthorState, DailyCaps, FeedKey, FollowsVersion, ModerationAct, PostState, PostTerms,
    WordRuling,
};
use domain::ids::{PostId, UserId};
use domain::time::Timestamp;

use super::{AuditStamp, Once, ReleaseTerms};

/// What a write of the community is judged by: the day in the site's zone, and how much is allowed on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommunityDay {
    pub day: i64,
    pub caps: DailyCaps,
    pub now: Timestamp,
}

/// A text as it is kept, and what was found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostText {
    pub terms: PostTerms,
    pub excerpt: String,
    /// Whether it leads elsewhere, by its link or in its text.
    pub has_links: bool,
    /// What the word filter says of it.
    pub ruling: WordRuling,
}

#[derive(Clone, Debug)]
pub struct PostPublish {
    pub id: PostId,
    pub author: UserId,
    pub text: PostText,
    /// From so many followers on, posts are merged at read.
    pub merged_from: u32,
    pub day: CommunityDay,
    pub once: Option<Once>,
}

#[derive(Clone, Debug)]
pub struct PostEdit {
    pub id: PostId,
    pub author: UserId,
    /// The version that was looked at; another one by now is refused.
    pub version: u32,
    pub text: PostText,
    pub day: CommunityDay,
}

/// Likes, or takes it back.
#[derive(Clone, Copy, Debug)]
pub struct PostLike {
    pub post: PostId,
    pub user: UserId,
    pub liked: bool,
    pub day: CommunityDay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikeCount {
    pub liked: bool,
    pub likes: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct PostVote {
    pub post: PostId,
    pub user: UserId,
    /// yyyymmdd in the site's zone.
    pub site_day: i64,
    pub now: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoteCount {
    pub votes: i64,
    pub score: ArticleScore,
}

#[derive(Clone, Debug)]
pub struct PostModerate {
    pub id: PostId,
    pub act: ModerationAct,
    pub signed: AuditStamp,
    pub terms: ReleaseTerms,
}

/// What is shown of a person beside what they wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonCard {
    pub id: UserId,
    pub name: String,
    pub avatar: String,
    pub level: i64,
}

/// A post in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostRow {
    pub id: PostId,
    /// Nobody, once the account was deleted.
    pub author: Option<PersonCard>,
    pub author_state: AuthorState,
    pub state: PostState,
    pub title: String,
    pub link: Option<String>,
    pub excerpt: String,
    pub version: u32,
    pub published: Timestamp,
    pub edited: Option<Timestamp>,
    pub likes: i64,
    pub votes: i64,
    pub comments: i64,
    pub score: ArticleScore,
    pub pinned: bool,
    pub featured: bool,
    pub locked: bool,
    pub liked_by_me: bool,
    pub voted_by_me: bool,
}

impl PostRow {
    pub fn key(&self) -> FeedKey {
        FeedKey { time: self.published, id: self.id.0 }
    }
}

/// A name in a text, folded as names are compared, and whom it means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MentionRow {
    pub name: String,
    pub user: UserId,
}

/// A post with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostWhole {
    pub row: PostRow,
    pub body: String,
    pub mentions: Vec<MentionRow>,
    /// One of the two, author and reader, has blocked the other.
    pub blocked: bool,
}

/// What a post said before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostVersion {
    pub version: u32,
    pub title: String,
    pub link: Option<String>,
    pub body: String,
    pub until: Timestamp,
}

/// Which posts, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostList {
    Latest,
    Featured,
    By(UserId),
    /// One's own, in every state but deleted.
    Mine,
}

/// A page by (time, id), newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedRequest {
    pub limit: u32,
    /// What was seen before; nothing at the beginning.
    pub after: Option<FeedKey>,
}

impl FeedRequest {
    /// How many rows a query fetches: one more than the page, to know whether there is another.
    pub fn fetch(self) -> i64 {
        i64::from(self.limit) + 1
    }

    pub fn before(self) -> FeedKey {
        self.after.unwrap_or(FeedKey::NEWEST)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage<T> {
    pub items: Vec<T>,
    /// The key to continue after, when there is more.
    pub next: Option<FeedKey>,
}

impl<T> FeedPage<T> {
    /// Cuts what [`FeedRequest::fetch`] rows brought down to the page.
    pub fn cut(mut rows: Vec<T>, request: FeedRequest, key: impl Fn(&T) -> FeedKey) -> Self {
        let limit = request.limit as usize;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = if more { rows.last().map(key) } else { None };
        Self { items: rows, next }
    }
}

/// Asks for posts as somebody sees them; nobody is signed out.
#[derive(Clone, Copy, Debug)]
pub struct PostsFind {
    pub list: PostList,
    pub reader: Option<UserId>,
    pub page: FeedRequest,
    pub now: Timestamp,
}

/// Asks for some posts by id, as somebody sees them in lists.
#[derive(Clone, Debug)]
pub struct PostsPick {
    pub ids: Vec<PostId>,
    pub reader: Option<UserId>,
    pub now: Timestamp,
}

/// Somebody in a list of people, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    pub person: PersonCard,
    pub since: Timestamp,
}

impl PersonRow {
    pub fn key(&self) -> FeedKey {
        FeedKey { time: self.since, id: self.person.id.0 }
    }
}

/// Which people, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonList {
    Followers(UserId),
    Following(UserId),
    LikersOf(PostId),
    /// Whom the reader has blocked.
    Blocked,
}

#[derive(Clone, Copy, Debug)]
pub struct PeopleFind {
    pub list: PersonList,
    pub reader: Option<UserId>,
    pub page: FeedRequest,
    pub now: Timestamp,
}

#[derive(Clone, Copy, Debug)]
pub struct FollowSet {
    pub user: UserId,
    pub other: UserId,
    pub following_max: u32,
    pub day: CommunityDay,
}

/// What a step did about an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowOutcome {
    pub relation: Relation,
    /// The version of the follows of the one who asked, where this step made it.
    pub made: Option<FollowsVersion>,
}

/// What stands between two people after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    pub follows: bool,
    pub followed: bool,
    pub blocked_by_me: bool,
    pub blocks_me: bool,
    /// People who follow the other one.
    pub followers: i64,
}
