//! How posts and people are written in JSON.

use domain::community::vote::{is_interesting, voting_ends};
use engine::community::people::Member;
use engine::community::posts::{OpenPost, PostWritten};
use serde::{Deserialize, Serialize};
use store::model::{PersonCard, PersonRow, PostRow, Relation};
use utoipa::ToSchema;

use crate::wire::ProfileBody;

/// A person beside what they wrote.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub name: String,
    pub avatar: String,
    pub level: i64,
}

impl From<PersonCard> for PersonBody {
    fn from(PersonCard { id, name, avatar, level }: PersonCard) -> Self {
        Self { id: id.to_string(), name, avatar, level }
    }
}

/// A person in a list, and since when they are in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedPersonBody {
    #[serde(flatten)]
    pub person: PersonBody,
    pub since_ms: i64,
}

impl From<PersonRow> for ListedPersonBody {
    fn from(PersonRow { person, since }: PersonRow) -> Self {
        Self { person: person.into(), since_ms: since.0 }
    }
}

/// A post in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    /// Absent once the author has deleted the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<PersonBody>,
    pub state: &'static str,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The beginning of its text, without markup.
    pub excerpt: String,
    /// Counted from 1; every edit is one more.
    pub version: u32,
    pub published_at_ms: i64,
    /// Absent when it was never edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited_at_ms: Option<i64>,
    pub likes: i64,
    pub votes: i64,
    pub comments: i64,
    /// The second of publishing plus 432 for each vote.
    pub score: i64,
    /// It has 200 votes or more.
    pub interesting: bool,
    /// When voting for it ends.
    pub voting_until_ms: i64,
    pub pinned: bool,
    pub featured: bool,
    /// Nobody comments any more.
    pub locked: bool,
    pub liked_by_me: bool,
    pub voted_by_me: bool,
}

impl From<PostRow> for PostBody {
    fn from(row: PostRow) -> Self {
        Self {
            id: row.id.to_string(),
            author: row.author.map(PersonBody::from),
            state: row.state.name(),
            title: row.title,
            link: row.link,
            excerpt: row.excerpt,
            version: row.version,
            published_at_ms: row.published.0,
            edited_at_ms: row.edited.map(|at| at.0),
            likes: row.likes,
            votes: row.votes,
            comments: row.comments,
            score: row.score.0,
            interesting: is_interesting(row.votes),
            voting_until_ms: voting_ends(row.published).0,
            pinned: row.pinned,
            featured: row.featured,
            locked: row.locked,
            liked_by_me: row.liked_by_me,
            voted_by_me: row.voted_by_me,
        }
    }
}

/// A post with its text.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostWholeBody {
    #[serde(flatten)]
    pub post: PostBody,
    /// Markdown, as it was written.
    pub body: String,
    /// The same as HTML that can be shown as it is.
    pub html: String,
}

impl From<OpenPost> for PostWholeBody {
    fn from(OpenPost { whole, rendered }: OpenPost) -> Self {
        Self { post: whole.row.into(), body: whole.body, html: rendered.html.clone() }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PostRequest {
    /// 1 to 100 characters.
    pub title: String,
    /// Where it leads to: http or https. It is never fetched.
    #[serde(default)]
    pub link: Option<String>,
    /// Markdown, 1 to 20,000 characters.
    pub body: String,
}

impl From<PostRequest> for PostWritten {
    fn from(PostRequest { title, link, body }: PostRequest) -> Self {
        Self { title, link, body }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PostUpdateRequest {
    /// The version that was looked at; another one by now is refused.
    pub version: u32,
    /// 1 to 100 characters.
    pub title: String,
    #[serde(default)]
    pub link: Option<String>,
    /// Markdown, 1 to 20,000 characters.
    pub body: String,
}

/// What stands between me and somebody else.
#[derive(Debug, Serialize, ToSchema)]
pub struct RelationBody {
    /// I follow them.
    pub following: bool,
    /// They follow me.
    pub follows_me: bool,
    /// I have blocked them.
    pub blocked: bool,
    /// People who follow them.
    pub followers: i64,
}

impl From<Relation> for RelationBody {
    fn from(relation: Relation) -> Self {
        Self {
            following: relation.follows,
            follows_me: relation.followed,
            blocked: relation.blocked_by_me,
            followers: relation.followers,
        }
    }
}

/// A member of the community.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemberBody {
    #[serde(flatten)]
    pub profile: ProfileBody,
    pub level: i64,
    /// Absent for oneself and for those who are signed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<RelationBody>,
}

impl From<Member> for MemberBody {
    fn from(Member { profile, relation }: Member) -> Self {
        let level = profile.level;
        Self { profile: profile.into(), level, relation: relation.map(RelationBody::from) }
    }
}
