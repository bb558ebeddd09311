//! The community: what people write for everybody, and who follows whom.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`posts`] | writing, reading, liking and voting |
//! | [`hot_list`], [`snapshots`] | the list by score, and how lists by moving figures are paged |
//! | [`comments`] | trees of comments on posts, activities and people |
//! | [`markdown`] | how a text becomes a page that nothing can be smuggled into |
//! | [`people`] | follows, blocks, lists of people |
//! | [`check_ins`] | checking in, once a day |
//! | [`invites`] | my code, and who invited me |
//! | [`tasks`] | what a player can do for a grant, and their level |
//! | [`moderation`] | what moderators do to posts |
//! | [`timelines`] | posts of the people whom somebody follows |
//! | [`notifications`], [`notifications_relay`] | what somebody hears about, and how it is written |
//! | [`mention_links`] | links from names to the people they mean |
//! | [`messages`] | what two people write to each other |
//! | [`reports`] | what people bring before the moderators |
//! | [`word_filter`] | words for which texts are refused, held or masked |
//! | [`appeals`] | texts that wait, decisions, and appeals against them |
//! | [`live`], [`news`] | one stream for each person |

pub mod appeals;
pub mod check_ins;
pub mod comments;
pub mod hot_list;
pub mod invites;
pub mod live;
pub mod markdown;
pub mod mention_links;
pub mod messages;
pub mod moderation;
pub mod news;
pub mod notifications;
pub(crate) mod notifications_relay;
pub mod people;
pub mod posts;
pub mod reports;
pub mod snapshots;
pub mod tasks;
pub mod timelines;
pub mod word_filter;

use domain::Rejection;
use domain::ids::UserId;
use store::model::{CommunityDay, ReleaseTerms, ThreadId};

use self::markdown::Rendered;
use self::news::News;
use self::snapshots::Snapshots;
use self::timelines::rebuild::Rebuilds;
use crate::failure::Result;
use crate::recent::Recent;
use crate::world::World;

/// What the community keeps in memory; all of it can be made anew.
#[derive(Debug)]
pub struct CommunityState {
    pub hot: Snapshots<()>,
    pub top_comments: Snapshots<ThreadId>,
    pub rendered: Rendered,
    pub rebuilds: Rebuilds,
    pub news: News,
}

impl Default for CommunityState {
    fn default() -> Self {
        Self {
            hot: Snapshots::default(),
            top_comments: Snapshots::default(),
            rendered: Recent::new(markdown::RENDERED_MAX, markdown::RENDERED_KEEP),
            rebuilds: Rebuilds::default(),
            news: News::default(),
        }
    }
}

/// Passes whoever may read: everybody, unless the site asks for a sign-in first.
pub(crate) fn check_reader(world: &World, reader: Option<UserId>) -> Result<()> {
    if reader.is_none() && !world.settings.community.public {
        return Err(Rejection::Unauthenticated.into());
    }
    Ok(())
}

/// What a write is judged by just now.
fn today(world: &World) -> CommunityDay {
    let now = world.now();
    CommunityDay { day: world.site_day(now), caps: world.settings.community.daily, now }
}

/// What an act of a moderator needs to show a text that was held.
fn release_terms(world: &World) -> ReleaseTerms {
    ReleaseTerms {
        decision: world.next_id(),
        merged_from: world.settings.community.merged_from_followers,
        day: world.site_day(world.now()),
    }
}
