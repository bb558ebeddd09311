//! The waiting room of one sale: first come, first served, at a pace.
//!
//! Everybody has one place, a number, and lower comes first, always. People are let in from the front at the configured pace,
//! slower while the server has its hands full, and never many more than there are units. Whoever is not there when their
//! turn comes is passed over at no cost to those behind, and is the first again when they come back. Nobody waits for what
//! is gone: the room says so.
//!
//! It is a machine of values: time, stock and health come in. Numbers come in blocks that somebody else has written down
//! first, so that none is given twice; gaps between blocks are harmless, since only people are counted.
//!
//! Deliberately absent: who may come in at all. That was decided before; here is only the order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use crate::ids::UserId;
use crate::time::{MINUTE_MS, SECOND_MS, Timestamp};

/// Places that are remembered at most, of those who wait and of those who went away.
pub const PLACES_MAX: usize = 1_000_000;
/// Between two looks at who may come in.
pub const TICK_MS: i64 = 500;
/// Whoever has not been heard of for so long is not waiting, and keeps their number.
pub const AWAY_AFTER_MS: i64 = MINUTE_MS;
/// Whoever was let in has so long to ask for their token.
pub const ADMITTED_FOR_MS: i64 = 2 * MINUTE_MS;
/// Numbers written down at once. What a crash leaves unused is never given.
pub const BLOCK: i64 = 1_000;
/// A line that stands still is told again after so many ticks.
const BEAT_TICKS: u64 = 20;
/// Not everybody who is let in buys: so many times the units that are left may be inside at once.
const INSIDE_PER_UNIT: u64 = 2;

/// How the server is doing, as far as the room is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerLoad {
    Good,
    /// A crowd is being answered: half the pace.
    Busy,
    /// Nothing is being accepted.
    Stuck,
}

/// What a tick goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The sale has begun, and is neither paused nor over.
    pub open: bool,
    /// People to be let in each second, when all is well.
    pub per_second: u32,
    /// Units that are free.
    pub free: u64,
    /// Units that are held and may come back.
    pub held: u64,
    pub health: ServerLoad,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seat {
    Waiting {
        number: i64,
    },
    Away {
        number: i64,
        seen: Timestamp,
    },
    Admitted {
        number: i64,
        until: Timestamp,
    },
    /// Has used their turn, or let it pass: the same number is worth nothing more.
    Done {
        number: i64,
        at: Timestamp,
    },
}

/// Somebody in the line, and when they were last heard of.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    user: UserId,
    seen: Timestamp,
}

#[derive(Debug)]
pub struct WaitingRoom {
    places_max: usize,
    /// What is left of the block that was written down.
    numbers: Range<i64>,
    seats: HashMap<UserId, Seat>,
    waiting: BTreeMap<i64, Waiting>,
    /// Those inside, by when their turn is over.
    inside: BTreeSet<(Timestamp, UserId)>,
    ticked: Timestamp,
    ticks: u64,
    /// Turns that began or ended.
    turns: u64,
    /// Thousandths of a person that may still be let in.
    credit: i64,
    line: Arc<WaitingLine>,
}

/// The line as it was at the last tick, for whoever wants to know how far they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingLine {
    /// The numbers of those who wait, the lowest first.
    pub numbers: Vec<i64>,
    /// People let in each second, as things are; nothing while nobody is.
    pub per_second: u32,
    pub free: u64,
    /// Nothing is left, and nothing is held that could come back.
    pub gone: bool,
    pub open: bool,
    /// Turns that began or ended so far: whoever follows the line hears of theirs with the tick that brought it, also when
    /// nobody else waits and nothing else changed.
    pub turns: u64,
    /// Goes on now and then even if nothing else does, so that whoever follows the line is seen to be there.
    pub beat: u64,
}

/// How many are in a room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InRoom {
    /// In the line.
    pub waiting: u64,
    /// Let in, with their turn before them.
    pub inside: u64,
}

/// Where somebody stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePosition {
    Waiting {
        number: i64,
        /// People before them.
        ahead: u64,
    },
    Admitted {
        number: i64,
        until: Timestamp,
    },
    /// No place, or not any more.
    Nowhere,
}

/// What came of asking for a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinOutcome {
    Stands(QueuePosition),
    /// Write down a block, hand it over, and ask again.
    NeedsNumbers,
    Full,
}

impl Default for WaitingRoom {
    fn default() -> Self {
        Self::with_places(PLACES_MAX)
    }
}

