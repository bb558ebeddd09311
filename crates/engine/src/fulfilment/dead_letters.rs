//! Dead letters: their story, and another try for one or for many.

use domain::Rejection;
use domain::account::Reason;
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use store::model::{AuditStamp, DeadLetter, FailedAttempt, REDRIVE_MAX, Redrive, RedriveWhich, hook_of};

use crate::failure::Result;
use crate::world::World;

macro_rules! lanes {
    ($first:literal $(, $lane:literal)*) => {
        /// The lanes of the program's own messages. A webhook has a lane of its own: `hook:` and its id.
        pub const LANES: &[&str] = &[$first $(, $lane)*];
        const LANES_TEXT: &str = concat!($first $(, ", ", $lane)*, ", hook:<id of a webhook>");
    };
}

lanes![
    "points",
    "chances",
    "behaviours",
    "codes",
    "coupons",
    "returns",
    "shop",
    "take_back",
    "orders",
    "refunds",
    "events",
    "sandbox",
    "notifications",
    "timelines",
    "search"
];

#[derive(Clone, Debug)]
pub struct LetterStory {
    pub letter: DeadLetter,
    /// The oldest first.
    pub attempts: Vec<FailedAttempt>,
}

pub async fn letter(world: &World, id: i64) -> Result<LetterStory> {
    let found = world.db.dead_letter(id).await?;
    let (letter, attempts) = found.ok_or(Rejection::NotFound { what: MissingThing::DeadLetter })?;
    Ok(LetterStory { letter, attempts })
}

pub async fn redrive_one(world: &World, signed: AuditStamp, id: i64) -> Result<u64> {
    Reason::parse(&signed.reason)?;
    world.db.redrive(Redrive { which: RedriveWhich::One(id), signed }).await
}

/// The oldest of a lane. Answers how many were put back; none are left when that is fewer than asked for.
pub async fn redrive_lane(world: &World, signed: AuditStamp, lane: String, limit: i64) -> Result<u64> {
    Reason::parse(&signed.reason)?;
    let range = FieldProblem::OutOfRange { min: 1, max: i64::from(REDRIVE_MAX) };
    let limit = u32::try_from(limit).ok().filter(|limit| (1..=REDRIVE_MAX).contains(limit));
    let limit = limit.ok_or_else(|| Rejection::invalid("limit", range))?;
    if !is_known(world, &lane).await? {
        return Err(Rejection::invalid("lane", FieldProblem::NotOneOf { allowed: LANES_TEXT }).into());
    }
    world.db.redrive(Redrive { which: RedriveWhich::Lane { lane, limit }, signed }).await
}

/// A lane that somebody works on: a mistyped one has no letters, and never will.
async fn is_known(world: &World, lane: &str) -> Result<bool> {
    match hook_of(lane) {
        Some(id) => Ok(world.db.webhook_list().await?.iter().any(|hook| hook.id == id)),
        None => Ok(LANES.contains(&lane)),
    }
}

/// What was given up, the newest first; of one lane if it is named.
pub async fn letter_list(world: &World, lane: Option<String>, page: PageRequest) -> Result<Page<DeadLetter>> {
    world.db.dead_letters(lane, page).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handlers_lane_is_known() {
        for handler in crate::relay::handlers().iter().map(|handler| handler.name()) {
            assert!(handler == "hooks" || LANES.contains(&handler), "{handler}");
        }
    }
}
