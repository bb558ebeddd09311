//! Who follows and blocks whom.

use domain::Rejection;
use domain::account::{Ban, mask_name};
use domain::ids::UserId;
use domain::rejection::MissingThing;
use store::model::{
    FeedPage, FeedRequest, FollowOutcome, FollowSet, PeopleFind, PersonList, PersonRow, Profile, Relation,
};

use super::timelines::TimelineParts;
use super::timelines::revise::note;
use super::{check_reader, today};
use crate::failure::Result;
use crate::world::World;

/// A person as a member of the community.
#[derive(Clone, Debug)]
pub struct Member {
    pub profile: Profile,
    /// What stands between them and whoever looks; nothing for oneself and for those who are signed out.
    pub relation: Option<Relation>,
}

/// A member as somebody sees them. Whoever is deleted, banned, or blocks the reader is not there.
pub async fn member(world: &World, reader: Option<UserId>, user: UserId) -> Result<Member> {
    check_reader(world, reader)?;
    let missing = Rejection::NotFound { what: MissingThing::User };
    let account = world.db.account(user).await?.filter(|account| !account.deleted);
    let Some(account) = account else { return Err(missing.into()) };
    if Ban::check(account.ban.as_ref(), world.now()).is_err() {
        return Err(missing.into());
    }
    let relation = match reader {
        Some(reader) if reader != user => Some(world.db.relation(reader, user).await?),
        Some(_) | None => None,
    };
    if relation.is_some_and(|relation| relation.blocks_me) {
        return Err(missing.into());
    }
    let mut profile = account.profile;
    // Whoever only plays is known by a first character, as everywhere else.
    if reader != Some(user) && profile.posts == 0 && profile.following == 0 {
        profile.name = mask_name(&profile.name);
    }
    Ok(Member { profile, relation })
}

/// Follows. The same again is the same.
pub async fn follow(world: &World, user: UserId, other: UserId) -> Result<Relation> {
    let following_max = world.settings.community.following_max;
    let FollowOutcome { relation, made } =
        world.db.follow(FollowSet { user, other, following_max, day: today(world) }).await?;
    if let Some(version) = made {
        note(TimelineParts::of(world).backfill(user, other, version).await);
    }
    Ok(relation)
}

pub async fn unfollow(world: &World, user: UserId, other: UserId) -> Result<Relation> {
    let FollowOutcome { relation, made } = world.db.unfollow(user, other, world.now()).await?;
    if let Some(version) = made {
        note(TimelineParts::of(world).purge(user, other, version).await);
    }
    Ok(relation)
}

/// Blocks: both edges go, and neither sees the other.
pub async fn block(world: &World, user: UserId, other: UserId) -> Result<Relation> {
    let relation = world.db.block(user, other, world.now()).await?;
    note(TimelineParts::of(world).forget_both(user, other).await);
    Ok(relation)
}

pub async fn unblock(world: &World, user: UserId, other: UserId) -> Result<Relation> {
    world.db.unblock(user, other).await
}

/// Followers of a member, or those whom they follow.
pub async fn people_list(
    world: &World,
    reader: Option<UserId>,
    list: PersonList,
    page: FeedRequest,
) -> Result<FeedPage<PersonRow>> {
    match list {
        PersonList::Followers(user) | PersonList::Following(user) => {
            member(world, reader, user).await?;
        }
        PersonList::LikersOf(_) | PersonList::Blocked => {}
    }
    world.db.people_find(PeopleFind { list, reader, page, now: world.now() }).await
}