impl WaitingRoom {
    /// An empty room that remembers so many places.
    pub fn with_places(places_max: usize) -> Self {
        Self {
            places_max,
            numbers: 0..0,
            seats: HashMap::new(),
            waiting: BTreeMap::new(),
            inside: BTreeSet::new(),
            ticked: Timestamp(0),
            ticks: 0,
            turns: 0,
            credit: 0,
            line: Arc::default(),
        }
    }

    pub fn places_max(&self) -> usize {
        self.places_max
    }

    /// A block of numbers that was written down. What was left of the one before is not used: a number is given in the
    /// order in which blocks come.
    pub fn supply(&mut self, block: Range<i64>) {
        if block.start >= self.numbers.end {
            self.numbers = block;
        }
    }

    /// A place, or the one they have. `shown` is the number of a place they kept; a server that forgot goes by it.
    pub fn join(&mut self, user: UserId, shown: Option<i64>, now: Timestamp) -> JoinOutcome {
        match self.seats.get(&user).copied() {
            Some(Seat::Waiting { number } | Seat::Away { number, .. }) => {
                // The earlier of the two: one who came back without their place, took another and then found it.
                let number = shown.map_or(number, |shown| shown.min(number));
                self.stand(user, number, now);
            }
            Some(Seat::Admitted { .. }) => {}
            Some(Seat::Done { number, .. }) if shown.is_some_and(|shown| shown > number) => {
                self.stand(user, shown.unwrap_or(number), now);
            }
            Some(Seat::Done { .. }) => return self.join_anew(user, now),
            None => match shown {
                Some(_) if self.seats.len() >= self.places_max => return JoinOutcome::Full,
                Some(number) => self.stand(user, number, now),
                None => return self.join_anew(user, now),
            },
        }
        JoinOutcome::Stands(self.standing(user))
    }

    /// Whether they are here, and where they stand; asking is being here.
    pub fn look(&mut self, user: UserId, now: Timestamp) -> QueuePosition {
        match self.seats.get(&user).copied() {
            Some(Seat::Waiting { number } | Seat::Away { number, .. }) => self.stand(user, number, now),
            Some(Seat::Admitted { .. } | Seat::Done { .. }) | None => {}
        }
        self.standing(user)
    }

    /// They have used their turn.
    pub fn leave(&mut self, user: UserId, now: Timestamp) {
        let number = match self.seats.get(&user).copied() {
            Some(Seat::Admitted { number, until }) => {
                self.inside.remove(&(until, user));
                number
            }
            Some(Seat::Waiting { number }) => {
                self.waiting.remove(&number);
                number
            }
            Some(Seat::Away { number, .. }) => number,
            Some(Seat::Done { .. }) | None => return,
        };
        self.turns += 1;
        self.seats.insert(user, Seat::Done { number, at: now });
    }

    /// Whether enough time has passed for a look.
    pub fn is_due(&self, now: Timestamp) -> bool {
        now.0.abs_diff(self.ticked.0) >= TICK_MS.unsigned_abs()
    }

    /// Lets in whoever may come in, the lowest number first.
    pub fn tick(&mut self, now: Timestamp, conditions: Conditions) {
        self.turns_over(now);
        self.drop_absent(now);
        let per_second = pace(conditions);
        let elapsed = now.since_ms(self.ticked).min(SECOND_MS);
        self.ticked = now;
        self.ticks += 1;
        // What nobody used in the last second is not saved up: a crowd comes in at the pace, not at once.
        let most = (i64::from(per_second) * SECOND_MS).max(SECOND_MS);
        self.credit =
            if per_second == 0 { 0 } else { (self.credit + elapsed * i64::from(per_second)).min(most) };
        let room_inside = conditions.free.saturating_mul(INSIDE_PER_UNIT);
        while self.credit >= SECOND_MS && (self.inside.len() as u64) < room_inside {
            let Some((number, Waiting { user, .. })) = self.waiting.pop_first() else { break };
            let until = now + ADMITTED_FOR_MS;
            self.seats.insert(user, Seat::Admitted { number, until });
            self.inside.insert((until, user));
            self.turns += 1;
            self.credit -= SECOND_MS;
        }
        self.line = Arc::new(WaitingLine {
            numbers: self.waiting.keys().copied().collect(),
            per_second: if conditions.free == 0 { 0 } else { per_second },
            free: conditions.free,
            gone: conditions.free == 0 && conditions.held == 0,
            open: conditions.open,
            turns: self.turns,
            beat: self.ticks / BEAT_TICKS,
        });
    }

    pub fn line(&self) -> Arc<WaitingLine> {
        Arc::clone(&self.line)
    }

