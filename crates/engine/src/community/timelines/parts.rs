//! What timelines are made of.

use std::fmt;

use store::Db;

use super::rebuild::Rebuilds;
use crate::ports::Timelines;
use crate::world::World;

/// The rows, the home of what is kept, and the rebuilds that are under way.
#[derive(Clone, Copy)]
pub struct TimelineParts<'a> {
    pub db: &'a Db,
    pub home: &'a dyn Timelines,
    pub rebuilds: &'a Rebuilds,
}

impl fmt::Debug for TimelineParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TimelineParts")
    }
}

impl<'a> TimelineParts<'a> {
    pub fn of(world: &'a World) -> Self {
        let home = world.outside.timelines.as_ref();
        Self { db: &world.db, home, rebuilds: &world.community.rebuilds }
    }
}
