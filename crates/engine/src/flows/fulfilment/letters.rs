//! Dead letters: their story, and another try for one or for many.

use domain::Rejection;
use domain::account::Reason;
use domain::rejection::{FieldProblem, Subject};

use crate::failure::Outcome;
use crate::ports::{DeadLetter, FailedAttempt, REDRIVE_MAX, Redrive, RedriveWhich, Signed};
use crate::world::World;

#[derive(Clone, Debug)]
pub struct LetterStory {
    pub letter: DeadLetter,
    /// The oldest first.
    pub attempts: Vec<FailedAttempt>,
}

pub async fn letter(world: &World, id: i64) -> Outcome<LetterStory> {
    let found = world.outbox.dead_letter(id).await?;
    let (letter, attempts) = found.ok_or(Rejection::NotFound { what: Subject::DeadLetter })?;
    Ok(LetterStory { letter, attempts })
}

pub async fn redrive_one(world: &World, signed: Signed, id: i64) -> Outcome<u64> {
    Reason::parse(&signed.reason)?;
    world.outbox.redrive(Redrive { which: RedriveWhich::One(id), signed }).await
}

/// The oldest of a lane. Answers how many were put back; none are left when that is fewer than asked for.
pub async fn redrive_lane(world: &World, signed: Signed, lane: String, limit: u32) -> Outcome<u64> {
    Reason::parse(&signed.reason)?;
    if !(1..=REDRIVE_MAX).contains(&limit) {
        let range = FieldProblem::OutOfRange { min: 1, max: i64::from(REDRIVE_MAX) };
        return Err(Rejection::invalid("limit", range).into());
    }
    world.outbox.redrive(Redrive { which: RedriveWhich::Lane { lane, limit }, signed }).await
}