    /// How many wait, and how many were let in and have not used their turn, as of the last tick.
    pub fn in_room(&self) -> InRoom {
        InRoom { waiting: self.waiting.len() as u64, inside: self.inside.len() as u64 }
    }

    fn standing(&self, user: UserId) -> QueuePosition {
        match self.seats.get(&user).copied() {
            Some(Seat::Waiting { number } | Seat::Away { number, .. }) => {
                QueuePosition::Waiting { number, ahead: self.ahead(number) }
            }
            Some(Seat::Admitted { number, until }) => QueuePosition::Admitted { number, until },
            Some(Seat::Done { .. }) | None => QueuePosition::Nowhere,
        }
    }

    /// People before a number, as of the last tick. Those who came since stand behind the line, in their order.
    fn ahead(&self, number: i64) -> u64 {
        let numbers = &self.line.numbers;
        let in_line = numbers.partition_point(|before| *before < number) as u64;
        let came = (self.waiting.len() as u64).saturating_sub(numbers.len() as u64);
        let behind =
            numbers.last().map(|last| last + 1).or(self.waiting.keys().next().copied()).unwrap_or(number);
        in_line + number.saturating_sub(behind).max(0).unsigned_abs().min(came.saturating_sub(1))
    }

    fn join_anew(&mut self, user: UserId, now: Timestamp) -> JoinOutcome {
        if self.seats.len() >= self.places_max && !self.seats.contains_key(&user) {
            self.forget(now);
            if self.seats.len() >= self.places_max {
                return JoinOutcome::Full;
            }
        }
        let Some(number) = self.numbers.next() else { return JoinOutcome::NeedsNumbers };
        self.stand(user, number, now);
        JoinOutcome::Stands(self.standing(user))
    }

    /// In the line at that number, heard of now.
    fn stand(&mut self, user: UserId, number: i64, now: Timestamp) {
        if let Some(Seat::Waiting { number: before }) = self.seats.get(&user).copied()
            && before != number
        {
            self.waiting.remove(&before);
        }
        self.seats.insert(user, Seat::Waiting { number });
        self.waiting.insert(number, Waiting { user, seen: now });
    }

    fn turns_over(&mut self, now: Timestamp) {
        while let Some((until, user)) = self.inside.first().copied().filter(|(until, _)| *until <= now) {
            self.inside.remove(&(until, user));
            if let Some(Seat::Admitted { number, .. }) = self.seats.get(&user).copied() {
                self.seats.insert(user, Seat::Done { number, at: now });
                self.turns += 1;
            }
        }
    }

    fn drop_absent(&mut self, now: Timestamp) {
        let Self { waiting, seats, .. } = self;
        waiting.retain(|number, Waiting { user, seen }| {
            let here = now.since_ms(*seen) < AWAY_AFTER_MS;
            if !here {
                seats.insert(*user, Seat::Away { number: *number, seen: *seen });
            }
            here
        });
    }

    /// Those who went away and those who are done, longer ago than anybody waits. A place that was kept is still good.
    fn forget(&mut self, now: Timestamp) {
        self.seats.retain(|_, seat| match seat {
            Seat::Waiting { .. } | Seat::Admitted { .. } => true,
            Seat::Away { seen: since, .. } | Seat::Done { at: since, .. } => {
                now.since_ms(*since) < ADMITTED_FOR_MS
            }
        });
    }
}

impl WaitingLine {
    /// How long somebody with so many before them will wait, as things are; nothing if nobody can say.
    pub fn wait_ms(&self, ahead: u64) -> Option<i64> {
        let wait = ahead.saturating_mul(SECOND_MS.unsigned_abs()).checked_div(u64::from(self.per_second))?;
        Some(i64::try_from(wait).unwrap_or(i64::MAX))
    }
}

/// People a second, as things are.
const fn pace(conditions: Conditions) -> u32 {
    if !conditions.open {
        return 0;
    }
    match conditions.health {
        ServerLoad::Good => conditions.per_second,
        ServerLoad::Busy => conditions.per_second.div_ceil(2),
        ServerLoad::Stuck => 0,
    }
}

/// When somebody who waits should ask again: rarely when it is far, and never all at once. Whoever watches a stream need
/// not ask.
pub fn ask_again_ms(wait_ms: Option<i64>, number: i64) -> i64 {
    let base = wait_ms.unwrap_or(5_000).clamp(1_000, 20_000) / 2;
    // Spread over as much again, by number: neighbours in the line ask at different moments.
    base + number
        .unsigned_abs()
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_right(40)
        .cast_signed()
        .rem_euclid(base)
}
