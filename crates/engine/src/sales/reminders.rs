//! Reminders: whoever wants to hear before an activity starts. They are told by the job `reminders`, once for each start.

use domain::Rejection;
use domain::activity::LifeState;
use domain::ids::{ActivityId, UserId};
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use store::model::{ReminderRow, ReminderSet};

use crate::failure::Result;
use crate::world::World;

/// Reminders of one person.
pub const REMINDERS_MAX: u32 = 200;

/// Of something published that has yet to start. Again is the same.
pub async fn reminder_set(world: &World, user: UserId, activity: ActivityId) -> Result<()> {
    let live = world.caches.activities.find(world, activity).await?;
    let live = live.ok_or(Rejection::NotFound { what: MissingThing::Activity })?;
    let (window, now) = (live.content.configuration.window(), world.now());
    match live.life.at(window, now).state {
        LifeState::Approved | LifeState::Reopened => {}
        LifeState::Editing | LifeState::InReview | LifeState::Refused => {
            return Err(Rejection::NotFound { what: MissingThing::Activity }.into());
        }
        LifeState::Running | LifeState::Paused => return Err(Rejection::ReminderLate.into()),
        LifeState::Closed => return Err(Rejection::Ended.into()),
    }
    world.db.reminder_set(ReminderSet { activity, user, max: REMINDERS_MAX, now }).await
}

pub async fn reminder_drop(world: &World, user: UserId, activity: ActivityId) -> Result<()> {
    let there = world.db.reminder_drop(activity, user).await?;
    if there { Ok(()) } else { Err(Rejection::NotFound { what: MissingThing::Reminder }.into()) }
}

pub async fn my_reminders(world: &World, user: UserId, page: PageRequest) -> Result<Page<ReminderRow>> {
    let now = world.now();
    let by_the_clock = |mut row: ReminderRow| {
        row.activity.life = row.activity.life.at(row.activity.window, now);
        row
    };
    Ok(world.db.reminder_list(user, page).await?.map(by_the_clock))
}
