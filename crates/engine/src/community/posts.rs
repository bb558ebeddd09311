//! Posts: written, read, liked, voted for.

use std::sync::Arc;

use domain::Rejection;
use domain::community::{PostReader, PostTerms, PostTitle, WordRuling, can_read};
use domain::ids::{PostId, UserId};
use domain::rejection::MissingThing;
use store::model::{
    FeedPage, FeedRequest, LikeCount, PeopleFind, PersonList, PersonRow, PostEdit, PostLike, PostList,
    PostPublish, PostRow, PostText, PostVote, PostWhole, PostsFind, VoteCount,
};

use super::markdown::{RENDERED_BYTES_MAX, RenderedText, render, render_with_words};
use super::mention_links::link_mentions;
use super::{check_reader, today};
use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::once;
use crate::people::words::word_filter;
use crate::world::World;

/// A post with its text, raw and rendered.
#[derive(Clone, Debug)]
pub struct OpenPost {
    pub whole: PostWhole,
    pub rendered: Arc<RenderedText>,
}

/// What somebody wants to publish, as they wrote it.
#[derive(Clone, Debug)]
pub struct PostWritten {
    pub title: String,
    pub link: Option<String>,
    pub body: String,
}

impl PostWritten {
    async fn check(&self, world: &World) -> Result<PostText> {
        let written = PostTerms::parse(&self.title, self.link.as_deref(), &self.body)?;
        let (filter, mut ruling) = (word_filter(world).await?, WordRuling::default());
        let title = PostTitle::parse(&ruling.read(&filter, written.title.as_str()))?;
        if let Some(link) = &written.link {
            ruling.read_strictly(&filter, link.as_str());
        }
        let body = ruling.read(&filter, &written.body);
        let (RenderedText { excerpt, has_links, html: _ }, words) = render_with_words(&body);
        ruling.read_rendered(&filter, &words);
        let terms = PostTerms { title, link: written.link, body };
        let has_links = has_links || terms.link.is_some();
        Ok(PostText { terms, excerpt, has_links, ruling })
    }
}

pub async fn post_create(
    world: &World,
    author: UserId,
    repeat: Option<Repeat>,
    written: PostWritten,
) -> Result<OpenPost> {
    let made = world
        .db
        .post_publish(PostPublish {
            id: PostId(world.next_id()),
            author,
            text: written.check(world).await?,
            merged_from: world.settings.community.merged_from_followers,
            day: today(world),
            once: repeat.map(|repeat| once(world, format!("user:{author}"), repeat, None)),
        })
        .await?;
    post_get(world, Some(author), PostId(made.id)).await
}

pub async fn post_edit(
    world: &World,
    author: UserId,
    id: PostId,
    version: u32,
    written: PostWritten,
) -> Result<OpenPost> {
    let step = PostEdit { id, author, version, text: written.check(world).await?, day: today(world) };
    world.db.post_edit(step).await?;
    post_get(world, Some(author), id).await
}

pub async fn post_delete(world: &World, author: UserId, id: PostId) -> Result<()> {
    world.db.post_delete(id, author, world.now()).await
}

/// A post as this reader sees it.
pub async fn post_get(world: &World, reader: Option<UserId>, id: PostId) -> Result<OpenPost> {
    check_reader(world, reader)?;
    let whole = world.db.post_whole(id, reader, world.now()).await?;
    let missing = Rejection::NotFound { what: MissingThing::Post };
    let Some(whole) = whole else { return Err(missing.into()) };
    let is_author = reader.is_some() && whole.row.author.as_ref().map(|author| author.id) == reader;
    let as_whom = match (is_author, whole.blocked) {
        (true, _) => PostReader::Author,
        (false, true) => PostReader::Blocked,
        (false, false) => PostReader::Anybody,
    };
    if !can_read(whole.row.state, whole.row.author_state, as_whom) {
        return Err(missing.into());
    }
    Ok(open(world, whole))
}

/// Renders a text that was not rendered lately.
pub(super) fn open(world: &World, whole: PostWhole) -> OpenPost {
    let (cache, version) = (&world.community.rendered, whole.row.version);
    let kept = cache.get(&whole.row.id).filter(|(of, _)| *of == version).map(|(_, rendered)| rendered);
    let rendered = kept.unwrap_or_else(|| {
        let plain = render(&whole.body);
        let html = link_mentions(&plain.html, &whole.mentions);
        let rendered = Arc::new(RenderedText { html, ..plain });
        if rendered.html.len() <= RENDERED_BYTES_MAX {
            cache.insert(whole.row.id, (version, Arc::clone(&rendered)));
        }
        rendered
    });
    OpenPost { whole, rendered }
}

/// What a text would look like.
pub fn post_preview(body: &str) -> Result<RenderedText> {
    let body = domain::community::post::long_text("body", body, domain::community::post::BODY_MAX)?;
    Ok(render(&body))
}

pub async fn post_list(
    world: &World,
    reader: Option<UserId>,
    list: PostList,
    page: FeedRequest,
) -> Result<FeedPage<PostRow>> {
    check_reader(world, reader)?;
    world.db.posts_find(PostsFind { list, reader, page, now: world.now() }).await
}

/// Likes a post, or takes it back. The same again is the same.
pub async fn post_like(world: &World, user: UserId, post: PostId, liked: bool) -> Result<LikeCount> {
    world.db.post_like(PostLike { post, user, liked, day: today(world) }).await
}

/// Votes for a post, for good. The same again is the same.
pub async fn post_vote(world: &World, user: UserId, post: PostId) -> Result<VoteCount> {
    let now = world.now();
    world.db.post_vote(PostVote { post, user, site_day: world.site_day(now), now }).await
}

/// Who liked a post that the reader may see, newest first.
pub async fn post_likers(
    world: &World,
    reader: UserId,
    post: PostId,
    page: FeedRequest,
) -> Result<FeedPage<PersonRow>> {
    post_get(world, Some(reader), post).await?;
    let list = PersonList::LikersOf(post);
    world.db.people_find(PeopleFind { list, reader: Some(reader), page, now: world.now() }).await
}
