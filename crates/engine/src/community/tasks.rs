//! What a player can do today, and what it is worth.

use domain::activity::LifeState;
use domain::grants::GrantKind;
use domain::ids::{ActivityId, UserId};
use store::model::{Calendar, TaskRow, TasksFind};

use crate::failure::Result;
use crate::points::calendar;
use crate::world::World;

/// A rule that a player can do something for.
#[derive(Clone, Debug)]
pub struct Task {
    pub row: TaskRow,
    /// The activity whose chances it gives, by its name and its name in English.
    pub activity: Option<(ActivityId, String, String)>,
}

/// How far somebody has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelView {
    pub level: i64,
    /// Points ever earned.
    pub earned: i64,
    /// Where the next level begins; nothing at the highest.
    pub next_at: Option<i64>,
}

/// What can be done, by kind. Chances of an activity that is not running are no reason to do anything.
pub async fn tasks(world: &World, user: UserId) -> Result<Vec<Task>> {
    let now = world.now();
    let site_expires = world.points_expire(now);
    let calendar = Calendar { day: calendar::day_in, expires: calendar::expires_in, site_expires };
    let (site_day, since) = (world.site_day(now), world.visible_since(user).await?);
    let rows = world.db.tasks_find(TasksFind { user, calendar, site_day, since, now }).await?;
    let mut tasks = Vec::with_capacity(rows.len());
    for row in rows {
        match row.rule.terms.gives {
            GrantKind::Points { .. } => tasks.push(Task { row, activity: None }),
            GrantKind::Chances { activity } => {
                let Some(live) = world.caches.activities.find(world, activity).await? else { continue };
                let window = live.content.configuration.window();
                if live.life.at(window, now).state != LifeState::Running {
                    continue;
                }
                let titles = world.caches.activities.titles(world, activity, live.version).await?;
                let names = (activity, titles.activity().to_owned(), titles.activity_en().to_owned());
                tasks.push(Task { row, activity: Some(names) });
            }
        }
    }
    Ok(tasks)
}

pub async fn level(world: &World, user: UserId) -> Result<LevelView> {
    let earned = world.db.points_earned(user).await?;
    let steps = &world.settings.level_points;
    let passed = steps.iter().filter(|points| **points <= earned).count();
    let level = i64::try_from(passed).unwrap_or(i64::MAX).saturating_add(1);
    Ok(LevelView { level, earned, next_at: steps.get(passed).copied() })
}
