//! The waiting rooms of this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use domain::Rejection;
use domain::ids::{ActivityId, UserId};
use domain::sale::room::{BLOCK, Conditions, InRoom, JoinOutcome, QueuePosition, WaitingLine, WaitingRoom};
use domain::time::Timestamp;

use crate::failure::Result;
use crate::world::World;

/// Rooms open at once.
const ROOMS_MAX: usize = 1_000;
/// A room that nobody asked for is let go of after so long; the places in it are still good.
const IDLE_MS: i64 = 10 * 60_000;
const RETRY_AFTER_S: i64 = 5;

/// A sale and its round.
pub(crate) type RoomId = (ActivityId, u32);

#[derive(Debug, Default)]
pub struct RoomRack(RwLock<HashMap<RoomId, Arc<OpenRoom>>>);

#[derive(Debug)]
pub(crate) struct OpenRoom {
    id: RoomId,
    room: Mutex<WaitingRoom>,
    /// One takes numbers, the others wait for them.
    taking: tokio::sync::Mutex<()>,
    /// One looks at the stock, the others go on.
    ticking: tokio::sync::Mutex<()>,
    used: Mutex<Timestamp>,
}

impl RoomRack {
    pub fn open(&self, id: RoomId, now: Timestamp) -> Result<Arc<OpenRoom>, Rejection> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        if let Some(kept) = known {
            return Ok(kept);
        }
        let mut rooms = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if rooms.len() >= ROOMS_MAX {
            rooms.retain(|_, kept| now.since_ms(*lock(&kept.used)) < IDLE_MS);
            if rooms.len() >= ROOMS_MAX {
                return Err(Rejection::Overloaded { retry_after_s: RETRY_AFTER_S });
            }
        }
        let make = || {
            Arc::new(OpenRoom {
                id,
                room: Mutex::default(),
                taking: tokio::sync::Mutex::default(),
                ticking: tokio::sync::Mutex::default(),
                used: Mutex::new(now),
            })
        };
        Ok(Arc::clone(rooms.entry(id).or_insert_with(make)))
    }

    pub fn in_room(&self, id: RoomId) -> Option<InRoom> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        known.map(|kept| lock(&kept.room).in_room())
    }

    /// In all rooms together.
    pub fn in_all(&self) -> InRoom {
        let rooms: Vec<_> = self.0.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        rooms.iter().fold(InRoom::default(), |sum, kept| {
            let InRoom { waiting, inside } = lock(&kept.room).in_room();
            InRoom { waiting: sum.waiting + waiting, inside: sum.inside + inside }
        })
    }

    /// They used their turn, if there is a room at all.
    pub fn leave(&self, id: RoomId, user: UserId, now: Timestamp) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        if let Some(kept) = known {
            lock(&kept.room).leave(user, now);
        }
    }
}

impl OpenRoom {
    pub fn look(&self, user: UserId, now: Timestamp) -> QueuePosition {
        *lock(&self.used) = now;
        lock(&self.room).look(user, now)
    }

    pub fn line(&self) -> Arc<WaitingLine> {
        lock(&self.room).line()
    }

    /// A place. Numbers are written down before the first of them is given.
    pub async fn join(&self, world: &World, user: UserId, shown: Option<i64>) -> Result<QueuePosition> {
        loop {
            match self.join_now(user, shown, world.now())? {
                Some(standing) => return Ok(standing),
                None => self.take_numbers(world, user, shown).await?,
            }
        }
    }

    fn join_now(
        &self,
        user: UserId,
        shown: Option<i64>,
        now: Timestamp,
    ) -> Result<Option<QueuePosition>, Rejection> {
        *lock(&self.used) = now;
        let mut room = lock(&self.room);
        match room.join(user, shown, now) {
            JoinOutcome::Stands(standing) => Ok(Some(standing)),
            JoinOutcome::NeedsNumbers => Ok(None),
            JoinOutcome::Full => {
                Err(Rejection::RoomFull { max: room.places_max() as u64, retry_after_s: RETRY_AFTER_S })
            }
        }
    }

    async fn take_numbers(&self, world: &World, user: UserId, shown: Option<i64>) -> Result<()> {
        let _alone = self.taking.lock().await;
        // Somebody else may have taken some while we waited.
        if self.join_now(user, shown, world.now())?.is_none() {
            let (sale, round) = self.id;
            let block = world.db.numbers_take(sale, round, BLOCK).await?;
            lock(&self.room).supply(block);
        }
        Ok(())
    }

    /// Lets people in if it is time to. Whoever comes while another looks goes on with what is there.
    pub async fn tick<F: Future<Output = Conditions>>(&self, world: &World, look: impl FnOnce() -> F) {
        if !lock(&self.room).is_due(world.now()) {
            return;
        }
        let Ok(_alone) = self.ticking.try_lock() else { return };
        if !lock(&self.room).is_due(world.now()) {
            return;
        }
        let conditions = look().await;
        lock(&self.room).tick(world.now(), conditions);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
